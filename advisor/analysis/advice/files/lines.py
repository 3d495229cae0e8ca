"""Settings as they stand in the lines of configuration files: where the key is, where the value, and how many lines they take."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from advisor.model import Span

BEFORE_KEY = re.compile(r"""\s*(?:- )?["']?""")
BEHIND_KEY = re.compile(r"""["']?\s*[:=]\s*""")
VALUE = re.compile(r"""(["']?)([^\s"'#&*|>\[\\][^"'#\\]*?)\1(?=["']?,?\s*$)""")
"""A value up to the end of its line; none that has a comment behind it, or that goes on in the next line."""
BEFORE_NAME = re.compile(r"""\s*- name:\s*["']?""")
BEHIND_NAME = re.compile(r"""["']?\s*""")
VALUE_NAME = re.compile(r"\s*value:\s*")


class SettingLines(NamedTuple):
    """A setting as it stands in a file: the first of its lines, the slices of its key and its value, and how many lines it has.

    The value's slice, in the last of the lines, is with its quotes.
    """

    line: int
    height: int
    key: slice
    value: slice


def read_lines(file: str) -> list[str] | None:
    """The lines of a file, each with its end; None where it cannot be read any more, or has old Macintosh line ends."""
    try:
        with open(file, encoding="utf-8", newline="") as handle:
            text = handle.read()
    except (OSError, UnicodeDecodeError):
        return None
    return None if "\r" in text.replace("\r\n", "") else re.findall(r"[^\n]*\n|[^\n]+", text)


def setting_at(
    lines: Sequence[str], number: int, written: str, value: str | None, span: Span | None
) -> SettingLines | None:
    """A setting that stands on lines of its own, and has this value there; else None."""
    names = written.split(".")
    for key in (".".join(names[at:]) for at in range(len(names))):
        setting = variable_at(lines, number, key, span) or on_one_line(lines, number, key, span)
        if setting is not None:
            raw = lines[setting.line + setting.height - 2]
            return setting if raw[setting.value].strip("\"'") == value else None
    return None


def on_one_line(lines: Sequence[str], number: int, key: str, span: Span | None) -> SettingLines | None:
    """A key and its value on one line."""
    raw = lines[number - 1] if 0 < number <= len(lines) else ""
    name = name_between(BEFORE_KEY, key, raw)
    behind = name and BEHIND_KEY.match(raw, name.stop)
    if name is None or behind is None:
        return None
    if span is not None and span[0] == span[2] == number and span[1] - 1 == behind.end():
        return SettingLines(number, 1, name, slice(span[1] - 1, span[3] - 1))
    value = VALUE.match(raw, behind.end())
    return value and SettingLines(number, 1, name, slice(*value.span()))


def name_between(before: re.Pattern[str], name: str, raw: str) -> slice | None:
    """Where a name stands in a line behind what comes before it; None where something else does."""
    opening = before.match(raw)
    start = opening.end() if opening else 0
    return slice(start, start + len(name)) if opening and raw.startswith(name, start) else None


def variable_at(lines: Sequence[str], number: int, key: str, span: Span | None) -> SettingLines | None:
    """A container's variable: its name on one line, its value on the next."""
    name = name_between(BEFORE_NAME, key, lines[number - 1]) if 0 < number < len(lines) else None
    if name is None or span is None or not span[0] == span[2] == number + 1:
        return None
    is_value = BEHIND_NAME.fullmatch(lines[number - 1], name.stop) and VALUE_NAME.fullmatch(
        lines[number][: span[1] - 1]
    )
    return SettingLines(number, 2, name, slice(span[1] - 1, span[3] - 1)) if is_value else None
