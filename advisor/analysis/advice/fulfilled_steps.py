"""Which steps of a plan for the old side a change fulfils: their findings are gone on the new side."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.analysis.advice import ONE_BROKER, Judge, plan_for
from advisor.analysis.advice.file_plan import plan_for_files
from advisor.analysis.comparison import Difference, Row
from advisor.model import Snapshot
from advisor.rule import Rule

THROTTLE = 50_000_000
"""Bytes per second: no cost of a step is shown."""


def fulfilled_steps(difference: Difference, rules: Sequence[Rule], judge: Judge) -> list[Row]:
    """The steps whose findings go by the change, wholly or in part; none where nothing goes."""
    if not difference.gone or difference.old.snapshots is None:
        return []
    gone = {(row["rule"], row["entity"]["kind"], row["entity"]["name"]) for row in difference.gone}
    return [row for snapshot in difference.old.snapshots for row in steps_of(snapshot, gone, rules, judge)]


def steps_of(snapshot: Snapshot, gone: set[tuple[str, str, str]], rules: Sequence[Rule], judge: Judge) -> list[Row]:
    """The steps of one cluster or its files."""
    plan = (
        plan_for_files(snapshot, rules, judge)
        if snapshot.live is None
        else plan_for(snapshot, rules, judge, ONE_BROKER, THROTTLE)
    )
    rows = []
    for step in plan.steps:
        promised = {(finding.rule, *finding.entity) for finding in step.removes}
        if promised & gone:
            rows.append({"step": step.id, "title": step.title, "done": len(promised & gone), "of": len(promised)})
    return rows
