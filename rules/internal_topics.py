"""Internal topics: offsets, transactions, share groups, remote log metadata, and those of vendors."""

from __future__ import annotations

from advisor.facts import filled_in_later, is_whole_number, min_isr, written
from advisor.rule import Problem, Problems, Subject, Unknown, applies, rule
from rules import count, whole
from rules.claims import lone_leader, single_home

FACTORS = (
    "offsets.topic.replication.factor",
    "transaction.state.log.replication.factor",
    "share.coordinator.state.topic.replication.factor",
)
REMOTE_METADATA = "remote.log.metadata.topic.replication.factor"
MIN_ISRS = ("transaction.state.log.min.isr", "share.coordinator.state.topic.min.isr")
TOPICS = {
    "offsets.topic.replication.factor": "__consumer_offsets",
    "transaction.state.log.replication.factor": "__transaction_state",
    "share.coordinator.state.topic.replication.factor": "__share_group_state",
}
VENDOR_FACTORS = ("topic.replication.factor", "topic.replicas", "topic.replication", "topics.replication")
"""How Confluent's keys end that say how many replicas topics of its own get."""
CODECS = (0, 1, 2, 3, 4)
CAPPED = (3, 7)
"""The first release whose brokers take min(min.insync.replicas, replicas) (KAFKA-15583)."""
HOUR, WEEK = 3_600_000, 604_800_000


KSQL_TOPICS, KSQL_LOG = "ksql.internal.topic.replicas", "ksql.logging.processing.topic.replication.factor"
"""The factors of the topic with ksqlDB's statements, and of that with its processing log."""


def factor_keys(broker: Subject) -> tuple[str, ...]:
    """The factors of Kafka's own topics, and those of other parts that the file sets."""
    others = tuple(key for key in broker.keys() if is_vendor_factor(key) or key.endswith(REMOTE_METADATA))
    return FACTORS + others


def is_vendor_factor(key: str) -> bool:
    """Whether the key is the factor of a vendor's internal topic."""
    return (key.startswith("confluent.") and key.endswith(VENDOR_FACTORS)) or key == KSQL_LOG


def number(broker: Subject, key: str) -> int:
    """The whole number of a key that no catalog may know."""
    text = broker.text(key).strip()
    if filled_in_later(text) or not is_whole_number(text.removeprefix("-")):
        raise Unknown(f"{key}={text} is not a number yet")
    return int(text)


@rule("KA401", "high", dev="info", staging="medium", regulated="critical", each=factor_keys, aim="remove")
def internal_topic_rf(broker: Subject, key: str) -> Problems:
    """An internal topic gets fewer than three replicas, and everything that needs it stops with one broker.

    Why: offsets, transactions and share groups are stored in these topics. With one replica, groups and transactions
        stop while the broker with their partition is down, and their state is lost with its disk. The factor counts
        only when the topic is created.
    Fix: remove the key (default 3) on a cluster of three or more brokers, and add replicas to an existing topic with
        kafka-reassign-partitions.sh.
    Care: on fewer than three brokers a topic with three replicas cannot be created, and groups or transactions do not
        work at all. An existing topic keeps its replicas: reassign it first.
    Bad:
        process.roles=broker
        node.id=1
        offsets.topic.replication.factor=1
    Good:
        process.roles=broker
        node.id=1
        offsets.topic.replication.factor=3
    See: https://kafka.apache.org/documentation/#brokerconfigs_offsets.topic.replication.factor
    """
    if key.endswith(REMOTE_METADATA):
        applies(broker.bool("remote.log.storage.system.enable"), "no tiered storage")
    replicas = broker.int(key) if key in FACTORS else number(broker, key)
    if 0 < replicas < 3:
        lower = -(replicas == 2) - is_vendor_factor(key)
        topic = TOPICS.get(key, "the topic")
        yield Problem(
            key, f"{topic} gets {count(replicas, 'replica')} instead of 3", "3", step=lower, claim=single_home(replicas)
        )


@rule("KA402", "medium", dev="info", staging="low", regulated="high", each=MIN_ISRS, aim="remove")
def txn_log_min_isr(broker: Subject, key: str) -> Problems:
    """One in-sync replica may confirm the end of a transaction or a share group's progress, and its failure loses it.

    Why: the coordinator confirms once min.isr replicas have its record; with 1, a leader that fails loses decisions
        that clients were told of.
    Fix: remove the key (default 2), with three replicas.
    Care: with the value 2 __transaction_state of one replica takes no transaction up to Kafka 3.6, and of two replicas none while a broker
        restarts; so does __share_group_state of two with share.coordinator.state.topic.min.isr. Reassign the topic to three replicas first.
    Bad:
        process.roles=broker
        node.id=1
        transaction.state.log.min.isr=1
    Good:
        process.roles=broker
        node.id=1
        transaction.state.log.min.isr=2
    See: KIP-98, https://kafka.apache.org/documentation/#brokerconfigs_transaction.state.log.min.isr
    """
    if broker.int(key) == 1:
        yield Problem(
            key,
            "one replica alone may confirm, and its failure loses what it confirmed",
            "2",
            claim=lone_leader(1, broker.version()),
        )


@rule("KA403", "critical", before=(4, 0), refuses=True, aim="remove offsets.commit.required.acks")
def offsets_required_acks(node: Subject) -> Problems:
    """offsets.commit.required.acks requires more replicas than the offsets topic has, and Kafka refuses to start.

    Why: the value must be between -1 (all in-sync replicas) and offsets.topic.replication.factor. Kafka 4.0 removed it.
    Fix: remove offsets.commit.required.acks (default -1).
    Bad (3.9):
        process.roles=broker
        node.id=1
        offsets.commit.required.acks=5
    Good (3.9):
        process.roles=broker
        node.id=1
        offsets.commit.required.acks=-1
    See: KIP-1041, kafka.server.KafkaConfig.validateValues
    """
    acks, replicas = node.int("offsets.commit.required.acks"), node.int("offsets.topic.replication.factor")
    if not -1 <= acks <= replicas:
        yield Problem("offsets.commit.required.acks", f"{acks} is not between -1 and {replicas}", "-1", refused=True)


@rule("KA404", "medium", dev="info", regulated="high", before=(4, 0), aim="remove offsets.commit.required.acks")
def offsets_acks_weak(broker: Subject) -> Problems:
    """Offset commits are acknowledged before all in-sync replicas have them.

    Why: with offsets.commit.required.acks=0 or 1 a leader that fails loses acknowledged offsets, and consumers read
        records again.
    Fix: remove offsets.commit.required.acks: the default of -1 waits for all in-sync replicas.
    Bad (3.9):
        process.roles=broker
        node.id=1
        offsets.commit.required.acks=1
    Good (3.9):
        process.roles=broker
        node.id=1
        offsets.commit.required.acks=-1
    See: KIP-1041
    """
    acks = broker.int("offsets.commit.required.acks")
    if acks in (0, 1):
        yield Problem(
            "offsets.commit.required.acks", "a commit is acknowledged before all in-sync replicas have it", "-1"
        )


@rule("KA405", "low", dev="info", aim="by hand: load")
def offsets_retention_short(broker: Subject) -> Problems:
    """Offsets of empty groups expire before the records they point to.

    Why: a group without members loses its offsets after offsets.retention.minutes (7 days); when its members return,
        auto.offset.reset decides, and records are skipped or read again.
    Fix: set offsets.retention.minutes to at least the longest retention of the topics; where records never expire, to the
        longest time that a group may be away, and at least the default of 10080.
    Care: __consumer_offsets grows with the retention, and offsets that have expired do not come back.
    Bad:
        process.roles=broker
        node.id=1
        log.retention.hours=168
        offsets.retention.minutes=1440
    Good:
        process.roles=broker
        node.id=1
        log.retention.hours=168
        offsets.retention.minutes=20160
    See: KIP-186, KIP-211, https://kafka.apache.org/documentation/#brokerconfigs_offsets.retention.minutes
    """
    kept, records = broker.int("offsets.retention.minutes") * 60_000, broker.int("log.retention.ms")
    said = written(broker, "offsets.retention.minutes")
    if records < 0 and kept < WEEK:
        says = f"offsets expire after {kept // HOUR} h, records never"
        yield Problem("offsets.retention.minutes", says, f">= {WEEK // 60_000}")
    elif kept < records:
        says = f"offsets expire after {kept // HOUR} h, records after {records // HOUR} h"
        yield Problem("offsets.retention.minutes", says, f">= {records // 60_000}", step=0 if said else -1)


@rule("KA406", "critical", refuses=True, aim="remove offsets.topic.compression.codec")
def offsets_codec_unknown(node: Subject) -> Problems:
    """offsets.topic.compression.codec is not the number of a codec, and Kafka refuses to start.

    Why: the codecs are numbered: 0 none, 1 gzip, 2 snappy, 3 lz4 and, from Kafka 2.1 on, 4 zstd.
    Fix: remove offsets.topic.compression.codec, or set it to a number from 0 to 4.
    Bad:
        process.roles=broker
        node.id=1
        offsets.topic.compression.codec=9
    Good:
        process.roles=broker
        node.id=1
        offsets.topic.compression.codec=1
    See: org.apache.kafka.common.record.CompressionType
    """
    codec = node.int("offsets.topic.compression.codec")
    if codec not in CODECS:
        yield Problem("offsets.topic.compression.codec", f"there is no codec {codec}", "0 to 4", refused=True)


@rule("KA407", "high", dev="info", staging="medium", aim="set offsets.topic.replication.factor=3")
def offsets_min_isr(broker: Subject) -> Problems:
    """__consumer_offsets gets no replica more than must be in sync, so one broker down stops offset commits.

    Why: the topic has no min.insync.replicas of its own, so the brokers' value counts, and the coordinator writes with
        acks=all. With min.insync.replicas=2 and offsets.topic.replication.factor=2 groups can neither commit nor join
        while one of the two brokers is down; before Kafka 3.7 a single replica cannot be written to at all.
    Fix: set offsets.topic.replication.factor=3 (the default), and reassign an existing topic to three replicas.
    Care: do not lower min.insync.replicas instead: then one replica alone acknowledges commits, and writes to every
        topic without a value of its own. Add the replicas first.
    Bad:
        process.roles=broker,controller
        node.id=1
        default.replication.factor=3
        min.insync.replicas=2
        offsets.topic.replication.factor=2
    Good:
        process.roles=broker,controller
        node.id=1
        default.replication.factor=3
        min.insync.replicas=2
        offsets.topic.replication.factor=3
    See: https://kafka.apache.org/documentation/#brokerconfigs_offsets.topic.replication.factor
    """
    replicas = broker.int("offsets.topic.replication.factor")
    applies(0 < replicas < 3, "three replicas, or the brokers' default")
    applies(not broker.running(), "KA410 judges the topic as it is")
    required = min_isr(broker)
    applies(broker.int("default.replication.factor") > required, "the topics' own factor does not fit either")
    needed = required if not broker.at_least(CAPPED) else min(required, replicas)
    keys = ["offsets.topic.replication.factor", "min.insync.replicas"]
    if needed > replicas:
        yield Problem(
            list(keys), f"{needed} replicas must be in sync, the topic has {replicas}: no offset can be committed", "3"
        )
    elif needed == replicas > 1:
        yield Problem(
            list(keys),
            f"{whole(replicas)} must be in sync: one broker down stops offset commits",
            f"{needed + 1}",
            step=-1,
        )
