"""Changes of Connect workers and of connectors: where a connector's position and configuration are kept."""

from __future__ import annotations

from advisor.rule import (
    AT_ONCE,
    LOST,
    PLACEHOLDER,
    RESTART,
    STOPPED,
    WEAKER,
    Problem,
    Problems,
    Subject,
    Unknown,
    applies,
    rule,
)

CONFIGURATIONS, OFFSETS, STATUSES = "config.storage.topic", "offset.storage.topic", "status.storage.topic"
EXACTLY_ONCE, PROTOCOL = "exactly.once.source.support", "connect.protocol"
CLASS = "connector.class"
FORMATS = {
    "key.converter": "",
    "value.converter": "",
    "key.converter.schemas.enable": "true",
    "value.converter.schemas.enable": "true",
    "decimal.handling.mode": "precise",
    "time.precision.mode": "adaptive",
    "binary.handling.mode": "bytes",
    "tombstones.on.delete": "true",
    "transforms": "",
}
"""What decides the bytes that connectors write and read, with its default."""


def written(connect: Subject, key: str) -> str:
    """A setting of a converter or a connector, its default where it is not written; an item of a list without its blanks."""
    if key not in connect.keys():
        return FORMATS.get(key, "")
    if connect.shape(key) == PLACEHOLDER:
        raise Unknown(f"{key} is filled in later")
    return ",".join(item.strip() for item in connect.text(key).split(","))


@rule("KA1890", "critical", dev="low", each=(CONFIGURATIONS, OFFSETS), effect=LOST, acts=RESTART)
def storage_topic_changed(connect: Subject, before: Subject, key: str) -> Problems:
    """A worker keeps its connectors, or their positions, in another topic.

    Why: config.storage.topic holds the connectors: with another one there are none, while every health check is green. offset.storage.topic holds the
        positions of source connectors: with another one each starts as new, reads its source again or skips, as the connector decides.
    Fix: keep the topic. To move: 1. stop all workers; 2. copy the topic with its keys and the same number of partitions; 3. start them with the new name.
    Care: workers of one group with different topics overwrite each other.
    Bad (connect):
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            offset.storage.topic=connect-offsets
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            offset.storage.topic=connect-offsets-v2
    Good (connect):
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            status.storage.topic=connect-status
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            status.storage.topic=connect-status-v2
    See: https://kafka.apache.org/documentation/#connect_running
    """
    applies(connect.is_set(key) and before.is_set(key), "not set on both sides")
    if connect.str(key) != before.str(key):
        words = (
            "no connector runs any more, and health checks stay green"
            if key == CONFIGURATIONS
            else "every source connector starts as new"
        )
        yield Problem(key, words, effect=STOPPED if key == CONFIGURATIONS else LOST)


@rule("KA1891", "critical", dev="low", effect=LOST, acts=RESTART)
def worker_group_changed(connect: Subject, before: Subject) -> Problems:
    """Old and new workers do not work together while they are restarted one by one.

    Why: a second group.id on the same topics is a second cluster of workers that reads the same configurations: each connector runs in both, and sink
        connectors share one consumer group. With exactly.once.source.support=enabled in one step, old workers take no part in the fencing: sources
        write twice, or their tasks do not start.
    Fix: 1. for another group.id stop all workers, and start them with it; 2. for exactly-once sources roll all workers to
        exactly.once.source.support=preparing first, and to enabled in a second roll.
    Care: two clusters of workers need topics of their own; exactly-once sources need ACLs for their transactional ids.
    Bad (connect):
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            config.storage.topic=connect-configs
            offset.storage.topic=connect-offsets
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect-v2
            config.storage.topic=connect-configs
            offset.storage.topic=connect-offsets
    Good (connect):
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            config.storage.topic=connect-configs
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            config.storage.topic=connect-configs
            offset.flush.interval.ms=10000
    See: https://kafka.apache.org/documentation/#connect_running
    """
    if connect.is_set(EXACTLY_ONCE) or before.is_set(EXACTLY_ONCE):
        old, new = before.str(EXACTLY_ONCE).lower(), connect.str(EXACTLY_ONCE).lower()
        if new == "enabled" and old == "disabled":
            words = "old workers take no part in the fencing: sources write twice, or do not start"
            yield Problem(EXACTLY_ONCE, words, step=-1, effect=WEAKER)
            return
        if old == "enabled" and new != "enabled":
            yield Problem(EXACTLY_ONCE, "sources write records twice after a failure", step=-2, effect=WEAKER)
            return
    if connect.str(PROTOCOL) == "eager" and before.str(PROTOCOL) != "eager":
        yield Problem(PROTOCOL, "every rebalance stops all tasks of all connectors", step=-2, effect=WEAKER)
        return
    applies(connect.is_set("group.id") and before.is_set("group.id"), "no group on both sides")
    applies(connect.is_set(CONFIGURATIONS) and before.is_set(CONFIGURATIONS), "the topics are not known")
    if connect.str("group.id") != before.str("group.id") and connect.str(CONFIGURATIONS) == before.str(CONFIGURATIONS):
        yield Problem("group.id", "while old and new workers run, every connector runs twice")


@rule("KA1892", "critical", dev="low", each=tuple(FORMATS), effect=STOPPED, acts=RESTART)
def converter_changed(connect: Subject, before: Subject, key: str) -> Problems:
    """Connectors read and write records of another shape, or in other topics.

    Why: sink connectors cannot read the records that are there, source connectors write a second format into their topics. A worker's converter is
        that of every connector without one of its own. Transforms, and how Debezium writes numbers, times and deletions, change the schema, the key or
        the topic of every record from then on.
    Fix: 1. put the old converter into each connector's own configuration; 2. change the worker; 3. move one connector at a time, with a new topic.
    Care: a schema registry refuses what is not compatible, and the task ends.
    Bad (connect):
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            value.converter=org.apache.kafka.connect.json.JsonConverter
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            value.converter=io.confluent.connect.avro.AvroConverter
    Good (connect):
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            value.converter=org.apache.kafka.connect.json.JsonConverter
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            value.converter=org.apache.kafka.connect.json.JsonConverter
            offset.flush.interval.ms=10000
    See: https://kafka.apache.org/documentation/#connectconfigs_value.converter
    """
    keys = {*connect.keys(), *before.keys()}
    applies(key in keys, "not written")
    old, new = written(before, key), written(connect, key)
    applies((old and new) or key == "transforms", "not written on both sides")
    if old == new:
        return
    is_connector, is_converter = CLASS in connect.keys(), key.startswith(("key.", "value."))
    words = (
        "sinks cannot read what is there, and sources write a second format"
        if is_converter
        else "records have another shape, or go to other topics, from now on"
    )
    yield Problem(key, words, step=-1 if is_connector else 0, acts=AT_ONCE if is_connector else RESTART)
