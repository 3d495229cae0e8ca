"""A plan: steps in an order that is safe, each simulated, until a goal is reached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from advisor.analysis.advice.aims import Aim
from advisor.analysis.advice.odds import ClassOdds, odds_of_plan
from advisor.analysis.advice.step import PlanStep, identity
from advisor.model import Snapshot
from advisor.model.finding import Finding
from advisor.simulator.odds import Rates

Judge: TypeAlias = Callable[[Sequence[Snapshot]], Sequence[Finding]]
"""Judges snapshots: their findings."""
ONE_BROKER, ONE_RACK = "1-broker", "1-rack"


@dataclass(eq=False)
class AdvicePlan:
    """Steps in order; `stopped` says why there are no more, `obstacles` what stands in the way of the goal.

    `by_hand` are findings that no command removes, `unknown` is what was not read, `after` the snapshot after all steps.
    """

    before: Snapshot
    goal: str
    throttle: int
    steps: list[PlanStep] = field(default_factory=list)
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


def left_by_hand(plan: AdvicePlan, aims: Sequence[tuple[Finding, Aim]]) -> list[tuple[Finding, Aim]]:
    """The findings that are there after all steps, with their aims."""
    left = set(map(identity, plan.left))
    return [pair for pair in aims if identity(pair[0]) in left]
