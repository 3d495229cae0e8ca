"""Durability on a running cluster: how many replicas there really are, and what the next failure would take."""

from __future__ import annotations

from advisor.facts import is_whole_number
from advisor.rule import Problem, Problems, Subject, applies, rule
from rules import few
from rules.claims import LOSS, comes_true, few_replicas, lone_leader, present, unconfirmed

FAMILY = "durability"
USER = "user"


@rule("KA160", "high", dev="low", regulated="critical", aim="replicas=3")
def replicas_too_few(partition: Subject) -> Problems:
    """The topic's partitions have fewer than three replicas, whatever the configuration says today.

    Why: the replication factor applies when a topic is created; a later change of default.replication.factor does not
        change existing topics. One replica is offline with its broker and lost with its disk; two leave no room for a
        failure during a restart.
    Fix: raise the topic's replication factor with kafka-reassign-partitions.sh and --throttle.
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
    applies(partition.live("use") == USER, "an internal topic: KA410 reports those")
    applies(partition.live("brokers alive") + replicas > 2, "one broker is all there is")
    if 0 < replicas < 3:
        yield Problem("replicas", few(replicas), "3", step=-(replicas == 2), claim=few_replicas(replicas))


@rule("KA161", "high", dev="low", regulated="critical", aim="in sync")
def next_disk_loses_records(partition: Subject) -> Problems:
    """Acknowledged records are on a single in-sync replica: if its disk fails, they are lost.

    Why: the other replicas are behind or down, so the records acknowledged since then are only on the leader's disk.
    Fix: start the brokers of the replicas that are out of sync, and do not restart the leader until they are in the
        ISR.
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
    applies(partition.live("replicas") > 1, "one replica by design: KA160 reports it")
    claim = present(partition, LOSS, "disk-loss")
    if comes_true(claim):
        in_sync = partition.live("in-sync replicas")
        text = f"{in_sync} of {partition.live('replicas')} in sync: one disk failure can lose acknowledged records"
        yield Problem("in-sync replicas", text, "2", claim=claim)


@rule("KA162", "medium", dev="info", regulated="high", aim="racks")
def next_rack_loses_records(partition: Subject) -> Problems:
    """All in-sync replicas are in one rack: a power failure there loses every unflushed record.

    Why: Kafka acknowledges records that are only in the page cache. That is safe while hosts fail one by one, but not
        when all in-sync replicas lose power together.
    Fix: reassign the partitions with --throttle, so that each has an in-sync replica in another rack.
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
    applies(partition.live("in-sync replicas") > 1, "one replica in sync: KA161 reports it")
    claim = present(partition, LOSS, "power-loss-all")
    if comes_true(claim):
        yield Problem("racks", "a power failure in one rack loses unflushed records", "two racks", claim=claim)


@rule("KA163", "high", dev="low", regulated="critical", aim="set min.insync.replicas=2")
def acks_all_means_one(producer: Subject, topic: Subject) -> Problems:
    """The producer waits for all in-sync replicas, but on this topic the leader may be the only one.

    Why: the topic's effective min.insync.replicas is 1, whether set on the topic, cluster-wide, in the broker's file or
        by default. Records that the leader alone acknowledged are lost with its host.
    Fix: set min.insync.replicas=2 on the topic, with three replicas.
    Care: with two replicas the topic then stops accepting acks=all writes at the next restart of a broker, with one
        replica (up to Kafka 3.6) at once. Reassign it to three replicas first.
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
    Proof: the followers lag, the leader alone acknowledges, and its host loses power
    """
    applies(topic.running(), "a file does not say what counts: KA107 reports brokers' files")
    applies(producer.str("acks") in ("all", "-1"), "the producer does not wait for all")
    if topic.int("min.insync.replicas") == 1:
        places = [topic.at("min.insync.replicas"), producer.at("acks")]
        text = "the leader alone may acknowledge acks=all writes, and its failure loses them"
        yield Problem(places, text, "2", claim=lone_leader(1, topic.version()))


@rule("KA164", "medium", dev="info", aim="set acks=all")
def acks_ignore_min_isr(producer: Subject, topic: Subject) -> Problems:
    """The topic's effective min.insync.replicas requires several replicas, but the producer does not wait for them.

    Why: min.insync.replicas applies to acks=all only; with acks=0 or 1 writes go on however few replicas are in sync.
    Fix: set acks=all on the producer.
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
    applies(topic.running(), "a file does not say what counts: KA154 reports topics' files")
    acks = producer.str("acks")
    applies(acks in ("0", "1"), "the producer waits for all")
    needed = topic.int("min.insync.replicas")
    if needed > 1:
        places = [producer.at("acks"), topic.at("min.insync.replicas")]
        text = f"min.insync.replicas={needed} has no effect on this producer"
        yield Problem(places, text, "all", step=-1, claim=unconfirmed(acks), cause="KA101")


@rule("KA165", "high", dev="low", staging="medium", aim="by hand: choice")
def min_isr_in_file_shadowed(broker: Subject) -> Problems:
    """The broker's file sets min.insync.replicas, but a lower cluster-wide value overrides it.

    Why: a cluster with eligible leader replicas (formatted by Kafka 4.1 or newer, or upgraded to the feature) has a
        cluster-wide value that the controller took from its own file, or 1 where that file does not set it. It
        overrides every broker's file, so fewer replicas acknowledge acks=all writes than the file says.
    Fix: run kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type brokers --entity-default --add-config
        min.insync.replicas=2.
    Care: the command takes effect at once on every topic without a value of its own, __consumer_offsets and
        __transaction_state included, and may stop acks=all writes to them. Raise topics with fewer than three replicas
        by reassignment first.
    Bad:
        brokers 1 2 3
        broker * min.insync.replicas=2
        cluster-wide min.insync.replicas=1
    Good:
        brokers 1 2 3
        broker * min.insync.replicas=2
        cluster-wide min.insync.replicas=2
    See: KIP-966, https://kafka.apache.org/documentation/#eligible_leader_replicas
    Proof: the followers lag, the leader alone acknowledges, and its host loses power
    """
    key = "min.insync.replicas"
    applies(broker.running() and broker.live("state") == "alive", "the broker is not running")
    levels = dict(broker.live("overridden")).get(key, ())
    in_file = next((value or "" for source, value in levels if source == "STATIC_BROKER"), "")
    applies(is_whole_number(in_file), "the file says nothing")
    counts = broker.int(key)
    if counts < int(in_file):
        claim = lone_leader(1, broker.version()) if counts == 1 else None
        yield Problem(key, f"{counts} is in effect, not {in_file} as in the broker's file", in_file, claim=claim)


THREADS = (
    *("num.io.threads", "num.network.threads", "background.threads", "num.replica.fetchers"),
    *("num.recovery.threads.per.data.dir", "log.cleaner.threads"),
)
"""Thread counts that Kafka changes from half to double at a time. Source: DynamicThreadPool.validateReconfiguration."""
DYNAMIC = {"DYNAMIC_DEFAULT_BROKER": "cluster-wide", "DYNAMIC_BROKER": "per-broker"}


@rule("KA166", "high", dev="low", staging="medium", each=THREADS, aim="by hand: choice")
def dynamic_values_dropped(broker: Subject, key: str) -> Problems:
    """A dynamic thread count is too far from the one in the broker's file: at the next restart every dynamic value goes.

    Why: when a broker starts it validates the dynamic values against its file. A thread count that is less than half or more than
        twice the file's is refused, and with it the whole level: all cluster-wide values (or all of this broker), retention and
        min.insync.replicas among them. One line in the log says so, and DescribeConfigs goes on naming the dynamic level.
    Fix: set the same count in the file as dynamically, or delete the dynamic one (kafka-configs.sh --alter --entity-type brokers
        --entity-default --delete-config), before the next restart.
    Bad:
        brokers 1 2 3
        broker * num.io.threads=8
        cluster-wide num.io.threads=3
    Good:
        brokers 1 2 3
        broker * num.io.threads=8
        cluster-wide num.io.threads=4
    See: kafka.server.DynamicBrokerConfig, kafka.server.DynamicThreadPool
    """
    applies(broker.running() and broker.live("state") == "alive", "the broker is not running")
    level = DYNAMIC.get(broker.source(key), "")
    applies(level, "the count is not dynamic")
    definition = broker.definition(key)
    levels = dict(broker.live("overridden")).get(key, ())
    default = definition.default or "" if definition else ""
    in_file = next((value or "" for source, value in levels if source == "STATIC_BROKER"), default)
    applies(is_whole_number(in_file), "the file says nothing")
    count, base = broker.int(key), int(in_file)
    if not base // 2 <= count <= base * 2:
        message = f"{count} is in effect and {base} in the file: after a restart no {level} value holds on this broker"
        yield Problem(key, message, in_file)
