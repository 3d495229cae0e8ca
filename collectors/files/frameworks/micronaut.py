"""Micronaut: `kafka.*` is every client's, `kafka.producers.<id>.*` and `kafka.consumers.<group>.*` one client's.

Source: micronaut-kafka (KafkaDefaultConfiguration, KafkaProducerConfiguration, KafkaConsumerConfiguration,
KafkaStreamsConfiguration). The annotations of the code add to them: the group, how offsets are committed, acks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.model import Spelling
from collectors.files.block import Block
from collectors.files.frameworks.dotted_properties import CLIENTS, Flat, below, flatten, names_of, put, put_shared
from collectors.files.names import is_key
from collectors.files.sources import Sources
from collectors.files.syntax.tree import TreeNode

FORMAT_NAME = "micronaut"
ROOT = "kafka."
ADDRESSES = "kafka.bootstrap.servers"
"""Beside these, a key of one word (acks) tells a client of Micronaut as well."""
SECTIONS = {"kafka.producers.": "producer", "kafka.consumers.": "consumer", "kafka.streams.": "streams"}
PREFIXES = ("micronaut.", *SECTIONS)
"""What the properties of such an application begin with."""
OTHERS = ("embedded.", "health.", "metrics.", "topics.", *(prefix.removeprefix(ROOT) for prefix in SECTIONS))
"""Sections that are no client's."""
CODE = "annotations of the code set what the file leaves out"
APPLICATION = "micronaut.application.name, or the code, says it"


def knows(document: TreeNode) -> bool:
    """Whether a document configures Micronaut and Kafka in it, or clients as Micronaut names them."""
    names = names_of(document)
    is_micronaut = any(name.startswith("micronaut.") for name in names)
    least_dots = 0 if ADDRESSES in names else 1
    return any(_is_clients(name, least_dots) or (is_micronaut and name.startswith(ROOT)) for name in names)


def _is_clients(name: str, least_dots: int) -> bool:
    """Whether a name is a setting of Kafka's below one client of Micronaut, with so many dots in its key."""
    prefix = next((each for each in SECTIONS if name.startswith(each)), None)
    key = name[len(prefix) :].partition(".")[2] if prefix else ""
    return key.count(".") >= least_dots and is_key(key, (*CLIENTS, "streams"))


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The clients of an application."""
    return flat_blocks([row for document in documents for row in flatten(document, sources.shown)], sources)


def flat_blocks(flat: Sequence[Flat], sources: Sources) -> list[Block]:
    """The clients that properties configure, and the admin client that has what is common to all."""
    rows = [(row[0], row) for row in flat]
    shared = {key: row for key, row in below(rows, ROOT).items() if not key.startswith(OTHERS)}
    admin = Block("admin", "kafka", FORMAT_NAME, sources.shown)
    admin.spelling = Spelling(ROOT)
    put_shared([admin], shared, "admin")
    clients = list(_clients(rows, shared, sources.shown))
    return [*([admin] if admin.settings else []), *clients]


def _clients(rows: list[tuple[str, Flat]], shared: dict[str, Flat], file: str) -> Iterator[Block]:
    for prefix, kind in SECTIONS.items():
        clients: dict[str, list[tuple[str, Flat]]] = {}
        for dotted, row in below(rows, prefix).items():
            name, _, key = dotted.partition(".")
            clients.setdefault(name, []).append((key, row))
        for name, own in clients.items():
            yield _client(kind, name, own, shared, file, f"{prefix}{name}.")


def _client(
    kind: str, name: str, own: list[tuple[str, Flat]], shared: dict[str, Flat], file: str, prefix: str
) -> Block:
    block = Block(kind, f"{kind} {name}", FORMAT_NAME, file)
    block.spelling = Spelling(prefix)
    block.fragment = APPLICATION if kind == "streams" else CODE
    put_shared([block], shared, kind)
    for key, row in own:
        if key and not (kind == "streams" and "-" in key):
            put(block, key, row)
    return block
