"""Compare a majority quorum of 2f+1 (ZooKeeper, KRaft controllers) with an ISR: failures survived, cost."""

from __future__ import annotations

from math import comb


def failures_tolerated(members: int) -> int:
    """The failures that leave a majority."""
    return (members - 1) // 2


def quorum_unavailable(members: int, down: float) -> float:
    """The share of time without a majority, each member being down for the share `down`."""
    needed = members // 2 + 1
    return sum(comb(members, up) * (1 - down) ** up * down ** (members - up) for up in range(needed))


def quorum_latency(latencies: list[float]) -> float:
    """When a majority has a record: the leader's own first, so the (majority - 1)-th fastest follower decides."""
    followers = sorted(latencies)
    needed = (len(followers) + 1) // 2
    return followers[needed - 1] if needed else 0.0


def isr_latency(latencies: list[float]) -> float:
    """When the whole ISR has a record: the slowest follower decides."""
    return max(latencies, default=0.0)


def compare_with_quorum(members: int, min_isr: int, down: float, delay: float) -> dict[str, dict[str, float]]:
    """The same machines as a partition with min.insync.replicas and as a majority quorum.

    `down` is the share of time one is down; `delay` the time in which a follower has a record, one follower being ten
    times slower; replicas per failure are the replicas kept for each failure survived without loss.
    """
    followers = [delay] * (members - 2) + [10 * delay] if members > 1 else []
    isr = {
        "failures_survived_writing": members - min_isr,
        "failures_survived_without_loss": min_isr - 1,
        "copies_per_failure": members / (min_isr - 1) if min_isr > 1 else float("inf"),
        "unavailable": down_at_least(members, members - min_isr + 1, down),
        "latency_with_a_slow_follower": isr_latency(followers),
    }
    survived = failures_tolerated(members)
    majority = {
        "failures_survived_writing": survived,
        "failures_survived_without_loss": survived,
        "copies_per_failure": members / survived if survived else float("inf"),
        "unavailable": quorum_unavailable(members, down),
        "latency_with_a_slow_follower": quorum_latency(followers),
    }
    return {"isr": isr, "majority": majority}


def down_at_least(members: int, least: int, down: float) -> float:
    """The share of time in which at least so many members are down."""
    return sum(comb(members, k) * down**k * (1 - down) ** (members - k) for k in range(least, members + 1))
