"""Output of `advise` as a patch of configuration files: for `patch --binary -p0`."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.advice.changes import FileChange
from advisor.analysis.advice.plan import Plan
from advisor.reports.advice.file_diff import file_diff
from advisor.simulator.odds import Rates


def text(plan: Plan, _: Rates) -> Iterator[str]:
    """The diffs of all files."""
    for step in plan.steps:
        lines = [change for change in step.changes if isinstance(change, FileChange)]
        yield from file_diff(lines) if lines else ()
