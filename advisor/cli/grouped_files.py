"""Files that were not judged, grouped: by ending, and of an ending with many files by the folder."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FEW = 3
"""Files of an ending that are named one by one."""
FOLDERS = 5
"""Folders that are named of an ending."""


def grouped_files(root: str, paths: Iterable[str]) -> Iterator[str]:
    """A text for each file, or for the many of one ending, which most files have first."""
    by_ending: dict[str, list[str]] = {}
    for path in sorted(paths):
        by_ending.setdefault(os.path.splitext(path)[1], []).append(path)
    for ending, files in sorted(by_ending.items(), key=lambda row: (-len(row[1]), row[0])):
        if len(files) <= FEW:
            yield from files
        else:
            yield f"{len(files):,} {ending or 'without an ending'}: {_by_folder(root, files)}"


def _by_folder(root: str, files: Iterable[str]) -> str:
    """How many of the files each folder of the root has, most first."""
    counts: dict[str, int] = {}
    for file in files:
        folder, slash, _ = os.path.relpath(file, root).partition(os.sep)
        name = os.path.join(root, folder) if slash else root
        counts[name] = counts.get(name, 0) + 1
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    left = sum(count for _, count in rows[FOLDERS:])
    texts = [f"{count:,} in {name}" for name, count in rows[:FOLDERS]]
    return ", ".join([*texts, f"{left:,} in other folders"] if left else texts)
