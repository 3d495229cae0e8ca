"""The text of a file with the offsets of its lines, and splices of it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from advisor.edits.change import NotEdited
from advisor.errors import UnreadableInput
from collectors.files.reader import MARK, STDIN, content
from collectors.files.syntax.properties import BYTE_ORDER_MARK, decode
from collectors.files.syntax.recognition import PROPERTIES, syntax_of
from collectors.files.syntax.text_lines import text_lines

LINE_END = re.compile(r"\r\n|\r|\n")


class Splice(NamedTuple):
    """A text to put between two offsets of another."""

    start: int
    end: int
    text: str


class TakenSpans:
    """The characters that splices change, as spans in their order that do not overlap; two texts may be added at one place."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def overlap(self, splice: Splice) -> bool:
        """Whether a splice changes the same characters as one of those taken."""
        first, behind = self._overlapping(splice)
        return first < behind

    def take(self, splice: Splice) -> None:
        """Take a splice; with those that it overlaps it is one span."""
        first, behind = self._overlapping(splice)
        start, end = splice.start, splice.end
        if first < behind:
            start, end = min(start, self._starts[first]), max(end, self._ends[behind - 1])
        else:
            first = behind = (bisect_right if start < end else bisect_left)(self._starts, start)
        self._starts[first:behind], self._ends[first:behind] = [start], [end]

    def _overlapping(self, splice: Splice) -> tuple[int, int]:
        return bisect_right(self._ends, splice.start), bisect_left(self._starts, splice.end)


class FileText:
    """The text of a file as its readers count lines and columns; a byte order mark is a character of properties alone."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.shown = STDIN if name == "-" else name
        text = decode(data)
        self.encoding = "utf-8" if is_utf8(data) else "latin-1"
        self.syntax = PROPERTIES if name.endswith(".properties") else syntax_of(name, text)
        has_mark = data.startswith(BYTE_ORDER_MARK)
        self.text = MARK + text if has_mark and self.syntax == PROPERTIES else text
        self.mark = BYTE_ORDER_MARK if has_mark and self.syntax != PROPERTIES else b""

    @cached_property
    def starts(self) -> Sequence[int]:
        """The offset at which each line begins."""
        return line_starts(self.text)

    @cached_property
    def lines(self) -> Sequence[str]:
        """The lines without their ends."""
        return text_lines(self.text)

    @cached_property
    def lines_without_blanks(self) -> Sequence[str]:
        """The lines without their ends and all blanks in them."""
        return ["".join(line.split()) for line in self.lines]

    @cached_property
    def line_feeds(self) -> Sequence[int]:
        """The offsets of all line feeds."""
        return [match.start() for match in re.finditer("\n", self.text)]

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column. Raises NotEdited where the text has none."""
        if not 0 < line <= len(self.starts) or not 0 < column <= len(self.text) + 1:
            raise NotEdited("its line is not one of the file")
        return min(self.starts[line - 1] + column - 1, len(self.text))

    def line_of(self, offset: int) -> int:
        """The line in which an offset stands."""
        return bisect_right(self.starts, offset)

    def start_of_line(self, offset: int) -> int:
        """The offset at which the line begins in which an offset stands."""
        return self.starts[bisect_right(self.starts, offset) - 1]

    def line_start(self, line: int) -> int:
        """The offset at which a line begins, that of the text's end behind the last one."""
        return self.starts[line - 1] if line <= len(self.starts) else len(self.text)

    def line(self, line: int) -> str:
        """A line without its end."""
        return self.text[self.line_start(line) : self.line_start(line + 1)].rstrip("\r\n")

    def newline(self, line: int) -> str:
        """The end of a line; that of the first line where it has none."""
        for each in (line, 1):
            end = LINE_END.search(self.text, self.line_start(each))
            if end is not None and end.end() <= self.line_start(each + 1):
                return end[0]
        return "\n"

    def whole_lines(self, start: int, end: int) -> tuple[int, int]:
        """The offsets of the lines from one offset to another, the last one with its end."""
        return self.start_of_line(start), self.line_start(self.line_of(max(start, end - 1)) + 1)

    def with_line(self, line: int, text: str) -> Splice:
        """A new line below another one; above it where that is the last of the file and has no end."""
        end = self.newline(line)
        start, behind = self.line_start(line), self.line_start(line + 1)
        at = behind if behind == start or self.text[behind - 1] in "\r\n" else start
        return Splice(at, at, text + end)

    def spliced(self, splices: Iterable[Splice]) -> bytes:
        """The bytes of the file after the splices, none of which overlaps another. Raises NotEdited."""
        after, at = [], 0
        for splice in in_order(splices):
            after += [self.text[at : splice.start], splice.text]
            at = splice.end
        text = "".join([*after, self.text[at:]])
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError:
            raise NotEdited("the file's encoding has not all characters of the new text") from None


def line_starts(text: str) -> list[int]:
    """The offset at which each line of a text begins."""
    return [0, *(match.end() for match in LINE_END.finditer(text))]


def in_order(splices: Iterable[Splice]) -> list[Splice]:
    """Splices by their places; what is added at one place stays as it is given."""
    return sorted(splices, key=lambda splice: splice[:2])


def is_utf8(data: bytes) -> bool:
    """Whether bytes are UTF-8; a file that is not is read as Latin-1."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def read_text(file: str) -> FileText | None:
    """The text of a file; None where it cannot be read any more."""
    try:
        return FileText(file, content("-" if file == STDIN else file))
    except UnreadableInput:
        return None
