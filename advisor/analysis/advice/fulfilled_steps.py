"""Which steps of a plan for the old side a change fulfils: their findings are gone on the new side."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.analysis.advice.cluster_plan import plan_for
from advisor.analysis.advice.files.plan import plan_for_files
from advisor.analysis.advice.plan import ONE_BROKER, Judge, Plan
from advisor.analysis.comparison import Difference, Row
from advisor.rule import Rule

THROTTLE = 50_000_000
"""Bytes per second: no cost of a step is shown."""


def fulfilled_steps(difference: Difference, rules: Sequence[Rule], judge: Judge) -> list[Row]:
    """The steps whose findings go by the change, wholly or in part; what has a new finding instead does not count."""
    if not difference.gone or difference.old.snapshots is None:
        return []
    worse = {(row["entity"]["kind"], row["entity"]["name"]) for row in difference.appeared}
    rows = [(row["rule"], row["entity"]["kind"], row["entity"]["name"]) for row in difference.gone]
    gone = {row for row in rows if row[1:] not in worse}
    running = [snapshot for snapshot in difference.old.snapshots if snapshot.live is not None]
    in_files = [snapshot for snapshot in difference.old.snapshots if snapshot.live is None]
    plans = [plan_for(snapshot, rules, judge, ONE_BROKER, THROTTLE) for snapshot in running]
    plans += [plan_for_files(in_files, rules, judge)] if in_files else []
    return [row for plan in plans for row in steps_of(plan, gone)]


def steps_of(plan: Plan, gone: set[tuple[str, str, str]]) -> list[Row]:
    """The steps of one plan that promise some of these findings, by rule, kind and name."""
    rows = []
    for step in plan.steps:
        promised = {(finding.rule, *finding.entity) for finding in step.removes}
        if promised & gone:
            rows.append({"step": step.id, "title": step.title, "done": len(promised & gone), "of": len(promised)})
    return rows
