"""Durability of one topic: what its own settings put above the cluster's."""

from __future__ import annotations

from advisor.facts import KRAFT, NOT_SAID, mode, written
from advisor.rule import Problem, Problems, Subject, applies, rule
from rules import every, few
from rules.claims import lone_leader, stale_leader, unconfirmed
from rules.durability import three_replicas

FAMILY = "durability"
NEVER = 2**62
KRAFT_IGNORES_UNCLEAN, KRAFT_OBEYS_UNCLEAN = (3, 3), (3, 9)
"""The first release whose KRaft is for production, and the first that does not hard-code false (KAFKA-12670)."""


FACTOR = "replication.factor"


@rule("KA151", "high", dev="low", regulated="critical", aim="set min.insync.replicas=2", fix="unsafe")
def min_isr_1(topic: Subject) -> Problems:
    """The topic lets the leader alone acknowledge acks=all writes, and its failure loses them.

    Why: the topic's own min.insync.replicas overrides the cluster's; with 1 an acknowledgement from the leader alone is
        enough.
    Fix: set min.insync.replicas=2 on the topic, with three replicas, or remove it where the cluster's value is 2.
    Care: with two replicas the topic then stops accepting acks=all writes at the next restart of a broker, with one
        replica (up to Kafka 3.6) at once. Reassign it to three replicas first.
    Bad (topic):
        cleanup.policy=delete
        min.insync.replicas=1
    Good (topic):
        cleanup.policy=delete
        min.insync.replicas=2
    See: https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
    Proof: acks=all, three replicas, min.insync.replicas=1: followers lag, then kill the leader
    """
    applies(written(topic, "min.insync.replicas"), "the cluster's value counts")
    if topic.int("min.insync.replicas") == 1:
        text = "the leader alone may acknowledge acks=all writes, and its failure loses them"
        few_replicas = written(topic, FACTOR) and not three_replicas(topic, FACTOR)
        yield Problem(
            "min.insync.replicas",
            text,
            "2",
            claim=lone_leader(1, topic.version()),
            fix="" if few_replicas else None,
        )


@rule("KA152", "high", dev="medium", staging="medium", aim="remove unclean.leader.election.enable", fix="unsafe")
def unclean_election(topic: Subject) -> Problems:
    """The topic lets a replica that missed records become leader, and those records are lost.

    Why: when every in-sync replica is down, a stale one becomes leader and the others truncate their logs to match it.
        KRaft ignores the key before Kafka 3.9 and obeys it from then on, so an upgrade activates it.
    Fix: remove unclean.leader.election.enable from the topic (default false). Where the topic's availability matters
        more than its records, keep it and suppress this finding with the reason.
    Bad (topic):
        cleanup.policy=delete
        unclean.leader.election.enable=true
    Good (topic):
        cleanup.policy=delete
        unclean.leader.election.enable=false
    See: KAFKA-12670, https://kafka.apache.org/documentation/#topicconfigs_unclean.leader.election.enable
    Proof: followers lag, then kill the leader
    """
    applies(written(topic, "unclean.leader.election.enable"), "the cluster's value counts")
    key, kept_by = "unclean.leader.election.enable", metadata_kept_by(topic)
    applies(kept_by != KRAFT, "KRaft ignores the key before Kafka 3.9")
    if topic.bool(key):
        text = "a replica that missed acknowledged records may become leader, and they are lost"
        claim = stale_leader(True, topic.version())
        unsure = kept_by == NOT_SAID
        text += " (with ZooKeeper; KRaft ignores the key before Kafka 3.9)" if unsure else ""
        yield Problem(key, text, "false", claim=claim, likely=unsure)


def metadata_kept_by(topic: Subject) -> str | None:
    """Who keeps the metadata, in the releases whose KRaft ignores the key; None where it makes no difference."""
    return topic.live("metadata") if KRAFT_IGNORES_UNCLEAN <= topic.version() < KRAFT_OBEYS_UNCLEAN else None


@rule("KA153", "low", dev="info", each=("flush.messages", "flush.ms"), aim="by hand: weaker")
def forced_flush(topic: Subject, key: str) -> Problems:
    """The topic's logs are flushed to disk every few records or seconds, although replication protects the records.

    Why: an fsync costs throughput and latency; a record is safe because other brokers have it.
    Fix: use three replicas, min.insync.replicas=2 and acks=all, then remove flush.messages and flush.ms.
    Bad (topic):
        cleanup.policy=delete
        flush.messages=1
    Good (topic):
        cleanup.policy=delete
        retention.ms=604800000
    See: https://kafka.apache.org/documentation/#topicconfigs_flush.messages
    """
    applies(written(topic, key), "flushing is left to the operating system")
    limit = topic.int(key)
    if limit < NEVER:
        often = f"every {limit} ms" if key.endswith("ms") else every(limit, "record")
        yield Problem(key, f"an fsync {often} costs throughput and latency", "not set")


@rule("KA154", "medium", dev="info", aim="set acks=all")
def min_isr_without_effect(producer: Subject, topic: Subject) -> Problems:
    """The topic requires several in-sync replicas, but the producer does not wait for them.

    Why: min.insync.replicas applies to acks=all only; with acks=0 or 1 writes go on however few replicas are in sync.
    Fix: set acks=all on the producer.
    Bad:
        [producer]
        acks=1
        bootstrap.servers=b1:9092,b2:9092
        [topic]
        min.insync.replicas=2
    Good:
        [producer]
        acks=all
        bootstrap.servers=b1:9092,b2:9092
        [topic]
        min.insync.replicas=2
    See: https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
    """
    acks = producer.str("acks")
    applies(acks in ("0", "1"), "the producer waits for all")
    applies(written(topic, "min.insync.replicas"), "the cluster's value counts")
    needed = topic.int("min.insync.replicas")
    if needed > 1:
        where = topic.at("min.insync.replicas")
        text = f"min.insync.replicas={needed} has no effect on this producer"
        yield Problem([producer.at("acks"), where], text, "all", step=-1, claim=unconfirmed(acks), cause="KA101")


@rule(
    "KA155",
    "medium",
    dev="info",
    staging="low",
    regulated="high",
    since=(3, 3),
    before=(3, 9),
    aim="remove unclean.leader.election.enable",
)
def unclean_election_dormant(topic: Subject, cluster: Subject) -> Problems:
    """The topic enables unclean leader election, which has no effect yet: the upgrade to Kafka 3.9 activates it.

    Why: KRaft ignores unclean.leader.election.enable before 3.9. From 3.9 on a stale replica may become leader, and
        acknowledged records vanish although no setting was changed.
    Fix: remove unclean.leader.election.enable from the topic before the upgrade, unless the topic may lose records.
    Bad (3.6):
        [topic]
        cleanup.policy=delete
        unclean.leader.election.enable=true
        [combined]
        process.roles=broker,controller
        node.id=1
    Good (3.6):
        [topic]
        cleanup.policy=delete
        unclean.leader.election.enable=false
        [combined]
        process.roles=broker,controller
        node.id=1
    See: KAFKA-12670, https://kafka.apache.org/documentation/#topicconfigs_unclean.leader.election.enable
    """
    applies(written(topic, "unclean.leader.election.enable"), "the cluster's value counts")
    applies(mode(cluster) == KRAFT, "in ZooKeeper mode it counts")
    if topic.bool("unclean.leader.election.enable"):
        where = topic.at("unclean.leader.election.enable")
        text = "KRaft ignores it before 3.9; after the upgrade a stale replica may become leader"
        yield Problem(where, text, "false")


@rule("KA156", "high", dev="info", staging="medium", aim="replicas=3")
def topic_rf_low(topic: Subject) -> Problems:
    """The topic has fewer than three replicas.

    Why: one replica is lost with its disk; with two, each restart of a broker leaves a single one, and either
        min.insync.replicas=2 stops the writes or that replica alone acknowledges them.
    Fix: create the topic with replication.factor=3 and min.insync.replicas=2.
    Care: Strimzi with spec.cruiseControl and Aiven's provider reassign an existing topic in place; elsewhere a new number in
        the declaration changes nothing, is refused, or makes the tool delete and recreate the topic, without its records.
        There reassign its partitions first (kafka-reassign-partitions.sh with --throttle), then change the declaration.
    Bad (topic):
        replication.factor=1
        cleanup.policy=delete
    Good (topic):
        replication.factor=3
        cleanup.policy=delete
    See: https://kafka.apache.org/documentation/#replication
    """
    applies(topic.is_set("replication.factor"), "the brokers' default counts, or its partitions say it")
    replicas = topic.int("replication.factor")
    if 0 < replicas < 3:
        places = topic.at("replication.factor")
        yield Problem(places, few(replicas), "3", step=0 if replicas == 1 else -1)


@rule("KA157", "high", staging="high", dev="medium", aim="by hand: hardware")
def topic_rf_above_brokers(topic: Subject) -> Problems:
    """The topic needs more replicas than its cluster has brokers, so it is never created.

    Why: Kafka places at most one replica of a partition on a broker, and refuses to create the topic with
        INVALID_REPLICATION_FACTOR. An operator or a tool repeats the request without end; producers and consumers see
        UNKNOWN_TOPIC_OR_PARTITION, or a topic that was created automatically, with other settings.
    Fix: run as many brokers as the topic has replicas, or give it no more replicas than there are brokers.
    Care: a topic that is created with fewer replicas keeps them until its partitions are reassigned.
    Bad (strimzi):
        apiVersion: kafka.strimzi.io/v1
        kind: KafkaNodePool
        metadata: {name: nodes, labels: {strimzi.io/cluster: my-cluster}}
        spec: {replicas: 3, roles: [controller, broker], storage: {type: persistent-claim, size: 10Gi}}
        ---
        apiVersion: kafka.strimzi.io/v1
        kind: Kafka
        metadata: {name: my-cluster}
        spec: {kafka: {version: 4.2.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
        ---
        apiVersion: kafka.strimzi.io/v1
        kind: KafkaTopic
        metadata: {name: orders, labels: {strimzi.io/cluster: my-cluster}}
        spec: {partitions: 3, replicas: 5}
    Good (strimzi):
        apiVersion: kafka.strimzi.io/v1
        kind: KafkaNodePool
        metadata: {name: nodes, labels: {strimzi.io/cluster: my-cluster}}
        spec: {replicas: 3, roles: [controller, broker], storage: {type: persistent-claim, size: 10Gi}}
        ---
        apiVersion: kafka.strimzi.io/v1
        kind: Kafka
        metadata: {name: my-cluster}
        spec: {kafka: {version: 4.2.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
        ---
        apiVersion: kafka.strimzi.io/v1
        kind: KafkaTopic
        metadata: {name: orders, labels: {strimzi.io/cluster: my-cluster}}
        spec: {partitions: 3, replicas: 3}
    See: org.apache.kafka.metadata.placement.StripedReplicaPlacer, https://kafka.apache.org/documentation/#replication
    """
    applies(not topic.running(), "its partitions say it")
    applies(topic.is_set("replication.factor"), "the brokers' default counts")
    brokers = topic.live("brokers")
    applies(brokers > 0, "how many brokers its cluster has is not in the files")
    replicas = topic.int("replication.factor")
    applies(topic.live("former brokers") < replicas, "it was created with the brokers that there were")
    if brokers < replicas:
        text = f"the topic is never created: {replicas} replicas need {replicas} brokers, not {brokers}"
        yield Problem("replication.factor", text, f"<= {brokers}")
