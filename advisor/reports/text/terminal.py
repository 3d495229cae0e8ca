"""The text report in colour, through rich, and with links where the terminal has them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex
from typing import TYPE_CHECKING

from rich.console import Console
from rich.style import Style
from rich.text import Text

from advisor.reports.links import rule_url
from advisor.reports.screen import shows_color
from advisor.reports.screen import size as screen_size
from advisor.reports.text.finding import PAGE, Layout, plain
from advisor.reports.text.report import lines as report_lines
from advisor.reports.text.report import page

if TYPE_CHECKING:
    from advisor.reports.context import RunResult

STYLES = {
    "critical": "bold white on red",
    "high": "bold red",
    "medium": "yellow",
    "low": "cyan",
    "info": "dim",
    "bold": "bold",
    "caret": "bold red",
}
RULE = "rule"
"""The style of a rule's id, which links to its page; its name stands behind the style, or behind the id."""
WITH_LINKS = ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby")
"""TERM_PROGRAM of terminals that show links. Source: https://github.com/Alhadis/OSC8-Adoption"""
LINK_VARIABLES = ("KITTY_WINDOW_ID", "WT_SESSION", "DOMTERM", "KONSOLE_VERSION", "ALACRITTY_WINDOW_ID")


def show(run: RunResult) -> None:
    """Print the report."""
    is_terminal, in_color = sys.stdout.isatty(), shows_color(sys.stdout.isatty())
    style, size = (mark if in_color else plain), screen_size(PAGE) if is_terminal else page()
    layout = Layout(style, size, is_terminal, run.verbose, run.all, run.by_rule)
    lines = report_lines(run.report, layout, run.quiet, run.least)
    if not in_color:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    with_links = is_terminal and has_links(os.environ)
    with _unescaped(sys.stdout):
        console = Console(highlight=False, soft_wrap=True, force_terminal=True)
        for line in lines:
            console.print(style_line(line, with_links))


@contextmanager
def _unescaped(stream: object) -> Iterator[None]:
    """Let colours through a stream that escapes what could steer a terminal: every line was made harmless before."""
    escapes = getattr(stream, "escapes", None)
    if escapes:
        stream.escapes = False  # type: ignore[attr-defined]
    try:
        yield
    finally:
        if escapes:
            stream.escapes = escapes  # type: ignore[attr-defined]


NONCE = token_hex(8)
OPEN, CLOSE, END = f"‹{NONCE}‹", f"›{NONCE}›", f"‹{NONCE}›"


def mark(words: str, style: str) -> str:
    """Put words between style marks that no input can know."""
    return f"{OPEN}{style}{CLOSE}{words}{END}"


def style_line(line: str, with_links: bool = False) -> Text:
    """Turn a marked line into rich text."""
    styled = Text()
    for piece in line.split(END):
        before, opened, marked = piece.partition(OPEN)
        styled.append(before)
        if opened:
            style, _, words = marked.partition(CLOSE)
            style, _, name = style.partition(" ")
            url = rule_url(*f"{words} {name}".split()[:2]) if style == RULE and with_links else ""
            styled.append(words, Style(link=url) if url else STYLES.get(style, ""))
    return styled


def has_links(environment: os._Environ[str] | dict[str, str]) -> bool:
    """Whether the terminal shows links (OSC 8); FORCE_HYPERLINK says so or not."""
    forced = environment.get("FORCE_HYPERLINK")
    if forced is not None:
        return forced not in ("", "0")
    if environment.get("TERM_PROGRAM") in WITH_LINKS or any(name in environment for name in LINK_VARIABLES):
        return True
    vte = environment.get("VTE_VERSION", "")
    return (vte.isascii() and vte.isdigit() and int(vte) >= 5000) or "foot" in environment.get("TERM", "")
