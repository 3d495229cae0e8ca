"""Whatever a document is for: mappings and texts in it that are Kafka's by their keys.

A mapping or a properties text counts with two dotted keys that one kind's catalog knows, and half of all its keys (of
many keys six are enough); under a name that says what it is, one key is. Variables of Ansible (`kafka_log_retention_hours`) count from three on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import copy

from advisor.model import SERVER_KINDS
from advisor.secrets.variables import holds_secret
from collectors.files import detect
from collectors.files.ansible import complete
from collectors.files.block import Block, text_of
from collectors.files.embedded import embedded
from collectors.files.encoded_texts import decoded
from collectors.files.names import is_key, key_of
from collectors.files.sources import Sources
from collectors.files.syntax.properties import BrokenEscape, Entry, TooLong, parse
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode, leaves

FORMAT_NAME = "yaml"
KINDS = {
    "broker": ("broker",),
    "producer": ("producer",),
    "consumer": ("consumer",),
    "topic": ("topic",),
    "connect": ("connect",),
    "streams": ("streams",),
    "admin": ("admin",),
    "librdkafka": ("librdkafka",),
}
NAMES = {
    "kafka_broker_custom_properties": "broker-overlay",
    "kafka_controller_custom_properties": "broker-overlay",
    "kafka_connect_custom_properties": "connect",
    "configurationOverrides": "broker-overlay",
    "readOnlyConfig": "broker-overlay",
    "clusterWideConfig": "broker-overlay",
    "brokerConfig": "broker-overlay",
    "ServerProperties": "broker-overlay",
    "serverProperties": "broker-overlay",
    "PropertiesFileContent": "connect",
    "propertiesFileContent": "connect",
    "server_properties": "broker-overlay",
    "broker.properties": "broker-overlay",
    "controller.properties": "broker-overlay",
    "server.properties": "broker-overlay",
}
"""Names of fields that say what they hold: cp-ansible's, koperator's, CloudFormation's, Terraform's in JSON, Stackable's."""
FILE = ".properties"
"""How a field is called that has a whole file as its text: the settings say of what kind it is."""
SCRIPT = re.compile(r"\A#!|\$\([a-z][\w./-]{0,40} |<<-?['\"]?[A-Z]")
"""What stands in a shell script, some of which has lines such as those of a properties file."""
NODES = (*SERVER_KINDS, "connect")
"""Kinds that a program makes a file of: a mapping that it takes is a piece of one."""
VARIABLE = "kafka_"
OF_A_ROLE = frozenset(("port", "host.name", "advertised.port", "advertised.host.name", "log.dir"))
"""Keys under whose names roles have what they make listeners of, and the folder of the application's log."""
ENOUGH, ENOUGH_OF_MANY, ENOUGH_VARIABLES = 2, 6, 3
LONGEST_TEXT = 200_000
DECIDED = "what the file leaves out is decided elsewhere"
FLOWS = frozenset(("flowContents", "flowEncodingVersion", "rootGroup"))
"""What a definition of a flow of NiFi's has at its top."""
Place = tuple[str, str, TreeNode]
"""(path, name of the field, node)."""


def knows(document: TreeNode) -> bool:
    """Whether something in a document is Kafka's; a flow of NiFi's has Kafka's keys with values in words of its own (10 sec)."""
    return FLOWS.isdisjoint(document.pairs()) and any(True for _ in _places(document))


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """A block for everything that is Kafka's."""
    kafka_blocks = [_block(*place, sources) for document in documents for place in _places(document)]
    return complete([block for block in kafka_blocks if block.kind is not None and block.settings], documents, sources)


def _block(path: str, field: str, node: TreeNode, sources: Sources) -> Block:
    kind = None if node.kind == SCALAR and field.endswith(FILE) else NAMES.get(field)
    if node.kind == SCALAR:
        block = embedded(node, path.rstrip("."), FORMAT_NAME, sources.shown, kind, path)
    else:
        block = Block(None, path.rstrip("."), FORMAT_NAME, sources.shown, path)
        _settings(block, node, path)
        block.kind = kind if kind and "listeners" not in block.settings else _kind(block, path) or kind
    if kind is not None or (node.kind == MAPPING and block.kind in NODES):
        block.fragment = DECIDED
    if node.kind == MAPPING and block.kind == "topic":
        for key in [key for key in block.settings if "." not in key and not is_key(key, KINDS["topic"])]:
            del block.settings[key]  # the topic's name, or what a tool notes beside its settings
    return block


def _settings(block: Block, node: TreeNode, path: str) -> None:
    if _is_variables(node):
        for name, key, key_node, value in _variables(node):
            block.set(key, text_of(value), key_node, value, path + name)
        block.kind = "broker-overlay"
        return
    for name, key_node, value in leaves(node):
        if not value.is_null:
            block.set(name, value.text, key_node, value, path + name)


def _kind(block: Block, path: str) -> str | None:
    if block.kind is not None:
        return block.kind
    kind = detect.kind_of(block.settings)
    hint = next((name for name in ("producer", "consumer", "streams", "admin") if name in path.lower()), None)
    return hint if hint is not None and kind not in ("broker", "combined", "controller", "topic", None) else kind


def _places(node: TreeNode, path: str = "", field: str = "", seen: set[int] | None = None) -> Iterator[Place]:
    """The outermost mappings and texts that are Kafka's; one that an alias shares counts once."""
    seen = set() if seen is None else seen
    if id(node) in seen:
        return
    seen.add(id(node))
    if node.kind == SCALAR:
        if _is_kafkas_text(node, field):
            yield path, field, node
    elif node.kind == SEQUENCE:
        for number, child in enumerate(_substituted(node.children)):
            yield from _places(child, f"{path.rstrip('.')}[{number}].", field, seen)
    else:
        if is_kafkas(node, field) or _is_variables(node):
            yield path, field, node
        for name, (key, child) in node.pairs().items():
            held, child, was_encoded = decoded(node, name, key, child)
            if was_encoded or child.kind != SCALAR or "\n" in child.text:
                yield from _places(child, f"{path}{name}.", held, seen)


def _substituted(items: Sequence[TreeNode]) -> Sequence[TreeNode]:
    """The items of a list; a text with the values of the mapping behind it filled in, as Fn::Sub of CloudFormation does."""
    if [item.kind for item in items] != [SCALAR, MAPPING] or items[0].indent is None or "${" not in items[0].text:
        return items
    filled = copy(items[0])
    for name, (_, value) in items[1].pairs().items():
        if value.kind == SCALAR and not holds_secret(name, value.text):
            filled.text = filled.text.replace(f"${{{name}}}", value.text)
    return [filled, items[1]]


def is_kafkas(node: TreeNode, field: str) -> bool:
    """Whether a mapping counts by its dotted keys."""
    names = [name for name, (_, value) in node.pairs().items() if value.kind == SCALAR]
    return _are_kafkas(names, field)


def _are_kafkas(names: Sequence[str], field: str) -> bool:
    dotted = [name for name in names if "." in name]
    known = max((sum(is_key(name, components) for name in dotted) for components in KINDS.values()), default=0)
    return known >= (1 if field in NAMES else ENOUGH) and (2 * known >= len(names) or known >= ENOUGH_OF_MANY)


def _is_kafkas_text(node: TreeNode, field: str) -> bool:
    if "=" not in node.text or len(node.text) > LONGEST_TEXT or SCRIPT.search(node.text):
        return False
    try:
        names = [entry.key for entry in parse(node.text) if isinstance(entry, Entry)]
    except (BrokenEscape, TooLong):
        return False
    return _are_kafkas(names, field)


def _variables(node: TreeNode) -> Iterator[tuple[str, str, TreeNode, TreeNode]]:
    """(name, key, key node, value) of Ansible's variables that are named after a broker's settings."""
    for name, (key_node, value) in node.pairs().items():
        key = key_of(name[len(VARIABLE) :], ("broker",)) if name.startswith(VARIABLE) else None
        if key is not None and key not in OF_A_ROLE and value.kind == SCALAR and not value.is_null:
            yield name, key, key_node, value


def _is_variables(node: TreeNode) -> bool:
    if node.kind != MAPPING:
        return False
    return sum(1 for _ in _variables(node)) >= ENOUGH_VARIABLES
