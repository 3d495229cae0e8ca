"""The text report in colour on a terminal, through rich. NO_COLOR is respected."""

from __future__ import annotations

from secrets import token_hex
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
        console.print(style_line(line))


NONCE = token_hex(8)
OPEN, CLOSE, END = f"‹{NONCE}‹", f"›{NONCE}›", f"‹{NONCE}›"


def mark(words: str, style: str) -> str:
    """Put words between style marks that no input can know."""
    return f"{OPEN}{style}{CLOSE}{words}{END}"


def style_line(line: str) -> Text:
    """Turn a marked line into rich text."""
    text = Text()
    for piece in line.split(END):
        before, opened, marked = piece.partition(OPEN)
        text.append(before)
        if opened:
            style, _, words = marked.partition(CLOSE)
            text.append(words, STYLES.get(style, ""))
    return text
