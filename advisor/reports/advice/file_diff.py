"""The diff of a file that a step changes, for `patch -p0`; without context, since lines beside may hold secrets."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from difflib import unified_diff

from advisor.analysis.advice.changes import FileChange
from advisor.analysis.advice.files.edits import edited
from advisor.analysis.advice.files.lines import read_lines

NO_END = "\\ No newline at end of file"


def file_diff(changes: Sequence[FileChange]) -> Iterator[str]:
    """What to change in one file; a line may end with a carriage return, where the file's do."""
    lines = read_lines(changes[0].file) or []
    name = name_of(changes[0].file)
    for line in unified_diff(lines, edited(lines, changes), name, name, n=0):
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield NO_END


def name_of(file: str) -> str:
    """A file's name from here, which patch takes; a tab ends one that has blanks."""
    here = os.path.relpath(file)
    name = file if here.startswith("..") else here
    return f"{name}\t" if " " in name else name
