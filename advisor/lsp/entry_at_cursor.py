"""What is being typed: a key, or the value of one; and the text of the buffer with what is not finished taken out."""

from __future__ import annotations

import re
from typing import NamedTuple

from lsprotocol.types import Position

from advisor.lsp.positions import Text
from collectors.files.syntax.recognition import HCL, JSON, TOML

KEY = re.compile(r"(?P<lead>[ \t]*(?:-[ \t]+)?[\"']?)(?P<word>[\w.\-]*)")
VALUE = re.compile(
    r"(?P<lead>[ \t]*(?:-[ \t]+)?[\"']?)(?P<key>[\w.\-]+)[\"']?(?P<joint>[ \t]*[=:][ \t]*)(?P<quote>[\"']?)(?P<word>[^\"'#\n]*)"
)
QUOTED = (JSON, TOML, HCL)
"""Syntaxes in which a value that is not finished makes the file unreadable."""
PROBE = "0"


class Typed(NamedTuple):
    """What is typed in a line, from 0, up to the cursor at an offset; `start` is where the word begins that is completed.

    `lead` is what stands before a key, `joint` and `quote` before a value: both None for a key.
    """

    line: int
    start: int
    offset: int
    lead: str
    key: str
    joint: str | None
    quote: str

    @property
    def column(self) -> int:
        """The column of the key, from 1."""
        return len(self.lead.rstrip("\"'")) + 1


def typed_at(text: Text, position: Position) -> Typed | None:
    """What is being typed at a position; None where that is neither a key nor a value."""
    offset = text.offset(position)
    begin, _ = text.bounds(position.line)
    before = text.text[begin:offset]
    match = KEY.fullmatch(before)
    if match is not None:
        return Typed(position.line, begin + match.start("word"), offset, match["lead"], match["word"], None, "")
    match = VALUE.fullmatch(before)
    if match is None:
        return None
    start = begin + match.start("word")
    return Typed(position.line, start, offset, match["lead"], match["key"], match["joint"], match["quote"])


def without_line(text: Text, line: int) -> Text:
    """The text with a line emptied."""
    start, end = text.bounds(line)
    return text.replaced(text.text[:start] + text.text[end:])


def with_probe(text: Text, typed: Typed, syntax: str) -> Text:
    """The text with a value in place of the one that is typed, so that the file can be read."""
    start = typed.start - len(typed.quote)
    end = text.bounds(typed.line)[1]
    quote = typed.quote or ('"' if syntax in QUOTED else "")
    comma = "," if text.text[start:end].rstrip().endswith(",") and syntax == JSON else ""
    return text.replaced(text.text[:start] + quote + PROBE + quote + comma + text.text[end:])
