"""Read TOML into trees: tomllib says what a file holds, `toml_positions` where its keys stand."""

from __future__ import annotations

import datetime
import re
import tomllib

from advisor import limits
from advisor.errors import UnreadableInput
from collectors.files.syntax.toml_positions import UNKNOWN, Path, Position, TooDeep, positions
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, Node
from collectors.files.syntax.yaml_tree import WORDS

AT = re.compile(r"(.*) \(at line (\d{1,10}), column (\d{1,10})\)", re.DOTALL)


def document(text: str, shown: str) -> Node | None:
    """The tree of a file, None where nothing in it concerns Kafka. Raises UnreadableInput."""
    if len(text) > limits.size(limits.STRUCTURED):
        raise limits.too_large(shown, limits.STRUCTURED)
    lower = text.lower()
    if not any(word in lower for word in WORDS):
        return None
    text = text.replace("\r\n", "\n")
    try:
        position_by_path = positions(text)
        values = tomllib.loads(text, parse_float=str)
    except (TooDeep, RecursionError):
        raise UnreadableInput(f"{shown}: nested deeper than {limits.DEPTH} levels") from None
    except ValueError as error:
        raise UnreadableInput(_message(str(error), shown)) from None
    return Builder(position_by_path, shown).node(values, ())


def _message(error: str, shown: str) -> str:
    match = AT.fullmatch(error)
    reason, where = (match.group(1), f":{match.group(2)}:{match.group(3)}") if match else (error, "")
    return f"{shown}{where}: not TOML: {' '.join(reason.split())[:200]}"


class Builder:
    """Builds the tree of parsed values, each at the position of its key."""

    def __init__(self, positions: dict[Path, Position], shown: str) -> None:
        self.positions = positions
        self.shown = shown
        self.nodes = 0

    def node(self, value: object, path: Path) -> Node:
        """The node of a value and of all below it."""
        self.nodes += 1
        if self.nodes > limits.NODES_OF_DOCUMENT:
            raise UnreadableInput(f"{self.shown}: over {limits.NODES_OF_DOCUMENT:,} values in one document")
        position = self.positions.get(path, UNKNOWN)
        if isinstance(value, dict):
            mapping = Node(MAPPING, position.value_line, position.value_column)
            for name, child in value.items():
                mapping.pairs_written.append((self._key(name, (*path, name)), self.node(child, (*path, name))))
            return mapping
        if isinstance(value, list):
            sequence = Node(SEQUENCE, position.value_line, position.value_column)
            sequence.children = [self.node(child, (*path, number)) for number, child in enumerate(value)]
            return sequence
        scalar = Node(SCALAR, position.value_line, position.value_column, _text(value))
        scalar.end, scalar.indent = position.end, 0 if position.is_block else None
        return scalar

    def _key(self, name: str, path: Path) -> Node:
        position = self.positions.get(path, UNKNOWN)
        return Node(SCALAR, position.line, position.column, name)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else str(value)
