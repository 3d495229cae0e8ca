"""What becomes of a partition, in one word and in answers; unknown where what was read does not decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from advisor.model.cluster import NOBODY, Partition
from advisor.simulator.running.failover import CERTAIN, MAYBE, NO, POSSIBLE, Failover

LOST, MAY_LOSE, STOPS, REFUSES, MAY_REFUSE, SERVES, UNTOUCHED = (
    "loses records",
    "may lose records",
    "stops",
    "refuses acks=all",
    "may refuse acks=all",
    "keeps serving",
    "untouched",
)
NOT_KNOWN = "unknown"
WORST_FIRST = (LOST, MAY_LOSE, STOPS, REFUSES, MAY_REFUSE, NOT_KNOWN, SERVES, UNTOUCHED)
ANSWERS = ("readable", "writable_all", "writable_one", "newest", "lost_all", "lost_one")
"""The fields of a failover that are answers, which may be unknown."""


class PartitionOutcome(NamedTuple):
    """What becomes of a partition: `leader` and `returns` are broker ids; `unknown` says why an answer is unknown.

    `returns_least` and `returns_most` say how many of `returns` must be back at the least, and how many are certainly enough.
    """

    state: str
    before: str
    leader_before: int
    leader: int
    election: str
    readable: str
    writable_all: str
    writable_one: str
    newest: str
    lost_all: str
    lost_one: str
    returns: tuple[int, ...]
    returns_least: int
    returns_most: int
    unknown: tuple[str, ...] = ()


def join(failovers: Sequence[Failover]) -> Failover:
    """One failover for several possibilities: what they do not agree on is unknown."""
    first = failovers[0]
    if len(failovers) == 1:
        return first
    fields = {
        name: getattr(first, name) if len({getattr(each, name) for each in failovers}) == 1 else NOT_KNOWN
        for name in (*ANSWERS, "election")
    }
    leader = first.leader if len({each.leader for each in failovers}) == 1 else NOBODY
    returns = tuple(sorted({replica for each in failovers for replica in each.returns}))
    least, most = min(each.needed[0] for each in failovers), max(each.needed[1] for each in failovers)
    if len({each.returns for each in failovers}) > 1:
        most = len(returns)
    return first._replace(**fields, leader=leader, returns=returns, needed=(least, most))


def state_of(failover: Failover, fine: str) -> str:
    """The worst that holds, in one word; `fine` where nothing is lost and nothing stops."""
    if failover.lost_all == CERTAIN:
        return LOST
    if failover.lost_all == MAYBE:
        return MAY_LOSE
    if failover.readable in (NO, POSSIBLE):
        return STOPS
    if failover.writable_all == NO:
        return REFUSES
    if NOT_KNOWN in (failover.lost_all, failover.readable, failover.writable_all):
        return NOT_KNOWN
    return MAY_REFUSE if failover.writable_all == POSSIBLE else fine


def unknown_outcome(partition: Partition, why: str) -> PartitionOutcome:
    """A partition of which nothing can be said."""
    unknown = dict.fromkeys((*ANSWERS, "election"), NOT_KNOWN)
    return PartitionOutcome(
        NOT_KNOWN,
        NOT_KNOWN,
        partition.leader,
        NOBODY,
        **unknown,
        returns=(),
        returns_least=0,
        returns_most=0,
        unknown=(why,),
    )
