"""The metadata quorum after a failure: KRaft's voters, or the ZooKeeper ensemble."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.analysis.impact.failure import Failure
from advisor.facts.cluster import is_behind
from advisor.model.cluster import ZOOKEEPER, Live
from advisor.simulator.running.failover import DISK

VOTERS, SERVERS = "voters", "ZooKeeper servers"


@dataclass(frozen=True)
class QuorumImpact:
    """Voters in all, up before and up after; `keeps` is None where that is unknown, because of `unread`.

    `metadata_lost` says that a majority of the voters loses its disks, and with them the cluster's metadata.
    """

    kind: str
    members: int | None
    before: int | None
    after: int | None
    keeps: bool | None
    unread: str | None = None
    metadata_lost: bool = False

    @property
    def had_majority(self) -> bool:
        """Whether there was a majority before; if unknown, the cluster is taken to work."""
        return self.before is None or self.needed is None or self.before >= self.needed

    @property
    def needed(self) -> int | None:
        """The majority."""
        return None if self.members is None else self.members // 2 + 1


def quorum_after(failure: Failure, live: Live) -> QuorumImpact:
    """The quorum after the failure."""
    return ensemble_after(failure, live) if live.metadata == ZOOKEEPER else voters_after(failure, live)


def voters_after(failure: Failure, live: Live) -> QuorumImpact:
    """KRaft: a voter that has not caught up for a while is no help in an election."""
    if live.quorum is None:
        why = live.unread.get("quorum", "the cluster did not describe its quorum")
        return QuorumImpact(VOTERS, None, None, None, None, why)
    voters = [member for member in live.quorum.members if member.voter]
    is_timed = any(member.id == live.quorum.leader and member.silent_ms is not None for member in voters)
    up = {member.id for member in voters if not is_timed or not is_behind(member)}
    left = up - failure.controllers
    keeps = len(left) > len(voters) // 2
    if keeps and not is_timed and failure.controllers:
        why = "nothing says when a voter last caught up (KIP-836)"
        return QuorumImpact(VOTERS, len(voters), None, len(left), None, why)
    emptied = failure.controllers if failure.how == DISK else set()
    return QuorumImpact(VOTERS, len(voters), len(up), len(left), keeps, metadata_lost=len(emptied) > len(voters) // 2)


def ensemble_after(failure: Failure, live: Live) -> QuorumImpact:
    """ZooKeeper: its servers are no brokers; unless all fail, they are taken to stay as they are."""
    facts = live.zookeeper
    members = facts.ensemble if facts is not None else None
    if failure.ensemble:
        return QuorumImpact(SERVERS, members, None, 0, keeps=False, metadata_lost=failure.how == DISK)
    if facts is None or members is None:
        return QuorumImpact(SERVERS, None, None, None, keeps=True)
    up = sum(server.mode is not None for server in facts.servers)
    is_known = not any(server.unread and "whitelist" in server.unread for server in facts.servers)
    return QuorumImpact(
        SERVERS, members, up if is_known else None, up if is_known else None, up > members // 2 or not is_known
    )
