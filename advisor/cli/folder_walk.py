"""What became of the files below a folder: how many were judged, by format, and how many were not."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

FEW = 3
"""Files of an ending that are named one by one."""
FOLDERS = 5
"""Folders that are named of an ending."""


class FolderWalk:
    """Counts the files below one folder; `others` are those that are not Kafka's, `passed_over` was not opened, and why."""

    def __init__(self, folder: str, passed_over: Mapping[str, Sequence[str]]) -> None:
        self.folder = folder
        self.passed_over = passed_over
        self.others: list[str] = []
        self.not_read = self.unchanged = 0
        self._judged: dict[str, int] = {}

    def add_judged(self, format: str) -> None:
        """Count a file of a format."""
        self._judged[format] = self._judged.get(format, 0) + 1

    def lines(self, verbose: bool) -> list[str]:
        """The sum in a line; with `verbose` lines before it for the files that were not judged."""
        return [*(self._not_judged() if verbose else []), self._sum()]

    def _not_judged(self) -> Iterator[str]:
        groups = {"not Kafka's": self.others, **{f"passed over, {why}": each for why, each in self.passed_over.items()}}
        for label, paths in groups.items():
            yield from (f"{label}: {text}" for text in grouped_files(self.folder, paths))

    def _sum(self) -> str:
        judged = sum(self._judged.values())
        if self.unchanged and not judged and not self.not_read:
            return f"{self.folder}: {self.unchanged:,} files unchanged{self._passed_over()}"
        if not judged and not self.not_read:
            return f"nothing to check: no file below {self.folder} concerns Kafka{self._passed_over()}"
        rows = sorted(self._judged.items(), key=lambda row: (-row[1], row[0]))
        by_format = f" ({', '.join(f'{count} {format}' for format, count in rows)})" if rows else ""
        unread = f", {self.not_read} not read" if self.not_read else ""
        total = judged + len(self.others) + self.not_read
        return f"{self.folder}: {judged} of {total} files judged{by_format}, {len(self.others)} not Kafka's{unread}{self._unchanged()}{self._passed_over()}"

    def _unchanged(self) -> str:
        return f"; {self.unchanged:,} unchanged" if self.unchanged else ""

    def _passed_over(self) -> str:
        counts = {reason: len(paths) for reason, paths in self.passed_over.items()}
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in counts.items())
        return f"; passed over: {reasons}" if reasons else ""


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
