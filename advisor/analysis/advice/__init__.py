"""A plan: steps in an order that is safe, each judged in thought, until a goal is reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from advisor.analysis.advice.aims import BY_HAND, IN_SYNC, Aim, by_aim
from advisor.analysis.advice.changes import apply
from advisor.analysis.advice.cluster_steps import BUILDERS
from advisor.analysis.advice.odds import ClassOdds, odds_of_plan
from advisor.analysis.advice.step import Step
from advisor.analysis.advice.step_inputs import StepInputs, unread_of
from advisor.model import Snapshot, Topic
from advisor.model.cluster import ALIVE, NOBODY, UNKNOWN, Live
from advisor.model.finding import Finding, rank
from advisor.rule import Rule
from advisor.simulator.odds import Rates

Judge: TypeAlias = Callable[[Sequence[Snapshot]], Sequence[Finding]]
"""Judges snapshots: their findings."""
ONE_BROKER, ONE_RACK = "1-broker", "1-rack"
RECOVER = "recover"
"""The id of the step of a cluster in which something is down."""
TOOLS = (2, 6)
"""The first release whose tools take --bootstrap-server for everything (KIP-455, KIP-543)."""
WORSE = "medium"
"""A step that makes a finding of this severity or above appear says so."""


@dataclass(eq=False)
class Plan:
    """Steps in order; `stopped` says why there are no more, `obstacles` what stands in the way of the goal.

    `by_hand` are findings that no command removes, `unknown` is what was not read, `after` the snapshot after all steps.
    """

    before: Snapshot
    goal: str
    throttle: int
    steps: list[Step] = field(default_factory=list)
    stopped: str | None = None
    obstacles: list[str] = field(default_factory=list)
    by_hand: list[tuple[Finding, Aim]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    findings: Sequence[Finding] = ()
    left: Sequence[Finding] = ()
    after: Snapshot | None = None

    def odds(self, rates: Rates) -> list[ClassOdds]:
        """What the plan is worth for each class of topics; nothing for files, or where nothing changes."""
        return odds_of_plan(self.before, self.after, rates) if self.after and self.before.live else []


def plan_for(snapshot: Snapshot, rules: Sequence[Rule], judge: Judge, goal: str, throttle: int) -> Plan:
    """The plan for a running cluster; `throttle` is in bytes per second and broker."""
    live = snapshot.live
    assert live is not None
    plan = Plan(snapshot, goal, throttle, findings=judge([snapshot]))
    plan.unknown = unread_of(live, ("topics", "all topics", "features", "quorum"))
    aims = by_aim(plan.findings, rules)
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

    def __init__(self, step: Step, before: Snapshot, findings: Sequence[Finding], judge: Judge) -> None:
        self.step = step
        self.after = apply(step.changes, before)
        self.findings = judge([self.after]) if step.changes else findings
        compare(step, findings, self.findings)

    @property
    def is_useful(self) -> bool:
        """Whether it removes a finding, or says what is done by hand alone."""
        return bool(self.step.removes) if self.step.changes else bool(self.step.by_hand)


def take_best(plan: Plan, ways: Iterable[Way]) -> None:
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


def compare(step: Step, before: Sequence[Finding], after: Sequence[Finding]) -> None:
    """Fill in what a step removes and adds."""
    step.removes = missing_from(before, after)
    step.adds = [finding for finding in missing_from(after, before) if rank(finding.severity) >= rank(WORSE)]
    step.before, step.after = count(before), count(after)


def left_by_hand(plan: Plan, aims: Sequence[tuple[Finding, Aim]]) -> list[tuple[Finding, Aim]]:
    """The findings that are there after all steps, with their aims."""
    left = {(finding.rule, finding.entity, finding.key) for finding in plan.left}
    return [pair for pair in aims if (pair[0].rule, pair[0].entity, pair[0].key) in left]


def missing_from(these: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """The findings that the others do not have, by rule, subject and key."""
    there = {(finding.rule, finding.entity, finding.key) for finding in others}
    return [finding for finding in these if (finding.rule, finding.entity, finding.key) not in there]


def count(findings: Sequence[Finding]) -> dict[str, int]:
    """How many findings there are of each severity."""
    return dict(Counter(finding.severity for finding in findings))


def is_whole(snapshot: Snapshot, live: Live) -> bool:
    """Whether every broker is up and every replica that was read is in sync; whatever rules are selected."""
    if any(node.state not in (ALIVE, UNKNOWN) for node in live.nodes):
        return False
    partitions = (
        partition for topic in snapshot.entities if isinstance(topic, Topic) for partition in topic.partitions or ()
    )
    return all(row.leader != NOBODY and set(row.isr) == set(row.replicas) for row in partitions)


def recover(aims: Sequence[tuple[Finding, Aim]], live: Live) -> Step:
    """The first step of a cluster in which something is down: nothing else is safe before."""
    down = [str(node.id) for node in live.nodes if node.state not in (ALIVE, UNKNOWN)]
    sentences = [f"start broker {id} with its old disks, after reading its log" for id in down]
    asked = [finding for finding, aim in aims if aim.what == IN_SYNC]
    sentences += [f"{' '.join(row.entity)}: {row.fix.partition('. ')[0]}" for row in asked if row.entity[0] != "broker"]
    return Step(
        RECOVER,
        "Bring every replica back into its ISR",
        "while replicas are missing, every other change may stop writes or lose records",
        by_hand=tuple(
            dict.fromkeys(sentences or ["wait until kafka-topics.sh --describe shows every replica in its ISR"])
        ),
        removes=asked,
        risk="do not elect uncleanly, and do not reassign anything before",
    )


__all__ = ["BY_HAND", "ONE_BROKER", "ONE_RACK", "RECOVER", "Plan", "Step", "plan_for"]
