"""Positions of the protocol, of readers (line and column from 1) and offsets of a buffer's text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property

from lsprotocol.types import Position, PositionEncodingKind, Range

from advisor.model import Span

LINE_END = re.compile(r"\r\n|\r|\n")
BYTE_ORDER_MARK = "\ufeff"
UNITS: dict[str, Callable[[str], int]] = {
    PositionEncodingKind.Utf8: lambda text: len(text.encode("utf-8", "surrogatepass")),
    PositionEncodingKind.Utf16: lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
    PositionEncodingKind.Utf32: len,
}
"""How many units of the negotiated encoding a text takes."""


class Text:
    """A buffer's text with the offsets of its lines; `encoding` is what clients count characters in.

    `keeps_mark` says that readers count a byte order mark, as those of properties do.
    """

    def __init__(self, text: str, encoding: str = PositionEncodingKind.Utf16, keeps_mark: bool = True) -> None:
        self.text = text
        self.encoding = encoding
        self.keeps_mark = keeps_mark
        self.mark = 0 if keeps_mark else len(text) - len(text.removeprefix(BYTE_ORDER_MARK))
        self.units = UNITS[encoding]

    @cached_property
    def starts(self) -> Sequence[int]:
        """The offset at which each line begins."""
        return [0, *(match.end() for match in LINE_END.finditer(self.text))]

    def line(self, line: int) -> str:
        """A line, from 0, without its end."""
        return self.text[slice(*self.bounds(line))]

    def bounds(self, line: int) -> tuple[int, int]:
        """The offsets of a line's first character and of its end; both of the text's end behind the last line."""
        if line >= len(self.starts):
            return len(self.text), len(self.text)
        start = self.starts[line]
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        while end > start and self.text[end - 1] in "\r\n":
            end -= 1
        return start, end

    def first_letter(self, line: int) -> int:
        """The offset of a line's first character that is no blank; its end where there is none."""
        start, end = self.bounds(line)
        while start < end and self.text[start].isspace():
            start += 1
        return start

    def offset(self, position: Position) -> int:
        """The offset of a client's position; one behind a line's end is that end."""
        start, end = self.bounds(position.line)
        line = self.text[start:end]
        if line.isascii():
            return min(start + position.character, end)
        units = 0
        for index, char in enumerate(line):
            if units >= position.character:
                return start + index
            units += self.units(char)
        return end

    def position(self, offset: int) -> Position:
        """A client's position of an offset."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, offset) - 1
        start, end = self.bounds(line)
        offset = min(offset, end)
        return Position(line, offset - start if self.text.isascii() else self.units(self.text[start:offset]))

    def range(self, start: int, end: int) -> Range:
        """A client's range of two offsets."""
        return Range(self.position(start), self.position(max(start, end)))

    def whole(self, start: int, end: int) -> Range:
        """A client's range of whole lines; one up to the end of the text ends there."""
        return Range(self.start(start), self.start(end))

    def start(self, offset: int) -> Position:
        """A client's position of a line's beginning, or of the text's end."""
        return self.position(offset)

    def offset_of(self, line: int, column: int) -> int:
        """The offset of a reader's line and column; of what lies outside the text the nearest one."""
        start, end = self.bounds(max(line, 1) - 1)
        return min(start + max(column, 1) - 1 + (self.mark if line == 1 else 0), end)

    def span(self, span: Span) -> tuple[int, int]:
        """The offsets of a reader's span."""
        return self.offset_of(span[0], span[1]), self.offset_of(span[2], span[3])

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """A reader's line and column of an offset."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1 - (self.mark if line == 1 else 0)

    def replaced(self, text: str) -> Text:
        """Another text in place of this one."""
        return Text(text, self.encoding, self.keeps_mark)

    def changed(self, start: Position, end: Position, new: str) -> Text:
        """The text with another one between two positions."""
        first, last = self.offset(start), self.offset(end)
        return self.replaced(self.text[:first] + new + self.text[max(first, last) :])
