"""kcat -L -J: brokers that are alive, topics and their partitions, as the metadata of one broker has them."""

from __future__ import annotations

from advisor.model.cluster import NOBODY, Partition
from collectors.outputs.facts import Facts


def read_json(document: dict[str, object], facts: Facts) -> None:
    """Read the cluster of a document; one of another program is left alone."""
    brokers, topics = document.get("brokers"), document.get("topics")
    if "originating_broker" not in document or not isinstance(brokers, list) or not isinstance(topics, list):
        return
    for topic in topics:
        if isinstance(topic, dict) and isinstance(topic.get("topic"), str):
            _topic(topic["topic"], topic.get("partitions"), facts)
    alive = {row["id"]: row.get("name") for row in brokers if isinstance(row, dict) and type(row.get("id")) is int}
    facts.listed = set(alive)
    for id, name in alive.items():
        node = facts.node(id)
        node.host, node.port = _address(name)


def _topic(name: str, partitions: object, facts: Facts) -> None:
    facts.topic(name)
    for row in partitions if isinstance(partitions, list) else ():
        if isinstance(row, dict) and type(row.get("partition")) is int:
            leader = row.get("leader")
            replicas, isr = _ids(row.get("replicas")), _ids(row.get("isrs"))
            if replicas:
                at = leader if type(leader) is int else NOBODY
                facts.topic(name).partitions[row["partition"]] = Partition(row["partition"], at, replicas, isr)


def _ids(rows: object) -> tuple[int, ...]:
    return tuple(
        row["id"]
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, dict) and type(row.get("id")) is int
    )


def _address(name: object) -> tuple[str | None, int | None]:
    """(host, port) of `b1:9092/1`."""
    host, _, port = str(name or "").partition("/")[0].rpartition(":")
    return (host, int(port)) if host and port.isascii() and port.isdigit() and len(port) < 6 else (None, None)
