"""Texts of the help, wrapped to the terminal: paragraphs, rows of a name and its meaning, and commands, which stay whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap

COMMAND = "kafka-advisor "
ROW = re.compile(r"( *\S.*? {2,})\S")
"""A row of two columns, up to the second."""
NARROWEST = 24
"""Columns that the second column of a row needs."""


def wrapped(text: str, width: int) -> str:
    """The text with no line over the width but commands."""
    lines: list[str] = []
    for is_prose, group in groupby(text.splitlines(), key=lambda line: bool(line) and line[0] != " "):
        if is_prose:
            lines += wrap(" ".join(group), width, break_on_hyphens=False, break_long_words=False)
        else:
            lines += [part for line in group for part in _wrapped_row(line, width)]
    return "\n".join(lines)


def _wrapped_row(line: str, width: int) -> Iterator[str]:
    """A row, whose second column stands on lines of its own where little room is left beside the first."""
    indent = len(line) - len(line.lstrip())
    columns = ROW.match(line, indent)
    if len(line) <= width or (columns is None and line.lstrip().startswith(COMMAND)):
        yield line
        return
    hanging = columns.end() - 1 if columns is not None else indent + 2
    if columns is not None and width - hanging < NARROWEST:
        yield line[:hanging].rstrip()
        line, hanging = line[hanging:], indent + 4
        yield from wrap(
            line, width, initial_indent=" " * hanging, subsequent_indent=" " * hanging, break_on_hyphens=False
        )
        return
    yield from wrap(line, width, subsequent_indent=" " * hanging, break_on_hyphens=False, break_long_words=False)
