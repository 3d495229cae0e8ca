"""The lines of a file that a step changes: as a unified diff where each stands on a line of its own, else one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import unified_diff

from advisor.analysis.advice.changes import FileChange

PROPERTIES = (".properties", ".conf", ".cfg")
LAST_HAS_NO_COMMA = ".json"
"""In such a file a line cannot be added or taken away by itself."""
YAML_WORDS = re.compile(r"true|false|yes|no|on|off|null|~", re.IGNORECASE)
"""What YAML does not read as a string."""
TYPED = (".tf", ".toml")
"""Files in which a bare word is no string, but for blocks of properties in them."""
ONE_SETTING = r"""\s*(?:- )?["']?({})["']?\s*[:=]\s*["']?([^\s"'#&*|>\[\\][^"'#\\]*?)(["']?,?)\s*"""
"""A key, a value, and what closes it; no comment, no value that goes on in the next line."""


def file_diff(changes: Sequence[FileChange]) -> Iterator[str]:
    """What to change in one file."""
    file = changes[0].file
    lines = read_lines(file)
    after, not_on_a_line = edited(lines, changes) if lines is not None else ([], list(changes))
    if lines is not None and after != lines:
        yield from (line.rstrip("\n") for line in unified_diff(lines, after, file, file, n=1))
    yield from (line_of(change) for change in not_on_a_line)


def read_lines(file: str) -> list[str] | None:
    """The lines of a file, each with its end; None where it cannot be read any more, or has old Macintosh line ends."""
    try:
        with open(file, encoding="utf-8", newline="") as handle:
            text = handle.read()
    except (OSError, UnicodeDecodeError):
        return None
    return None if "\r" in text.replace("\r\n", "") else re.findall(r"[^\n]*\n|[^\n]+", text)


def edited(lines: Sequence[str], changes: Sequence[FileChange]) -> tuple[list[str], list[FileChange]]:
    """The lines after the changes, and the changes that are none of a single line."""
    text_of: dict[int, str] = {}
    below: dict[int, dict[str, None]] = {}
    not_on_a_line: list[FileChange] = []
    for change in changes:
        number, text = changed_line(lines, change) if change.line else added_line(lines, change)
        if text is None:
            not_on_a_line.append(change)
        elif change.line:
            text_of[number] = text
        else:
            below.setdefault(number, {})[text] = None
    after = list(below.get(0, {}))
    for number, raw in enumerate(lines, 1):
        after += [row for row in [text_of.get(number, raw)] if row]
        after += with_end(after, below.get(number, {}))
    return after, not_on_a_line


def with_end(before: list[str], added: dict[str, None]) -> list[str]:
    """The lines to add; the one before gets the end that it lacks as the last of its file."""
    if added and before and not before[-1].endswith("\n"):
        before[-1] += "\n"
    return list(added)


def changed_line(lines: Sequence[str], change: FileChange) -> tuple[int, str | None]:
    """A line with another value, empty where it is taken away; None where the setting does not stand on one line alone."""
    number = change.line or 0
    parts = parts_of(lines, number, change.written, change.old)
    if parts is None or (change.value is None and change.file.endswith(LAST_HAS_NO_COMMA)):
        return number, None
    value = "" if change.value is None else fitting(change, parts)
    if change.value is None or value is None:
        return number, value
    return number, parts.string[: parts.start(2)] + value + parts.string[parts.end(2) :]


def added_line(lines: Sequence[str], change: FileChange) -> tuple[int, str | None]:
    """The line of a new setting and that above it, in the form of a sibling's; None where none stands on one line alone."""
    if change.file.endswith(LAST_HAS_NO_COMMA):
        return 0, None
    for number, written, value in change.siblings:
        parts = parts_of(lines, number, written, value)
        text = fitting(change, parts) if parts is not None else None
        if parts is not None and text is not None:
            raw = parts.string
            key = change.written[len(written) - len(parts[1]) :]
            end = "\r\n" if raw.endswith("\r\n") else "\n"
            return number, raw[: parts.start(1)] + key + raw[parts.end(1) : parts.start(2)] + text + parts[3] + end
    return len(lines), f"{change.written}={change.value}\n" if change.file.endswith(PROPERTIES) else None


def parts_of(lines: Sequence[str], number: int, written: str, value: str | None) -> re.Match[str] | None:
    """A line that holds one setting and nothing else: its key as it stands there, its value, and the quote or comma behind."""
    raw = lines[number - 1] if 0 < number <= len(lines) else ""
    names = written.split(".")
    keys = [".".join(names[at:]) for at in range(len(names))]
    matches = (re.fullmatch(ONE_SETTING.format(re.escape(key)), raw) for key in keys)
    return next((match for match in matches if match is not None and match[2] == value), None)


def fitting(change: FileChange, parts: re.Match[str]) -> str | None:
    """The new value in the quotes of the old one; None where a bare one would be read as something else."""
    value = change.value or ""
    separator = parts.string[parts.end(1) : parts.start(2)]
    if separator.endswith(("'", '"')) or change.file.endswith(PROPERTIES):
        return value
    if change.file.endswith(TYPED) and value.isdigit() != parts[2].isdigit():
        return None
    return f'"{value}"' if ":" in separator and YAML_WORDS.fullmatch(value) else value


def line_of(change: FileChange) -> str:
    """One line to change, in the file's own spelling of the key."""
    where = f"{change.file}:{change.line}" if change.line else f"{change.file}: {change.entity}"
    if change.value is None:
        return f"{where}: remove {change.written}"
    return f"{where}: {change.written}: {change.old if change.old is not None else '(not set)'} -> {change.value}"
