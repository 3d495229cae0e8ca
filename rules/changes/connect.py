"""Changes of Connect workers and of connectors: where a connector's position and configuration are kept."""

from __future__ import annotations

from advisor.rule import LOST, RESTART, STOPPED, Problem, Problems, Subject, applies, rule

CONFIGURATIONS, OFFSETS, STATUSES = "config.storage.topic", "offset.storage.topic", "status.storage.topic"


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
    """Workers form another group on the same topics: every connector runs twice.

    Why: a second cluster of workers reads the same configurations. While both run, each connector runs in both, and sink connectors share one consumer
        group across them.
    Fix: 1. stop all workers; 2. start them with the new group.id.
    Care: two clusters of workers need topics of their own.
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
    applies(connect.is_set("group.id") and before.is_set("group.id"), "no group on both sides")
    applies(connect.is_set(CONFIGURATIONS) and before.is_set(CONFIGURATIONS), "the topics are not known")
    if connect.str("group.id") != before.str("group.id") and connect.str(CONFIGURATIONS) == before.str(CONFIGURATIONS):
        yield Problem("group.id", "while old and new workers run, every connector runs twice")


@rule("KA1892", "critical", dev="low", each=("key.converter", "value.converter"), effect=STOPPED, acts=RESTART)
def converter_changed(connect: Subject, before: Subject, key: str) -> Problems:
    """Connectors without a converter of their own read and write another format.

    Why: sink connectors cannot read the records that are there, source connectors write a second format into their topics.
    Fix: 1. put the old converter into each connector's own configuration; 2. change the worker; 3. move one connector at a time, with a new topic.
    Care: the same for key.converter.schemas.enable and value.converter.schemas.enable.
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
    applies(connect.is_set(key) and before.is_set(key), "not set on both sides")
    if connect.str(key) != before.str(key):
        yield Problem(key, "sinks cannot read what is there, and sources write a second format")
