"""Decide whether failures violate a property: in closed form where that covers the question, else by search."""

from __future__ import annotations

from advisor.simulator.coarse_search import find_loss
from advisor.simulator.healthy_partition import LOSS, Budget, is_decided, is_violated
from advisor.simulator.protocol.chosen_victims import ChosenVictims, Failure
from advisor.simulator.protocol.model import Model, start
from advisor.simulator.protocol.scenario import Scenario, budget
from advisor.simulator.protocol.symmetry import pays
from advisor.simulator.search import LIMIT, Progress, SearchResult, Trace, explore, property_named, search

STATES_OF_A_STORY = 10_000
"""Without a leader, or without writes, is a cluster some hundred states from the start."""


def decide(
    scenario: Scenario, events: Budget, property: str, limit: int = LIMIT, progress: Progress | None = None
) -> SearchResult:
    """The answer with a counterexample, which is at most some steps longer than a shortest one."""
    if not is_decided(scenario, events, property):
        return search(scenario, events, property, limit, progress)
    if not is_violated(scenario, events, property):
        return SearchResult(True, 0, [])
    return SearchResult(False, 0, counterexample(scenario, events, property))


def decide_chosen(
    scenario: Scenario,
    failures: tuple[Failure, ...],
    property: str,
    limit: int = LIMIT,
    progress: Progress | None = None,
) -> SearchResult:
    """The answer where each failure hits its chosen victim: if any victims do no harm, these do none."""
    names = [name for name, _ in failures]
    events = budget({name: names.count(name) for name in names})
    if is_decided(scenario, events, property) and not is_violated(scenario, events, property):
        return SearchResult(True, 0, [])
    first = start(scenario, events)
    if property == LOSS and scenario.records == 1:
        steps = find_loss(ChosenVictims(scenario, failures, follower_hw=False, partial_power_loss=False), first)
        if steps is not None:
            return SearchResult(False, 0, steps)
    model = ChosenVictims(scenario, failures, follower_hw=property != LOSS)
    return explore(model, first, property_named(property), limit, progress, pays(scenario))


def counterexample(scenario: Scenario, events: Budget, property: str) -> Trace:
    """A way to the violation that the closed form knows of: a loss takes many steps, the others three at most."""
    if property == LOSS:
        steps = find_loss(Model(scenario, follower_hw=False, partial_power_loss=False), start(scenario, events))
        if steps is not None:
            return steps
    return search(scenario, events, property, STATES_OF_A_STORY).trace
