"""Where the keys of a TOML file stand: a walk over its text, which ends where it does not understand it.

The values are tomllib's to say: a key that the walk does not find has no line, and no value depends on the walk.
"""

from __future__ import annotations

import contextlib
import re
from bisect import bisect_right
from itertools import accumulate

from advisor import limits

Path = tuple[str | int, ...]
"""Names of keys, and numbers of items, from the top of the file."""
SPACE = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
BLANKS = re.compile(r"[ \t]*")
BARE = re.compile(r"[A-Za-z0-9_-]+")
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'([^\'\n]*)\'')
BLOCKS = re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}|\'\'\'(?:[^\']|\'(?!\'\'))*\'{3,5}', re.DOTALL)
PLAIN = re.compile(r"[^\s,\]}#\"'\[{][^,\]}#\n]*")
ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)")
ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b"}


class Position:
    """The line and the column of a key, those of its value, and where that ends; `is_block` is a text over lines.

    A line that is 0 is not known.
    """

    __slots__ = ("column", "end", "is_block", "line", "value_column", "value_line")

    def __init__(self, line: int = 0, column: int = 0) -> None:
        self.line = self.value_line = line
        self.column = self.value_column = column
        self.end = (line, column)
        self.is_block = False


UNKNOWN = Position()


class TooDeep(Exception):
    """Arrays and tables are nested deeper than any that somebody wrote."""


class Lost(Exception):
    """The walk met what it does not understand."""


def positions(text: str) -> dict[Path, Position]:
    """The positions of the keys of a text, as many as the walk finds. Raises TooDeep."""
    walk = Walk(text)
    with contextlib.suppress(Lost):
        walk.statements()
    return walk.positions


class Walk:
    """A walk over a text: where it is, in which table, and the positions of keys so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.positions: dict[Path, Position] = {}
        self.items: dict[Path, int] = {}
        self.starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def statements(self) -> None:
        """Every table and every key of the file."""
        table: Path = ()
        self._skip(SPACE)
        while self.at < len(self.text):
            if len(self.positions) > limits.NODES_OF_DOCUMENT:
                raise Lost
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table, 0)
            self._skip(SPACE)

    def _header(self) -> Path:
        """The path of a table, or of the next item of an array of tables."""
        start = self._position()
        is_array = self.text.startswith("[[", self.at)
        self.at += 2 if is_array else 1
        path = self._key((), 0)
        self._expect("]]" if is_array else "]")
        if is_array:
            self.items[path] = self.items.get(path, -1) + 1
            self.positions[(*path, self.items[path])] = Position(*start)
            return (*path, self.items[path])
        return path

    def _pair(self, table: Path, depth: int) -> None:
        path = self._key(table, depth)
        self._expect("=")
        self._skip(BLANKS)
        position = self.positions[path]
        position.value_line, position.value_column = self._position()
        position.is_block = self.text[self.at : self.at + 4] in ('"""\n', "'''\n")
        self._value(path, depth + 1)
        position.end = self._position()

    def _key(self, table: Path, depth: int) -> Path:
        """The path of a key, dotted or not; each name on the way has a position."""
        path = table
        while True:
            self._skip(BLANKS)
            if len(path) + depth > limits.DEPTH:
                raise TooDeep
            position = Position(*self._position())
            path = (*path, self._name())
            self.positions.setdefault(path, position)
            self._skip(BLANKS)
            if self.text[self.at : self.at + 1] != ".":
                return path
            if path in self.items:
                path = (*path, self.items[path])
            self.at += 1

    def _name(self) -> str:
        match = BARE.match(self.text, self.at)
        if match:
            self.at = match.end()
            return match.group()
        match = QUOTED.match(self.text, self.at)
        if match is None:
            raise Lost
        self.at = match.end()
        return match.group(2) if match.group(1) is None else ESCAPE.sub(_unescaped, match.group(1))

    def _value(self, path: Path, depth: int) -> None:
        if depth > limits.DEPTH:
            raise TooDeep
        char = self.text[self.at : self.at + 1]
        if char == "[":
            self._array(path, depth)
        elif char == "{":
            self._table(path, depth)
        else:
            match = next((m for each in (BLOCKS, QUOTED, PLAIN) if (m := each.match(self.text, self.at))), None)
            if match is None:
                raise Lost
            self.at = match.end()

    def _array(self, path: Path, depth: int) -> None:
        self.at += 1
        number = 0
        while not self._closes("]"):
            if number > limits.NODES_OF_DOCUMENT:
                raise Lost
            position = self.positions.setdefault((*path, number), Position(*self._position()))
            self._value((*path, number), depth + 1)
            position.end = self._position()
            self._separate("]")
            number += 1

    def _table(self, path: Path, depth: int) -> None:
        self.at += 1
        while not self._closes("}"):
            self._pair(path, depth)
            self._separate("}")

    def _closes(self, bracket: str) -> bool:
        self._skip(SPACE)
        closes = self.text[self.at : self.at + 1] == bracket
        self.at += closes
        return closes

    def _separate(self, bracket: str) -> None:
        self._skip(SPACE)
        if self.text[self.at : self.at + 1] == ",":
            self.at += 1
        elif self.text[self.at : self.at + 1] != bracket:
            raise Lost

    def _expect(self, mark: str) -> None:
        self._skip(BLANKS)
        if not self.text.startswith(mark, self.at):
            raise Lost
        self.at += len(mark)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def _position(self) -> tuple[int, int]:
        line = bisect_right(self.starts, self.at)
        return line, self.at - self.starts[line - 1] + 1


def _unescaped(match: re.Match[str]) -> str:
    mark = match.group(1)
    if mark[0] in "uU" and len(mark) > 1:
        number = int(mark[1:], 16)
        return chr(number) if number <= 0x10FFFF else ""
    return ESCAPES.get(mark, mark)
