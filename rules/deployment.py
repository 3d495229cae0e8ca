"""How many brokers a deployment has and where they run, and how many replicas the topics get that it creates."""

from __future__ import annotations

from advisor.facts import is_whole_number
from advisor.rule import Problem, Problems, Subject, applies, rule
from rules import count
from rules.internal_topics import TOPICS

OFFSETS = "offsets.topic.replication.factor"
SHARE = "share.coordinator.state.topic.replication.factor"
"""The factor of a topic that few applications need."""
ENOUGH = 3
INTERNAL = (OFFSETS, "transaction.state.log.replication.factor", SHARE)


def keys_with(deployment: Subject, prefixes: tuple[str, ...]) -> tuple[str, ...]:
    """The facts under some prefixes; the first prefix itself where there is none, about which there is nothing to say."""
    return tuple(key for key in deployment.keys() if key.startswith(prefixes)) or prefixes[:1]


@rule("KA1702", "high", dev="info", staging="medium", aim="by hand: hardware")
def few_brokers(deployment: Subject) -> Problems:
    """The cluster has too few brokers to survive the failure of one.

    Why: three replicas need three brokers. With one every failure is an outage and a lost disk loses the records; with
        two either min.insync.replicas is 2 and no broker may stop, or it is 1 and one replica alone acknowledges.
    Fix: run at least three brokers, then raise the replication factor of existing topics.
    Care: new brokers hold no replicas until you reassign partitions to them (kafka-reassign-partitions.sh with
        --throttle), and existing topics, the internal ones included, keep their replication factor.
    Bad (deployment):
        brokers=1
    Good (deployment):
        brokers=3
    See: https://kafka.apache.org/documentation/#replication
    """
    applies(deployment.is_set("brokers"), "the number of brokers is not given")
    brokers = deployment.int("brokers")
    applies(brokers > 0, "it runs no broker")
    if brokers < ENOUGH:
        yield Problem(
            "brokers",
            f"{count(brokers, 'broker')} cannot hold 3 replicas",
            f">= {ENOUGH}",
            step=-1 if brokers > 1 else 0,
        )


@rule("KA1706", "medium", dev="medium", each=INTERNAL)
def internal_rf_above_brokers(broker: Subject, key: str) -> Problems:
    """An internal topic needs more replicas than there are brokers, so it is never created.

    Why: without __consumer_offsets no group gets a coordinator, without __transaction_state no transaction begins, and
        without __share_group_state no share group reads; clients wait and log COORDINATOR_NOT_AVAILABLE.
    Fix: run as many brokers as the replication factor requires; on a single development node set the factor, and the
        min.isr key beside it, to 1.
    Care: a topic created with one replica keeps only that one until it is reassigned: on a cluster that will grow, set
        the factor that it needs in the end.
    Bad (compose):
        services:
          kafka:
            image: apache/kafka:4.3.0
            environment:
              KAFKA_PROCESS_ROLES: broker,controller
              KAFKA_NODE_ID: 1
              KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093
              KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: 3
    Good (compose):
        services:
          kafka:
            image: apache/kafka:4.3.0
            environment:
              KAFKA_PROCESS_ROLES: broker,controller
              KAFKA_NODE_ID: 1
              KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093
              KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: 1
              KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: 1
              KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR: 1
    See: https://kafka.apache.org/documentation/#brokerconfigs_offsets.topic.replication.factor
    """
    applies(not broker.running(), "the topics say it themselves")
    brokers = broker.live("brokers")
    applies(brokers > 0, "how many brokers there are is not in the files")
    replicas = broker.int(key)
    applies(broker.live("former brokers") < replicas, "it was created with the brokers that there were")
    if brokers < replicas:
        yield Problem(
            key,
            f"{TOPICS[key]} is never created: {replicas} replicas need {replicas} brokers, not {brokers}",
            f"<= {brokers}",
            step=(key == OFFSETS) - (key == SHARE),
        )


@rule("KA1715", "medium", dev="info")
def rack_in_one(deployment: Subject) -> Problems:
    """The placement strategy puts all replicas of a partition in one rack.

    Why: the strategy keeps traffic in one zone, and that zone's failure takes down every replica of the partition.
    Fix: set the placement strategy to cross-rack (topicctl), or leave the placement to the brokers' racks.
    Care: a change of strategy copies replicas over the clients' network: apply it with a throttle, outside peak hours.
    Bad (deployment):
        placement=in-rack
    Good (deployment):
        placement=cross-rack
    See: https://github.com/segmentio/topicctl#topic-placement-strategies
    """
    if deployment.str("placement") == "in-rack":
        yield Problem("placement", "one rack's failure takes down all replicas of a partition", "cross-rack")


@rule("KA1717", "high", dev="info", aim="by hand: hardware")
def topic_rf_low(deployment: Subject) -> Problems:
    """A topic that the image creates has too few replicas.

    Why: one replica is lost with its disk; with two, each restart of a broker leaves a single one.
    Fix: write the topic as name:partitions:3, on three brokers.
    Care: an existing topic keeps its replicas, whatever the variable says: reassign its partitions, with --throttle.
    Bad (deployment):
        topics.created=orders:2:1
    Good (deployment):
        topics.created=orders:6:3
    See: https://kafka.apache.org/documentation/#replication
    """
    applies(deployment.is_set("topics.created"), "the image creates none")
    parts = [entry.strip().split(":") for entry in deployment.str("topics.created").split(",")]
    factors = [int(part[2]) for part in parts if len(part) > 2 and is_whole_number(part[2])]
    if factors and min(factors) < ENOUGH:
        yield Problem(
            "topics.created",
            f"a topic gets {count(min(factors), 'replica')} instead of 3",
            "3",
            step=0 if min(factors) == 1 else -1,
        )


@rule("KA1724", "low", dev="info")
def soft_anti_affinity(deployment: Subject) -> Problems:
    """Brokers may share a node when the others are full.

    Why: a preferred anti-affinity is not binding: two replicas of a partition may be on one node, and fail with it.
    Fix: set the anti-affinity to requiredDuringSchedulingIgnoredDuringExecution with topologyKey
        kubernetes.io/hostname.
    Care: pods without a node of their own stay pending: have as many nodes as brokers, and one more for drains.
    Bad (deployment):
        anti.affinity=preferred
    Good (deployment):
        anti.affinity=required
    See: https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#inter-pod-affinity-and-anti-affinity
    """
    if deployment.str("anti.affinity") == "preferred":
        yield Problem("anti.affinity", "brokers may share a node, and fail with it", "required")


@rule("KA1732", "high", dev="low", regulated="critical", aim="by hand: hardware")
def registry_topic_rf_low(deployment: Subject) -> Problems:
    """The topic that keeps the schemas of a schema registry is created with too few replicas.

    Why: every record that was written with a schema holds its id, and what the id means stands in this topic alone. With one replica it is
        lost with its disk: the records are there and cannot be read any more.
    Fix: set kafkastore.topic.replication.factor=3, and reassign the topic if it is there already.
    Care: the registry ends at the start where there are fewer brokers than replicas.
    Bad (registry):
        kafkastore.bootstrap.servers=PLAINTEXT://b1:9092
        kafkastore.topic.replication.factor=1
    Good (registry):
        kafkastore.bootstrap.servers=PLAINTEXT://b1:9092
        kafkastore.topic.replication.factor=3
    See: https://docs.confluent.io/platform/current/schema-registry/installation/config.html
    """
    applies(deployment.str("runs") == "schema-registry", "no schema registry")
    replicas = deployment.int("registry.replication.factor")
    if replicas < ENOUGH:
        words = f"the schemas are kept in {count(replicas, 'replica')}: without them no record can be read"
        yield Problem("registry.replication.factor", words, "3", step=0 if replicas == 1 else -1)
