"""Changes of clients: positions of groups, guarantees of producers, and what the members of a group must agree on."""

from __future__ import annotations

from advisor.facts import new_protocol
from advisor.rule import CLIENT_START, LOST, STOPPED, WEAKER, Problem, Problems, Subject, applies, rule

IDEMPOTENCE = "enable.idempotence"
HASHES = "partitioner.class"
OLD_DEFAULT = "org.apache.kafka.clients.producer.internals.DefaultPartitioner"
RESET = "auto.offset.reset"
START_OF = {
    "latest": "skips what was written until it starts",
    "earliest": "reads everything again that is kept",
    "none": "ends with an exception",
}
"""What a group without offsets does, by auto.offset.reset."""


def start_of(consumer: Subject) -> str:
    """What the new group does: it has no offsets."""
    return START_OF.get(consumer.str(RESET).lower(), "starts by auto.offset.reset")


@rule("KA1860", "critical", dev="low", effect=LOST, acts=CLIENT_START)
def group_id_changed(consumer: Subject, before: Subject) -> Problems:
    """A consumer joins another group, which has no offsets.

    Why: offsets belong to the group. The new group starts by auto.offset.reset: with latest it skips what is written until its first poll, with
        earliest it reads everything again that is kept. The old group's offsets expire, and its alerts of lag go quiet.
    Fix: 1. stop all consumers of the group; 2. copy the offsets (kafka-consumer-groups.sh --group OLD --reset-offsets --to-current --export, then
        --group NEW --reset-offsets --from-file --execute); 3. start them with the new group.id.
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
def reset_to_latest(consumer: Subject, before: Subject) -> Problems:
    """A consumer without a position skips to the end, where it began at the start before.

    Why: nothing happens while offsets exist. When a partition is new, offsets expired or records were deleted, the consumer now skips what
        is there, silently.
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
    if before.str(RESET).lower() == "earliest" and consumer.str(RESET).lower() == "latest":
        yield Problem(RESET, "a new partition, or one without offsets, is read from its end: what is there is skipped")


@rule("KA1862", "high", dev="info", effect=STOPPED, acts=CLIENT_START)
def no_common_assignor(consumer: Subject, before: Subject) -> Problems:
    """Consumers with the new file and those with the old one share no assignor.

    Why: all members of a group have to support one assignor. The first restarted member is refused with INCONSISTENT_GROUP_PROTOCOL while an old
        one lives, and dies; the group works again when all old members are gone.
    Fix: 1. deploy all consumers with both assignors in partition.assignment.strategy, the new one first; 2. deploy them with the new one alone.
        Or stop all, and start all.
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
    key = "partition.assignment.strategy"
    applies(not new_protocol(consumer) and not new_protocol(before), "the brokers assign partitions")
    old, new = before.list(key), consumer.list(key)
    if not set(old) & set(new):
        yield Problem(key, "members with the new assignors and members with the old ones cannot be in one group")


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
    key = "isolation.level"
    if before.str(key) == "read_committed" and consumer.str(key) != "read_committed":
        yield Problem(key, "records of aborted transactions are processed")


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
    if before.bool(IDEMPOTENCE) and not producer.bool(IDEMPOTENCE):
        yield Problem(IDEMPOTENCE, "a retry may write records twice, and out of order")


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
    old, new = (side.str(HASHES) for side in (before, producer))
    applies(old != new and {old, new} != {"", OLD_DEFAULT}, "keys go where they went")
    yield Problem(HASHES, "new records of a key go to another partition than its old ones: their order is broken")


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


@rule("KA1880", "critical", dev="low", effect=LOST, acts=CLIENT_START)
def application_id_changed(streams: Subject, before: Subject) -> Problems:
    """A Streams application gets another id, and starts without its state and positions.

    Why: application.id is the group, the prefix of changelog and repartition topics, and the folder of the state stores. With another one everything is
        built anew from the input topics, as far as they are kept; the old topics stay and keep their disk.
    Fix: keep application.id. For a new one: 1. stop the application; 2. set the offsets of the new group; 3. let it rebuild its state before others
        read its output; 4. delete the old internal topics.
    Bad:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
        after:
            application.id=orders-v2
            bootstrap.servers=b1:9092,b2:9092
    Good:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            num.stream.threads=4
    See: https://kafka.apache.org/documentation/#streamsconfigs_application.id
    """
    if before.str("application.id") != streams.str("application.id"):
        yield Problem("application.id", "the application starts without its state stores and its positions")


@rule("KA1881", "high", dev="info", effect=WEAKER, acts=CLIENT_START)
def exactly_once_left(streams: Subject, before: Subject) -> Problems:
    """A Streams application no longer processes each record exactly once.

    Why: without transactions a crash leaves results of records that are processed again: duplicates in the output and in the state.
    Fix: keep processing.guarantee=exactly_once_v2; for latency lower commit.interval.ms.
    Bad:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            processing.guarantee=exactly_once_v2
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
    Good:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            processing.guarantee=exactly_once_v2
    See: KIP-447, https://kafka.apache.org/documentation/#streamsconfigs_processing.guarantee
    """
    key = "processing.guarantee"
    if before.str(key).startswith("exactly_once") and not streams.str(key).startswith("exactly_once"):
        yield Problem(key, "a crash leaves duplicates in the output and in the state")
