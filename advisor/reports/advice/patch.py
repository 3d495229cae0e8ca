"""Output of `advise` as a patch of configuration files: for `patch --binary -p0`."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.advice.plan import AdvicePlan
from advisor.edits.change import FileChange
from advisor.edits.diff import file_diff


def lines(plan: AdvicePlan) -> Iterator[str]:
    """The diffs of all files."""
    for step in plan.steps:
        changes = [change for change in step.changes if isinstance(change, FileChange)]
        yield from file_diff(changes) if changes else ()
