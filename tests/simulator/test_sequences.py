"""Named rows that need one order of events: who leads, who is in the ISR and in the ELR after each step."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.simulator.protocol.model import NOBODY, SEVERAL, UNCLEAN, State, put
from advisor.simulator.protocol.scenario import LAG
from advisor.simulator.story import tell_story
from advisor.simulator.verdict import in_order
from tests.support.simulation import Play

KILL, SHUTDOWN = "kill", "controlled-shutdown"
ELR = {"replicas": 3, "min_isr": 2, "elr": True}
NO_ELR = {"replicas": 3, "min_isr": 2}

SEQUENCES = {
    # row: setup, how they stop in order 0, 1, 2 and who then restarts, (leader, ISR, ELR) after each
    "E1 clean, a member of the ELR": (ELR, SHUTDOWN, [1], [(1, [1, 2], []), (2, [2], [1]), (-1, [], [1, 2]), (1, [1], [2])]),
    "E2 clean, the last leader": (ELR, SHUTDOWN, [2], [(1, [1, 2], []), (2, [2], [1]), (-1, [], [1, 2]), (2, [2], [1])]),
    "E3 killed, the last leader": (ELR, KILL, [2], [(1, [1, 2], []), (2, [2], [1]), (-1, [], [1, 2]), (-1, [], [1])]),
    "E4 killed, both of the ELR": (
        ELR,
        KILL,
        [1, 2],
        [(1, [1, 2], []), (2, [2], [1]), (-1, [], [1, 2]), (-1, [], [2]), (2, [2], [])],
    ),
    "E5 killed, nobody of the ELR": (ELR, KILL, [0], [(1, [1, 2], []), (2, [2], [1]), (-1, [], [1, 2]), (-1, [], [1, 2])]),
    "E6 no ELR, the last leader": (NO_ELR, KILL, [2], [(1, [1, 2], []), (2, [2], []), (-1, [2], []), (2, [2], [])]),
    "E7 no ELR, the others": (NO_ELR, KILL, [0, 1], [(1, [1, 2], []), (2, [2], []), (-1, [2], []), (-1, [2], []), (-1, [2], [])]),
    "min.isr 1 empties the ELR": (
        {**ELR, "min_isr": 1},
        KILL,
        [0, 1],
        [(1, [1, 2], []), (2, [2], []), (-1, [], [2]), (-1, [], [2]), (-1, [], [2])],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SEQUENCES)
def test_all_stop_and_some_return(name: str) -> None:
    setup, how, returning, expected = SEQUENCES[name]
    play = Play(**setup)
    seen = []
    for r in range(3):
        play.stop(r, how)
        seen.append(play.seen())
    for r in returning:
        play.back(r)
        seen.append(play.seen())
    assert seen == expected


def test_unclean_member_leaves_the_elr() -> None:
    """E8: four clean shutdowns, the clean-shutdown file of one ELR member is deleted."""
    play = Play(replicas=4, min_isr=3, elr=True)
    for r in range(4):
        play.stop(r, SHUTDOWN)
    assert play.seen() == (NOBODY, [], [1, 2, 3])
    controller, replicas, written, budget = play.state
    unclean: Any = (replicas[1][0] | UNCLEAN, *replicas[1][1:])
    play.state = (controller, put(replicas, 1, unclean), written, budget)
    play.back(1)
    assert play.seen() == (NOBODY, [], [2, 3])
    play.back(2)
    assert play.seen() == (2, [2], [3])


@pytest.mark.parametrize(("version", "leader"), [((4, 0), 2), ((4, 1), NOBODY)])
def test_fenced_last_leader(version: tuple[int, int], leader: int) -> None:
    """E10, KAFKA-19522: 4.0 elects the last leader although it is fenced."""
    play = Play(**ELR, version=version)
    for r in range(3):
        play.stop(r, KILL)
    play.back(2)
    assert (play.seen(), play.last_leader) == ((NOBODY, [], [1]), 2)
    play.stop(2, KILL)
    play.back(1)
    assert play.leader == leader
    play.back(2)
    assert play.seen() == (2, [2], [])


@pytest.mark.parametrize(
    ("unclean", "returns", "leader", "log"),
    [(True, [1], 1, [0, 2]), (False, [1], NOBODY, None), (False, [1, 0], 0, [0, 1, 2])],
)
def test_first_second_third(unclean: bool, returns: list[int], leader: int, log: list[int] | None) -> None:
    """C1 and C2, UncleanLeaderElectionTest."""
    play = Play(replicas=2, unclean=unclean, records=3)
    play.do("produce 0")
    play.copy()
    play.stop(1, KILL)
    play.do("produce 0")
    play.copy()
    play.stop(0, KILL)
    assert play.seen() == (NOBODY, [0], [])
    play.back(*returns)
    assert play.leader == leader
    if log is not None:
        play.do(f"produce {leader}")
        assert play.log(leader) == log
        play.copy()
        assert play.log(0) == play.log(1) or not play.state[1][1 - leader][0] & 1


def test_a_zombie_acknowledges_nothing() -> None:
    """D19: a leader that is cut off has no follower that fetches."""
    play = Play(replicas=3, min_isr=1)
    play.do("isolate 0", "produce 0", "fence 0")
    play.learn()
    assert play.seen() == (1, [1, 2], [])
    assert not play.may("advance high watermark 0")
    assert not play.may("shrink ISR 0")
    play.do("produce 0") if play.may("produce 0") else None
    play.do("reconnect 0", "register 0")
    play.learn()
    play.do("fetch 0 1")
    assert play.log(0) == []


@pytest.mark.parametrize(("version", "visible"), [((3, 6), True), ((3, 7), False)])
def test_below_min_isr(version: tuple[int, int], visible: bool) -> None:
    """A9, A10: acks=1 is acknowledged below min.isr; only up to 3.6 can it be read."""
    play = Play(replicas=3, min_isr=2, acks="1", version=version)
    play.stop(1, KILL)
    play.stop(2, KILL)
    play.do("produce 0")
    assert play.isr == [0]
    assert play.state[2] == (1,)
    assert play.may("advance high watermark 0") is visible
    play.back(1)
    play.do("fetch 1 0", "expand ISR 0 1", "advance high watermark 0") if not visible else None


def test_controller_down() -> None:
    """F9, F10: nobody leaves the ISR, no leader is elected, nobody registers."""
    play = Play(replicas=3, min_isr=1)
    play.do("controller-down", "kill 1", "produce 0", "fetch 2 0")
    assert not any(play.may(action) for action in ("fence 1", "shrink ISR 0 1", "advance high watermark 0"))
    play.do("restart 1")
    assert not any(play.may(action) for action in ("register 1", "learn 1"))
    play.do("controller up", "fence 1")
    play.learn()
    play.do("advance high watermark 0")
    assert play.isr == [0, 2]


def test_elr_by_kill_is_no_promise() -> None:
    """E9: killed members drop out of the ELR, then the last leader, which lost its tail, is elected."""
    play = Play(**ELR)
    play.stop(0, KILL)
    play.do("produce 1")
    play.copy()
    play.stop(2, KILL)
    assert play.seen() == (1, [1], [2])
    lossy = [after for after in play.enabled("power-loss", 1) if not after[1][1][4]]
    play.state = lossy[0]
    play.do("fence 1")
    play.back(2)
    assert play.seen() == (NOBODY, [], [1])
    play.back(1)
    assert play.seen() == (1, [1], [])
    assert play.log(1) == [] != play.log(2)


TOGETHER = ("controller-down", "kill 1", "kill 2", "produce 0", "controller up")


def test_who_leaves_the_isr_at_once_is_in_the_elr() -> None:
    """One AlterPartition for all that are out of sync; one by one, the first leaves an ISR that is large enough."""
    play = Play(**ELR).do(*TOGETHER, "shrink ISR by several 0 6")
    assert play.seen() == (0, [0], [1, 2])
    assert Play(**ELR).do(*TOGETHER, "shrink ISR 0 1", "shrink ISR 0 2").seen() == (0, [0], [2])


@pytest.mark.parametrize("setup", [NO_ELR, {**ELR, "min_isr": 1}, {**ELR, "min_isr": 3}])
def test_leaving_at_once_is_no_step_where_it_makes_no_difference(setup: dict[str, object]) -> None:
    assert not Play(**setup).do(*TOGETHER).may("shrink ISR by several 0")


def test_each_healthy_follower_that_leaves_at_once_costs_a_lag() -> None:
    play = Play(**ELR).do("produce 0")
    before = play.state[3][LAG]
    play.do("shrink ISR by several 0 6")
    assert (play.seen(), play.state[3][LAG]) == ((0, [0], [1, 2]), before - 2)


def test_the_story_names_who_leaves_at_once() -> None:
    play = Play(**ELR).do("produce 0")
    before = play.state
    play.do("shrink ISR by several 0 6")
    trace = [(("produce", 0, 0), before), ((SEVERAL, 0, 6), play.state)]
    assert "replicas {1,2} have not caught up" in tell_story(play.setup, trace)[1][0]
    assert in_order(("lag", "lag"), [((SEVERAL, 0, 6), with_lags(play.state, 0))]) == (
        "a follower lags, then another follower lags"
    )


def with_lags(state: State, lags: int) -> State:
    return (*state[:3], put(state[3], LAG, lags))
