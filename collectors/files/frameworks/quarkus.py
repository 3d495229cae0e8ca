"""Quarkus and SmallRye: `kafka.*` is every client's, `mp.messaging.*.<channel>.*` one client's; profiles lie over the base.

Sources: SmallRye Reactive Messaging's Kafka connector (its attributes, ConfigHelper), Quarkus' configuration reference and
its Kafka Streams extension.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from advisor.model import Spelling
from collectors.files.block import Block, deployment, text_of
from collectors.files.frameworks.dotted_properties import (
    CLIENTS,
    Flat,
    below,
    flatten,
    names_of,
    put,
    put_shared,
    shared_key,
)
from collectors.files.names import is_key, key_of
from collectors.files.sources import Sources
from collectors.files.syntax.tree import TreeNode

FORMAT_NAME = "quarkus"
PREFIXES = ("mp.messaging.", "quarkus.", "kafka-streams.", "%dev.", "%test.", "%prod.", "%{")
"""What the properties of such an application begin with."""
CONCERNS = ("mp.messaging.", "kafka.", "kafka-streams.", "quarkus.kafka-streams.")
PROFILED = re.compile(r"%(?:\{([^{}]{1,200})\}|([^.{}]{1,200}))\.(.+)", re.DOTALL)
PROFILE_OF_PRODUCTION = "prod"
"""The profile of an application that was built; the base alone runs in others."""
CONNECTOR = "smallrye-kafka"
GLOBAL, ALL_CHANNELS = "kafka.", f"mp.messaging.connector.{CONNECTOR}."
DIRECTIONS = {"incoming": "consumer", "outgoing": "producer"}
STREAMS, STREAMS_OF_QUARKUS = "kafka-streams.", "quarkus.kafka-streams."
OWN = frozenset(
    ("connector", "topic", "topics", "pattern", "enabled", "concurrency", "broadcast", "merge", "key", "partition",
     "partitions", "retry", "requests", "batch", "host", "port", "cloud-events", "waitForWriteCompletion", "ordered",
     "tracing-enabled", "auto-commit")
)  # fmt: skip
"""SmallRye's attributes of one word; those with a hyphen are its own, too."""
FAILURES = "failure-strategy"
OWN_GROUPS = ("throttled.", "checkpoint.", "ordered.", "consumer-", "dead-letter-queue.", "delayed-retry-topic.")
PLATFORM = "SmallRye's Kafka connector"
STRINGS = "org.apache.kafka.common.serialization.String"
DESCRIBED: dict[str, dict[str, str | None]] = {
    "consumer": {
        "enable.auto.commit": "false", "group.id": "${quarkus.application.name}",
        "key.deserializer": f"{STRINGS}Deserializer", "value.deserializer": f"{STRINGS}Deserializer",
    },
    "producer": {
        "acks": "1", "key.serializer": f"{STRINGS}Serializer", "value.serializer": f"{STRINGS}Serializer",
    },
}  # fmt: skip
"""What the connector documents (Quarkus finds the values' serializers itself) where it is not Kafka's default."""
MOST_DOTS = 10
"""Dots in the name of a channel with its attribute."""
Named = dict[str, Flat]


def knows(document: TreeNode) -> bool:
    """Whether a document configures Quarkus, and Kafka in it."""
    names = [_without_profile(name) for name in names_of(document)]
    is_quarkus = any(name.startswith(("mp.messaging.", "quarkus.", "kafka-streams.")) for name in names)
    return is_quarkus and any(name.startswith(CONCERNS) for name in names)


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The clients of an application."""
    flat = [row for document in documents for row in flatten(document, sources.shown)]
    return flat_blocks(flat, sources)


def flat_blocks(flat: Sequence[Flat], sources: Sources) -> list[Block]:
    """The clients of the base, and for every profile those that it changes; production's in place of the base's."""
    base: Named = {}
    profiles: dict[str, Named] = {}
    for row in flat:
        for profile, name in _profiles(row[0]):
            (profiles.setdefault(profile, {}) if profile else base)[name.replace('"', "")] = row
    clients = {("", *_identity(block)): block for block in _clients(base, "", sources.shown)}
    for profile, named in profiles.items():
        positions = {(key.line, key.column) for _, key, _ in named.values()}
        for block in _clients(base | named, profile, sources.shown):
            if any((setting.origin.line, setting.origin.column) in positions for setting in block.settings.values()):
                clients[profile, *_identity(block)] = block
                if profile == PROFILE_OF_PRODUCTION:
                    clients.pop(("", block.kind or "", block.name.rpartition(" ")[0]), None)
    return [block for block in clients.values() if block.settings]


def _identity(block: Block) -> tuple[str, str]:
    return block.kind or "", block.name


def _without_profile(name: str) -> str:
    match = PROFILED.match(name) if name[:1] == "%" else None
    return match.group(3) if match else name


def _profiles(name: str) -> Iterator[tuple[str, str]]:
    """(profile, name without it): `%dev.`, `%{dev,test}.`; the base is the profile without a name."""
    match = PROFILED.match(name) if name[:1] == "%" else None
    if match is None:
        yield "", name
    else:
        for profile in (match.group(1) or match.group(2)).split(","):
            yield profile.strip(), match.group(3)


def _clients(named: Named, profile: str, file: str) -> list[Block]:
    rows = [(name, row) for name, row in named.items() if text_of(row[2]) != ""]
    shared = below(rows, GLOBAL)
    clients = list(_channels(rows, shared, profile, file))
    if not clients and any(is_key(key, CLIENTS) for key in shared):
        client = _block("client", "client", profile, file, GLOBAL)
        put_shared([client], shared, "client")
        clients.append(client)
    streams = _streams(rows, profile, file)
    return [*clients, streams] if streams.settings else clients


def _block(kind: str, name: str, profile: str, file: str, prefix: str) -> Block:
    block = Block(kind, f"{name} {profile}".strip(), FORMAT_NAME, file)
    names = {key: GLOBAL + key for key in ("bootstrap.servers", "security.protocol")} if kind != "streams" else {}
    block.spelling = Spelling(prefix, names=names)
    return block


def _channels(rows: list[tuple[str, Flat]], shared: Named, profile: str, file: str) -> Iterator[Block]:
    """A client for every channel of the Kafka connector."""
    attributes: dict[tuple[str, str], Named] = {}
    for direction in DIRECTIONS:
        for name, row in below(rows, f"mp.messaging.{direction}.").items():
            channel, attribute = _split(name)
            attributes.setdefault((direction, channel), {})[attribute] = row
    connectors = {text_of(each["connector"][2]) for each in attributes.values() if "connector" in each}
    for_all = below(rows, ALL_CHANNELS)
    for (direction, channel), own in attributes.items():
        if _is_kafkas(own, connectors, shared):
            kind = DIRECTIONS[direction]
            block = _block(kind, channel, profile, file, f"mp.messaging.{direction}.{channel}.")
            block.described, block.platform = DESCRIBED[kind], PLATFORM
            put_shared([block], shared, kind)
            put_shared([block], for_all, kind)
            for key, row in own.items():
                if not _is_own(key):
                    put(block, key, row)
            yield block
            if FAILURES in own:
                yield _failures(channel, own[FAILURES], profile, file)


def _split(name: str) -> tuple[str, str]:
    """(channel, attribute): the shortest name of a channel, which may have dots, that leaves a known attribute."""
    parts = name.split(".", MOST_DOTS)
    for number in range(1, len(parts)):
        attribute = ".".join(parts[number:])
        if _is_own(attribute) or is_key(attribute, CLIENTS):
            return ".".join(parts[:number]), attribute
    channel, _, attribute = name.partition(".")
    return channel, attribute


def _is_kafkas(own: Named, connectors: set[str], shared: Named) -> bool:
    """Whether a channel is one of Kafka's: it says so, or nothing else is connected and something says Kafka."""
    if "enabled" in own and text_of(own["enabled"][2]).strip().lower() == "false":
        return False
    if "connector" in own:
        return text_of(own["connector"][2]) == CONNECTOR
    says_kafka = any(shared_key(key, "client") for key in shared) or any(is_key(key, CLIENTS) for key in own)
    return says_kafka and connectors <= {CONNECTOR}


def _failures(channel: str, row: Flat, profile: str, file: str) -> Block:
    """What a channel does after a record that the application failed to process."""
    facts = deployment(f"{channel} {profile}".strip(), FORMAT_NAME, file)
    facts.set(f"skips.{FAILURES}", text_of(row[2]), row[1], row[2], row[0])
    return facts


def _is_own(attribute: str) -> bool:
    """Whether an attribute of a channel is SmallRye's, and no setting of a client."""
    return not attribute or attribute in OWN or "-" in attribute or attribute.startswith(OWN_GROUPS)


def _streams(rows: list[tuple[str, Flat]], profile: str, file: str) -> Block:
    block = _block("streams", "streams", profile, file, STREAMS)
    for key, row in below(rows, STREAMS).items():
        put(block, key, row)
    for name, row in below(rows, STREAMS_OF_QUARKUS).items():
        bound = key_of(name, ("streams",)) or key_of(name, ("consumer",))
        if bound is not None:
            put(block, bound, row)
    if "application.id" not in block.settings:
        block.fragment = "quarkus.application.name, or the code, says it"
    return block
