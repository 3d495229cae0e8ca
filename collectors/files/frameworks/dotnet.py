"""Settings of .NET applications (appsettings.json): objects with the properties of Confluent.Kafka's configurations.

An object counts with two properties that are librdkafka's, and half of all its texts and numbers; one whose properties are in
another case, which .NET reads all the same, names brokers, a producer or a consumer, too. `Kafka:Producer:Acks` is a path of sections.
Source: Confluent.Kafka's ClientConfig, ProducerConfig and ConsumerConfig, whose properties are librdkafka's in Pascal case, and
their enums; .NET's configuration providers for JSON and environment variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.model import Spelling, is_whole_number
from collectors.files import detect, generic
from collectors.files.block import Block
from collectors.files.names import camel_case, key_of, letters
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode

FORMAT_NAME = "dotnet"
LIBRDKAFKA = ("librdkafka",)
ENOUGH = 2
LONGEST_PATH = 500
KAFKA, SECTIONS = "kafka", ("producer", "consumer")
"""What names Kafka's clients in the path of an object."""
BROKERS = "bootstrapservers"
"""The property that names brokers, in any case."""
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
    return [*clients_of(documents, sources.shown), *generic.blocks(documents, sources)]


def clients_of(documents: Sequence[TreeNode], file: str) -> list[Block]:
    """A client for every object."""
    every = (each for document in documents for each in _configurations(document, "", set()))
    return [_client(path, node, file) for path, node in every]


def unfolded(node: TreeNode, separator: str = ":") -> TreeNode:
    """A mapping with its paths as sections: `Kafka:Producer:Acks` stands in Kafka, and there in Producer."""
    if node.kind != MAPPING or not any(separator in name for name in node.pairs()):
        return node
    root = TreeNode(MAPPING, node.line, node.column)
    made: dict[str, TreeNode] = {"": root}
    for name, (key, value) in node.pairs().items():
        *sections, last = name.split(separator) if len(name) <= LONGEST_PATH else [name]
        holder, path = root, ""
        for section in sections:
            path += separator + section.lower()
            if path not in made:
                made[path] = TreeNode(MAPPING, key.line, key.column)
                holder.pairs_written.append((_named(key, section), made[path]))
            holder = made[path]
        holder.pairs_written.append((_named(key, last), value))
    return root


def _named(key: TreeNode, name: str) -> TreeNode:
    node = TreeNode(SCALAR, key.line, key.column, name)
    node.end, node.file = key.end, key.file
    return node


def _configurations(node: TreeNode, path: str, seen: set[int]) -> Iterator[Located]:
    """Every object that counts, those inside others as well; one that an alias shares counts once."""
    if id(node) in seen or node.kind == SCALAR:
        return
    seen.add(id(node))
    node = unfolded(node)
    if node.kind == SEQUENCE:
        for number, child in enumerate(node.children):
            yield from _configurations(child, f"{path}:{number}", seen)
        return
    if _counts(node, path) and not generic.is_kafkas(node, path.rpartition(":")[2]):
        yield path, node
    for name, (_, child) in node.pairs().items():
        yield from _configurations(child, f"{path}:{name}" if path else name, seen)


def _counts(node: TreeNode, path: str) -> bool:
    names = [name for name, (_, value) in node.pairs().items() if value.kind == SCALAR]
    if _are_properties(names, [name for name in names if _is_pascal(name)]):
        return True
    if KAFKA in path.lower() and names and all(_is_pascal(name) and _key(name) is not None for name in names):
        return True
    is_kafkas = any(word in path.lower() for word in SECTIONS) or any(letters(name) == BROKERS for name in names)
    return is_kafkas and _are_properties(names, names)


def _are_properties(names: Sequence[str], candidates: Sequence[str]) -> bool:
    known = sum(1 for name in candidates if _key(name) is not None)
    return known >= ENOUGH and 2 * known >= len(names)


def _is_pascal(name: str) -> bool:
    return name[:1].isupper() and not name.isupper()


def _key(name: str) -> str | None:
    """The setting of a property, in any case."""
    return key_of(name, LIBRDKAFKA) if name.isalnum() else None


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
    if key != "acks" and is_whole_number(text.strip()):
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
