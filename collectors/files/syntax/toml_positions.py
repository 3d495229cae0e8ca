"""Where the keys and the values of a TOML file stand, as tree-sitter sees them; what they are is tomllib's to say."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import tree_sitter
import tree_sitter_toml

LANGUAGE = tree_sitter.Language(tree_sitter_toml.language())
TABLES = ("table", "table_array_element")
Path = tuple[str | int, ...]
"""Names of keys, and numbers of items, from the top of the file."""


class Positions:
    """The syntax nodes of the keys and of the values of valid TOML, by path; an item of an array is its own key."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.keys: dict[Path, tree_sitter.Node] = {}
        self.values: dict[Path, tree_sitter.Node] = {}
        self._items: dict[Path, int] = {}
        # One byte for each character: the parser's columns and offsets are those of the text.
        root = tree_sitter.Parser(LANGUAGE).parse(text.encode("ascii", "replace")).root_node
        if not root.has_error:
            self._statements(root)

    def _statements(self, root: tree_sitter.Node) -> None:
        self._pairs(root, ())
        for statement in root.named_children:
            if statement.type in TABLES:
                self._pairs(statement, self._table(statement))

    def _table(self, statement: tree_sitter.Node) -> Path:
        """The path of a table, or of the next item of an array of tables."""
        path = self._path(statement.named_children[0], ())
        if statement.type == "table_array_element":
            self._items[path] = self._items.get(path, -1) + 1
            path = (*path, self._items[path])
            self.keys[path] = statement
        return path

    def _pairs(self, node: tree_sitter.Node, table: Path) -> None:
        for pair in node.named_children:
            if pair.type == "pair":
                key, value = _uncommented(pair)
                self._value(value, self._path(key, table))

    def _value(self, node: tree_sitter.Node, path: Path) -> None:
        self.values[path] = node
        if node.type == "inline_table":
            self._pairs(node, path)
        elif node.type == "array":
            for number, item in enumerate(_uncommented(node)):
                self.keys[(*path, number)] = item
                self._value(item, (*path, number))

    def _path(self, key: tree_sitter.Node, table: Path) -> Path:
        """The path of a key, dotted or not; each name on the way has a position."""
        path = table
        for part in _parts(key):
            if path != table and path in self._items:
                path = (*path, self._items[path])
            path = (*path, self._name(part))
            self.keys.setdefault(path, part)
        return path

    def _name(self, node: tree_sitter.Node) -> str:
        text = self.text[node.start_byte : node.end_byte]
        return next(iter(tomllib.loads(f"{text} = 0"))) if node.type == "quoted_key" else text


def _uncommented(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    return (child for child in node.named_children if child.type != "comment")


def _parts(key: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The names of a key; the parser nests `a.b.c` as `(a.b).c`."""
    if key.type != "dotted_key":
        yield key
        return
    first, last = key.named_children
    yield from _parts(first)
    yield last
