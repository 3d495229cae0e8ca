"""Sums over partitions: by rack, by client, and the bytes that the brokers that are left would have to take over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from advisor.analysis.impact.failure import Failure
from advisor.analysis.impact.partition_outcome import WORST_FIRST, PartitionOutcome
from advisor.analysis.impact.topics import TopicImpact
from advisor.config import Config
from advisor.model import CLIENT_KINDS, Entity, Snapshot
from advisor.model.cluster import ALIVE, Live, Partition
from advisor.simulator.running.failover import NONE

NO_RACK = "no rack"
CONNECT = "connect"
STORAGE_TOPICS = ("config.storage.topic", "offset.storage.topic", "status.storage.topic")


class RackImpact(NamedTuple):
    """A rack's brokers that are up, and the partitions that they lead."""

    name: str
    up_before: int
    up_after: int
    leaders_before: int
    leaders_after: int


class ClientImpact(NamedTuple):
    """What a client sees: the partitions of its topics by state; `newest_lost` of those whose newest records may go."""

    name: str
    acks: str | None
    topics: tuple[str, ...]
    states: dict[str, int]
    newest_lost: int


class DiskImpact(NamedTuple):
    """Bytes of the replicas that fail, and bytes free on the brokers left; None if unknown, because of `unknown`."""

    bytes: int | None
    free: int | None
    unknown: str | None


def pairs_of(topics: Iterable[TopicImpact]) -> Iterator[tuple[PartitionOutcome, Partition]]:
    """Every partition with its outcome."""
    for topic in topics:
        for outcome, partitions in topic.partitions.items():
            for partition in partitions:
                yield outcome, partition


def racks_after(failure: Failure, live: Live, topics: Sequence[TopicImpact]) -> list[RackImpact]:
    """Every rack before and after; none where no broker says its rack."""
    rack_of = {node.id: node.rack or NO_RACK for node in live.nodes}
    if set(rack_of.values()) <= {NO_RACK}:
        return []
    leaders_before, leaders_after = dict.fromkeys(rack_of.values(), 0), dict.fromkeys(rack_of.values(), 0)
    for topic in topics:
        for outcome, partitions in topic.partitions.items():
            for counts, leader in ((leaders_before, outcome.leader_before), (leaders_after, outcome.leader)):
                if leader in rack_of:
                    counts[rack_of[leader]] += len(partitions)
    up = [node for node in live.nodes if node.state == ALIVE]
    return [
        RackImpact(
            name,
            sum(rack_of[node.id] == name for node in up),
            sum(rack_of[node.id] == name and node.id not in failure.brokers for node in up),
            leaders_before[name],
            leaders_after[name],
        )
        for name in sorted(leaders_before)
    ]


def clients_after(snapshot: Snapshot, topics: Sequence[TopicImpact]) -> list[ClientImpact]:
    """What every joined client sees of its topics."""
    clients = [entity for entity in snapshot.entities if entity.kind in (*CLIENT_KINDS, CONNECT)]
    impacts = []
    for client in clients:
        patterns = (*snapshot.joined.get(client.file or client.name, ()), *storage_topics(client))
        acks = Config(client).answer(("str", "acks")) if client.kind == "producer" else None
        own = [topic for topic in topics if any(fnmatchcase(topic.name, pattern) for pattern in patterns)]
        impacts.append(client_after(client.file or client.name, acks if isinstance(acks, str) else None, own))
    return impacts


def storage_topics(client: Entity) -> Iterator[str]:
    """The topics on which a Connect worker keeps its connectors, their offsets and their states."""
    for key in STORAGE_TOPICS if client.kind == CONNECT else ():
        topic = Config(client).answer(("str", key))
        if isinstance(topic, str):
            yield topic


def client_after(name: str, acks: str | None, topics: Sequence[TopicImpact]) -> ClientImpact:
    """What a client sees of these topics."""
    counts: dict[str, int] = {}
    newest_lost = 0
    for topic in topics:
        for state, partitions in topic.states().items():
            counts[state] = counts.get(state, 0) + partitions
        for outcome, rows in topic.partitions.items():
            newest_lost += len(rows) * (acks in ("0", "1") and outcome.lost_one != NONE)
    states = {state: counts[state] for state in WORST_FIRST if state in counts}
    return ClientImpact(name, acks, tuple(topic.name for topic in topics), states, newest_lost)


def disks_after(failure: Failure, live: Live, topics: Sequence[TopicImpact]) -> DiskImpact:
    """What the brokers left would have to take over if the replicas that fail were built anew there."""
    is_unread = any(topic.unread for topic in topics) or "topics" in live.unread or "all topics" in live.unread
    size = None if is_unread else size_of(failure.brokers, topics)
    dirs = [row for node in live.nodes if is_left(node.id, failure, live) for row in live.log_dirs.get(node.id, ())]
    free = sum(row.free for row in dirs if row.free is not None)
    has_all = bool(dirs) and all(row.free is not None or row.error for row in dirs)
    why = "not every topic was read" if is_unread else live.unread.get("log dirs", "the brokers did not say")
    return DiskImpact(size, free if has_all else None, None if size is not None and has_all else why)


def is_left(id: int, failure: Failure, live: Live) -> bool:
    """Whether a broker is up after the failure."""
    return id not in failure.brokers and any(node.id == id and node.state == ALIVE for node in live.nodes)


def size_of(brokers: set[int], topics: Iterable[TopicImpact]) -> int | None:
    """The bytes of the replicas on these brokers; where one of them does not say, another replica's."""
    total = 0
    for _, partition in pairs_of(topics):
        if brokers.isdisjoint(partition.replicas):
            continue
        for broker, size in zip(partition.replicas, partition.sizes or (None,) * len(partition.replicas), strict=True):
            if broker in brokers:
                size = size if size is not None else max((each for each in partition.sizes or () if each), default=None)
                if size is None:
                    return None
                total += size
    return total
