"""Producer: retries, idempotence, ordering, transactions, batching."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, applies, fact, rule
from rules import whole

JAVA, LIBRDKAFKA = "java", "librdkafka"
IDEMPOTENT_BY_DEFAULT = (3, 0)
IN_FLIGHT_IS_ERROR = (4, 0)
EXPONENTIAL_BACKOFF = (3, 7)
ALL = ("all", "-1")
IN_FLIGHT = "max.in.flight.requests.per.connection"
NEEDED = {"acks": "acks=all", "retries": "retries not set", IN_FLIGHT: f"{IN_FLIGHT} <= 5"}
"""What idempotence asks of the keys that can rule it out."""
PATIENCE = 10_000
"""Milliseconds of retrying that outlast the election of a new leader."""
DEPRECATED_PARTITIONERS = (
    "org.apache.kafka.clients.producer.internals.DefaultPartitioner",
    "org.apache.kafka.clients.producer.UniformStickyPartitioner",
)
ROUND_ROBIN = "org.apache.kafka.clients.producer.RoundRobinPartitioner"


@fact
def asks_for_idempotence(producer: Subject) -> bool:
    """Whether the file says that it wants idempotence, so that Kafka refuses what contradicts it.

    Before 3.0 a transactional.id said so too; librdkafka still takes it so.
    """
    if producer.is_set("enable.idempotence"):
        return producer.bool("enable.idempotence")
    implied = producer.family() == LIBRDKAFKA or not producer.at_least(IDEMPOTENT_BY_DEFAULT)
    return implied and transactional(producer)


@fact
def transactional(producer: Subject) -> bool:
    """Whether a transactional.id is set; librdkafka takes an empty one for none."""
    if not producer.is_set("transactional.id"):
        return False
    return producer.family() == JAVA or bool(producer.text("transactional.id").strip())


@fact
def against_idempotence(producer: Subject) -> str | None:
    """The key whose value rules idempotence out, in the order in which Kafka looks; None where nothing does."""
    explicit = producer.family() == LIBRDKAFKA or not producer.at_least(IDEMPOTENT_BY_DEFAULT)
    if _counts(producer, "retries", explicit) and producer.int("retries") == 0:
        return "retries"
    if _counts(producer, "acks", explicit) and producer.str("acks").lower() not in ALL:
        return "acks"
    if _counts(producer, IN_FLIGHT, explicit) and producer.int(IN_FLIGHT) > 5:
        return IN_FLIGHT
    return None


def _counts(producer: Subject, key: str, explicit: bool) -> bool:
    return not explicit or producer.is_set(key)


@fact
def idempotent(producer: Subject) -> bool:
    """Whether the producer is idempotent in the end; one that Kafka refuses counts as it was meant."""
    if asks_for_idempotence(producer):
        return True
    if not producer.bool("enable.idempotence"):
        return False
    against = against_idempotence(producer)
    return against is None or (against == IN_FLIGHT and producer.at_least(IN_FLIGHT_IS_ERROR))


@rule("KA1001", "high", dev="low", aim="by hand: load", fix="unsafe: remove retries")
def retries_limited(producer: Subject) -> Problems:
    """A producer that gives up after a few retries loses records to transient errors.

    Why: leader elections and restarts cause retriable errors for seconds. delivery.timeout.ms (120 s) is what should
        limit a send; a small `retries` ends it within seconds, and the record is lost unless the application handles
        the error. The pause between two tries is retry.backoff.ms (100); from 3.7 on, and in librdkafka, it doubles up
        to retry.backoff.max.ms (1000). With retries=0 clients since 3.0 also silently disable idempotence.
    Fix: remove `retries` (default 2147483647) and limit the send with delivery.timeout.ms.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        retries=0
    Good:
        bootstrap.servers=b1:9092,b2:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        delivery.timeout.ms=60000
    See: KIP-91, KIP-580, https://kafka.apache.org/documentation/#producerconfigs_retries
    """
    retries = producer.int("retries")
    if retries == 0:
        yield Problem("retries", "one transient error loses the record", "unset", step=_pointless(producer))
    elif retries > 0 and backoff(producer, retries) < PATIENCE:
        message = f"gives up after {backoff(producer, retries) / 1000:g} s; a leader election takes seconds"
        yield Problem("retries", message, "unset", step=-1 + _pointless(producer))


def backoff(producer: Subject, retries: int) -> int:
    """The milliseconds that so many retries wait in all: from 3.7 on each pause is twice the last (KIP-580)."""
    first = producer.int("retry.backoff.ms")
    if producer.family() == JAVA and not producer.at_least(EXPONENTIAL_BACKOFF):
        return retries * first
    longest = producer.int("retry.backoff.max.ms")
    growing = [min(first << tries, longest) for tries in range(min(retries, 32))]
    return sum(growing) + (retries - len(growing)) * growing[-1]


def _pointless(producer: Subject) -> int:
    return -1 if producer.str("acks") == "0" else 0


@rule("KA1002", "medium", dev="low", changes=True, aim="set enable.idempotence=true", fix="unsafe")
def idempotence_off(producer: Subject) -> Problems:
    """Without idempotence a retry may write a record twice or out of order.

    Why: a broker cannot tell a retried batch from a new one unless the producer numbers its batches; with more than one
        request in flight the retried batch also lands behind later ones. Clients since 3.0 number their batches by
        default, and silently stop where acks, retries or the requests in flight do not allow it; librdkafka and older
        Java clients do so only with enable.idempotence=true.
    Fix: set enable.idempotence=true, and remove what contradicts it: acks other than all, retries=0,
        max.in.flight.requests.per.connection above 5.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        enable.idempotence=false
    Good:
        bootstrap.servers=b1:9092,b2:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
    See: KIP-679, https://kafka.apache.org/documentation/#producerconfigs_enable.idempotence
    """
    if idempotent(producer):
        return
    against = against_idempotence(producer)
    if producer.is_set("enable.idempotence"):
        yield Problem("enable.idempotence", f"a retry may {harm(producer)} records", "true")
    elif producer.bool("enable.idempotence"):
        message = f"{against}={producer.text(against or '')} silently switches idempotence off"
        acks = against == "acks"
        yield Problem(
            ["enable.idempotence", against or ""],
            message,
            NEEDED.get(against or ""),
            changes=True,
            used="false",
            step=-acks,
            cause="KA101" if acks else None,
            fix="remove retries" if against == "retries" else "set acks=all" if acks else "",
        )
    else:
        old = producer.family() == JAVA
        yield Problem(
            "enable.idempotence",
            f"off by default in this client: a retry may {harm(producer)} records",
            "true",
            step=-1 if old else 0,
        )


def harm(producer: Subject) -> str:
    """What a retry does without idempotence: with one request in flight the order stays."""
    return "duplicate" if producer.int(IN_FLIGHT) == 1 else "duplicate or reorder"


@rule("KA1003", "medium", dev="low", refuses=True, aim="set acks=all", fix="unsafe")
def idempotence_contradicted(producer: Subject) -> Problems:
    """The producer enables idempotence beside a setting that rules it out, and the client is not created.

    Why: idempotence needs acks=all and retries; the client checks that when the application creates it.
    Fix: set acks=all (and remove retries=0 where it is set), or remove enable.idempotence=true.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        enable.idempotence=true
        acks=1
    Good:
        bootstrap.servers=b1:9092,b2:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        enable.idempotence=true
        acks=all
    See: KIP-98, org.apache.kafka.clients.producer.ProducerConfig
    """
    applies(asks_for_idempotence(producer), "idempotence is not enabled")
    against = against_idempotence(producer)
    if against in ("acks", "retries"):
        needed = "all" if against == "acks" else "2147483647"
        what = "acks=all" if against == "acks" else "retries"
        message = f"idempotence needs {what}: the client cannot be created"
        fix = "set acks=all" if against == "acks" else "remove retries"
        yield Problem([against, "enable.idempotence"], message, needed, refused=True, fix=fix)


@rule("KA1004", "medium", dev="low", refuses=True, aim="remove max.in.flight.requests.per.connection", fix="unsafe")
def in_flight_too_high(producer: Subject) -> Problems:
    """More requests are in flight than ordering allows: five with idempotence, one without.

    Why: a broker remembers the last five batches of an idempotent producer; with more in flight it cannot put retried
        batches in order, so clients refuse the value (from 4.0 on also where idempotence is only the default) or
        disable idempotence. Without idempotence a second request in flight may overtake a retried first one.
    Fix: remove max.in.flight.requests.per.connection (default 5) and set enable.idempotence=true.
    Bad (3.9):
        bootstrap.servers=b1:9092,b2:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        max.in.flight.requests.per.connection=10
    Good (3.9):
        bootstrap.servers=b1:9092,b2:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        max.in.flight.requests.per.connection=5
    See: KIP-679, https://kafka.apache.org/documentation/#producerconfigs_max.in.flight.requests.per.connection
    """
    applies(producer.is_set(IN_FLIGHT), "left at its default")
    flying = producer.int(IN_FLIGHT)
    if flying > 5 and (asks_for_idempotence(producer) or _in_flight_is_error(producer)):
        yield Problem(IN_FLIGHT, f"idempotence allows at most 5 requests in flight, not {flying}", "5", refused=True)
    elif not idempotent(producer) and flying > 1 and producer.int("retries") > 0 and producer.str("acks") != "0":
        message = f"with {flying} requests in flight and no idempotence, a retry reorders records"
        yield Problem(IN_FLIGHT, message, "5", step=0 if flying > 5 else -1)


def _in_flight_is_error(producer: Subject) -> bool:
    modern = producer.family() == JAVA and producer.at_least(IN_FLIGHT_IS_ERROR)
    return modern and producer.bool("enable.idempotence")


@rule("KA1005", "medium", dev="low", refuses=True, aim="by hand: application")
def transaction_without_idempotence(producer: Subject) -> Problems:
    """A transactional producer disables idempotence, and the client is not created.

    Why: a transaction is built on idempotence. A transactional.id beside enable.idempotence=false, or since 3.0 beside
        anything that disables the default (acks=1, retries=0), causes a ConfigException.
    Fix: remove enable.idempotence=false and what else disables idempotence: acks other than all, retries=0.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        transactional.id=orders-1
        enable.idempotence=false
    Good:
        bootstrap.servers=b1:9092,b2:9092
        key.serializer=org.apache.kafka.common.serialization.StringSerializer
        transactional.id=orders-1
    See: KIP-98, org.apache.kafka.clients.producer.ProducerConfig
    """
    applies(transactional(producer), "no transactional.id")
    if not idempotent(producer):
        blame = "enable.idempotence" if producer.is_set("enable.idempotence") else against_idempotence(producer)
        message = "transactions need idempotence: the client cannot be created"
        yield Problem([blame or "transactional.id", "transactional.id"], message, refused=True)


@rule("KA1006", "medium", since=(4, 1), refuses=True, aim="by hand: choice")
def two_phase_commit_timeout(producer: Subject) -> Problems:
    """A transaction timeout is set with two-phase commit, which has none.

    Why: with transaction.two.phase.commit.enable the external coordinator ends transactions, never a timeout.
    Fix: remove transaction.timeout.ms, or transaction.two.phase.commit.enable.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        transactional.id=orders-1
        transaction.two.phase.commit.enable=true
        transaction.timeout.ms=60000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        transactional.id=orders-1
        transaction.two.phase.commit.enable=true
    See: KIP-939, org.apache.kafka.clients.producer.ProducerConfig
    """
    if producer.bool("transaction.two.phase.commit.enable") and producer.is_set("transaction.timeout.ms"):
        yield Problem(
            "transaction.timeout.ms", "a transaction with two-phase commit has no timeout", "unset", refused=True
        )


@rule("KA1007", "low", dev="info", aim="remove max.block.ms")
def max_block_0(producer: Subject) -> Problems:
    """With max.block.ms=0 a send fails at once whenever metadata or buffer space is not available.

    Why: the very first send of a topic has no metadata yet, so it throws a TimeoutException before the client has sent
        a request; the same happens whenever the buffer is full for a moment.
    Fix: set max.block.ms to 60000 (the default), or at least to the time that fetching metadata takes.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        max.block.ms=0
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        max.block.ms=10000
    See: https://kafka.apache.org/documentation/#producerconfigs_max.block.ms
    """
    if producer.int("max.block.ms") == 0:
        yield Problem("max.block.ms", "the first send of every topic fails", "60000", step=1)


@rule(
    "KA1008",
    "low",
    dev="info",
    since=(3, 3),
    before=(4, 0),
    aim="by hand: application",
    fix="unsafe: remove partitioner.class",
)
def deprecated_partitioner(producer: Subject) -> Problems:
    """The partitioner class is deprecated, and Kafka 4.0 removed it.

    Why: DefaultPartitioner and UniformStickyPartitioner send more to slow brokers; the partitioning built into the
        producer since 3.3 does not. In 4.0 the classes do not exist, and the client is not created.
    Fix: remove partitioner.class; to ignore keys, set partitioner.ignore.keys=true.
    Bad (3.9):
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        partitioner.class=org.apache.kafka.clients.producer.UniformStickyPartitioner
    Good (3.9):
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        partitioner.ignore.keys=true
    See: KIP-794, https://kafka.apache.org/documentation/#producerconfigs_partitioner.class
    """
    if producer.str("partitioner.class") in DEPRECATED_PARTITIONERS:
        yield Problem("partitioner.class", "the class is deprecated since 3.3 and removed in 4.0", "unset")


@rule("KA1009", "info", aim="by hand: load")
def compression_off(producer: Subject) -> Problems:
    """Batches are sent and stored uncompressed, although the producer waits to fill them.

    Why: linger.ms and a large batch.size make batches that compress well, which saves network and disk on every
        replica.
    Fix: set compression.type=lz4 or zstd.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        linger.ms=50
        compression.type=none
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        linger.ms=50
        compression.type=lz4
    See: https://kafka.apache.org/documentation/#producerconfigs_compression.type
    """
    applies(producer.is_set("linger.ms") or producer.is_set("batch.size"), "batching is left at its default")
    waits = producer.float("linger.ms") if producer.family() == LIBRDKAFKA else producer.int("linger.ms")
    if waits > 0 and producer.str("compression.type").lower() == "none":
        yield Problem("compression.type", "network and every replica carry uncompressed batches", "lz4")


@rule("KA1010", "info", aim="by hand: load")
def linger_long(producer: Subject) -> Problems:
    """Every record may wait for seconds in the producer before it is sent.

    Why: linger.ms adds to the latency of each batch that does not fill up; a second fills any sensible batch, and
        records that wait in memory are lost with the process.
    Fix: set linger.ms to 5 to 100.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        linger.ms=10000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        linger.ms=20
    See: https://kafka.apache.org/documentation/#producerconfigs_linger.ms
    """
    waits = producer.float("linger.ms") if producer.family() == LIBRDKAFKA else producer.int("linger.ms")
    if waits > 1000:
        yield Problem("linger.ms", f"a record may wait {waits:g} ms before it is sent", "<= 1000", step=1)


@rule("KA1011", "low", dev="info", aim="remove batch.size")
def batch_size_0(producer: Subject) -> Problems:
    """With a tiny batch.size every record is a request of its own.

    Why: batching is what makes Kafka fast: one record per request multiplies the load on network threads, request
        handlers and replication, and makes compression useless.
    Fix: remove batch.size (default 16384).
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        batch.size=0
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        batch.size=65536
    See: https://kafka.apache.org/documentation/#producerconfigs_batch.size
    """
    applies(producer.family() == JAVA, "librdkafka takes at least 1")
    if producer.int("batch.size") < 1024:
        yield Problem("batch.size", "almost every record is a request of its own", "16384")


@rule("KA1012", "info", aim="by hand: application")
def partitioner_differs(producer: Subject) -> Problems:
    """librdkafka sends a key to another partition than the Java client does.

    Why: its default partitioner consistent_random hashes with CRC32, Java's with murmur2. Where both write to one
        topic, records of one key land on two partitions: ordering, compaction and joins by partition break.
    Fix: set partitioner=murmur2_random where Java clients write to the same topics.
    Bad:
        metadata.broker.list=b1:9092,b2:9092
        acks=all
        linger.ms=5
    Good:
        metadata.broker.list=b1:9092,b2:9092
        acks=all
        partitioner=murmur2_random
    See: https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md
    """
    applies(producer.family() == LIBRDKAFKA, "only librdkafka differs")
    if producer.str("partitioner") in ("consistent_random", "consistent"):
        yield Problem(
            "partitioner",
            "Java clients send the same key to another partition: they hash with murmur2, not CRC32",
            "murmur2_random",
        )


@rule("KA1013", "medium", refuses=True, aim="remove queuing.strategy")
def queuing_not_fifo(producer: Subject) -> Problems:
    """librdkafka refuses idempotence with a queue that is not first in, first out.

    Why: the sequence numbers of an idempotent producer follow the order of its queue.
    Fix: remove queuing.strategy (default fifo).
    Bad:
        metadata.broker.list=b1:9092,b2:9092
        acks=all
        enable.idempotence=true
        queuing.strategy=lifo
    Good:
        metadata.broker.list=b1:9092,b2:9092
        acks=all
        enable.idempotence=true
        queuing.strategy=fifo
    See: https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md
    """
    applies(producer.family() == LIBRDKAFKA and asks_for_idempotence(producer), "only with librdkafka's idempotence")
    if producer.str("queuing.strategy").lower() != "fifo":
        yield Problem("queuing.strategy", "idempotence needs a queue that is first in, first out", "fifo", refused=True)


@rule("KA1014", "medium", dev="low", since=(2, 4), before=(4, 0), aim="by hand: application")
def round_robin_uneven(producer: Subject) -> Problems:
    """RoundRobinPartitioner skips every second partition of a topic with an even number of partitions.

    Why: from 2.4 on the producer asks the partitioner a second time for each new batch, and round robin then moves on
        by two: half of the partitions get no records, and their consumers no work. Fixed in 3.9.2 and 4.0.0.
    Fix: remove partitioner.class: the default spreads records without a key evenly. Set partitioner.ignore.keys=true
        (3.3 or newer) to spread keyed records too, or upgrade the client to 3.9.2 or 4.0.
    Care: without partitioner.ignore.keys=true the hash of a record's key chooses its partition, and a frequent key
        fills one partition.
    Bad (3.6):
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        partitioner.class=org.apache.kafka.clients.producer.RoundRobinPartitioner
    Good (3.6):
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        partitioner.ignore.keys=true
    See: KAFKA-9965, KAFKA-17632
    """
    applies(producer.family() == JAVA, "only the Java client has it")
    if producer.str("partitioner.class") == ROUND_ROBIN:
        fixed_later = producer.version() == (3, 9)
        message = "half of the partitions get no records" + (" up to 3.9.1" if fixed_later else "")
        yield Problem("partitioner.class", message, "unset", step=-1 if fixed_later else 0)


@rule("KA1015", "info", confidence="guess", aim="by hand: address")
def transactional_id_shared(producer: Subject) -> Problems:
    """All instances with this file share one transactional id, and each fences the others.

    Why: an id belongs to one producer at a time: the last to call initTransactions() with it ends all others with
        ProducerFencedException, over and over. Spring numbers the ids behind its transaction-id-prefix within one
        application, so that replicas with one prefix have the same ids.
    Fix: set transactional.id to something that is unique to each instance and survives restarts, such as
        orders-${POD_NAME}. A single instance may keep the plain name.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        transactional.id=orders
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        transactional.id=orders-1
    See: KIP-98, https://kafka.apache.org/documentation/#producerconfigs_transactional.id
    """
    applies(transactional(producer), "no transactional producer")
    id, instances = producer.str("transactional.id"), producer.live("instances")
    if id and instances > 1:
        yield shared_by_replicas("transactional.id", instances)
    elif id and not any(letter.isdigit() for letter in id):
        yield Problem(
            "transactional.id",
            "all instances with this file share the id and fence each other",
            "an id for each instance",
        )


def shared_by_replicas(key: str, instances: int) -> Problem:
    """The problem that so many replicas of one container have one id."""
    words = f"{whole(instances)} have this id, and each fences the others"
    return Problem(key, words, "an id for each instance", step=3, likely=True)
