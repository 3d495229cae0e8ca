"""What makes the search faster changes no verdict: pruning, and leaving the followers' high watermarks out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from advisor.simulator.protocol import symmetry
from advisor.simulator.protocol.consumer_model import ReadingModel, unstable, with_new_consumer
from advisor.simulator.protocol.model import SEVERAL, Model, start
from advisor.simulator.protocol.properties import PROPERTIES, loses_acked
from advisor.simulator.protocol.scenario import Scenario
from advisor.simulator.search import LIMIT, explore
from tests.support.simulation import events, found, outcome, same, shared_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.simulator.protocol.model import State


def unpruned(model: Model, state: State) -> bool:
    """The same question under another name, which the search does not prune for."""
    return loses_acked(model, state)


SETUPS: dict[str, dict[str, Any]] = {
    "strict": {},
    "strict min 2": {"min_isr": 2},
    "strict min 2 acks 1": {"min_isr": 2, "acks": "1"},
    "acks 0": {"acks": "0"},
    "unclean": {"unclean": True},
    "ELR min 2": {"min_isr": 2, "elr": True},
    "ELR min 2 unclean": {"min_isr": 2, "elr": True, "unclean": True},
    "4.0 ELR": {"min_isr": 2, "elr": True, "version": (4, 0)},
    "flush": {"flush": True},
    "2.8": {"version": (2, 8), "metadata": "zookeeper", "min_isr": 2},
    "3.4 bounce": {"version": (3, 4), "metadata": "zookeeper", "bounce": True},
    "0.11 bounce": {"version": (0, 11), "metadata": "zookeeper", "bounce": True},
    "0.10": {"version": (0, 10), "metadata": "zookeeper", "bounce": True},
    "two records": {"records": 2},
    "two records min 2": {"records": 2, "min_isr": 2},
    "retries": {"retries": True, "idempotent": False},
    "retries idempotent": {"retries": True, "min_isr": 2},
    "two domains": {"domains": [0, 1]},
    "no maximal ISR": {"without": ["maximal-isr"]},
    "no LESO": {"without": ["leso"]},
}
TWO = [
    "K1",
    "P1",
    "D1",
    "C1",
    "L1",
    "S1",
    "X1",
    "A1",
    "K2",
    "P2",
    "D2",
    "C1K1",
    "C1P1",
    "C1D1",
    "L1K1",
    "L1P1",
    "S1K1",
    "S1P1",
    "X1K1",
    "X1P1",
    "C2",
    "K1P1",
    "A1K1",
    "C1L1K1",
]


@pytest.mark.parametrize(("number", "name"), list(enumerate(SETUPS)))
def test_two_replicas(number: int, name: str) -> None:
    setup = Scenario(**{"replicas": 2, **SETUPS[name]})
    check(setup, shared_out(TWO if setup.records == 1 else TWO[:16], number))


THREE: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["K2", "L1P1", "L2K1", "L2P1", "X1K1"]),
    ({"min_isr": 2}, ["K2", "L1K2", "L1P1", "S1K1"]),
    ({"min_isr": 2, "elr": True}, ["K2", "P2", "C1P1", "L2P1"]),
    ({"min_isr": 2, "unclean": True}, ["K2", "L2K1"]),
    ({"min_isr": 2, "acks": "1"}, ["K1", "S1", "X1"]),
    ({"version": (3, 4), "metadata": "zookeeper", "bounce": True, "min_isr": 2}, ["P1X1", "K1"]),
    ({"without": ["maximal-isr"]}, ["L1K1", "K2"]),
]


@pytest.mark.parametrize("number", range(len(THREE)))
def test_three_replicas(number: int) -> None:
    setup, budgets = THREE[number]
    check(Scenario(3, **setup), shared_out(budgets, number))


def check(setup: Scenario, budgets: Sequence[str]) -> None:
    whole, part = Model(setup), Model(setup, follower_hw=False)
    for number, text in enumerate(budgets):
        first = start(setup, events(text))
        expected = outcome(explore(whole, first, unpruned, LIMIT))
        assert same(outcome(explore(part, first, loses_acked, LIMIT)), expected), text
        if number % 4 == 0:  # each of the two alone
            assert outcome(explore(whole, first, loses_acked, LIMIT)) == expected, text
            assert outcome(explore(part, first, unpruned, LIMIT)) == pytest.approx(expected, abs=2), text


def test_a_limit_leaves_it_undecided() -> None:
    setup = Scenario(3, 2)
    answer = explore(Model(setup), start(setup, events("K2")), PROPERTIES["no-acked-loss"], 100)
    assert answer.holds is None
    assert answer.trace == []


LEADERS_ONLY_CASES = [
    (setup, text)
    for setup in (
        {"replicas": 2, "min_isr": 1, "unclean": True},
        {"replicas": 2, "min_isr": 2},
        {"replicas": 2, "min_isr": 2, "elr": True},
        {"replicas": 2, "min_isr": 1, "acks": "1", "version": (3, 6), "metadata": "zookeeper"},
        {"replicas": 2, "min_isr": 1, "version": (0, 10), "metadata": "zookeeper"},
    )
    for text in ("K2", "L1K1", "C1P1", "S1K1", "A1", "X1K1", "L1P1K1")
]


@pytest.mark.parametrize(("setup", "text"), shared_out(LEADERS_ONLY_CASES, 0))
def test_the_followers_high_watermarks_matter_to_no_property_of_leaders(setup: dict[str, object], text: str) -> None:
    made = Scenario(**setup)  # type: ignore[arg-type]
    first = start(made, events(text))
    reads = explore(ReadingModel(made, follower_hw=True), with_new_consumer(first), unstable, LIMIT)
    leaders = explore(Model(made, follower_hw=True), first, PROPERTIES["one-leader-per-epoch"], LIMIT)
    assert found(text, "committed-read-stable", **setup).holds == reads.holds
    assert found(text, "one-leader-per-epoch", **setup).holds == leaders.holds


MERGED = [
    (setup, text)
    for setup in (
        {"replicas": 3, "min_isr": 1, "unclean": True},
        {"replicas": 3, "min_isr": 2, "elr": True},
        {"replicas": 3, "min_isr": 2, "acks": "1"},
    )
    for text in ("K2", "L1P1", "C1K1", "S1P1", "X1K1", "A1", "D2")
]


@pytest.mark.parametrize(("setup", "text"), shared_out(MERGED, 0))
def test_merging_states_that_differ_in_names_changes_nothing(
    setup: dict[str, Any], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = found(text, **setup)
    monkeypatch.setattr(symmetry, "FROM", 1)
    merged = found(text, **setup)
    assert (merged.holds, len(merged.trace)) == (plain.holds, len(plain.trace))
    assert merged.states <= plain.states
    model, state = Model(Scenario(**setup), follower_hw=False), start(Scenario(**setup), events(text))
    for step in merged.trace:
        assert step in list(model.steps(state))
        state = step[1]


def test_a_set_of_replicas_is_renamed_with_them() -> None:
    assert symmetry.rename_action((SEVERAL, 0, 0b110), (2, 0, 1)) == (SEVERAL, 2, 0b011)
