"""The partitions that a rollout must keep: those of the cluster, else those of a healthy one with three replicas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from advisor.analysis.rollout.cluster import PartitionClass, RolloutCluster
from advisor.config import Config
from advisor.model import DEFAULT, STATIC_BROKER, Topic

MIN_ISR = "min.insync.replicas"
FACTOR, REPLICAS = "default.replication.factor", 3
"""Replicas of a partition of a healthy cluster, if it has as many brokers."""
EVERY_SET = 7
"""Brokers up to which every set of three is looked at; of more, neighbours in the order of the restart and the ends."""


def partitions_of(cluster: RolloutCluster) -> Sequence[PartitionClass]:
    """The partitions of the snapshot, or those that are assumed; worked out once."""
    if cluster.partitions is None:
        cluster.partitions = read_partitions(cluster)
    return cluster.partitions


def read_partitions(cluster: RolloutCluster) -> list[PartitionClass]:
    """The partitions of the snapshot, or those that are assumed."""
    if cluster.snapshot is not None and any(isinstance(each, Topic) for each in cluster.snapshot.entities):
        return running_partitions(cluster)
    return assumed_partitions(cluster)


def running_partitions(cluster: RolloutCluster) -> list[PartitionClass]:
    """The partitions of a snapshot, equal ones together."""
    classes: dict[tuple[object, ...], PartitionClass] = {}
    assert cluster.snapshot is not None
    for topic in (each for each in cluster.snapshot.entities if isinstance(each, Topic)):
        least = min_isr_of(topic, cluster)
        for partition in topic.partitions or ():
            leader = partition.leader if partition.leader >= 0 else None
            key = (partition.replicas, partition.isr, leader, least)
            if key not in classes:
                classes[key] = PartitionClass(partition.replicas, partition.isr, leader, least)
            classes[key].names.append(f"{topic.name}-{partition.id}")
    return list(classes.values())


def min_isr_of(topic: Topic, cluster: RolloutCluster) -> int | None:
    """The min.insync.replicas of a topic; None where it is the one of its leader's file."""
    config = Config(topic)
    value, source = config.answer(("int", MIN_ISR)), config.answer(("source", MIN_ISR))
    if source in (DEFAULT, STATIC_BROKER) and not cluster.has_elr:
        return None
    return max(1, value) if isinstance(value, int) else 1


def assumed_partitions(cluster: RolloutCluster) -> list[PartitionClass]:
    """A topic whose partitions lie on every set of brokers, with each of them as the preferred leader."""
    brokers = [node.id for node in cluster.brokers if node.old is not None and node.old.is_broker]
    order = [node.id for node in cluster.order() if node.id in brokers]
    ids = [*order, *(id for id in brokers if id not in order)]
    count = min(assumed_replicas(cluster), len(ids))
    least = assumed_min_isr(cluster, count)
    classes: list[PartitionClass] = []
    for members in replica_sets(ids, count):
        for first in range(len(members)):
            replicas = members[first:] + members[:first]
            classes.append(PartitionClass(replicas, replicas, replicas[0], least, [str(len(classes))]))
    return classes


def assumed_replicas(cluster: RolloutCluster) -> int:
    """How many replicas partitions are taken to have: two where the files give topics no more, else three."""
    factors = [node.old.number(FACTOR) for node in cluster.brokers if node.old and node.old.is_set(FACTOR)]
    return 2 if 2 in factors else REPLICAS


def replica_sets(ids: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    """The sets of so many brokers that hold a partition."""
    if not count:
        return
    if len(ids) <= EVERY_SET:
        yield from combinations(sorted(ids), count)
        return
    for first in range(len(ids)):
        yield tuple(ids[(first + step) % len(ids)] for step in range(count))
    if count == REPLICAS:
        yield ids[0], ids[1], ids[-1]
        yield ids[0], ids[len(ids) // 2], ids[-1]


def assumed_min_isr(cluster: RolloutCluster, replicas: int) -> int | None:
    """The min.insync.replicas that topics are taken to have: what files say, else one less than three replicas."""
    nodes = cluster.controllers if cluster.has_elr else cluster.brokers
    sides = [side for node in nodes for side in ((node.old,) if cluster.has_elr else (node.old, node.new)) if side]
    written = [side for side in sides if side.is_set(MIN_ISR)]
    if not written:
        return 2 if replicas >= REPLICAS else 1
    return (written[0].number(MIN_ISR) or 1) if cluster.has_elr else None
