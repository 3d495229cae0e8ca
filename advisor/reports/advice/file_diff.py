"""The lines of a file that a step changes: as a unified diff of a properties file, else one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff

from advisor.analysis.advice.changes import FileChange

PROPERTIES = (".properties", ".conf", ".cfg")


def file_diff(changes: Sequence[FileChange]) -> Iterator[str]:
    """What to change in one file."""
    file = changes[0].file
    lines = read_lines(file) if file.endswith(PROPERTIES) else None
    if lines is None or any(change.line is not None and is_continued(lines, change.line) for change in changes):
        yield from (line_of(change) for change in changes)
        return
    yield from (line.rstrip("\n") for line in unified_diff(lines, edited(lines, changes), file, file, n=1))


def read_lines(file: str) -> list[str] | None:
    """The lines of a file; None where it cannot be read any more."""
    try:
        with open(file, encoding="utf-8") as handle:
            return handle.read().splitlines(keepends=True)
    except (OSError, UnicodeDecodeError):
        return None


def is_continued(lines: Sequence[str], line: int) -> bool:
    """Whether a setting goes on in the next line."""
    return line > len(lines) or lines[line - 1].rstrip("\r\n").endswith("\\")


def edited(lines: Sequence[str], changes: Sequence[FileChange]) -> list[str]:
    """The lines after the changes; what is new stands at the end."""
    by_line = {change.line: change for change in changes if change.line is not None}
    after = []
    for number, text in enumerate(lines, 1):
        change = by_line.get(number)
        if change is None:
            after.append(text)
        elif change.value is not None:
            after.append(f"{change.written}={change.value}\n")
    if after and not after[-1].endswith("\n"):
        after[-1] += "\n"
    return after + [f"{change.written}={change.value}\n" for change in changes if change.line is None and change.value]


def line_of(change: FileChange) -> str:
    """One line to change, in the file's own spelling of the key."""
    where = f"{change.file}:{change.line}" if change.line else change.file
    if change.value is None:
        return f"{where}: remove {change.written}"
    return f"{where}: {change.written}: {change.old if change.old is not None else '(not set)'} -> {change.value}"
