"""What a running cluster shows of a change beside its partitions: bytes that a shorter retention deletes, groups, replicas to copy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.rollout.changes import PRIMARY, ChangedKey
from advisor.analysis.rollout.cluster import RolloutCluster
from advisor.analysis.rollout.outcome import UNAVAILABLE, Fault, UnknownFact
from advisor.analysis.rollout.readers import NOTHING
from advisor.analysis.rollout.values.disks import copied_bytes, in_bytes, leaves_replicas, vanishing
from advisor.model import DYNAMIC_TOPIC, Topic

OF_TOPIC = {"log.retention.ms": "retention.ms", "log.retention.bytes": "retention.bytes"}
"""The topic's key that stands above a broker's default."""
OFFSETS, PROTOCOLS = "offsets.retention.minutes", "group.coordinator.rebalance.protocols"
EMPTY, CONSUMER = "EMPTY", "consumer"
NAMED = 5


def add_remarks(changes: Sequence[ChangedKey], cluster: RolloutCluster) -> None:
    """Say of changed keys what the cluster's sizes say of them."""
    for row in changes:
        key = PRIMARY.get(row.key, row.key)
        if row.takes == NOTHING:
            continue
        if key in OF_TOPIC and is_shorter(key, row, cluster):
            row.remark = f"what is older or larger is deleted for good, whole segments at a time{deleted(key, cluster)}"
        elif row.key in ("log.dirs", "log.dir"):
            row.remark = copied(row, cluster)


def is_shorter(key: str, row: ChangedKey, cluster: RolloutCluster) -> bool:
    """Whether less is kept than before."""
    node = cluster.nodes[row.ids[0]]
    was = node.old.number(key) if node.old else None
    is_now = node.new.number(key) if node.new else None
    if was is None or is_now is None:
        return False
    return is_now < was if was >= 0 and is_now >= 0 else is_now >= 0 > was


def deleted(key: str, cluster: RolloutCluster) -> str:
    """How many bytes may go at most, where the cluster said how large its replicas are."""
    topics = [topic for topic in topics_of(cluster) if not has_own(topic, OF_TOPIC[key])]
    total = sum(
        sum(size or 0 for size in partition.sizes or ()) for topic in topics for partition in topic.partitions or ()
    )
    return (
        f": up to {in_bytes(total)} of {len(topics):,} topics that have no {OF_TOPIC[key]} of their own"
        if total
        else ""
    )


def copied(row: ChangedKey, cluster: RolloutCluster) -> str:
    """How many bytes a node copies from the others at most, and of how many replicas."""
    nodes = [cluster.nodes[id] for id in row.ids]
    gone = [node for node in nodes if node.old and node.new and vanishing(node.old, node.new)]
    if not gone:
        return ""
    left = [node for node in gone if node.old and node.new and leaves_replicas(cluster, node.old, node.new, node.id)]
    if not left:
        return "no replica lies in the directories that go"
    largest = max(copied_bytes(cluster, node) for node in left)
    return f"each node copies up to {in_bytes(largest)} over the network" if largest else ""


def topics_of(cluster: RolloutCluster) -> list[Topic]:
    """The topics of the running cluster."""
    return [each for each in cluster.snapshot.entities if isinstance(each, Topic)] if cluster.snapshot else []


def has_own(topic: Topic, key: str) -> bool:
    """Whether a topic sets a key itself."""
    setting = topic.settings.get(key)
    return setting is not None and setting.source == DYNAMIC_TOPIC


def group_facts(cluster: RolloutCluster) -> Iterator[Fault | UnknownFact]:
    """What becomes of consumer groups."""
    groups = cluster.live.groups if cluster.live else None
    for node in cluster.brokers if groups is not None else ():
        if not (node.old and node.new and groups):
            continue
        was, is_now = node.old.number(OFFSETS), node.new.number(OFFSETS)
        empty = [group.name for group in groups if (group.state or "").upper() == EMPTY]
        if empty and was is not None and is_now is not None and is_now < was:
            names = ", ".join(empty[:NAMED]) + (" …" if len(empty) > NAMED else "")
            yield UnknownFact(
                None, OFFSETS, f"whether {names} had members within {is_now} minutes: else the offsets go"
            )
        of_consumer = [group.name for group in groups if (group.protocol or "").lower() == CONSUMER]
        loses = CONSUMER in node.old.text(PROTOCOLS).lower() and CONSUMER not in node.new.text(PROTOCOLS).lower()
        if of_consumer and loses:
            yield Fault(UNAVAILABLE, f"members of {', '.join(of_consumer[:NAMED])} end for good: their protocol goes")
