"""Output of `advise` as a patch of configuration files: for `git apply`, or `patch --binary -p1`."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.advice.plan import AdvicePlan
from advisor.edits.change import FileChange
from advisor.edits.diff import file_diff


def lines(plan: AdvicePlan) -> Iterator[str]:
    """The diffs of all files."""
    for rows in diffs(plan).values():
        yield from rows


def diffs(plan: AdvicePlan) -> dict[str, list[str]]:
    """The diff of each file that is edited; each step of a plan for files edits one."""
    by_file: dict[str, list[str]] = {}
    for step in plan.steps:
        changes = [change for change in step.changes if isinstance(change, FileChange)]
        if changes:
            by_file.setdefault(changes[0].file, []).extend(file_diff(changes, text=step.text))
    return {file: rows for file, rows in by_file.items() if rows}
