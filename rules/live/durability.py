"""Durability on a running cluster: how many replicas there really are, and what the next failure would take."""

from __future__ import annotations

from advisor.facts import is_whole_number
from advisor.rule import Problem, Problems, Subject, applies, rule
from rules.claims import LOSS, comes_true, few_replicas, lone_leader, present, unconfirmed

FAMILY = "durability"
USER = "user"


@rule("KA160", "high", dev="low", regulated="critical")
def replicas_too_few(partition: Subject) -> Problems:
    """The topic's partitions have fewer than three replicas, whatever the configuration says today.

    Why: the factor counts when a topic is created; default.replication.factor changed later changes nothing. One replica
        is offline with its broker and lost with its disk; two leave no room for a failure during a restart.
    Fix: raise the factor of the topic with kafka-reassign-partitions.sh.
    Bad:
        brokers 1 2 3
        topic orders
        0: leader 1 replicas 1 isr 1
    Good:
        brokers 1 2 3
        topic orders
        0: leader 1 replicas 1,2,3 isr 1,2,3
    See: https://kafka.apache.org/documentation/#basic_ops_increase_replication_factor
    Proof: the only disk, or both, are lost
    """
    replicas = partition.live("replicas")
    applies(partition.live("use") == USER, "an internal topic: KA410 speaks of those")
    applies(partition.live("brokers alive") + replicas > 2, "one broker is all there is")
    if 0 < replicas < 3:
        yield Problem("replicas", f"{replicas} of 3 replicas", "3", step=-(replicas == 2), claim=few_replicas(replicas))


@rule("KA161", "high", dev="low", regulated="critical")
def next_disk_loses_records(partition: Subject) -> Problems:
    """Acknowledged records have one replica in sync: the next disk that dies takes them along.

    Why: the other replicas are behind or down. What was acknowledged since then is on the leader's disk alone.
    Fix: bring the replicas back that are out of sync; do not restart the leader's host before they are.
    Bad:
        brokers 1 !2 !3
        topic orders
        0: leader 1 replicas 1,2,3 isr 1
    Good:
        brokers 1 2 !3
        topic orders
        0: leader 1 replicas 1,2,3 isr 1,2
    See: https://kafka.apache.org/documentation/#replication
    Proof: from the state it is in, one disk is lost
    """
    applies(partition.live("replicas") > 1, "one replica by design: KA160 says that")
    claim = present(partition, LOSS, "disk-loss")
    if comes_true(claim):
        text = f"{partition.live('in-sync replicas')} of {partition.live('replicas')} replicas is in sync"
        yield Problem("in-sync replicas", text, "2", claim=claim)


@rule("KA162", "medium", dev="info", regulated="high")
def next_rack_loses_records(partition: Subject) -> Problems:
    """Every replica in sync stands in one rack: a power failure there takes what was not flushed.

    Why: Kafka acknowledges from the page cache. That is safe while hosts fail one by one, and not when all in-sync
        replicas lose power together.
    Fix: spread the replicas over racks: set broker.rack everywhere and reassign.
    Bad:
        brokers 1/a 2/a 3/b
        topic orders
        0: leader 1 replicas 1,2 isr 1,2
    Good:
        brokers 1/a 2/a 3/b
        topic orders
        0: leader 1 replicas 1,3 isr 1,3
    See: KIP-36, https://kafka.apache.org/documentation/#basic_ops_racks
    Proof: from the state it is in, one rack loses power
    """
    applies(partition.live("racks"), "no replica")
    applies(partition.live("racks there are") > 1, "one rack is all there is")
    applies(partition.live("in-sync replicas") > 1, "one replica in sync: KA161 speaks of that")
    claim = present(partition, LOSS, "power-loss-all")
    if comes_true(claim):
        yield Problem("racks", "all replicas in sync stand in one rack", "two racks", claim=claim)


@rule("KA163", "high", dev="low", regulated="critical")
def acks_all_means_one(producer: Subject, topic: Subject) -> Problems:
    """The producer waits for all in-sync replicas, and on this topic that may be the leader alone.

    Why: the topic's effective min.insync.replicas is 1, wherever it comes from: the topic, a cluster-wide value, the
        broker's file or the default. Records that a lone leader confirmed die with its host.
    Fix: set min.insync.replicas=2 on the topic, with three replicas.
    Care: with fewer than three replicas the topic stops taking acks=all writes, at once or at the next restart of a
        broker. Reassign it to three replicas first.
    Bad:
        brokers 1 2 3
        topic orders
        0: leader 1 replicas 1,2,3 isr 1,2,3
        [producer orders]
        bootstrap.servers=b1:9092,b2:9092
        acks=all
    Good:
        brokers 1 2 3
        cluster-wide min.insync.replicas=2
        topic orders
        0: leader 1 replicas 1,2,3 isr 1,2,3
        [producer orders]
        bootstrap.servers=b1:9092,b2:9092
        acks=all
    See: https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
    Proof: the followers lag, the leader confirms alone, and its host loses power
    """
    applies(topic.running(), "a file does not say what counts: KA107 speaks of brokers' files")
    applies(producer.str("acks") in ("all", "-1"), "the producer does not wait for all")
    if topic.int("min.insync.replicas") == 1:
        places = [topic.at("min.insync.replicas"), producer.at("acks")]
        yield Problem(places, "acks=all is confirmed by a lone leader", "2", claim=lone_leader(1, topic.version()))


@rule("KA164", "medium", dev="info")
def acks_ignore_min_isr(producer: Subject, topic: Subject) -> Problems:
    """The topic's effective min.insync.replicas asks for several replicas, but the producer does not wait for them.

    Why: min.insync.replicas is only asked for acks=all; with acks=0 or 1 writes go on whatever is in sync.
    Fix: set acks=all.
    Bad:
        brokers 1 2 3
        cluster-wide min.insync.replicas=2
        topic orders
        0: leader 1 replicas 1,2,3 isr 1,2,3
        [producer orders]
        bootstrap.servers=b1:9092,b2:9092
        acks=1
    Good:
        brokers 1 2 3
        cluster-wide min.insync.replicas=2
        topic orders
        0: leader 1 replicas 1,2,3 isr 1,2,3
        [producer orders]
        bootstrap.servers=b1:9092,b2:9092
        acks=all
    See: https://kafka.apache.org/documentation/#producerconfigs_acks
    Proof: the leader is killed
    """
    applies(topic.running(), "a file does not say what counts: KA154 speaks of topics' files")
    acks = producer.str("acks")
    applies(acks in ("0", "1"), "the producer waits for all")
    needed = topic.int("min.insync.replicas")
    if needed > 1:
        places = [producer.at("acks"), topic.at("min.insync.replicas")]
        text = f"acks={acks} does not ask for {needed} replicas"
        yield Problem(places, text, "all", step=-1, claim=unconfirmed(acks), cause="KA101")


@rule("KA165", "high", dev="low", staging="medium")
def min_isr_in_file_shadowed(broker: Subject) -> Problems:
    """min.insync.replicas stands in the broker's file, and a lower cluster-wide value counts instead.

    Why: a cluster with eligible leader replicas (formatted by Kafka 4.1 or newer, or upgraded to the feature) has a
        cluster-wide value that the controller took from its own file, 1 where that says nothing. It stands above every
        broker's file: acks=all is confirmed by fewer replicas than the file promises.
    Fix: kafka-configs.sh --alter --entity-type brokers --entity-default --add-config min.insync.replicas=2, and the
        same in the controllers' files.
    Care: the command takes effect at once on every topic without a value of its own, __consumer_offsets and
        __transaction_state among them. Raise topics with fewer than three replicas by reassignment first.
    Bad:
        brokers 1 2 3
        broker * min.insync.replicas=2
        cluster-wide min.insync.replicas=1
    Good:
        brokers 1 2 3
        broker * min.insync.replicas=2
        cluster-wide min.insync.replicas=2
    See: KIP-966, https://kafka.apache.org/documentation/#eligible_leader_replicas
    Proof: the followers lag, the leader confirms alone, and its host loses power
    """
    key = "min.insync.replicas"
    applies(broker.running() and broker.live("state") == "alive", "the broker is not running")
    levels = dict(broker.live("overridden")).get(key, ())
    in_file = next((value or "" for source, value in levels if source == "STATIC_BROKER"), "")
    applies(is_whole_number(in_file), "the file says nothing")
    counts = broker.int(key)
    if counts < int(in_file):
        claim = lone_leader(1, broker.version()) if counts == 1 else None
        yield Problem(key, f"{in_file} in the file, {counts} counts", in_file, claim=claim)
