"""What a crash leaves behind: a stale high watermark, a disk that the controller does not know; no verdict needs either."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from advisor.simulator.protocol.consumer_model import ReadingModel, unstable, with_new_consumer
from advisor.simulator.protocol.crash_model import NEW_DIRECTORY, CrashModel
from advisor.simulator.protocol.model import NOBODY, Model, start
from advisor.simulator.protocol.properties import PROPERTIES
from advisor.simulator.protocol.scenario import Scenario
from advisor.simulator.search import LIMIT, explore
from tests.support.simulation import Play, events, outcome, same, shared_out

if TYPE_CHECKING:
    from advisor.simulator.protocol.model import State

SETUPS: dict[str, dict[str, Any]] = {
    "strict": {},
    "min 2": {"min_isr": 2},
    "min 2 acks 1": {"min_isr": 2, "acks": "1"},
    "unclean": {"unclean": True},
    "ELR min 2": {"min_isr": 2, "elr": True},
    "ELR min 2 unclean": {"min_isr": 2, "elr": True, "unclean": True},
    "3.4 bounce": {"version": (3, 4), "metadata": "zookeeper", "bounce": True},
    "0.10": {"version": (0, 10), "metadata": "zookeeper", "bounce": True},
}


class ReadingCrashModel(ReadingModel, CrashModel):
    """Both."""


@pytest.mark.parametrize("name", SETUPS)
@pytest.mark.parametrize("property", PROPERTIES)
def test_no_verdict_depends_on_it(name: str, property: str) -> None:
    setup = Scenario(**{"replicas": 2, **SETUPS[name]})
    budgets = ("K1", "P1", "D1", "K2", "D2", "K1P1", "C1K1", "D1K1", "S1D1", "A1")
    for text in shared_out(budgets, list(SETUPS).index(name) + list(PROPERTIES).index(property)):
        first = start(setup, events(text))
        plain = outcome(explore(Model(setup), first, PROPERTIES[property], LIMIT))
        assert same(outcome(explore(CrashModel(setup), first, PROPERTIES[property], LIMIT)), plain), text


@pytest.mark.parametrize("name", SETUPS)
def test_nor_what_a_consumer_has_read(name: str) -> None:
    setup = Scenario(**{"replicas": 2, **SETUPS[name]})
    for text in ("K2", "K1P1", "D1K1", "A1"):
        first = with_new_consumer(start(setup, events(text)))
        plain = outcome(explore(ReadingModel(setup), first, unstable, LIMIT))
        assert outcome(explore(ReadingCrashModel(setup), first, unstable, LIMIT)) == plain, text


@pytest.mark.parametrize("text", ["K2", "L1P1", "D1K1"])
def test_no_verdict_on_three_replicas_depends_on_it(text: str) -> None:
    setup = Scenario(3, 2, elr=True)
    first, violated = start(setup, events(text)), PROPERTIES["no-acked-loss"]
    plain = outcome(explore(Model(setup), first, violated, LIMIT))
    assert outcome(explore(CrashModel(setup), first, violated, LIMIT)) == plain


class Crash(Play):
    """One run of the model with crashes."""

    def __init__(self, **setup: object) -> None:
        super().__init__(**setup)
        self.model = CrashModel(self.setup)

    def high_watermarks(self, event: str) -> set[int]:
        return {state[1][0][5] for state in self.enabled(event, 0)}


def test_a_crashed_broker_has_the_high_watermark_of_its_last_checkpoint() -> None:
    play = Crash(replicas=1, records=2)
    play.do("produce 0", "advance high watermark 0", "produce 0", "advance high watermark 0")
    assert play.high_watermarks("kill") == play.high_watermarks("power-loss") == {0, 1, 2}
    assert play.high_watermarks("power-loss-all") == set()
    assert {state[1][0][5] for state in play.enabled("power-loss-all")} == {0, 1, 2}


def test_one_that_stops_in_order_has_the_newest() -> None:
    play = Crash(replicas=1)
    play.do("produce 0", "advance high watermark 0")
    assert play.high_watermarks("controlled-shutdown") == {1}


def replaced(**setup: object) -> Crash:
    """The last in sync of two has lost its disk."""
    play = Crash(replicas=2, **setup)
    play.stop(1, "kill")
    play.state = play.enabled("disk-loss", 0, NEW_DIRECTORY)[0]
    play.do("fence 0", "restart 0")
    return play


def outcomes(play: Crash, r: int) -> set[tuple[int, bool]]:
    """Who leads after a broker has registered, and whether the first one's directory is still unknown."""
    return {(state[0][1], bool(state[1][0][0] & NEW_DIRECTORY)) for state in play.enabled("register", r)}


def test_one_with_a_new_directory_is_elected_or_waits_for_another() -> None:
    play = replaced()
    assert outcomes(play, 0) == {(0, False), (NOBODY, False)}
    play.state = leaderless(play, 0)
    play.do("restart 1")
    assert outcomes(play, 1) == {(0, False)}


def leaderless(play: Crash, r: int) -> State:
    return next(state for state in play.enabled("register", r) if state[0][1] == NOBODY)


def test_one_that_waits_is_elected_when_it_restarts() -> None:
    play = replaced()
    play.state = leaderless(play, 0)
    play.do("kill 0", "fence 0", "restart 0")
    assert outcomes(play, 0) == {(0, False)}


@pytest.mark.parametrize("setup", [{"version": (3, 6)}, {"version": (3, 9), "metadata": "zookeeper"}])
def test_no_controller_knew_directories_before_and_without_kraft(setup: dict[str, object]) -> None:
    assert not Crash(replicas=2, **setup).enabled("disk-loss", 0, NEW_DIRECTORY)
