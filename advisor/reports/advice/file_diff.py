"""The diff of a file that a step changes, for `patch -p0`; without context, since lines beside may hold secrets."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from advisor.analysis.advice.changes import FileChange
from advisor.analysis.advice.files.edits import Edit, edits_of
from advisor.analysis.advice.files.lines import read_lines

NO_END = "\\ No newline at end of file"


def file_diff(changes: Sequence[FileChange]) -> Iterator[str]:
    """What to change in one file; a line may end with a carriage return, where the file's do."""
    lines = read_lines(changes[0].file) or []
    name = name_of(changes[0].file)
    added = 0
    for number, hunk in enumerate(hunks(edits_of(lines, changes))):
        yield from (f"--- {name}", f"+++ {name}") if number == 0 else ()
        old, new = lines[hunk.first - 1 : hunk.first - 1 + hunk.height], hunk.lines
        yield f"@@ -{span_text(hunk.first, len(old))} +{span_text(hunk.first + added, len(new))} @@"
        yield from (part for mark, rows in (("-", old), ("+", new)) for row in rows for part in marked(mark, row))
        added += len(new) - len(old)


def hunks(edits: Sequence[Edit]) -> list[Edit]:
    """The edits, those of neighbouring lines as one."""
    joined: list[Edit] = []
    for edit in edits:
        if joined and joined[-1].first + joined[-1].height >= edit.first:
            before = joined.pop()
            height = max(before.height, edit.first + edit.height - before.first)
            edit = Edit(before.first, height, before.lines + edit.lines)
        joined.append(edit)
    return joined


def span_text(first: int, count: int) -> str:
    """The lines of a hunk: the first and how many; before none the line above."""
    return f"{first}" if count == 1 else f"{first if count else first - 1},{count}"


def marked(mark: str, line: str) -> Iterator[str]:
    """A line of a hunk, and whether it is the last of its file and has no end."""
    yield mark + line.removesuffix("\n")
    if not line.endswith("\n"):
        yield NO_END


def name_of(file: str) -> str:
    """A file's name from here, which patch takes; a tab ends one that has blanks."""
    here = os.path.relpath(file)
    name = file if here.startswith("..") else here
    return f"{name}\t" if " " in name else name
