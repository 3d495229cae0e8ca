"""Durability: what can lose records that somebody was told are safe."""

from __future__ import annotations

from advisor.config import Facts
from advisor.facts import KRAFT, min_isr, mode, roles
from advisor.rule import Problem, Problems, applies, rule


@rule("KA101", "high", dev="medium", regulated="critical")
def acks_not_all(producer: Facts) -> Problems:
    """A producer that does not wait for all in-sync replicas loses records that it was told are safe.

    Why: with acks=1 the leader answers before any follower has the record, so a leader that dies takes it along;
        with acks=0 nobody answers at all. min.insync.replicas protects only acks=all.
    Fix: set acks=all (the default since Kafka 3.0) and keep min.insync.replicas=2 on topics with three replicas.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=1
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
    See: KIP-679, https://kafka.apache.org/documentation/#producerconfigs_acks
    Proof: acks=1, three replicas: kill the leader
    """
    acks = producer.str("acks").lower()
    if acks in ("0", "1"):
        who = "nobody" if acks == "0" else "the leader alone"
        yield Problem("acks", f"acks={acks}: {who} confirms a record before it counts as sent", "all", step=acks == "0")


@rule("KA102", "high", dev="low", regulated="critical")
def min_isr_1(node: Facts) -> Problems:
    """With min.insync.replicas=1 a lone leader may confirm acks=all writes, and they die with it.

    Why: acks=all waits for the replicas that are in sync just then. Once the followers have fallen behind that is the
        leader alone, and its next failure loses every record it confirmed since.
    Fix: set min.insync.replicas=2 with three replicas; from Kafka 4.1 on in the controllers' files, since their value
        becomes the cluster-wide one.
    Bad (3.9):
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=1
        default.replication.factor=3
    Good (3.9):
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=1
        default.replication.factor=3
        min.insync.replicas=2
    See: KIP-966, https://kafka.apache.org/documentation/#brokerconfigs_min.insync.replicas
    Proof: acks=all, three replicas, min.insync.replicas=1: followers lag, then kill the leader
    """
    if min_isr(node) < 2:
        yield Problem("min.insync.replicas", "one in-sync replica, the leader, is enough to confirm a write", "2")


@rule("KA103", "high", dev="low")
def default_rf_low(node: Facts) -> Problems:
    """Topics that are created without a replication factor get fewer than three copies.

    Why: one copy is lost with its disk and offline with its broker; two copies leave no room for a failure during a
        restart. The default of default.replication.factor is 1.
    Fix: set default.replication.factor=3 (topics that exist already keep what they have).
    Bad:
        process.roles=broker,controller
        node.id=1
    Good:
        process.roles=broker,controller
        node.id=1
        default.replication.factor=3
    See: https://kafka.apache.org/documentation/#brokerconfigs_default.replication.factor
    Proof: one replica: lose the disk
    """
    copies = node.int("default.replication.factor")
    lower = -1 if copies == 2 or "broker" not in roles(node) else 0
    if copies < 3:
        yield Problem("default.replication.factor", f"new topics get {copies} of 3 copies", "3", step=lower)


@rule("KA104", "critical", dev="medium", staging="high")
def unclean_election(node: Facts) -> Problems:
    """Unclean leader election lets a replica that missed records become leader, and the records are gone.

    Why: when every in-sync replica is down, a stale one takes over and the others are cut back to its log:
        acknowledged records vanish without an error. In KRaft, releases before 3.9 ignore the key.
    Fix: remove unclean.leader.election.enable (default false); choose per topic, and by hand, where availability
        counts for more than records.
    Bad (3.9):
        zookeeper.connect=z1:2181
        broker.id=1
        unclean.leader.election.enable=true
    Good (3.9):
        zookeeper.connect=z1:2181
        broker.id=1
        unclean.leader.election.enable=false
    See: KAFKA-12670, https://kafka.apache.org/documentation/#brokerconfigs_unclean.leader.election.enable
    Proof: followers lag, then kill the leader
    """
    ignored = mode(node) == KRAFT and node.version() < (3, 9)
    applies(not (ignored and node.is_set("unclean.leader.election.enable")), "KRaft ignores the key before Kafka 3.9")
    if node.bool("unclean.leader.election.enable"):
        yield Problem("unclean.leader.election.enable", "a replica that missed records may become leader", "false")
