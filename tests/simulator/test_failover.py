"""The closed form of chosen failures says what the simulator finds by search, whatever the replicas look like."""

from __future__ import annotations

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from advisor.simulator.running.failover import HOW, NONE, Failover, fail
from advisor.simulator.running.failover_search import search_failover, services_after
from advisor.simulator.running.replica_sets import Replica, Rules
from tests.support.simulation import MORE

Failing = tuple[tuple[Replica, ...], Rules, str]
ANSWERS = ("readable", "writable_all", "writable_one", "newest")


@st.composite
def failing_partitions(draw: st.DrawFn) -> Failing:
    """Up to four replicas in a state that Kafka shows, of which up to two fail."""
    count = draw(st.integers(1, 4))
    flags = st.lists(st.booleans(), min_size=count, max_size=count)
    alive, isr, eligible = draw(flags), draw(flags), draw(flags)
    elr = draw(st.booleans())
    least = draw(st.integers(1, count))
    leader = draw(st.sampled_from([-1, *(r for r in range(count) if isr[r])]))
    is_leaderless = elr and leader == -1
    last = draw(st.integers(-1, count - 1)) if is_leaderless else -1
    isr = [False] * count if is_leaderless and draw(st.integers(0, 3)) else isr
    fails = draw(st.sets(st.integers(0, count - 1), max_size=2))
    replicas = tuple(
        Replica(r == leader, isr[r], elr and eligible[r] and not isr[r], alive[r], r in fails, r == last)
        for r in range(count)
    )
    strict = elr or draw(st.booleans())
    rules = Rules(least, draw(st.booleans()), elr, strict, draw(st.sampled_from([True, True, True, False])))
    return replicas, rules, draw(st.sampled_from(HOW))


EMPTIED = (Replica(False, False, True, False, True), Replica(False, False, False, False, False, True))
"""The disk of an eligible replica that is down is lost, and unclean election may elect it, empty."""


@settings(max_examples=150 * MORE, deadline=None)
@example((EMPTIED, Rules(1, True, True, True), "disk-loss"))
@given(failing_partitions())
def test_the_closed_form_and_the_search_agree(failing: Failing) -> None:
    replicas, rules, how = failing
    foreseen = fail(replicas, rules, how)
    assume(foreseen is not None)
    assert foreseen is not None
    searched = search_failover(replicas, rules, how)
    assert searched is not None
    assert [getattr(foreseen, name) for name in ANSWERS] == [getattr(searched, name) for name in ANSWERS]
    assert foreseen.leader in {service[0] for service in services_after(replicas, rules, how)}
    assert (foreseen.lost_all != NONE) == (searched.lost_all != NONE)
    assert (foreseen.lost_one != NONE) == (searched.lost_one != NONE)


def three(isr: str, fails: str, leader: int = 0, alive: str = "012") -> tuple[Replica, ...]:
    return tuple(Replica(r == leader, str(r) in isr, False, str(r) in alive, str(r) in fails) for r in range(3))


def after(isr: str, fails: str, how: str = "kill", *, unclean: bool = False, controlled: bool = True) -> Failover:
    failover = fail(three(isr, fails), Rules(2, unclean, False, True, controlled), how)
    assert failover is not None
    return failover


def test_the_next_leader_is_the_first_in_sync_in_assignment_order() -> None:
    failover = after("012", "0")
    assert (failover.leader, failover.election, failover.writable_all) == (1, "in sync", "yes")
    assert (failover.lost_all, failover.lost_one) == ("none", "possible")


def test_an_unclean_election_may_lose_what_was_acknowledged_by_all() -> None:
    assert after("0", "0").readable == "no"
    failover = after("0", "0", unclean=True)
    assert (failover.leader, failover.election, failover.lost_all) == (1, "unclean", "possible")


def test_a_kill_loses_nothing_that_comes_back_and_a_lost_disk_everything() -> None:
    assert after("012", "012").lost_all == "none"
    assert after("012", "012", "power-loss").lost_all == "possible"
    assert after("012", "012", "disk-loss").lost_all == "certain"
    assert after("012", "01", "disk-loss").lost_all == "none"


def test_without_a_majority_of_the_quorum_nobody_is_elected_and_no_isr_changes() -> None:
    assert after("012", "0", controlled=False).readable == "no"
    failover = after("012", "1", controlled=False)
    assert (failover.readable, failover.writable_all, failover.writable_one, failover.newest) == (
        "yes",
        "no",
        "yes",
        "no",
    )
    assert after("012", "", controlled=False).writable_all == "yes"


def test_more_replicas_than_are_simulated_are_not_searched_for() -> None:
    replicas = tuple(Replica(r == 0, True, False, True, False) for r in range(6))
    assert search_failover(replicas, Rules(2, False, False, True), "kill") is None


def test_where_the_last_leader_is_not_known_a_lost_disk_may_be_the_last_copy() -> None:
    for eligible in (True, False):
        only = (Replica(False, not eligible, eligible, False, True),)
        rules = Rules(1, False, True, True)
        assert fail(only, rules, "disk-loss") is None
        searched = search_failover(only, rules, "disk-loss")
        assert searched is not None
        assert searched.lost_all == "possible"
