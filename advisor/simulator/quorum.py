"""A majority log of 2f+1 members (ZooKeeper, KRaft controllers) beside an ISR: what each survives, and what it costs."""

from __future__ import annotations

from math import comb


def tolerated(members: int) -> int:
    """Failures after which a majority is still there."""
    return (members - 1) // 2


def even_member_adds(members: int) -> int:
    """Failures that one more member lets the ensemble survive: none when the number becomes even."""
    return tolerated(members + 1) - tolerated(members)


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


def copies_per_failure(members: int, isr_min: int | None = None) -> float:
    """Copies written for each failure survived without loss: 2f+1 for a majority, min.isr for an ISR of f+1."""
    if isr_min is not None:
        return isr_min / (isr_min - 1) if isr_min > 1 else float("inf")
    survived = tolerated(members)
    return members / survived if survived else float("inf")


def compared(members: int, min_isr: int, down: float) -> dict[str, dict[str, float]]:
    """The same number of machines as a majority log and as a partition with min.insync.replicas."""
    return {
        "majority": {
            "failures_survived_writing": tolerated(members),
            "failures_survived_without_loss": tolerated(members),
            "copies_before_confirmed": members // 2 + 1,
            "unavailable_share": quorum_unavailable(members, down),
        },
        "isr": {
            "failures_survived_writing": members - min_isr,
            "failures_survived_without_loss": min_isr - 1,
            "copies_before_confirmed": min_isr,
            "unavailable_share": sum(
                comb(members, up) * (1 - down) ** up * down ** (members - up) for up in range(min_isr)
            ),
        },
    }
