"""Cruise Control's kafka_cluster_state: brokers, their log directories, and the partitions that are not as they should be.

With verbose=true all partitions are there, under `other`.
"""

from __future__ import annotations

from advisor.model.cluster import NOBODY, LogDir, Partition
from collectors.outputs.facts import Facts
from collectors.outputs.numbers import broker_id

BROKERS, PARTITIONS = "KafkaBrokerState", "KafkaPartitionState"
OFFLINE = "offline: Cruise Control's state names it"
LISTS = ("other", "urp", "under-min-isr", "with-offline-replicas", "offline")


def read_json(document: dict[str, object], facts: Facts) -> None:
    """Read the cluster of a document; one of another program is left alone."""
    brokers, partitions = document.get(BROKERS), document.get(PARTITIONS)
    if not isinstance(brokers, dict) or not isinstance(partitions, dict):
        return
    for name in LISTS:
        rows = partitions.get(name)
        for row in rows if isinstance(rows, list) else ():
            _partition(row, facts)
    facts.partial = facts.partial or not partitions.get("other")
    for id in map(broker_id, _mapping(brokers.get("ReplicaCountByBrokerId"))):
        if id is not None:
            facts.node(id)
    _log_dirs(
        _mapping(brokers.get("OnlineLogDirsByBrokerId")), _mapping(brokers.get("OfflineLogDirsByBrokerId")), facts
    )


def _partition(row: object, facts: Facts) -> None:
    if not isinstance(row, dict) or not isinstance(row.get("topic"), str) or type(row.get("partition")) is not int:
        return
    leader, replicas = row.get("leader"), _ids(row.get("replicas"))
    if replicas:
        at = leader if type(leader) is int else NOBODY
        offline = _ids(row.get("offline"))
        facts.topic(row["topic"]).partitions[row["partition"]] = Partition(
            row["partition"], at, replicas, _ids(row.get("in-sync")), offline=offline
        )


def _log_dirs(online: dict[str, object], offline: dict[str, object], facts: Facts) -> None:
    for name in {**online, **offline}:
        id = broker_id(name)
        if id is None:
            continue
        paths = [LogDir(path) for path in _texts(online.get(name))]
        facts.log_dirs[id] = (*paths, *(LogDir(path, OFFLINE) for path in _texts(offline.get(name))))
        facts.answered(id)


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _ids(value: object) -> tuple[int, ...]:
    return tuple(id for id in value if type(id) is int) if isinstance(value, list) else ()
