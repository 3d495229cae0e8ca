"""A majority log beside an ISR."""

from __future__ import annotations

import pytest

from advisor.simulator.quorum import (
    compare_with_quorum,
    failures_tolerated,
    isr_latency,
    quorum_latency,
    quorum_unavailable,
)


@pytest.mark.parametrize(("members", "survived"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (6, 2), (7, 3)])
def test_failures_a_majority_survives(members: int, survived: int) -> None:
    assert failures_tolerated(members) == survived


@pytest.mark.parametrize(("members", "share"), [(1, 0.1), (2, 0.19), (3, 0.028), (4, 0.0523), (5, 0.00856)])
def test_an_even_member_makes_it_worse(members: int, share: float) -> None:
    assert quorum_unavailable(members, 0.1) == pytest.approx(share, abs=1e-5)


@pytest.mark.parametrize(
    ("followers", "quorum", "isr"),
    [([], 0, 0), ([5], 5, 5), ([5, 50], 5, 50), ([1, 2, 3, 50], 2, 50), ([1, 2, 50], 2, 50)],
)
def test_who_decides_when_a_record_is_confirmed(followers: list[float], quorum: float, isr: float) -> None:
    assert quorum_latency(followers) == quorum
    assert isr_latency(followers) == isr


def test_three_machines_both_ways() -> None:
    both = compare_with_quorum(3, 2, 0.01, 5)
    assert both["isr"]["failures_survived_writing"] == both["majority"]["failures_survived_writing"] == 1
    assert both["isr"]["unavailable"] == pytest.approx(both["majority"]["unavailable"])
    assert (both["isr"]["latency_with_a_slow_follower"], both["majority"]["latency_with_a_slow_follower"]) == (50, 5)
    assert compare_with_quorum(3, 3, 0.01, 5)["isr"]["failures_survived_without_loss"] == 2
