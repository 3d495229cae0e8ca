"""Write lines of text: each kept from steering a terminal, and on a terminal no longer than it is wide."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

from advisor.errors import printable
from advisor.reports.screen import size
from advisor.reports.text.finding import PAGE, wrapped

LABEL = re.compile(r" *(?:[a-z]+: {2,}|\d+\. |[-+~*…] )?")
"""What stands before a paragraph: its indentation, and a label, a number or a sign."""
TABLE = re.compile(r"\S {2,}\S.* {2,}\S")
"""What only a row of a table has: two gaps."""


def write_text(lines: Iterable[str], verbatim: tuple[str, ...] = ()) -> None:
    """Write lines; on a terminal they are wrapped, but for rows of tables and what begins like a verbatim line."""
    is_terminal = sys.stdout.isatty()
    width = size(PAGE)[0] if is_terminal else 0
    for line in map(printable, lines):
        rows = wrapped_line(line, width) if is_terminal and not line.startswith(verbatim) else [line]
        sys.stdout.write("".join(f"{row}\n" for row in rows))


def wrapped_line(line: str, width: int) -> list[str]:
    """A line in as many as it takes, the others below the first one's text."""
    label = LABEL.match(line)
    assert label is not None
    start = label.end()
    if len(line) <= width or TABLE.search(line, start):
        return [line]
    below = start if label[0].strip() else start + 2
    first, *others = wrapped(line[start:].split(" "), width, start, below)
    return [label[0] + first, *others]
