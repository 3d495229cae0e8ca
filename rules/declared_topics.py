"""Topics that files declare, beside the cluster that they are created in."""

from __future__ import annotations

from advisor.facts import ELR_BY_DEFAULT, cluster_min_isr, min_isr_without_elr, written
from advisor.rule import Problem, Problems, Subject, Unknown, applies, rule
from rules.claims import never_writable, nobody_may_stop

FAMILY = "deployment"
MIN_ISR = "min.insync.replicas"
FACTOR_OF_TOPIC = "replication.factor"
CAPPED = (3, 7)
"""The first release whose brokers take min(min.insync.replicas, replicas) (KAFKA-15583)."""


@rule("KA1750", "medium", dev="info", staging="low", aim="by hand: choice")
def topic_below_cluster_min_isr(topic: Subject, declared_cluster: Subject) -> Problems:
    """The topic has no more replicas than the cluster's min.insync.replicas requires, and sets none of its own.

    Why: a topic without a min.insync.replicas of its own takes the cluster's. Above the number of its replicas every acks=all
        write fails with NOT_ENOUGH_REPLICAS before Kafka 3.7; where both are equal, the restart of any broker stops the
        writes to its partitions.
    Fix: declare the topic with three replicas, one more than the cluster's min.insync.replicas=2.
    Care: Strimzi with spec.cruiseControl and Aiven's provider reassign an existing topic in place; elsewhere a new number of
        replicas in the declaration changes nothing, or makes the tool delete and recreate it: reassign its partitions first.
    Bad (3.6):
        [topic]
        replication.factor=1
        [broker]
        zookeeper.connect=z1:2181
        broker.id=1
        min.insync.replicas=2
    Good (3.6):
        [topic]
        replication.factor=3
        [broker]
        zookeeper.connect=z1:2181
        broker.id=1
        min.insync.replicas=2
    See: KAFKA-15583, https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
    Proof: acks=all, one replica, min.insync.replicas=2, Kafka 3.6
    """
    applies(not topic.running(), "KA222 judges the partitions as they are")
    applies(topic.is_set(FACTOR_OF_TOPIC) and not written(topic, MIN_ISR), "the topic's own value counts")
    replicas, needed, others = topic.int(FACTOR_OF_TOPIC), *required_of(declared_cluster)
    if replicas > max(needed, others):
        return
    if others != needed:
        raise Unknown(f"the brokers' {MIN_ISR} is {others}, the controllers' {needed}: which counts, is not known")
    if needed > replicas > 0 and not topic.at_least(CAPPED):
        text = f"the cluster's {MIN_ISR}={needed} is more than its replicas: every acks=all write fails"
        claim = never_writable(needed, replicas, topic.version())
        yield Problem([topic.at(FACTOR_OF_TOPIC), declared_cluster.at(MIN_ISR)], text, "3", step=1, claim=claim)
    elif needed >= replicas > 1:
        text = f"the cluster's {MIN_ISR}={needed}: one broker down stops acks=all writes"
        claim = nobody_may_stop(replicas, replicas, topic.version())
        yield Problem([topic.at(FACTOR_OF_TOPIC), declared_cluster.at(MIN_ISR)], text, str(needed + 1), claim=claim)


def required_of(cluster: Subject) -> tuple[int, int]:
    """The min.insync.replicas of a cluster's topics, and that without eligible leader replicas; of pieces where all say one."""
    if not cluster.fragment():
        return cluster_min_isr(cluster), min_isr_without_elr(cluster)
    applies(not cluster.at_least(ELR_BY_DEFAULT), "a piece does not tell whether its value or the controllers' counts")
    texts = {(text or "").strip() for text in cluster.values(MIN_ISR)}
    applies(len(texts) == 1 and all(map(str.isdecimal, texts)), "the pieces do not say one number")
    return (int(texts.pop()),) * 2
