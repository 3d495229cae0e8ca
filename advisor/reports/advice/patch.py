"""Output of `advise` as a patch of configuration files: for `git apply`, or `patch --binary -p1`."""

from __future__ import annotations

from advisor.analysis.advice.plan import AdvicePlan


def diffs_of(plan: AdvicePlan) -> dict[str, list[str]]:
    """The diff of each file that is edited; each step of a plan for files edits one."""
    by_file: dict[str, list[str]] = {}
    for step in plan.steps:
        changes = step.file_changes
        if changes:
            by_file.setdefault(changes[0].file, []).extend(step.file_diff())
    return {file: rows for file, rows in by_file.items() if rows}
