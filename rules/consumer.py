"""Consumer: committing, resetting, group membership, assignment."""

from __future__ import annotations

from advisor.catalog.classes import SHORT_NAMES
from advisor.facts import new_protocol
from advisor.rule import Problem, Problems, Subject, applies, fact, rule
from rules.producer import shared_by_replicas

JAVA, LIBRDKAFKA = "java", "librdkafka"
NEW_PROTOCOL_IS_STRICT = (4, 0)
BUNDLED = "org.apache.kafka.clients.consumer."
SHARE_ONLY = ("share.acknowledgement.mode", "share.acquire.mode")
COMMITTED_EARLY = {
    JAVA: "offsets are committed on a timer: a crash skips records that another thread has not finished",
    LIBRDKAFKA: "offsets are committed on a timer, processed or not: a crash skips the rest",
}
"""What the timer of each client family does to records that are not processed yet."""
CLASSES = {
    "range": BUNDLED + "RangeAssignor",
    "roundrobin": BUNDLED + "RoundRobinAssignor",
    "sticky": BUNDLED + "StickyAssignor",
    "cooperative-sticky": BUNDLED + "CooperativeStickyAssignor",
}
"""The classes behind the short names."""
EAGER = (BUNDLED + "RangeAssignor", BUNDLED + "RoundRobinAssignor", BUNDLED + "StickyAssignor")


@fact
def commits_by_itself(consumer: Subject) -> bool:
    """Whether the client commits on a timer; without a group the default counts as off in Java."""
    if not consumer.bool("enable.auto.commit"):
        return False
    return consumer.is_set("enable.auto.commit") or consumer.is_set("group.id")


@rule("KA1101", "medium", dev="info", aim="by hand: application")
def auto_commit(consumer: Subject) -> Problems:
    """Offsets are committed on a timer, even of records that have not been processed.

    Why: librdkafka's timer commits what it has handed to the application, processed or not; a crash then skips the
        rest. The Java client commits, inside poll() and close(), what earlier polls returned: a loop that processes its
        records before it polls again loses none, but records handed to another thread, a batch or a buffer are
        committed before they are processed. Records processed since the last commit are read again after a crash.
    Fix: set enable.auto.commit=false and commit after processing; with librdkafka set enable.auto.offset.store=false
        and store the offsets of processed records.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        enable.auto.commit=true
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        enable.auto.commit=false
    See: https://kafka.apache.org/documentation/#consumerconfigs_enable.auto.commit
    """
    stores_itself = consumer.family() == LIBRDKAFKA and not consumer.bool("enable.auto.offset.store")
    applies(not stores_itself, "the application stores the offsets itself (enable.auto.offset.store=false)")
    if commits_by_itself(consumer):
        default = not consumer.is_set("enable.auto.commit")
        message = COMMITTED_EARLY[consumer.family()]
        text = f"on by default: {message}" if default else message
        yield Problem("enable.auto.commit", text, "false", step=-default)


@rule("KA1102", "low", dev="info", aim="by hand: application")
def offset_reset_latest(consumer: Subject) -> Problems:
    """Without a committed offset a group starts at the end of the partition and skips existing records.

    Why: `latest` (the default) applies not only to the first start: after offsets have expired
        (offsets.retention.minutes), and on partitions added later, records written before the consumer found the
        partition are never read.
    Fix: set auto.offset.reset=earliest where no record may be missed, and process records idempotently.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        auto.offset.reset=latest
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        auto.offset.reset=earliest
    See: https://kafka.apache.org/documentation/#consumerconfigs_auto.offset.reset
    """
    ends = ("latest", "largest", "end") if consumer.family() == "librdkafka" else ("latest",)
    if consumer.str("auto.offset.reset").lower() in ends:
        step = 0 if consumer.is_set("auto.offset.reset") else -1
        yield Problem(
            "auto.offset.reset", "a group without committed offsets skips all existing records", "earliest", step=step
        )


@rule("KA1103", "info", aim="by hand: application")
def offset_reset_none(consumer: Subject) -> Problems:
    """Without a committed offset the consumer gets an error instead of a start position.

    Why: a new group, a new partition and expired offsets all cause NoOffsetForPartitionException, and the application
        has to seek by itself.
    Fix: set auto.offset.reset=earliest, unless the application handles the error.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        auto.offset.reset=none
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        auto.offset.reset=earliest
    See: https://kafka.apache.org/documentation/#consumerconfigs_auto.offset.reset
    """
    if consumer.str("auto.offset.reset").lower() in ("none", "error"):
        yield Problem("auto.offset.reset", "a consumer without a committed offset gets an error", "earliest")


@rule("KA1104", "low", dev="info", aim="set isolation.level=read_committed")
def read_uncommitted(consumer: Subject) -> Problems:
    """The consumer reads records of transactions that may still be aborted.

    Why: with isolation.level=read_uncommitted a consumer reads a transaction's records before it is committed, aborted
        records included, which ends the producer's exactly-once guarantee. It makes no difference to topics without
        transactions.
    Fix: set isolation.level=read_committed.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        isolation.level=read_uncommitted
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        isolation.level=read_committed
    See: KIP-98, https://kafka.apache.org/documentation/#consumerconfigs_isolation.level
    """
    applies(consumer.is_set("isolation.level"), "left at its default")
    if consumer.str("isolation.level").lower() == "read_uncommitted":
        yield Problem("isolation.level", "the consumer also reads aborted records", "read_committed")


@rule("KA1105", "medium", dev="low", regulated="high", aim="set isolation.level=read_committed")
def transactions_read_uncommitted(consumer: Subject, producer: Subject) -> Problems:
    """The consumer reads a transactional producer's records before their transaction is committed.

    Why: transactions are atomic only to consumers with isolation.level=read_committed; the Java client's default is
        read_uncommitted.
    Fix: set isolation.level=read_committed on the consumer.
    Bad:
        [producer]
        bootstrap.servers=b1:9092,b2:9092
        transactional.id=orders-1
        [consumer]
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
    Good:
        [producer]
        bootstrap.servers=b1:9092,b2:9092
        transactional.id=orders-1
        [consumer]
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        isolation.level=read_committed
    See: KIP-98, https://kafka.apache.org/documentation/#consumerconfigs_isolation.level
    """
    applies(producer.is_set("transactional.id"), "the producer is not transactional")
    if consumer.str("isolation.level").lower() == "read_uncommitted":
        places = [consumer.at("isolation.level"), producer.at("transactional.id")]
        yield Problem(places, "the consumer also reads aborted records", "read_committed", likely=True)


@rule("KA1106", "low", dev="info", aim="remove auto.commit.interval.ms")
def commit_interval_low(consumer: Subject) -> Problems:
    """The consumer commits offsets many times a second.

    Why: every commit is a write to __consumer_offsets, replicated and compacted; a group of many members that commits
        ten times a second each keeps its coordinator busier than the data does.
    Fix: set auto.commit.interval.ms to 1000 or more (default 5000).
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        enable.auto.commit=true
        auto.commit.interval.ms=100
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        enable.auto.commit=true
        auto.commit.interval.ms=5000
    See: https://kafka.apache.org/documentation/#consumerconfigs_auto.commit.interval.ms
    """
    applies(consumer.is_set("auto.commit.interval.ms"), "left at its default")
    applies(consumer.bool("enable.auto.commit"), "the client commits nothing by itself")
    interval = consumer.int("auto.commit.interval.ms")
    if interval < 1000 and (interval > 0 or consumer.family() == JAVA):
        yield Problem("auto.commit.interval.ms", f"every member commits every {interval} ms", ">= 1000")


@rule("KA1107", "medium", since=(2, 2), refuses=True, aim="by hand: application")
def group_id_empty(consumer: Subject) -> Problems:
    """The group id is empty, so it names no group.

    Why: an empty group.id is a group that unrelated consumers share by accident. It is deprecated since 2.2; clients
        from 4.0 on, and those with group.protocol=consumer before, are not created with it.
    Fix: set group.id to a name, or remove it where the application assigns partitions itself.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        key.deserializer=org.apache.kafka.common.serialization.StringDeserializer
        group.id=
    Good:
        bootstrap.servers=b1:9092,b2:9092
        key.deserializer=org.apache.kafka.common.serialization.StringDeserializer
        group.id=billing
    See: KIP-289, org.apache.kafka.clients.consumer.KafkaConsumer
    """
    applies(consumer.family() == JAVA and consumer.is_set("group.id"), "no group.id is written")
    if not consumer.str("group.id"):
        strict = consumer.at_least(NEW_PROTOCOL_IS_STRICT) or new_protocol(consumer)
        yield Problem("group.id", "an empty id names no group", "a name", refused=strict)


@rule(
    "KA1108",
    "medium",
    each=("session.timeout.ms", "heartbeat.interval.ms", "partition.assignment.strategy"),
    refuses=True,
    changes=True,
    aim="remove",
    fix="safe: drop",
)
def classic_key_in_new_protocol(consumer: Subject, key: str) -> Problems:
    """A setting of the classic group protocol is set with group.protocol=consumer.

    Why: with KIP-848 the broker decides on sessions, heartbeats and assignment. Clients from 4.0 on, and librdkafka,
        are not created with such a key; older Java clients silently ignore it.
    Fix: remove session.timeout.ms, heartbeat.interval.ms and partition.assignment.strategy; set
        group.consumer.session.timeout.ms and the like on the broker or the group, and group.remote.assignor for the
        assignor.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        group.protocol=consumer
        session.timeout.ms=45000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        group.protocol=consumer
    See: KIP-848, org.apache.kafka.clients.consumer.ConsumerConfig
    """
    applies(consumer.is_set(key) and new_protocol(consumer), "only with group.protocol=consumer")
    strict = consumer.family() == LIBRDKAFKA or consumer.at_least(NEW_PROTOCOL_IS_STRICT)
    if consumer.text(key).strip():
        what = "does not allow" if strict else "ignores"
        message = f"group.protocol=consumer {what} it: the broker decides"
        yield Problem([key, "group.protocol"], message, "unset", refused=strict, changes=not strict)


@rule("KA1109", "medium", each=("group.remote.assignor", *SHARE_ONLY), refuses=True, aim="by hand: choice")
def new_key_in_classic_protocol(consumer: Subject, key: str) -> Problems:
    """A classic consumer has a setting of the newer group protocols, and is not created.

    Why: the broker's assignors belong to group.protocol=consumer, the acknowledgement and acquire modes to share
        consumers.
    Fix: remove the key, or set group.protocol=consumer for group.remote.assignor.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        group.remote.assignor=uniform
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        group.protocol=consumer
        group.remote.assignor=uniform
    See: KIP-848, KIP-932, org.apache.kafka.clients.consumer.ConsumerConfig
    """
    applies(consumer.family() == JAVA and consumer.is_set(key), "not set")
    share = key in SHARE_ONLY
    if consumer.str(key) and (share or not new_protocol(consumer)):
        protocol = consumer.str("group.protocol").lower()
        refused = consumer.at_least((3, 9))
        yield Problem([key, "group.protocol"], f"group.protocol={protocol} does not allow it", "unset", refused=refused)


@rule("KA1110", "medium", refuses=True, aim="by hand: application", fix="safe: set")
def assignor_short_name(consumer: Subject) -> Problems:
    """The assignor has librdkafka's short name, which the Java client takes for a class and refuses.

    Why: partition.assignment.strategy lists classes in Java; no class is called `range`.
    Fix: set partition.assignment.strategy to a class such as
        org.apache.kafka.clients.consumer.CooperativeStickyAssignor, or remove it.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        partition.assignment.strategy=range
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        partition.assignment.strategy=org.apache.kafka.clients.consumer.RangeAssignor
    See: https://kafka.apache.org/documentation/#consumerconfigs_partition.assignment.strategy
    """
    applies(consumer.family() == JAVA, "librdkafka takes short names")
    applies(consumer.is_set("partition.assignment.strategy"), "left at its default")
    applies(not new_protocol(consumer), "with group.protocol=consumer the broker assigns")
    names = consumer.list("partition.assignment.strategy")
    if any(name.lower() in SHORT_NAMES for name in names):
        key, classes = "partition.assignment.strategy", ",".join(CLASSES.get(name.lower(), name) for name in names)
        message = "the Java client finds no class of this name"
        yield Problem(key, message, BUNDLED + "…Assignor", refused=True, fix=f"set {key}={classes}")


@rule("KA1111", "low", since=(3, 3), refuses=True, changes=True, aim="by hand: application", fix="safe: set")
def assignor_twice(consumer: Subject) -> Problems:
    """partition.assignment.strategy lists the same assignor twice.

    Why: members vote by assignor name, so each name may occur once. Clients from 3.3 to 4.1 are not created with a
        repeated one; later clients drop it with a warning.
    Fix: list each assignor in partition.assignment.strategy once.
    Bad (3.9):
        bootstrap.servers=b1:9092,b2:9092
        group.id=g
        partition.assignment.strategy=org.example.MyAssignor,org.example.MyAssignor
    Good (3.9):
        bootstrap.servers=b1:9092,b2:9092
        group.id=g
        partition.assignment.strategy=org.example.MyAssignor
    See: org.apache.kafka.clients.consumer.ConsumerPartitionAssignor
    """
    applies(consumer.family() == JAVA, "Java only")
    applies(consumer.is_set("partition.assignment.strategy"), "left at its default")
    names = consumer.list("partition.assignment.strategy")
    if len(set(names)) < len(names):
        refused = not consumer.at_least((4, 2)) and not new_protocol(consumer)
        message, once = "an assignor is listed twice", ",".join(dict.fromkeys(names))
        key = "partition.assignment.strategy"
        fix = f"set {key}={once}"
        yield Problem(key, message, "each once", refused=refused, changes=not refused, used=once, fix=fix)


@rule("KA1112", "medium", refuses=True, aim="by hand: application")
def assignors_mixed(consumer: Subject) -> Problems:
    """librdkafka refuses to mix cooperative-sticky with the eager assignors.

    Why: unlike the Java client, librdkafka cannot move a running group from one rebalance protocol to the other.
    Fix: set partition.assignment.strategy to cooperative-sticky alone, or to eager assignors only.
    Bad:
        metadata.broker.list=b1:9092,b2:9092
        group.id=billing
        enable.auto.offset.store=false
        partition.assignment.strategy=range,cooperative-sticky
    Good:
        metadata.broker.list=b1:9092,b2:9092
        group.id=billing
        enable.auto.offset.store=false
        partition.assignment.strategy=cooperative-sticky
    See: KIP-429, https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md
    """
    applies(consumer.family() == LIBRDKAFKA, "Java may mix them")
    names = consumer.list("partition.assignment.strategy")
    if "cooperative-sticky" in names and len(set(names)) > 1:
        yield Problem("partition.assignment.strategy", "eager and cooperative assignors cannot be mixed", refused=True)


@rule("KA1113", "info", since=(2, 4), aim="by hand: application")
def eager_assignor(consumer: Subject) -> Problems:
    """Every rebalance takes all partitions from all members before it assigns them again.

    Why: with an eager assignor the whole group stops at each rebalance, and a rolling deployment is a series of them;
        the cooperative assignor moves only the partitions that have to move.
    Fix: remove partition.assignment.strategy (since 3.0 the default allows a move to the cooperative protocol), then
        set it to CooperativeStickyAssignor; or use group.protocol=consumer.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        partition.assignment.strategy=org.apache.kafka.clients.consumer.RoundRobinAssignor
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        partition.assignment.strategy=org.apache.kafka.clients.consumer.CooperativeStickyAssignor
    See: KIP-429
    """
    applies(consumer.family() == JAVA and consumer.is_set("partition.assignment.strategy"), "left at its default")
    applies(not new_protocol(consumer), "with group.protocol=consumer the broker assigns partitions")
    names = consumer.list("partition.assignment.strategy")
    if names and all(name in EAGER for name in names):
        yield Problem("partition.assignment.strategy", "the whole group stops at each rebalance")


@rule("KA1114", "low", dev="info", regulated="medium", aim="set check.crcs=true")
def checksums_off(consumer: Subject) -> Problems:
    """The consumer does not verify the checksums of the records it reads.

    Why: check.crcs=false saves a little CPU, and lets records that were damaged on disk or in transit pass as good
        ones.
    Fix: set check.crcs=true (the Java default; librdkafka's is false).
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        check.crcs=false
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        check.crcs=true
    See: https://kafka.apache.org/documentation/#consumerconfigs_check.crcs
    """
    applies(consumer.is_set("check.crcs"), "left at its default")
    if not consumer.bool("check.crcs"):
        yield Problem("check.crcs", "damaged records pass unnoticed", "true")


@rule("KA1115", "low", dev="info", aim="set max.poll.records=500")
def poll_records_1(consumer: Subject) -> Problems:
    """Each poll returns a single record.

    Why: max.poll.records does not limit what is fetched; the value 1 only makes the application poll, and often commit,
        once per record.
    Fix: set max.poll.records=500 (the default) and process the batch; if processing is slow, raise
        max.poll.interval.ms.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        max.poll.records=1
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        max.poll.records=100
    See: https://kafka.apache.org/documentation/#consumerconfigs_max.poll.records
    """
    if consumer.int("max.poll.records") == 1:
        yield Problem("max.poll.records", "the application polls once per record", "500")


@rule("KA1116", "info", confidence="guess", since=(2, 3), aim="by hand: address")
def group_instance_id_shared(consumer: Subject) -> Problems:
    """All instances with this file share one group.instance.id, and each removes the others from the group.

    Why: a static member's id belongs to one consumer of the group: the next consumer that joins with it fences the
        first (FencedInstanceIdException), or is refused while the first is alive. Replicas of one container that all have
        the id fence each other for ever.
    Fix: set group.instance.id to something that is unique to each instance and survives restarts, such as
        billing-${POD_NAME}. A single instance may keep the plain name.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        group.instance.id=billing
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        group.instance.id=billing-1
    See: KIP-345, https://kafka.apache.org/documentation/#consumerconfigs_group.instance.id
    """
    applies(consumer.is_set("group.instance.id"), "no static member")
    id, instances = consumer.str("group.instance.id"), consumer.live("instances")
    if id and instances > 1:
        yield shared_by_replicas("group.instance.id", instances)
    elif id and not any(letter.isdigit() for letter in id):
        yield Problem(
            "group.instance.id",
            "all instances with this file share the id and fence each other",
            "an id for each instance",
        )
