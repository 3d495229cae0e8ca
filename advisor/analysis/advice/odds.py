"""The odds of a plan: for each class of topics, losses and minutes without writes a year, before and after."""

from __future__ import annotations

from collections import Counter
from copy import copy
from typing import NamedTuple

from advisor.analysis.topic_classes import scenarios_by_topic
from advisor.model import Snapshot
from advisor.simulator.odds import ASSUMPTIONS, LOSSES, Rates, losses_a_year
from advisor.simulator.protocol.scenario import Scenario
from advisor.simulator.summary import odds_of

WRITES = "minutes_without_writes"
TIMES = 2.0
"""By how much an assumption is changed to see how much the result moves."""
MOVERS_SHOWN = 3


class ClassOdds(NamedTuple):
    """A class of topics: losses a year, the largest contributor, minutes without writes, before and after a plan.

    `movers` are the assumptions that move the losses after the plan most, each with the factor when it is doubled.
    """

    before: str
    after: str
    topics: int
    losses: tuple[float, float]
    contributor: tuple[str, str]
    minutes: tuple[float, float]
    movers: tuple[tuple[str, float], ...]


def odds_of_plan(before: Snapshot, after: Snapshot, rates: Rates) -> list[ClassOdds]:
    """The classes of topics that a plan changes, those with most topics first; acks=all is assumed."""
    assert before.live is not None
    old, new = (scenarios_by_topic(snapshot, before.live) for snapshot in (before, after))
    classes: Counter[tuple[str, str]] = Counter()
    scenarios: dict[str, Scenario] = {}
    for name, scenario in old.items():
        changed = new.get(name, scenario)
        texts = describe(scenario), describe(changed)
        scenarios |= {texts[0]: scenario, texts[1]: changed}
        if texts[0] != texts[1]:
            classes[texts] += 1
    return [class_odds(pair, count, scenarios, rates) for pair, count in classes.most_common()]


def describe(scenario: Scenario) -> str:
    """A class of topics in words."""
    words = [f"RF {scenario.replicas}", f"min.insync.replicas={scenario.min_isr}"]
    words += ["unclean election"] if scenario.unclean else []
    racks = len(set(scenario.domains))
    return ", ".join([*words, *([f"{racks} racks"] if racks > 1 else [])])


def class_odds(pair: tuple[str, str], topics: int, scenarios: dict[str, Scenario], rates: Rates) -> ClassOdds:
    """The odds of one class."""
    odds = [odds_of(scenarios[text], rates) for text in pair]
    losses = [losses_a_year(row) for row in odds]
    contributors = [max(LOSSES, key=lambda name, row=row: row.get(name, 0.0)) for row in odds]  # type: ignore[misc]
    return ClassOdds(
        *pair,
        topics,
        (losses[0], losses[1]),
        (contributors[0], contributors[1]),
        (odds[0][WRITES], odds[1][WRITES]),
        tuple(movers(scenarios[pair[1]], losses[1], rates)),
    )


def movers(scenario: Scenario, losses: float, rates: Rates) -> list[tuple[str, float]]:
    """The assumptions that move the losses most when they are doubled, and by what factor."""
    factors = []
    for name in ASSUMPTIONS:
        other = copy(rates)
        setattr(other, name, min(getattr(rates, name) * TIMES, 1.0 if name == "crash_share" else float("inf")))
        factors.append((name, losses_a_year(odds_of(scenario, other)) / losses if losses else 1.0))
    return sorted(factors, key=lambda row: -abs(row[1] - 1))[:MOVERS_SHOWN]
