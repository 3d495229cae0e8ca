"""The screen that text is written for: its size, and whether it shows colours."""

from __future__ import annotations

import os

STDOUT = 1
NARROWEST = 40
"""Columns that are taken at least."""


def size(default: tuple[int, int]) -> tuple[int, int]:
    """Columns and lines: those of COLUMNS and LINES, else the terminal's, else the default."""
    try:
        columns, lines = os.get_terminal_size(STDOUT)
    except OSError:
        columns, lines = default
    return max(NARROWEST, _number("COLUMNS") or columns or default[0]), _number("LINES") or lines or default[1]


def _number(variable: str) -> int:
    text = os.environ.get(variable, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0


def shows_color(is_terminal: bool) -> bool:
    """Whether output is in colour: FORCE_COLOR and NO_COLOR decide, else whether it is a terminal that knows colours."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal and os.environ.get("TERM") != "dumb"
