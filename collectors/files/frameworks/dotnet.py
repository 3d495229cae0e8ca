"""Settings of .NET applications (appsettings.json): objects with the properties of Confluent.Kafka's configurations.

An object counts with two properties that are librdkafka's, and half of all its texts and numbers. Source: Confluent.Kafka's
ClientConfig, ProducerConfig and ConsumerConfig, whose properties are librdkafka's in Pascal case, and their enums.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.model import Spelling
from collectors.files import detect, generic
from collectors.files.block import Block
from collectors.files.names import camel_case, key_of, letters
from collectors.files.sources import Sources
from collectors.files.syntax.tree import SCALAR, SEQUENCE, TreeNode

FORMAT_NAME = "dotnet"
LIBRDKAFKA = ("librdkafka",)
ENOUGH = 2
CODE = "the code may set what the file leaves out"
KINDS = ("producer", "consumer", "admin")
ENUMS: dict[str, tuple[str, ...]] = {
    "acks": ("all",),
    "security.protocol": ("plaintext", "ssl", "sasl_plaintext", "sasl_ssl"),
    "sasl.mechanism": ("GSSAPI", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"),
    "auto.offset.reset": ("latest", "earliest", "error"),
    "compression.type": ("none", "gzip", "snappy", "lz4", "zstd"),
    "isolation.level": ("read_uncommitted", "read_committed"),
    "partition.assignment.strategy": ("range", "roundrobin", "cooperative-sticky"),
    "partitioner": ("random", "consistent", "consistent_random", "murmur2", "murmur2_random", "fnv1a", "fnv1a_random"),
    "ssl.endpoint.identification.algorithm": ("none", "https"),
    "broker.address.family": ("any", "v4", "v6"),
    "group.protocol": ("classic", "consumer"),
}
"""librdkafka's spelling of the values that are enums in .NET."""
NAMES = {"acks": {"none": "0", "leader": "1"}}
"""Values whose name in .NET is another one."""
Located = tuple[str, TreeNode]
"""(path, object)."""


def knows(document: TreeNode) -> bool:
    """Whether a document holds an object with Confluent.Kafka's properties."""
    return any(True for _ in _configurations(document, "", set()))


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """A client for every object, and what else is Kafka's by dotted keys."""
    configurations = [configuration for document in documents for configuration in _configurations(document, "", set())]
    return [*(_client(path, node, sources.shown) for path, node in configurations), *generic.blocks(documents, sources)]


def _configurations(node: TreeNode, path: str, seen: set[int]) -> Iterator[Located]:
    """Every object that counts, those inside others as well; one that an alias shares counts once."""
    if id(node) in seen or node.kind == SCALAR:
        return
    seen.add(id(node))
    if node.kind == SEQUENCE:
        for number, child in enumerate(node.children):
            yield from _configurations(child, f"{path}:{number}", seen)
        return
    if _counts(node):
        yield path, node
    for name, (_, child) in node.pairs().items():
        yield from _configurations(child, f"{path}:{name}" if path else name, seen)


def _counts(node: TreeNode) -> bool:
    names = [name for name, (_, value) in node.pairs().items() if value.kind == SCALAR]
    known = sum(1 for name in names if _key(name) is not None)
    return known >= ENOUGH and 2 * known >= len(names)


def _key(name: str) -> str | None:
    """The setting of a property in Pascal case."""
    is_pascal = name[:1].isupper() and name.isalnum() and not name.isupper()
    return key_of(name, LIBRDKAFKA) if is_pascal else None


def _client(path: str, node: TreeNode, file: str) -> Block:
    prefix = f"{path}:" if path else ""
    block = Block(None, path or "client", FORMAT_NAME, file, prefix)
    block.spelling = Spelling(prefix, form=_pascal_case)
    block.family, block.fragment = "librdkafka", CODE
    for name, (key_node, value) in node.pairs().items():
        key = _key(name)
        if key is not None and value.kind == SCALAR and not value.is_null:
            text = _value(key, value.text)
            if text is not None:
                block.set(key, text, key_node, value, prefix + name)
    block.kind = _kind(path, block)
    return block


def _pascal_case(key: str) -> str:
    name = camel_case(key)
    return name[:1].upper() + name[1:]


def _value(key: str, text: str) -> str | None:
    """A value as librdkafka takes it: SaslSsl is sasl_ssl; None for the number of an enum."""
    if key not in ENUMS or "$" in text:
        return text
    if key != "acks" and text.strip().isdigit():
        return None
    values = NAMES.get(key, {}) | {letters(value): value for value in ENUMS[key]}
    return values.get(letters(text), text)


def _kind(path: str, block: Block) -> str:
    """The kind that the nearest name says, else the settings."""
    for part in reversed(path.lower().split(":")):
        named_kinds = [kind for kind in KINDS if kind in part]
        if len(named_kinds) == 1:
            return named_kinds[0]
    kind = detect.kind_of(block.settings)
    return kind if kind in KINDS else "client"
