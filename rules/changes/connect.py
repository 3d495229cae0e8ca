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
POLICY, ALLOWLIST = "connector.client.config.override.policy", "connector.client.config.override.allowlist"
PROVIDERS, PLUGINS = "config.providers", "plugin.path"
OVERRIDES = ("producer.override.", "consumer.override.", "admin.override.")
OF_PRINCIPAL = ("sasl.jaas.config", "sasl.mechanism", "security.protocol")
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


@rule("KA2108", "high", dev="low", each=(POLICY, PROVIDERS), effect=STOPPED, acts=RESTART, replaces=("KA2109",))
def worker_refuses_connector(connect: Subject, before: Subject, connector: Subject, key: str) -> Problems:
    """A connector of the same repository does not start on the changed worker.

    Why: the worker validates a connector's producer.override.*, consumer.override.* and admin.override.* against its policy, and resolves
        ${provider:path:key} by its own providers, when the connector or a task of it starts. One that is refused is FAILED, and nothing moves its
        records until someone looks.
    Fix: 1. take the settings out of the connector, or put them on the allowlist (from 4.2 on); give it references to the new provider, while the old
        one is still configured; 2. see that the connector and its tasks are RUNNING; 3. then change the worker.
    Care: connectors that were created by the REST API stand in no file: look at GET /connectors?expand=info.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnect
            metadata: {name: c}
            spec: {bootstrapServers: "b1:9092,b2:9092", config: {connector.client.config.override.policy: All}}
            ---
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnector
            metadata: {name: orders, labels: {strimzi.io/cluster: c}}
            spec: {class: org.example.LakeSink, config: {topics: orders, consumer.override.max.poll.records: 100}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnect
            metadata: {name: c}
            spec: {bootstrapServers: "b1:9092,b2:9092", config: {connector.client.config.override.policy: None}}
            ---
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnector
            metadata: {name: orders, labels: {strimzi.io/cluster: c}}
            spec: {class: org.example.LakeSink, config: {topics: orders, consumer.override.max.poll.records: 100}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnect
            metadata: {name: c}
            spec: {bootstrapServers: "b1:9092,b2:9092", config: {connector.client.config.override.policy: All}}
            ---
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnector
            metadata: {name: orders, labels: {strimzi.io/cluster: c}}
            spec: {class: org.example.LakeSink, config: {topics: orders}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnect
            metadata: {name: c}
            spec: {bootstrapServers: "b1:9092,b2:9092", config: {connector.client.config.override.policy: None}}
            ---
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnector
            metadata: {name: orders, labels: {strimzi.io/cluster: c}}
            spec: {class: org.example.LakeSink, config: {topics: orders}}
    See: KIP-458, KIP-297, https://kafka.apache.org/documentation/#connectconfigs_connector.client.config.override.policy
    """
    applies(CLASS not in connect.keys(), "a connector")
    refused = sorted(set(refused_by(connect, connector, key)) - set(refused_by(before, connector, key)))
    if refused:
        name = connector.known_as() or "a connector"
        words = "the policy no longer allows it" if key == POLICY else "no provider resolves it"
        yield Problem([connect.at(key), connector.at(refused[0])], f"{name} does not start: {refused[0]}: {words}")


def refused_by(worker: Subject, connector: Subject, key: str) -> list[str]:
    """The settings of a connector that a worker's policy refuses, or for which it has no provider."""
    if key == PROVIDERS:
        named = entries(worker, key)
        return [each for each in connector.keys() if (connector.provider(each) or None) not in (None, *named)]
    return [each for each in connector.keys() if each.startswith(OVERRIDES) and not allows(worker, each)]


def allows(worker: Subject, key: str) -> bool:
    """Whether a worker's policy lets a connector override a setting of its clients. Source: KIP-458, KIP-1188."""
    policy = worker.str(POLICY).rpartition(".")[2].removesuffix("ConnectorClientConfigOverridePolicy")
    applies(policy in ("All", "None", "Principal", "Allowlist"), "a policy of somebody's own")
    bare = key.partition(".override.")[2]
    if policy == "Allowlist":
        return bare in entries(worker, ALLOWLIST)
    return policy == "All" or (policy == "Principal" and bare in OF_PRINCIPAL)


@rule("KA2109", "low", confidence="likely", each=(POLICY, PROVIDERS, PLUGINS), effect=STOPPED, acts=RESTART)
def worker_offers_less(connect: Subject, before: Subject, key: str) -> Problems:
    """Connectors that rely on what the worker no longer offers do not start.

    Why: a connector with a plug-in that the worker does not find, a reference to a provider that is not configured, or a setting of its clients that
        the policy refuses is FAILED after the next restart. Connectors are created by the REST API, so that no file shows all of them.
    Fix: 1. look for users: GET /connectors?expand=info names the classes, the references and the overrides; 2. move them; 3. then take it from the
        worker.
    Care: a converter, a transform or a provider comes out of plugin.path, too.
    Bad (connect):
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            plugin.path=/opt/connectors,/opt/transforms
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            plugin.path=/opt/connectors
    Good (connect):
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            plugin.path=/opt/connectors
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=connect
            plugin.path=/opt/connectors,/opt/transforms
    See: https://kafka.apache.org/documentation/#connectconfigs_plugin.path, KIP-297, KIP-458
    """
    applies(CLASS not in connect.keys(), "a connector")
    if key == POLICY:
        old, new = before.str(key), connect.str(key)
        if old == "All" != new:
            yield Problem(key, f"{new} refuses connectors that override settings of their clients")
        return
    kept = set(entries(connect, key))
    gone = [each for each in entries(before, key) if each not in kept]
    if gone:
        yield Problem(key, f"connectors that need {', '.join(gone)} do not start")


def entries(worker: Subject, key: str) -> list[str]:
    """The entries of a list, a folder without the slash behind it; none where it is not set. Raises Unknown."""
    if key not in worker.keys():
        return []
    if worker.shape(key) == PLACEHOLDER:
        raise Unknown(f"{key} is filled in later")
    return [each.strip().rstrip("/") for each in worker.text(key).split(",") if each.strip()]
