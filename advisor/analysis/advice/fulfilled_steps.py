"""Which steps of a plan for the old side a change fulfils: the new side has none of their findings."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.analysis.advice.cluster_plan import plan_for
from advisor.analysis.advice.plan import ONE_BROKER, AdvicePlan, Judge
from advisor.analysis.comparison import Difference, FulfilledStep
from advisor.rule import Rule

THROTTLE = 50_000_000
"""Bytes per second: no cost of a step is shown."""


def fulfilled_steps(difference: Difference, rules: Sequence[Rule], judge: Judge) -> list[FulfilledStep]:
    """The steps for running clusters whose findings the change resolves, wholly or in part; what has a new finding instead does not count.

    A step for files is to change a file, which says nothing that the changed settings do not say.
    """
    if not difference.resolved or difference.old.snapshots is None:
        return []
    worse = {finding.entity for finding in difference.appeared}
    resolved = {(finding.rule, *finding.entity) for finding in difference.resolved if finding.entity not in worse}
    running = [snapshot for snapshot in difference.old.snapshots if snapshot.live is not None]
    plans = [plan_for(snapshot, rules, judge, ONE_BROKER, THROTTLE) for snapshot in running]
    return [row for plan in plans for row in steps_of(plan, resolved)]


def steps_of(plan: AdvicePlan, resolved: set[tuple[str, str, str]]) -> list[FulfilledStep]:
    """The steps of one plan that promise some of these findings, by rule, kind and name."""
    rows = []
    for step in plan.steps:
        promised = {(finding.rule, *finding.entity) for finding in step.removes}
        if promised & resolved:
            rows.append(FulfilledStep(step.id, step.title, len(promised & resolved), len(promised)))
    return rows
