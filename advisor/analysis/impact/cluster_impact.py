"""What is lost and what stops when brokers, racks or controllers of a running cluster fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.analysis.impact.coordinators import CoordinatorImpact, GroupImpact, coordinators_after, groups_after
from advisor.analysis.impact.failure import Failure
from advisor.analysis.impact.partition_outcome import REFUSES, WORST_FIRST
from advisor.analysis.impact.partitions import PartitionJudge
from advisor.analysis.impact.quorum import QuorumImpact, quorum_after
from advisor.analysis.impact.rollups import (
    ClientImpact,
    DiskImpact,
    RackImpact,
    clients_after,
    disks_after,
    racks_after,
)
from advisor.analysis.impact.topics import TopicImpact, topics_after
from advisor.model import Snapshot, Topic
from advisor.model.cluster import Live

BAD = WORST_FIRST[: WORST_FIRST.index(REFUSES) + 1]
"""The states in which something is lost or stops."""


@dataclass(eq=False)
class Impact:
    """What a failure does to a cluster; `unknown` says what was not read, and so is in no count."""

    live: Live
    failure: Failure
    quorum: QuorumImpact
    topics: Sequence[TopicImpact]
    groups: Sequence[GroupImpact]
    coordinators: Sequence[CoordinatorImpact]
    racks: Sequence[RackImpact]
    clients: Sequence[ClientImpact]
    disks: DiskImpact
    unknown: Sequence[str]

    def states(self) -> dict[str, int]:
        """How many partitions are in each state, the worst first."""
        counts = dict.fromkeys(WORST_FIRST, 0)
        for topic in self.topics:
            for state, partitions in topic.states().items():
                counts[state] += partitions
        return {state: partitions for state, partitions in counts.items() if partitions}

    def worse(self) -> int:
        """How many partitions lose or refuse something that they did not before."""
        return sum(
            len(partitions)
            for topic in self.topics
            for outcome, partitions in topic.partitions.items()
            if outcome.state in BAD and outcome.state != outcome.before
        )


def impact_of(snapshot: Snapshot, failure: Failure) -> Impact:
    """What a failure does to a cluster."""
    live = snapshot.live
    assert live is not None
    quorum = quorum_after(failure, live)
    entities = [entity for entity in snapshot.entities if isinstance(entity, Topic)]
    topics = topics_after(entities, live, PartitionJudge(live, failure, quorum))
    return Impact(
        live,
        failure,
        quorum,
        topics,
        groups_after(live, topics),
        coordinators_after(topics),
        racks_after(failure, live, topics),
        clients_after(snapshot, topics),
        disks_after(failure, live, topics),
        unknown_of(live, topics, quorum),
    )


def unknown_of(live: Live, topics: Sequence[TopicImpact], quorum: QuorumImpact) -> list[str]:
    """What was not read that an answer takes."""
    rows = [f"{name}: {live.unread[name]}" for name in ("topics", "all topics", "groups") if name in live.unread]
    rows += [f"quorum: {quorum.unread}"] if quorum.keeps is None else []
    rows += [f"topic {topic.name}: {topic.unread}" for topic in topics if topic.unread]
    reasons = {reason for topic in topics for outcome in topic.partitions for reason in outcome.unknown}
    return rows + sorted(reasons - set(rows))
