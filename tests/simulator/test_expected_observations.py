"""The prediction that reality is compared with, without a real Kafka."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.simulator.protocol.scenario import Scenario as Simulated
from tests.live.kafka.expected import Expectation, Seen, foretold, matches, word
from tests.live.kafka.reality import Result, table
from tests.live.kafka.scenarios import KEPT, LOST, OFFLINE, SCENARIOS, UNREADABLE, Scenario

ALL, PAIR, NONE = frozenset({1, 2, 3}), frozenset({1, 2}), frozenset[int]()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_the_end_that_is_told_in_words_is_one_the_simulator_knows(scenario: Scenario) -> None:
    assert scenario.end in foretold(scenario.setup, scenario.letters, scenario.events)


def test_scenarios_have_names_of_their_own() -> None:
    assert len({str(scenario) for scenario in SCENARIOS}) == len(SCENARIOS)


def after(*events: str, letters: str = "ab", **setup: object) -> Expectation:
    """The prediction after events whose records are all acknowledged."""
    expectation = Expectation(Simulated(**setup), letters)  # type: ignore[arg-type]
    for event in events:
        expectation.happen(event)
        if event.startswith("produce"):
            expectation.answered(event, 0)
        expectation.rest()
    return expectation


def test_a_quiet_cluster_comes_to_one_end() -> None:
    assert after("produce a").outcomes() == {Seen(1, ALL, NONE, ("a", "a", "a"), "a")}


@pytest.mark.parametrize(
    "seen",
    [
        Seen(1, PAIR, NONE, ("a", "a", ""), "a"),
        Seen(3, PAIR, NONE, ("a", "a", ""), "a"),
        Seen(2, ALL, NONE, ("a", "a", ""), "a"),
        Seen(2, PAIR, NONE, ("a", "", ""), "a"),
        Seen(2, PAIR, NONE, ("a", "a", "a"), ""),
        Seen(-1, PAIR, NONE, ("a", "a", "a"), None),
    ],
)
def test_what_cannot_be_is_refused(seen: Seen) -> None:
    """After the leader's death with everything in sync: a survivor leads the two others and shows all."""
    expectation = after("produce a")
    expectation.happen("kill 1")
    assert not any(matches(final, seen) for final in expectation.outcomes())
    assert Seen(2, frozenset({2, 3}), NONE, ("a", "a", "a"), "a") in expectation.outcomes()


@pytest.mark.parametrize(
    ("outcome", "possible"),
    [(0, True), ("REQUEST_TIMED_OUT", False), ("NOT_ENOUGH_REPLICAS", False)],
)
def test_the_producers_answer_is_compared_too(outcome: int | str, possible: bool) -> None:
    expectation = Expectation(Simulated(3, 2), "a")
    expectation.happen("produce a")
    expectation.answered("produce a", outcome)
    assert bool(expectation.final) == possible


def test_below_min_the_leader_refuses() -> None:
    expectation = after("kill 2 3", replicas=3, min_isr=2, letters="a")
    expectation.happen("produce a")
    assert {seen.logs for seen in expectation.outcomes()} == {("", "", "")}
    expectation.answered("produce a", "NOT_ENOUGH_REPLICAS")
    assert expectation.final


def test_a_producer_gives_up_before_the_session_of_a_paused_leader_expires() -> None:
    expectation = after("produce a", min_isr=2, acks="0")
    expectation.happen("pause 1 3")
    expectation.happen("produce b")
    expectation.answered("produce b", "_MSG_TIMED_OUT")
    assert Seen(2, frozenset({2}), NONE, ("a", "a", "a"), "a") in expectation.outcomes()


def test_a_paused_broker_that_is_killed_comes_back_like_any_other() -> None:
    assert after("produce a", "pause 2", "kill 2", "start 2").outcomes() == {Seen(1, ALL, NONE, ("a", "a", "a"), "a")}


def test_a_power_loss_takes_nothing_that_is_on_disk() -> None:
    expectation = after("produce a", "stop 2", "start 2")
    assert (expectation.unflushed(1, ["a"]), expectation.unflushed(2, ["a"])) == (True, False)
    expectation.happen("power-loss 1 2")
    assert {seen.logs for seen in expectation.outcomes()} == {("", "a", "a")}


@pytest.mark.parametrize(("event", "leaders"), [("disk-loss 1", {1}), ("replace-disk 1", {1, -1})])
def test_a_new_disk_may_stay_unelected(event: str, leaders: set[int]) -> None:
    expectation = after("produce a", "kill 2", event, "start 1", replicas=2)
    assert {seen.leader for seen in expectation.outcomes()} == leaders


def test_two_dead_followers_leave_the_isr_at_once_or_one_by_one() -> None:
    events = ("produce a", "controller down", "kill 2", "kill 3", "produce b", "controller up")
    setup: dict[str, Any] = {"replicas": 3, "min_isr": 2, "acks": "0", "elr": True, "unclean": True}
    elrs = {seen.elr for seen in after(*events, **setup).outcomes() if seen.leader == 1}
    assert elrs == {frozenset({2}), frozenset({3}), frozenset({2, 3})}


ALONE = ("produce a", "kill 2", "kill 3", "produce b")
OLD_COPY = ("produce a", "stop 2", "produce b", "stop 1", "start 2")
LAST_TAIL = ("produce a", "kill 2", "kill 3", "produce b", "power-loss 1", "start 1")
IN_TIME = ("pause 2 3!", "produce a!", "kill 1!", "resume 2 3")


@pytest.mark.parametrize(
    ("events", "setup", "ends"),
    [
        (ALONE, {"replicas": 3, "min_isr": 2, "acks": "1"}, {UNREADABLE}),
        (ALONE, {"replicas": 3, "min_isr": 2, "acks": "1", "without": ("strict-hw",)}, {KEPT}),
        (OLD_COPY, {"replicas": 2}, {OFFLINE}),
        (OLD_COPY, {"replicas": 2, "unclean": True}, {LOST}),
        (LAST_TAIL, {"replicas": 3}, {LOST}),
        (LAST_TAIL, {"replicas": 3, "flush": True}, {KEPT}),
        (IN_TIME, {"replicas": 3, "acks": "1"}, {LOST, OFFLINE}),
    ],
)
def test_one_setting_makes_the_difference(events: tuple[str, ...], setup: dict[str, object], ends: set[str]) -> None:
    letters = "ab"[: str(events).count("produce")]
    answers = dict.fromkeys(letters, 0)
    assert foretold(Simulated(**setup), letters, events, answers) == ends  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seen", "means"),
    [
        (Seen(1, ALL, NONE, ("ab", "a", "a"), "a"), UNREADABLE),
        (Seen(2, ALL, NONE, ("ab", "a", "a"), "a"), LOST),
        (Seen(1, ALL, NONE, ("ab", "ab", "ab"), "ab"), KEPT),
        (Seen(-1, ALL, NONE, ("ab", "ab", "ab"), None), OFFLINE),
        (Seen(None, None, None, ("ab", "ab", "ab"), None), OFFLINE),
    ],
)
def test_what_an_observation_means(seen: Seen, means: str) -> None:
    assert word(seen, "ab") == means


def test_the_page_says_what_disagrees() -> None:
    scenario, seen = SCENARIOS[0], Seen(2, ALL, NONE, ("", "", ""), "")
    good = Result(scenario, {"a": 0, "b": "REQUEST_TIMED_OUT"}, seen, scenario.end, [LOST], "")
    text = table([good, good._replace(end=OFFLINE), good._replace(trouble="kill 1: nonsense")])
    assert "3 scenarios, 1 agree." in text
    assert "| a: ok, b: REQUEST_TIMED_OUT | nothing | lost | lost | yes |" in text
    assert "| no: expected lost |" in text
    assert "| no: kill 1: nonsense |" in text
