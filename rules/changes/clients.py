"""Changes of clients: positions of groups, guarantees of producers, and what the members of a group must agree on."""

from __future__ import annotations

from advisor.facts import new_protocol
from advisor.rule import CHANGED, CLIENT_START, LOST, STOPPED, WEAKER, Problem, Problems, Subject, applies, rule
from rules.producer import against_idempotence, idempotent

IDEMPOTENCE = "enable.idempotence"
HASHES, IGNORES = "partitioner.class", "partitioner.ignore.keys"
OLD_DEFAULT = "org.apache.kafka.clients.producer.internals.DefaultPartitioner"
RESET = "auto.offset.reset"
ISOLATION, COMMITTED = "isolation.level", "read_committed"
START_OF = {
    "latest": "skips what was written until it starts",
    "earliest": "reads everything again that is kept",
    "none": "ends with an exception",
}
"""What a group without offsets does, by auto.offset.reset."""


def start_of(consumer: Subject) -> str:
    """What the new group does: it has no offsets."""
    return START_OF.get(consumer.str(RESET).lower(), "starts by auto.offset.reset")


PROTOCOL, ASSIGNORS = "group.protocol", "partition.assignment.strategy"
RANGE = (("org.apache.kafka.clients.consumer.RangeAssignor",), ("range",))
INNER_RESETS = {
    "streams": (f"main.consumer.{RESET}", f"consumer.{RESET}", RESET),
    "connect": (f"consumer.{RESET}",),
}
"""What sets the reset of consumers that Streams and Connect make themselves, the nearest first."""


def reset_of(config: Subject) -> tuple[str, str]:
    """The key by which a consumer, or what has consumers of its own, says where it begins without offsets, and what it says."""
    if config.kind() in ("consumer", "client"):
        return RESET, config.str(RESET).lower()
    applies(config.kind() in INNER_RESETS, "it consumes nothing")
    is_connector = config.kind() == "connect" and config.is_set("connector.class")
    keys = (f"consumer.override.{RESET}",) if is_connector else INNER_RESETS[config.kind()]
    key = next((key for key in keys if config.is_set(key)), keys[-1])
    return key, config.str(key).lower()


WRAPPER = "ErrorHandlingDeserializer"


@rule("KA1860", "critical", dev="low", effect=LOST, acts=CLIENT_START)
def group_id_changed(consumer: Subject, before: Subject) -> Problems:
    """A consumer joins another group, which has no offsets.

    Why: offsets belong to the group. The new group starts by auto.offset.reset: with latest it skips what is written until its first poll, with
        earliest it reads everything again that is kept. The old group's offsets expire, and its alerts of lag go quiet.
    Fix: 1. stop all consumers of the group; 2. copy the offsets (kafka-consumer-groups.sh --bootstrap-server HOST:PORT --group OLD --all-topics
        --reset-offsets --to-current --export > offsets.csv, then kafka-consumer-groups.sh --bootstrap-server HOST:PORT --group NEW --reset-offsets
        --from-file offsets.csv --execute); 3. start them with the new group.id.
    Care: with two groups at once every record is processed twice.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing-v2
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            client.id=billing-v2
    See: https://kafka.apache.org/documentation/#consumerconfigs_group.id
    """
    old, new = before.str("group.id"), consumer.str("group.id")
    applies(old and new, "no group on both sides")
    if old != new:
        yield Problem("group.id", f"the new group has no offsets: it {start_of(consumer)}")


@rule("KA1861", "high", dev="info", effect=LOST, acts="when offsets are missing or out of range")
def reset_to_latest(config: Subject, before: Subject) -> Problems:
    """A consumer without a position skips to the end, where it began at the start before.

    Why: nothing happens while offsets exist. When a partition is new, offsets expired or records were deleted, the consumer now skips what
        is there, silently. Consumers of Streams and of sink connectors begin at the start unless they are told otherwise.
    Fix: keep earliest where no record may be missed; to skip once, reset the group's offsets with kafka-consumer-groups.sh.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            auto.offset.reset=earliest
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            auto.offset.reset=latest
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            auto.offset.reset=latest
    See: https://kafka.apache.org/documentation/#consumerconfigs_auto.offset.reset
    """
    (_, old), (key, new) = reset_of(before), reset_of(config)
    if old == "earliest" and new == "latest":
        yield Problem(key, "a new partition, or one without offsets, is read from its end: what is there is skipped")


@rule("KA1862", "high", dev="info", effect=STOPPED, acts=CLIENT_START)
def no_common_assignor(config: Subject, before: Subject) -> Problems:
    """Members with the new file and those with the old one share no assignor, or no protocol.

    Why: all members of a group have to support one assignor. The first restarted member is refused with INCONSISTENT_GROUP_PROTOCOL while an old
        one lives, and dies; the group works again when all old members are gone. Streams changes its group.protocol only while no member runs. Consumers
        with group.protocol=consumer join one by one, but brokers assign by `uniform` then: several topics are no longer assigned together as
        RangeAssignor did, and who joins them by partition gets other pairs.
    Fix: 1. deploy all consumers with both assignors in partition.assignment.strategy, the new one first; 2. deploy them with the new one alone.
        Or stop all, wait for session.timeout.ms, and start all. For several topics that are read in pairs set group.remote.assignor=range.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            partition.assignment.strategy=org.apache.kafka.clients.consumer.RangeAssignor
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            partition.assignment.strategy=org.apache.kafka.clients.consumer.RoundRobinAssignor
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            partition.assignment.strategy=org.apache.kafka.clients.consumer.CooperativeStickyAssignor
    See: KIP-429, https://kafka.apache.org/documentation/#consumerconfigs_partition.assignment.strategy
    """
    kind = config.kind()
    applies(kind in ("consumer", "client", "streams"), "no member of a group")
    if kind == "streams":
        applies(config.is_set(PROTOCOL) or before.is_set(PROTOCOL), "the protocol is left at its default")
        if config.str(PROTOCOL).lower() != before.str(PROTOCOL).lower():
            yield Problem(PROTOCOL, "members with the new protocol are refused while one with the old one runs")
        return
    applies(not new_protocol(before), "the brokers assign partitions")
    if new_protocol(config):
        applies(
            before.is_set(ASSIGNORS) and before.list(ASSIGNORS)[:1] in RANGE, "nobody chose to read topics in pairs"
        )
        if config.str("group.remote.assignor").lower() != "range":
            words = "where several topics are read, their partitions are no longer assigned together"
            yield Problem(PROTOCOL, words, step=-1, likely=True, effect=LOST)
        return
    if not set(before.list(ASSIGNORS)) & set(config.list(ASSIGNORS)):
        yield Problem(ASSIGNORS, "members with the new assignors and members with the old ones cannot be in one group")


@rule("KA1863", "high", dev="info", effect=WEAKER, acts=CLIENT_START)
def reads_uncommitted(consumer: Subject, before: Subject) -> Problems:
    """A consumer reads records of transactions that were aborted.

    Why: with read_committed it saw records of committed transactions alone. Now it processes what producers have taken back.
    Fix: keep isolation.level=read_committed for topics that are written in transactions.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            isolation.level=read_committed
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            isolation.level=read_committed
    See: KIP-98, https://kafka.apache.org/documentation/#consumerconfigs_isolation.level
    """
    if before.str(ISOLATION) == COMMITTED and consumer.str(ISOLATION) != COMMITTED:
        yield Problem(ISOLATION, "records of aborted transactions are processed")


@rule("KA2105", "medium", dev="info", effect=CHANGED, acts=CLIENT_START)
def reads_committed(consumer: Subject, before: Subject) -> Problems:
    """A consumer reads no further than the oldest open transaction of a partition.

    Why: with read_committed a fetch ends at the last stable offset. The slowest transaction decides the latency of every record behind it, and one
        that hangs stops the partition for this consumer, while its lag grows.
    Fix: 1. look for hanging transactions (kafka-transactions.sh find-hanging, from 3.0 on), and abort them; 2. compare transaction.timeout.ms of the
        producers with the delay that readers accept; 3. restart the consumers with read_committed.
    Care: lag is counted up to the last stable offset from then on, and alerts on the end of the log show more.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            isolation.level=read_committed
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            isolation.level=read_uncommitted
    See: KIP-98, KIP-664, https://kafka.apache.org/documentation/#consumerconfigs_isolation.level
    """
    if before.str(ISOLATION) != COMMITTED and consumer.str(ISOLATION) == COMMITTED:
        yield Problem(
            ISOLATION, "records behind an open transaction wait for its end, a hanging one stops the partition"
        )


@rule("KA1864", "high", dev="info", effect=LOST, acts=CLIENT_START)
def auto_commit_on(consumer: Subject, before: Subject) -> Problems:
    """Offsets are committed on a timer, where the application committed them before.

    Why: the timer commits what poll() returned, also what has not been processed: after a crash these records are skipped.
    Fix: keep enable.auto.commit=false where the application commits.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            enable.auto.commit=false
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            enable.auto.commit=true
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            enable.auto.commit=true
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
    See: https://kafka.apache.org/documentation/#consumerconfigs_enable.auto.commit
    """
    key = "enable.auto.commit"
    if consumer.bool(key) and not before.bool(key):
        yield Problem(key, "records that were polled and not processed are skipped after a crash")


@rule("KA1865", "medium", dev="info", effect=WEAKER, acts=CLIENT_START)
def auto_commit_off(consumer: Subject, before: Subject) -> Problems:
    """Nothing commits offsets any more, unless the application does.

    Why: where the code does not commit, the group's offsets stand still: every restart reads again what was read before, and after
        offsets.retention.minutes everything.
    Fix: 1. deploy the code that commits; 2. then switch the timer off. Frameworks (Spring, Quarkus) commit by themselves.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            enable.auto.commit=true
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            enable.auto.commit=false
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            enable.auto.commit=false
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            enable.auto.commit=false
            max.poll.records=100
    See: https://kafka.apache.org/documentation/#consumerconfigs_enable.auto.commit
    """
    key = "enable.auto.commit"
    if before.bool(key) and before.is_set(key) and not consumer.bool(key):
        yield Problem(key, "offsets stand still unless the code commits them", likely=True, step=-1)


@rule("KA1866", "medium", dev="info", effect=STOPPED, acts=CLIENT_START)
def static_member_changed(consumer: Subject, before: Subject) -> Problems:
    """A consumer is another static member of its group than before, or none.

    Why: the group keeps the partitions of the old member for session.timeout.ms after it ends: nobody reads them until then, once per restarted
        instance.
    Fix: 1. keep group.instance.id; else 1. stop the instance; 2. remove its old member (Admin.removeMembersFromConsumerGroup); 3. start it with the
        new id.
    Care: instances need an id each, such as the pod's name.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            group.instance.id=billing-1
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            group.instance.id=invoices-1
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            group.instance.id=billing-1
    See: KIP-345, https://kafka.apache.org/documentation/#consumerconfigs_group.instance.id
    """
    key = "group.instance.id"
    applies(before.is_set(key) and before.str(key), "no static member before")
    applies(consumer.str("group.id") == before.str("group.id"), "another group")
    if consumer.str(key) != before.str(key):
        yield Problem(key, "the partitions of the old member stand still until session.timeout.ms has passed")


@rule("KA1867", "high", dev="info", each=("key.deserializer", "value.deserializer"), effect=STOPPED, acts=CLIENT_START)
def deserializer_changed(consumer: Subject, before: Subject, key: str) -> Problems:
    """A consumer reads bytes by another format.

    Why: what is in the topic was written for the old one. The first record that it cannot read ends the poll, and the consumer stays at that offset.
    Fix: 1. deploy a consumer that reads both formats; 2. change the writers; 3. when the old records have expired, or were read, take the old format out.
    Care: with an ErrorHandlingDeserializer around it bad records are skipped or sent elsewhere, and lost to this consumer.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            value.deserializer=org.apache.kafka.common.serialization.StringDeserializer
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            value.deserializer=io.confluent.kafka.serializers.KafkaAvroDeserializer
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            value.deserializer=org.apache.kafka.common.serialization.StringDeserializer
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            value.deserializer=org.apache.kafka.common.serialization.StringDeserializer
            max.poll.records=100
    See: https://kafka.apache.org/documentation/#consumerconfigs_value.deserializer
    """
    applies(consumer.is_set(key) and before.is_set(key), "not set on both sides")
    old, new = before.str(key), consumer.str(key)
    applies(WRAPPER not in old + new, "what it wraps is named elsewhere")
    if old != new:
        yield Problem(
            key, "what was written for the old one cannot be read: the consumer stays at that offset", likely=True
        )


@rule("KA1868", "medium", dev="info", effect=STOPPED, acts=CLIENT_START)
def poll_time_shortened(consumer: Subject, before: Subject) -> Problems:
    """A consumer has less time for each record between two polls.

    Why: an instance that does not poll within max.poll.interval.ms is taken out of its group, and its batch is read again by another one: with slow records
        the group never gets on.
    Fix: measure the time of a record; keep max.poll.interval.ms above max.poll.records times that, with room for a slow dependency.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            max.poll.interval.ms=30000
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            max.poll.interval.ms=30000
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
    See: https://kafka.apache.org/documentation/#consumerconfigs_max.poll.interval.ms
    """
    old, new = (side.int("max.poll.interval.ms") / side.int("max.poll.records") for side in (before, consumer))
    applies(new < old / 2, "as much time for a record as before, or more than half of it")
    key = (
        "max.poll.interval.ms"
        if consumer.int("max.poll.interval.ms") < before.int("max.poll.interval.ms")
        else "max.poll.records"
    )
    words = f"{new:g} ms for a record in place of {old:g}: what takes longer is taken out of the group and read again"
    yield Problem(key, words, likely=True)


@rule("KA1869", "medium", dev="info", effect=CHANGED, acts=CLIENT_START)
def reset_to_earliest(config: Subject, before: Subject) -> Problems:
    """A group without offsets reads from the beginning now, where it skipped to the end before.

    Why: auto.offset.reset counts where the group has no offset: at its first start, for new partitions, and after offsets or records have expired. From
        then on everything that is retained is processed again.
    Fix: see that processing a record twice does no harm, or set the group's offsets by hand (kafka-consumer-groups.sh --reset-offsets).
    Care: nothing happens as long as the group has offsets.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            auto.offset.reset=earliest
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            auto.offset.reset=earliest
        after:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
            auto.offset.reset=earliest
            client.id=a
    See: https://kafka.apache.org/documentation/#consumerconfigs_auto.offset.reset
    """
    (_, old), (key, new) = reset_of(before), reset_of(config)
    group = "group.id" if config.kind() != "streams" else "application.id"
    applies(config.str(group) == before.str(group), "another group")
    if old == "latest" and new == "earliest":
        yield Problem(key, "without offsets everything that is retained is processed again", likely=True)


@rule("KA1870", "critical", dev="low", effect=LOST, acts=CLIENT_START)
def acks_lowered(producer: Subject, before: Subject) -> Problems:
    """A producer waits for fewer replicas than before.

    Why: with acks=all a record is acknowledged when all in-sync replicas have it. With 1 the leader alone has it, and its failure loses it; with 0
        no broker may have it. min.insync.replicas no longer counts for this producer.
    Fix: keep acks=all; for throughput raise linger.ms and batch.size.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            acks=all
        after:
            bootstrap.servers=b1:9092,b2:9092
            acks=1
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            acks=1
        after:
            bootstrap.servers=b1:9092,b2:9092
            acks=all
    See: https://kafka.apache.org/documentation/#producerconfigs_acks
    """
    order = {"0": 0, "1": 1}
    old, new = (order.get(side.str("acks"), 2) for side in (before, producer))
    if new < old:
        words = (
            "no broker may have an acknowledged record"
            if new == 0
            else "acknowledged records are lost with their leader"
        )
        yield Problem("acks", words)


@rule("KA1871", "high", dev="info", effect=WEAKER, acts=CLIENT_START)
def idempotence_lost(producer: Subject, before: Subject) -> Problems:
    """Retries of a producer may write a record twice, and out of order.

    Why: an idempotent producer numbers its batches, so that brokers drop what they have already. Without that a retry after a lost answer writes the
        records again, behind later ones if several requests are in flight.
    Fix: set enable.idempotence=true, so that what contradicts it (acks below all, retries=0) is refused and not silently stronger.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            enable.idempotence=true
        after:
            bootstrap.servers=b1:9092,b2:9092
            enable.idempotence=false
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            enable.idempotence=false
        after:
            bootstrap.servers=b1:9092,b2:9092
            enable.idempotence=true
    See: KIP-679, https://kafka.apache.org/documentation/#producerconfigs_enable.idempotence
    """
    applies(
        not before.bool(IDEMPOTENCE) or producer.str("acks") == before.str("acks") or producer.is_set(IDEMPOTENCE),
        "acks is judged",
    )
    if idempotent(before) and not idempotent(producer):
        against = against_idempotence(producer) if producer.bool(IDEMPOTENCE) else None
        yield Problem(against or IDEMPOTENCE, "a retry may write records twice, and out of order")


@rule("KA1872", "high", dev="info", effect=LOST, acts=CLIENT_START)
def partitioner_changed(producer: Subject, before: Subject) -> Problems:
    """The same key goes to another partition than before.

    Why: from the first restarted instance on, new records of a key go to another partition than its old ones: their order is broken, a compacted
        topic keeps two values, joins no longer meet.
    Fix: 1. stop all producers of the topic; 2. let the consumers read to the end; 3. start the producers with the new partitioner. Or use a new
        topic.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            acks=all
        after:
            bootstrap.servers=b1:9092,b2:9092
            acks=all
            partitioner.class=com.example.RegionPartitioner
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            partitioner.class=com.example.RegionPartitioner
            acks=1
        after:
            bootstrap.servers=b1:9092,b2:9092
            partitioner.class=com.example.RegionPartitioner
            acks=all
    See: KIP-794, https://kafka.apache.org/documentation/#producerconfigs_partitioner.class
    """
    words = "new records of a key go to another partition than its old ones: their order is broken"
    if producer.family() == "librdkafka":
        old, new = (side.str("partitioner").removesuffix("_random") for side in (before, producer))
        if old != new:
            yield Problem("partitioner", words)
        return
    old, new = (side.str(HASHES) for side in (before, producer))
    if old != new and {old, new} != {"", OLD_DEFAULT}:
        yield Problem(HASHES, words)
        return
    applies(producer.is_set(IGNORES) or before.is_set(IGNORES), "keys go where they went")
    if not new and producer.bool(IGNORES) != before.bool(IGNORES):
        yield Problem(IGNORES, words)


@rule("KA1873", "high", dev="info", each=("key.serializer", "value.serializer"), effect=STOPPED, acts=CLIENT_START)
def serializer_changed(producer: Subject, before: Subject, key: str) -> Problems:
    """Records are written in another form than before.

    Why: consumers with the old deserializer fail at the first new record, and stay there. Another form of the key is another key: it goes to another
        partition, and compaction never replaces its old value.
    Fix: 1. deploy consumers that read both forms; 2. then the producers. For keys use a new topic.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            value.serializer=org.apache.kafka.common.serialization.StringSerializer
        after:
            bootstrap.servers=b1:9092,b2:9092
            value.serializer=io.confluent.kafka.serializers.KafkaAvroSerializer
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            value.serializer=org.apache.kafka.common.serialization.StringSerializer
        after:
            bootstrap.servers=b1:9092,b2:9092
            value.serializer=org.apache.kafka.common.serialization.StringSerializer
            acks=all
    See: https://kafka.apache.org/documentation/#producerconfigs_key.serializer
    """
    applies(producer.is_set(key) and before.is_set(key), "the code says it")
    if producer.str(key) != before.str(key):
        words = (
            "the same key is other bytes: it goes to another partition"
            if key.startswith("key")
            else "consumers with the old deserializer stop at the first new record"
        )
        yield Problem(key, words)


@rule("KA1874", "high", dev="info", effect=WEAKER, acts=CLIENT_START)
def transactional_id_changed(producer: Subject, before: Subject) -> Problems:
    """A producer's transactional id changes, so that its predecessor is not fenced.

    Why: the id is what fences an instance that still runs. With another one a zombie may still commit, an open transaction of the old id holds back
        read_committed consumers until it times out, and ACLs on the old id do not match.
    Fix: 1. allow the new id (kafka-acls.sh --transactional-id); 2. stop the producer cleanly, with no transaction open; 3. start it with the new id.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            transactional.id=billing-1
        after:
            bootstrap.servers=b1:9092,b2:9092
            transactional.id=invoices-1
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            transactional.id=billing-1
        after:
            bootstrap.servers=b1:9092,b2:9092
            transactional.id=billing-1
            client.id=invoices-1
    See: KIP-98, https://kafka.apache.org/documentation/#producerconfigs_transactional.id
    """
    old, new = before.str("transactional.id"), producer.str("transactional.id")
    applies(old, "no transactions before")
    if not new:
        yield Problem("transactional.id", "writes are no longer atomic, and code that begins a transaction fails")
    elif old != new:
        yield Problem(
            "transactional.id", "an instance with the old id is not fenced, and its open transaction holds readers back"
        )


@rule("KA1875", "high", dev="info", effect=WEAKER, acts=CLIENT_START)
def order_given_up(producer: Subject, before: Subject) -> Problems:
    """A retried batch may be written behind a later one.

    Why: without idempotence the broker takes batches as they come: with more than one request in flight a batch that fails and is sent again lands behind
        the next one.
    Fix: set enable.idempotence=true (with acks=all), which keeps the order of up to five requests in flight.
    Bad:
        before:
            bootstrap.servers=b1:9092,b2:9092
            enable.idempotence=false
            max.in.flight.requests.per.connection=1
        after:
            bootstrap.servers=b1:9092,b2:9092
            enable.idempotence=false
            max.in.flight.requests.per.connection=5
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            max.in.flight.requests.per.connection=1
        after:
            bootstrap.servers=b1:9092,b2:9092
            max.in.flight.requests.per.connection=5
    See: https://kafka.apache.org/documentation/#producerconfigs_max.in.flight.requests.per.connection
    """
    key = "max.in.flight.requests.per.connection"
    applies(before.int(key) == 1 and producer.int(key) > 1, "one request in flight on either side, or more before")
    applies(producer.int("retries") > 0, "nothing is sent again")
    if not idempotent(producer):
        yield Problem(key, "a batch that is sent again lands behind a later one: the order of records is given up")
