"""Changes of what is kept, and of what acknowledges a record: brokers' defaults and topics."""

from __future__ import annotations

from advisor.rule import (
    AT_ONCE,
    CHANGED,
    LOST,
    OF_TOPIC,
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
from rules.changes.resources import resource_of_operator

DAY = 86_400_000
YEAR = 365 * DAY
UNLIMITED = -1
COMPACT = "compact"
CAPPED = (3, 7)
"""The first release whose brokers take min(min.insync.replicas, replicas) (KAFKA-15583)."""
RETENTION = {"retention.ms": "log.retention.ms", "retention.bytes": "log.retention.bytes"}


OF_BROKERS = {
    "cleanup.policy": "log.cleanup.policy",
    "min.insync.replicas": "min.insync.replicas",
    "max.message.bytes": "message.max.bytes",
    "message.timestamp.after.max.ms": "log.message.timestamp.after.max.ms",
    "message.timestamp.before.max.ms": "log.message.timestamp.before.max.ms",
}
"""What brokers call the default of a topic's key."""


def own_key(config: Subject, key: str) -> tuple[str, str]:
    """How a topic or a broker calls a topic's key, and when a change of it acts; the rule applies to nothing else."""
    if config.kind() == "topic":
        return key, AT_ONCE
    applies(config.kind() in ("broker", "combined", "broker-overlay"), "it stores no records")
    return OF_BROKERS[key], RESTART


def limit(subject: Subject, key: str) -> float:
    """A retention as a number: unlimited is more than any other."""
    value = subject.int(key)
    return float("inf") if value < 0 else float(value)


UNITS = (("days", DAY), ("hours", 3_600_000), ("minutes", 60_000), ("seconds", 1000), ("ms", 1))


def in_words(value: float, key: str) -> str:
    """A retention in the largest unit of which there are ten, or that it is a multiple of; bytes are rounded."""
    if value == float("inf"):
        return "for ever"
    if key.endswith("bytes"):
        return f"{value / 1e9:.3g} GB" if value >= 1e9 else f"{value:g} bytes"
    fits = (row for row in UNITS if value >= row[1] and (value >= 10 * row[1] or value * 10 % row[1] == 0))
    unit, size = next(fits, UNITS[-1])
    number = f"{round(value / size, 1):.12g}"
    return f"{number} {unit.removesuffix('s') if number == '1' and size > 1 else unit}"


def shorter(subject: Subject, before: Subject, key: str, acts: str) -> Problems:
    """What a shorter retention deletes."""
    old, new = limit(before, key), limit(subject, key)
    applies(new < old, "as much is kept as before, or more")
    much = new < old / 2 and not (key.endswith("ms") and new > YEAR)
    yield Problem(
        key,
        f"what is beyond {in_words(new, key)} is deleted (kept were {in_words(old, key)}), and putting the value back does not bring it back",
        step=0 if much else -1,
        acts=acts,
    )


@rule("KA1840", "high", dev="low", each=tuple(RETENTION.values()), effect=LOST)
def retention_shortened(broker: Subject, before: Subject, key: str) -> Problems:
    """Brokers keep records for a shorter time, or fewer bytes of them.

    Why: each replica deletes by its own file, by whole segments, half a minute after its start and every log.retention.check.interval.ms. Topics
        without a retention of their own lose what is older on the first restarted broker; consumers that are behind skip it.
    Fix: 1. see how far the slowest consumer is behind (kafka-consumer-groups.sh --describe); 2. try the value on one topic with
        kafka-configs.sh --entity-type topics; 3. then change it for all.
    Care: a segment that is written to is young as a whole, so the deletion may come days after the change.
    Bad:
        before:
            process.roles=broker
            node.id=1
            log.retention.hours=168
        after:
            process.roles=broker
            node.id=1
            log.retention.hours=1
    Good:
        before:
            process.roles=broker
            node.id=1
            log.retention.hours=168
        after:
            process.roles=broker
            node.id=1
            log.retention.ms=604800000
    See: https://kafka.apache.org/documentation/#brokerconfigs_log.retention.ms
    """
    yield from shorter(broker, before, key, RESTART)


@rule("KA1841", "high", dev="low", each=tuple(RETENTION), effect=LOST)
def topic_retention_shortened(topic: Subject, before: Subject, key: str) -> Problems:
    """A topic keeps its records for a shorter time, or fewer bytes of them.

    Why: the brokers delete whole segments that are older at their next check, within minutes, and nothing brings them back. A consumer
        that is behind skips what is gone.
    Fix: 1. see how far the slowest consumer is behind (kafka-consumer-groups.sh --describe); 2. copy what must be kept; 3. then change it.
    Care: putting the old value back keeps only what is still there.
    Bad (topic):
        before:
            retention.ms=604800000
        after:
            retention.ms=300000
    Good (topic):
        before:
            retention.ms=604800000
        after:
            retention.ms=1209600000
    See: https://kafka.apache.org/documentation/#topicconfigs_retention.ms
    """
    applies(topic.str("cleanup.policy") != "compact", "a compacted topic has no retention")
    yield from shorter(topic, before, key, AT_ONCE)


@rule("KA1842", "high", dev="low", effect=LOST)
def cleanup_policy_changed(config: Subject, before: Subject) -> Problems:
    """A topic, or every topic without a policy of its own, deletes by another policy than before.

    Why: with compaction only the last record of each key stays, and records without a key are refused; what was written without one
        is removed by the cleaner. Without compaction everything older than retention.ms goes, the only value of a key included.
    Fix: 1. for compaction see that every record has a key (kafka-console-consumer.sh --property print.key=true); 2. for deletion set
        retention.ms to what has to be kept before the policy changes; 3. then change cleanup.policy.
    Care: use a new topic if readers need the whole history.
    Bad:
        before:
            process.roles=broker
            node.id=1
            log.cleanup.policy=compact
        after:
            process.roles=broker
            node.id=1
            log.cleanup.policy=delete
    Bad (topic):
        before:
            cleanup.policy=compact
        after:
            cleanup.policy=delete
    Good (topic):
        before:
            cleanup.policy=compact,delete
        after:
            cleanup.policy=delete,compact
    See: https://kafka.apache.org/documentation/#topicconfigs_cleanup.policy
    """
    key, acts = own_key(config, "cleanup.policy")
    old, new = set(before.list(key)), set(config.list(key))
    if COMPACT in new - old:
        words = "all but the last record of each key, and every record without a key, is removed"
        yield Problem(key, words, acts=acts)
    elif "delete" in new - old:
        words = "what is older than retention.ms is deleted, the only value of a key included"
        yield Problem(key, words, acts=acts)


@rule("KA1843", "medium", dev="info", effect=WEAKER)
def min_isr_lowered(config: Subject, before: Subject) -> Problems:
    """Fewer replicas than before have to have a record before it counts as written.

    Why: acks=all waits for min.insync.replicas replicas at least. With fewer, a record may be acknowledged that only brokers have which
        then fail.
    Fix: keep 2 with three replicas. To get through a maintenance lower it for as long as that takes, and raise it again.
    Care: it acts at once, and on the producers that are running. A broker's file counts for topics without a value of their own, and where no
        cluster-wide dynamic value stands above it (with eligible leader replicas one always does).
    Bad:
        before:
            process.roles=broker
            node.id=1
            min.insync.replicas=2
        after:
            process.roles=broker
            node.id=1
            min.insync.replicas=1
    Bad (topic):
        before:
            min.insync.replicas=2
        after:
            min.insync.replicas=1
    Good (topic):
        before:
            min.insync.replicas=1
        after:
            min.insync.replicas=2
    See: https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
    """
    key, acts = own_key(config, "min.insync.replicas")
    old, new = before.int(key), config.int(key)
    if new < old:
        words = f"{new} of the replicas may acknowledge alone, before it took {old}"
        yield Problem(key, words, acts=acts, likely=acts == RESTART)


@rule("KA1844", "high", dev="low", effect=STOPPED)
def min_isr_raised_to_replicas(config: Subject, before: Subject) -> Problems:
    """All replicas of a partition have to be in sync from now on: every restart of a broker stops its writes.

    Why: while one of the replicas is away, acks=all writes are refused. Above the number of replicas they are refused always up to Kafka 3.6.
    Fix: 1. raise the replication factor first (kafka-reassign-partitions.sh); 2. then set min.insync.replicas to one less.
    Care: a topic's value acts at once, and on every producer with acks=all that writes to it. A broker's file counts from its restart
        on for topics without a value of their own, and where no cluster-wide dynamic value stands above it.
    Bad (topic):
        before:
            replication.factor=2
            min.insync.replicas=1
        after:
            replication.factor=2
            min.insync.replicas=2
    Bad:
        before:
            process.roles=broker
            node.id=1
            default.replication.factor=3
            min.insync.replicas=2
        after:
            process.roles=broker
            node.id=1
            default.replication.factor=3
            min.insync.replicas=3
    Good (topic):
        before:
            replication.factor=3
            min.insync.replicas=1
        after:
            replication.factor=3
            min.insync.replicas=2
    See: https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
    """
    key, acts = own_key(config, "min.insync.replicas")
    factor = "replication.factor" if acts == AT_ONCE else "default.replication.factor"
    old, new = before.int(key), config.int(key)
    applies(new > old and config.is_set(factor), "not raised, or the number of replicas is not known")
    replicas = config.int(factor)
    is_refused = 0 < replicas < new and not config.at_least(CAPPED)
    if 1 < replicas <= new or is_refused:
        whose = "the topic has" if acts == AT_ONCE else "new topics have"
        effect = "every acks=all write is refused" if is_refused else "each restart stops writes"
        words = f"{new} replicas must be in sync, and {whose} {replicas}: {effect}"
        yield Problem(key, words, acts=acts, likely=acts == RESTART, step=0 if acts == AT_ONCE else -1)


@rule("KA1845", "medium", dev="info", effect=STOPPED)
def message_limit_lowered(config: Subject, before: Subject) -> Problems:
    """The largest batch that a topic takes becomes smaller.

    Why: producers that send larger ones get RecordTooLargeException, which they do not try again: the record is the producer's loss.
    Fix: 1. lower max.request.size (and what the application sends) of every producer; 2. deploy them; 3. then lower the limit.
    Care: records that are there already stay and are read as before.
    Bad:
        before:
            process.roles=broker
            node.id=1
            message.max.bytes=5242880
        after:
            process.roles=broker
            node.id=1
            message.max.bytes=1048588
    Bad (topic):
        before:
            max.message.bytes=5242880
        after:
            max.message.bytes=1048588
    Good (topic):
        before:
            max.message.bytes=1048588
        after:
            max.message.bytes=5242880
    See: https://kafka.apache.org/documentation/#topicconfigs_max.message.bytes
    """
    key, acts = own_key(config, "max.message.bytes")
    old, new = before.int(key), config.int(key)
    if new < old:
        yield Problem(key, f"batches of over {new} bytes are refused, and {old} were taken", acts=acts)


COUNT, REPLICAS = "partition count", "replica count"
"""The facts of a running cluster's topic with another number of partitions, or of replicas, than before."""


ORDER = (
    "the order of their records is broken, and readers with auto.offset.reset=latest skip what new partitions get "
    "before they see them"
)


@rule("KA1846", "high", dev="low", effect=WEAKER, acts=AT_ONCE)
def partitions_changed(topic: Subject, before: Subject) -> Problems:
    """A topic gets another number of partitions.

    Why: a key's partition is its hash modulo the number of partitions. With more of them most keys move: the order of a key's records is broken
        across the change, compaction keeps an old and a new value, joins and state stores no longer meet. Fewer are not possible: tools
        refuse it, and Terraform's providers delete the topic and create it anew.
    Fix: 1. create a new topic with the number that you need; 2. copy the records, or let both run until the old one has run out; 3. move writers
        and readers. Where no record has a key, raising is harmless.
    Care: readers with auto.offset.reset=latest skip what is written to new partitions before they see them, which takes up to
        metadata.max.age.ms (5 minutes).
    Bad (topic):
        before:
            partitions=6
            replication.factor=3
        after:
            partitions=12
            replication.factor=3
    Good (topic):
        before:
            partitions=6
            replication.factor=3
        after:
            partitions=6
            replication.factor=3
            retention.ms=604800000
    See: https://kafka.apache.org/documentation/#basic_ops_modify_topic
    """
    if topic.running():
        if topic.live(COUNT) > before.live(COUNT):
            yield Problem(COUNT, f"keys have moved to other partitions: {ORDER}")
        return
    applies(topic.is_set("partitions") and before.is_set("partitions"), "the number is not known on both sides")
    old, new = before.int("partitions"), topic.int("partitions")
    if new > old:
        yield Problem("partitions", f"keys move to other partitions: {ORDER}")
    elif new < old and not topic.known_as() and not resource_of_operator(topic):
        text = "a topic cannot have fewer: tools refuse it, or delete the topic with its records"
        yield Problem("partitions", text, step=1, effect=LOST)


@rule("KA1847", "medium", dev="info", effect=CHANGED, acts=AT_ONCE)
def replication_factor_changed(topic: Subject, before: Subject) -> Problems:
    """A topic is declared with another replication factor.

    Why: existing partitions are moved, not changed in place: some tools reassign them at once without a throttle, others ignore or refuse
        it (Strimzi's topic operator without spec.cruiseControl), and Terraform's providers replace the topic on old brokers. With fewer replicas than min.insync.replicas writes stop before
        Kafka 3.7; from 3.7 on the broker requires the smaller of the two.
    Fix: 1. reassign with kafka-reassign-partitions.sh --throttle; 2. wait until every replica is in sync; 3. then change the declaration.
    Care: raise the factor before min.insync.replicas, and lower it after.
    Bad (topic):
        before:
            partitions=6
            replication.factor=3
        after:
            partitions=6
            replication.factor=2
    Good (topic):
        before:
            partitions=6
            replication.factor=3
        after:
            partitions=6
            replication.factor=3
            retention.ms=1
    See: KIP-455, KAFKA-15583, https://kafka.apache.org/documentation/#basic_ops_increase_replication_factor
    """
    if topic.running():
        old, new = before.live(REPLICAS), topic.live(REPLICAS)
        if new < old:
            yield Problem(REPLICAS, f"{new} in place of {old}: fewer failures are survived")
        return
    applies(topic.is_set("replication.factor") and before.is_set("replication.factor"), "not known on both sides")
    old, new = before.int("replication.factor"), topic.int("replication.factor")
    applies(old > 0 and new > 0, "the brokers' default")
    if old != new and resource_of_operator(topic) and not is_reassigned(topic):
        words = "without spec.cruiseControl the topic operator refuses it (NotSupported): the replicas stay as they are"
        yield Problem("replication.factor", words, acts="never: the operator refuses it")
        return
    if not topic.at_least(CAPPED) and new < topic.int("min.insync.replicas") <= old:
        yield Problem(
            "replication.factor", f"{new} are fewer than min.insync.replicas: acks=all writes are refused", step=1
        )
    elif new < old:
        yield Problem("replication.factor", f"{old - new} of {old} replicas go: fewer failures are survived")
    elif new > old:
        yield Problem(
            "replication.factor",
            "every partition is copied over the network, by most tools without a throttle",
            step=-1,
        )


def is_reassigned(topic: Subject) -> bool:
    """Whether Strimzi's topic operator has Cruise Control move the replicas of a topic. Raises Unknown, NotApplicable."""
    applies(topic.removal() == OF_TOPIC, "the operator leaves the topic alone")
    with_cruise_control = topic.live("cruise control")
    if with_cruise_control is None:
        raise Unknown(
            "the Kafka resource of its cluster, which says whether Cruise Control runs, is not among the files"
        )
    return bool(with_cruise_control)


@rule("KA1848", "medium", dev="info", effect=LOST, acts=RESTART)
def offsets_retention_shortened(broker: Subject, before: Subject) -> Problems:
    """Offsets of groups without members are dropped sooner.

    Why: a group that has had no member for longer loses all its offsets at the next check, and starts by auto.offset.reset when it comes back: it
        reads everything again, or skips what was written meanwhile.
    Fix: 1. list groups without members (kafka-consumer-groups.sh --list --state empty); 2. export their offsets (--group NAME --all-topics
        --reset-offsets --to-current --export); 3. then change the value.
    Care: jobs that run once a week or a month are such groups.
    Bad:
        before:
            process.roles=broker
            node.id=1
            offsets.retention.minutes=10080
        after:
            process.roles=broker
            node.id=1
            offsets.retention.minutes=60
    Good:
        before:
            process.roles=broker
            node.id=1
            offsets.retention.minutes=60
        after:
            process.roles=broker
            node.id=1
    See: KIP-211, https://kafka.apache.org/documentation/#brokerconfigs_offsets.retention.minutes
    """
    old, new = before.int("offsets.retention.minutes"), broker.int("offsets.retention.minutes")
    if new < old:
        yield Problem(
            "offsets.retention.minutes",
            f"groups without members for over {in_words(new * 60_000, 'ms')} lose their offsets",
        )


TIMESTAMPS = {
    "message.timestamp.after.max.ms": "ahead of the broker's clock",
    "message.timestamp.before.max.ms": "behind it",
}
"""How far from the broker's clock the timestamp of a record may be, by the side on which it is."""


@rule("KA2118", "medium", dev="info", each=tuple(TIMESTAMPS), since=(3, 6), effect=STOPPED)
def timestamp_limit_lowered(config: Subject, before: Subject, key: str) -> Problems:
    """Records are rejected whose timestamps were near enough to the broker's clock before.

    Why: producers that stamp records with the time of an event, or whose clocks differ, get InvalidTimestampException, which they do not
        try again: the record is the producer's loss. Mirrors and restored backups write old timestamps.
    Fix: 1. see how far the timestamps of the topic's records are from the time of their arrival; 2. lower the limit to what is beyond them.
    Care: message.timestamp.type=LogAppendTime rejects nothing: the broker writes its own time over that of the producer.
    Bad (topic):
        before:
            message.timestamp.after.max.ms=3600000
        after:
            message.timestamp.after.max.ms=1000
    Good (topic):
        before:
            message.timestamp.after.max.ms=3600000
        after:
            message.timestamp.after.max.ms=7200000
    See: KIP-937
    """
    own, acts = own_key(config, key)
    prefix = "" if own == key else "log."
    applies(config.str(f"{prefix}message.timestamp.type") != "LogAppendTime", "the broker's own time is written")
    is_written = own in config.keys() or own in before.keys()
    applies(is_written or (config.version_given() and before.version_given()), "defaults of releases that are assumed")
    old, new = before.int(own), config.int(own)
    if new < old:
        yield Problem(own, f"records stamped more than {in_words(new, own)} {TIMESTAMPS[key]} are rejected", acts=acts)
