"""The plan for a running cluster: builders of steps in their safe order, and of their ways the best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from advisor.analysis.advice.aims import aims_by_rule, by_aim
from advisor.analysis.advice.changes import apply
from advisor.analysis.advice.cluster_steps import BUILDERS
from advisor.analysis.advice.plan import ONE_RACK, AdvicePlan, Judge, left_by_hand
from advisor.analysis.advice.recovery import is_whole, recover
from advisor.analysis.advice.step import PlanStep
from advisor.analysis.advice.step_effect import compare
from advisor.analysis.advice.step_inputs import StepInputs, unread_of
from advisor.model import Snapshot
from advisor.model.finding import Finding
from advisor.rule import Rule

TOOLS = (2, 6)
"""The first release whose tools take --bootstrap-server for everything (KIP-455, KIP-543)."""


def plan_for(snapshot: Snapshot, rules: Sequence[Rule], judge: Judge, goal: str, throttle: int) -> AdvicePlan:
    """The plan for a running cluster; `throttle` is in bytes per second and broker."""
    live = snapshot.live
    assert live is not None
    plan = AdvicePlan(snapshot, goal, throttle, findings=judge([snapshot]))
    plan.unknown = unread_of(live, ("topics", "all topics", "features", "quorum"))
    aims = by_aim(plan.findings, aims_by_rule(rules))
    if not is_whole(snapshot, live):
        plan.steps = [recover(aims, live)]
        plan.stopped = "replicas or brokers are down: a plan is made once every replica is in sync again"
        plan.left = plan.findings
        return plan
    if snapshot.entities[0].target.version < TOOLS:
        plan.obstacles.append(
            "the commands are those of Kafka 2.6 and newer: older kafka-reassign-partitions.sh takes --zookeeper"
        )
    plan.after, plan.left = snapshot, plan.findings
    for build in BUILDERS:
        steps = build(StepInputs(plan.after, aims, goal == ONE_RACK, throttle, plan.obstacles, plan.unknown))
        take_best(plan, (Way(step, plan.after, plan.left, judge) for step in steps))
    plan.by_hand = left_by_hand(plan, aims)
    return plan


class Way:
    """A step tried on a snapshot: the snapshot and the findings after it."""

    def __init__(self, step: PlanStep, before: Snapshot, findings: Sequence[Finding], judge: Judge) -> None:
        self.step = step
        self.after = apply(step.changes, before)
        self.findings = judge([self.after]) if step.changes else findings
        compare(step, findings, self.findings)

    @property
    def is_useful(self) -> bool:
        """Whether it removes a finding, or says what is done by hand alone."""
        return bool(self.step.removes) if self.step.changes else bool(self.step.by_hand)


def take_best(plan: AdvicePlan, ways: Iterable[Way]) -> None:
    """Add the first way that makes nothing worse, else the first that is useful; no more ways are tried than that takes."""
    useful: list[Way] = []
    for way in ways:
        useful += [way] if way.is_useful else []
        if way.is_useful and not way.step.adds:
            break
    if useful:
        best = min(useful, key=lambda way: bool(way.step.adds))
        plan.steps.append(best.step)
        plan.after, plan.left = best.after, best.findings
