"""Settings as they stand in the lines of configuration files: where the key is, where the value, and how many lines they take."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from advisor.model import Span

KEY = r"""\s*(?:- )?["']?({})["']?\s*[:=]\s*"""
VALUE = re.compile(r"""(["']?)([^\s"'#&*|>\[\\][^"'#\\]*?)\1(?=["']?,?\s*$)""")
"""A value up to the end of its line; none that has a comment behind it, or that goes on in the next line."""
VARIABLE = r"""\s*- name:\s*["']?({})["']?\s*"""


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
    match = re.match(KEY.format(re.escape(key)), raw)
    if match is None:
        return None
    if span is not None and span[0] == span[2] == number and span[1] - 1 == match.end():
        return SettingLines(number, 1, slice(*match.span(1)), slice(span[1] - 1, span[3] - 1))
    value = VALUE.match(raw, match.end())
    return value and SettingLines(number, 1, slice(*match.span(1)), slice(*value.span()))


def variable_at(lines: Sequence[str], number: int, key: str, span: Span | None) -> SettingLines | None:
    """A container's variable: its name on one line, its value on the next."""
    match = re.fullmatch(VARIABLE.format(re.escape(key)), lines[number - 1]) if 0 < number < len(lines) else None
    if match is None or span is None or not span[0] == span[2] == number + 1:
        return None
    is_value = re.fullmatch(r"\s*value:\s*", lines[number][: span[1] - 1])
    return SettingLines(number, 2, slice(*match.span(1)), slice(span[1] - 1, span[3] - 1)) if is_value else None
