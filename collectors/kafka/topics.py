"""Brokers, topics and partitions of a cluster, and the topics hidden from this principal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from advisor.model.cluster import ALIVE, DEAD, NOBODY, Live, Node, Partition


def alive_ids(described: Any) -> list[int]:
    """The ids of live brokers: those in the cluster description."""
    return sorted(node.id for node in described.nodes)


def nodes_of(described: Any, metadata: Any, fenced: Iterable[Node] = ()) -> tuple[Node, ...]:
    """Brokers that are alive, registered but fenced, or only named in replica lists."""
    nodes = {node.id: node for node in fenced}
    nodes |= {node.id: Node(node.id, node.host, node.port, node.rack, ALIVE) for node in described.nodes}
    for topic in metadata.topics.values() if metadata else ():
        for partition in topic.partitions.values():
            for id in partition.replicas:
                if id not in nodes:
                    nodes[id] = Node(id, state=DEAD)
    return tuple(nodes[id] for id in sorted(nodes))


def partitions_of(
    metadata: Any, exact: dict[str, tuple[Partition, ...]] | None
) -> dict[str, tuple[Partition, ...] | None]:
    """Every visible topic's partitions: from DescribeTopicPartitions, else from the metadata.

    None where the brokers named a topic with an error.
    """
    by_topic: dict[str, tuple[Partition, ...] | None] = {}
    for name, topic in metadata.topics.items() if metadata else ():
        if exact is not None and name in exact:
            by_topic[name] = exact[name]
        elif topic.partitions or topic.error is None:
            by_topic[name] = tuple(_partition(id, row) for id, row in sorted(topic.partitions.items()))
        else:
            by_topic[name] = None
    return by_topic


def _partition(id: int, row: Any) -> Partition:
    leader = row.leader if row.leader is not None and row.leader >= 0 else NOBODY
    return Partition(id, leader, tuple(row.replicas), tuple(row.isrs))


def add_sizes(
    partitions: Mapping[str, Sequence[Partition] | None], sizes: Mapping[str, Mapping[tuple[int, int], int]]
) -> None:
    """Give each partition the bytes of its replicas."""
    for name, of_topic in sizes.items():
        for partition in partitions.get(name) or ():
            partition.sizes = tuple(of_topic.get((partition.id, broker)) for broker in partition.replicas)


def hidden_topics(
    live: Live,
    names: list[str],
    in_log_dirs: Iterable[str] | None,
    authorizer: bool | None,
) -> dict[str, str]:
    """Topics that exist but are hidden from this principal; `live.unread` where that is unclear.

    A principal without DESCRIBE gets a shorter list and no error. The log directories name all topics.
    """
    if authorizer is False or "topics" in live.unread:
        return {}
    if in_log_dirs is None:
        seen = f"beside the {len(names)} that are seen" if names else "at all"
        live.unread["topics"] = (
            f"topics without DESCRIBE for this principal are hidden from it, and whether there are any {seen} cannot "
            "be told: it needs DESCRIBE on topic * and on the cluster"
        )
        return {}
    visible = {*names, "__cluster_metadata"}
    why = "the topic is hidden from this principal: it needs DESCRIBE on it"
    return dict.fromkeys(sorted(set(in_log_dirs) - visible), why)
