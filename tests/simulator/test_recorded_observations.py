"""What was seen on real clusters (`make chaos` wrote it down) holds the simulator to it, without a real Kafka."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from advisor.simulator.protocol.model import Model
from advisor.simulator.protocol.scenario import Scenario as Simulated
from tests.live.kafka.reality import page
from tests.live.kafka.recorded import disagreement, read
from tests.live.kafka.recorded_random import read as read_random
from tests.live.kafka.scenarios import SCENARIOS, Scenario
from tests.support.commands import ROOT

RECORDED = read()
BY_NAME = {str(scenario): scenario for scenario in SCENARIOS}


def test_every_scenario_was_played() -> None:
    assert sorted(RECORDED) == sorted(BY_NAME)


def test_the_page_is_what_was_recorded() -> None:
    """That the simulator agrees with all that was drawn at random is what test_random_observations says."""
    assert (ROOT / "docs/reality.md").read_text() == page(RECORDED, len(read_random())), (
        "docs/reality.md is stale: run make chaos"
    )


@pytest.mark.parametrize("name", RECORDED)
def test_the_simulator_agrees_with_what_was_seen(name: str) -> None:
    scenario = BY_NAME[name]
    assert tuple(step.event for step in RECORDED[name]) == scenario.events
    assert disagreement(scenario.setup, scenario.letters, RECORDED[name]) is None


def test_two_followers_were_seen_to_leave_the_isr_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Model, "together", lambda *_: ())
    scenario = BY_NAME["KRaft, ELR: ELR: two followers die without controller"]
    trouble = disagreement(scenario.setup, scenario.letters, RECORDED[str(scenario)])
    assert trouble
    assert trouble.startswith("controller up")


def other(**changes: object) -> Callable[[Simulated], Simulated]:
    """The same configuration, simulated wrongly."""

    def changed(setup: Simulated) -> Simulated:
        for name, value in changes.items():
            setattr(setup, name, value)
        return setup

    return changed


@pytest.mark.parametrize(
    "wrong",
    [
        other(elr=False),
        other(elr=True),
        other(unclean=True),
        other(unclean=False),
        other(min_isr=1),
        other(acks="all"),
        other(acks="1"),
        other(strict=False),
        other(flush=True),
    ],
)
def test_a_wrong_simulation_is_found_out(wrong: Callable[[Simulated], Simulated]) -> None:
    assert any(contradicted(scenario, wrong) for scenario in SCENARIOS)


def contradicted(scenario: Scenario, wrong: Callable[[Simulated], Simulated]) -> bool:
    return disagreement(wrong(scenario.setup), scenario.letters, RECORDED[str(scenario)]) is not None
