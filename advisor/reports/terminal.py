"""The text report on a terminal: the same lines with colour, through rich. NO_COLOR is respected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from advisor.reports import text

if TYPE_CHECKING:
    from advisor.engine.report import Report

STYLES = {
    "critical": "bold white on red",
    "high": "bold red",
    "medium": "yellow",
    "low": "cyan",
    "info": "dim",
    "bold": "bold",
}


def show(report: Report, verbose: bool = False, all: bool = False) -> None:
    """Print the report."""
    console = Console(highlight=False, soft_wrap=True)
    for line in text.lines(report, mark, verbose, all):
        console.print(styled(line))


OPEN, CLOSE, END = "‹‹", "››", "‹›"


def mark(words: str, style: str) -> str:
    """Words between private marks, so that nothing in a file can look like markup."""
    return f"{OPEN}{style}{CLOSE}{words}{END}"


def styled(line: str) -> Text:
    """A marked line as rich text."""
    found = Text()
    for part in line.split(END):
        before, opened, rest = part.partition(OPEN)
        found.append(before)
        if opened:
            style, _, words = rest.partition(CLOSE)
            found.append(words, STYLES.get(style, ""))
    return found
