"""Read YAML that people write for this program: bounded, every key once, nothing that runs code."""

from __future__ import annotations

import re
from typing import Any

import yaml

from advisor import limits
from advisor.errors import UserError

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
SCALARS = yaml.constructor.SafeConstructor()
COLLECTIONS = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")
QUOTED = re.compile(r"'[^']{2,}'|\"[^\"]{2,}\"")
"""More than one character of the file in an error of the parser."""


class BadYaml(UserError):
    """YAML that cannot be read; the text names file, position and reason."""


def load(data: bytes, shown: str, nodes: int = limits.NODES) -> Any:
    """The value of a YAML text, mappings as dicts with keys as written. Raises BadYaml."""
    node = compose(data, shown, nodes)
    return None if node is None else _value(node, shown)


def compose(data: bytes, shown: str, nodes: int = limits.NODES) -> yaml.Node | None:
    """The node tree of a YAML text. Raises BadYaml."""
    try:
        _check_depth(data, shown)
        node = yaml.compose(data, LOADER)
    except yaml.MarkedYAMLError as error:
        raise BadYaml(f"{_position(shown, error.problem_mark)}: not YAML: {unquoted(error.problem)}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadYaml(f"{shown}: not YAML: {unquoted(' '.join(str(error).split())[:200])}") from None
    if node is not None:
        _count(node, nodes, shown, {})
    return node


def unquoted(problem: str | None) -> str:
    """What is wrong, without the words of the file that it quotes: an undefined alias may be a password."""
    return QUOTED.sub("…", problem or "cannot be read")


def _check_depth(data: bytes, shown: str) -> None:
    depth = 0
    for event in yaml.parse(data, LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > limits.DEPTH:
                raise BadYaml(f"{_position(shown, event.start_mark)}: nested deeper than {limits.DEPTH} levels")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _count(node: yaml.Node, most: int, shown: str, size_of_node: dict[int, int]) -> int:
    """The values below a node, those behind aliases as often as they are named."""
    if id(node) in size_of_node:
        size = size_of_node[id(node)]
        if size < 0:
            raise BadYaml(f"{_position(shown, node.start_mark)}: an alias that holds itself")
        return size
    size_of_node[id(node)] = -1
    children = node.value if isinstance(node, yaml.CollectionNode) else []
    pairs = [each for pair in children for each in pair] if isinstance(node, yaml.MappingNode) else children
    size = 1 + sum(_count(child, most, shown, size_of_node) for child in pairs)
    if size > most:
        raise BadYaml(f"{_position(shown, node.start_mark)}: more than {most} values, aliases counted where they stand")
    size_of_node[id(node)] = size
    return size


def _value(node: yaml.Node, shown: str) -> Any:
    if isinstance(node, yaml.CollectionNode) and node.tag not in COLLECTIONS:
        raise BadYaml(f"{_position(shown, node.start_mark)}: a tag that is not taken")
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, shown)
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, shown) for item in node.value]
    try:
        return SCALARS.construct_object(node)
    except yaml.MarkedYAMLError as error:
        raise BadYaml(f"{_position(shown, node.start_mark)}: {unquoted(error.problem)}") from None
    except (ValueError, OverflowError, KeyError, TypeError, IndexError, AttributeError):
        kind = node.tag.rpartition(":")[2]
        raise BadYaml(f"{_position(shown, node.start_mark)}: the value is no {kind}") from None


def _mapping(node: yaml.MappingNode, shown: str) -> dict[Any, Any]:
    own: dict[Any, Any] = {}
    merged: dict[Any, Any] = {}
    line_of_key: dict[Any, int] = {}
    for key_node, value_node in node.value:
        if key_node.tag == "tag:yaml.org,2002:merge":
            merged = _merged(_value(value_node, shown), _position(shown, key_node.start_mark)) | merged
            continue
        if not isinstance(key_node, yaml.ScalarNode):
            raise BadYaml(f"{_position(shown, key_node.start_mark)}: a key must be text")
        key, line = _value(key_node, shown), key_node.start_mark.line + 1
        if key in line_of_key:
            first = line_of_key[key]
            raise BadYaml(f"{_position(shown, key_node.start_mark)}: the key stands in line {first}, too")
        line_of_key[key] = line
        own[key] = _value(value_node, shown)
    return merged | own


def _merged(value: Any, where: str) -> dict[Any, Any]:
    mappings = value if isinstance(value, list) else [value]
    if not all(isinstance(mapping, dict) for mapping in mappings):
        raise BadYaml(f"{where}: << takes a mapping or several")
    merged: dict[Any, Any] = {}
    for mapping in reversed(mappings):
        merged |= mapping
    return merged


def _position(shown: str, mark: Any) -> str:
    return f"{shown}:{mark.line + 1}:{mark.column + 1}" if mark else shown
