"""Read TOML into trees: tomllib says what a file holds, `toml_positions` where its keys stand."""

from __future__ import annotations

import datetime
import re
import tomllib
from typing import TYPE_CHECKING

from advisor import limits
from advisor.errors import TooManyValues, UnreadableInput
from collectors.files.syntax.toml_positions import Path, Positions
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode
from collectors.files.syntax.yaml_tree import WORDS

if TYPE_CHECKING:
    import tree_sitter

AT = re.compile(r"(.*) \(at line (\d{1,10}), column (\d{1,10})\)", re.DOTALL)
NAME = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*+(?:{NAME}[ \t]*+\.[ \t]*+){{{limits.DEPTH}}}", re.MULTILINE)
"""tomllib takes the square of the time that such a key is long."""
BLOCKS = ('"""\n', "'''\n")
"""What a text begins with that stands on the lines below."""


def document(text: str, shown: str) -> TreeNode | None:
    """The tree of a file, None where nothing in it concerns Kafka. Raises UnreadableInput."""
    if len(text) > limits.size(limits.STRUCTURED):
        raise limits.too_large(shown, limits.STRUCTURED)
    lower = text.lower()
    if not any(word in lower for word in WORDS):
        return None
    text = text.replace("\r\n", "\n")
    try:
        if LONG_KEY.search(text):
            raise RecursionError
        values = tomllib.loads(text, parse_float=str)
        if _size(values) > limits.NODES_OF_DOCUMENT:
            raise TooManyValues(f"{shown}: over {limits.NODES_OF_DOCUMENT:,} values in one document")
    except RecursionError:
        raise UnreadableInput(f"{shown}: nested deeper than {limits.DEPTH} levels") from None
    except ValueError as error:
        raise UnreadableInput(_message(str(error), shown)) from None
    return Builder(Positions(text)).node(values, ())


def _message(error: str, shown: str) -> str:
    match = AT.fullmatch(error)
    reason, where = (match.group(1), f":{match.group(2)}:{match.group(3)}") if match else (error, "")
    return f"{shown}{where}: not TOML: {' '.join(reason.split())[:200]}"


def _size(value: object, depth: int = 0) -> int:
    """How many values there are. Raises RecursionError."""
    if depth > limits.DEPTH:
        raise RecursionError
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(_size(child, depth + 1) for child in children)


class Builder:
    """Builds the tree of parsed values, each at the position of its key."""

    def __init__(self, positions: Positions) -> None:
        self.positions = positions

    def node(self, value: object, path: Path) -> TreeNode:
        """The node of a value and of all below it."""
        syntax = self.positions.values.get(path) or self.positions.keys.get(path)
        if isinstance(value, dict):
            mapping = TreeNode(MAPPING, *_start(syntax))
            for name, child in value.items():
                key = TreeNode(SCALAR, *_start(self.positions.keys.get((*path, name))), name)
                mapping.pairs_written.append((key, self.node(child, (*path, name))))
            return mapping
        if isinstance(value, list):
            sequence = TreeNode(SEQUENCE, *_start(syntax))
            sequence.children = [self.node(child, (*path, number)) for number, child in enumerate(value)]
            return sequence
        return self._scalar(value, syntax)

    def _scalar(self, value: object, syntax: tree_sitter.Node | None) -> TreeNode:
        scalar = TreeNode(SCALAR, *_start(syntax), _text(value))
        if syntax is not None:
            scalar.end = (syntax.end_point.row + 1, syntax.end_point.column + 1)
            if self.positions.text.startswith(BLOCKS, syntax.start_byte):
                scalar.indent = 0
        return scalar


def _start(syntax: tree_sitter.Node | None) -> tuple[int, int]:
    """The line and the column of a syntax node, 0 where the parser saw none."""
    return (syntax.start_point.row + 1, syntax.start_point.column + 1) if syntax is not None else (0, 0)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else str(value)
