"""Sizes: what a producer may send, a topic takes, a broker replicates and a consumer fetches."""

from __future__ import annotations

from advisor.facts import has_brokers, roles, written
from advisor.rule import PLACEHOLDER, At, Problem, Problems, Subject, applies, fact, rule

JAVA, LIBRDKAFKA = "java", "librdkafka"
MEGABYTE = 1024 * 1024
LARGE = 2 * MEGABYTE
SOCKET_REQUEST = 100 * MEGABYTE
"""socket.request.max.bytes of a broker that does not set it."""


def limit_keys(config: Subject) -> tuple[str, ...]:
    """The setting of a topic or a broker that limits a batch of records."""
    return {
        "topic": ("max.message.bytes",),
        "broker": ("message.max.bytes",),
        "combined": ("message.max.bytes",),
    }.get(config.kind(), ())


def request_limit(producer: Subject) -> str:
    """The producer's setting for the largest request."""
    return "message.max.bytes" if producer.family() == LIBRDKAFKA else "max.request.size"


def too_large(producer: Subject, places: list[At], sent: int, taken: int, likely: bool = False) -> Problem:
    """What to say of a larger limit: a producer that compresses may need it, and is only likely to be refused."""
    if compresses(producer):
        text = f"a batch of up to {sent} bytes before compression is refused above {taken} bytes after it"
        return Problem(places, text, f"<= {taken}", step=-1, likely=True)
    return Problem(
        places,
        f"a batch of up to {sent} bytes may be sent, but only {taken} bytes are accepted",
        f"<= {taken}",
        likely=likely,
    )


@fact
def compresses(producer: Subject) -> bool:
    """Whether the producer compresses its batches, or may do so when the file is filled in."""
    if producer.shape("compression.type") == PLACEHOLDER:
        return True
    return producer.str("compression.type").lower() != "none"


@rule("KA801", "medium", dev="low", each=limit_keys)
def message_size(config: Subject, key: str) -> Problems:
    """Messages may be so large that every client and broker needs larger limits.

    Why: producers (max.request.size, 1 MB), brokers (socket.request.max.bytes, 100 MB) and consumers' memory have
        limits of their own; large messages also take heap on all of them. A limit above socket.request.max.bytes is
        never reached: the broker closes the connection on a larger request.
    Fix: set message.max.bytes or max.message.bytes to about a megabyte and send references to large objects, or raise
        the limits of all clients and brokers together.
    Bad:
        process.roles=broker
        node.id=1
        message.max.bytes=200000000
    Good:
        process.roles=broker
        node.id=1
        message.max.bytes=1048588
    See: https://kafka.apache.org/documentation/#brokerconfigs_message.max.bytes
    """
    size = config.int(key)
    most = SOCKET_REQUEST if config.kind() == "topic" else config.int("socket.request.max.bytes")
    applies(most >= MEGABYTE or config.is_set(key), "requests end below the default: see socket-request-low")
    if size > most:
        places = [key] if config.kind() == "topic" else [key, "socket.request.max.bytes"]
        yield Problem(
            places, f"no message gets this large: requests end at socket.request.max.bytes={most}", f"< {most}"
        )
    elif size > LARGE:
        yield Problem(key, "the limits of all clients have to be as large", "1048588", step=-1)


@rule("KA802", "medium", dev="low")
def request_above_topic(producer: Subject, topic: Subject) -> Problems:
    """The producer may send larger batches than the topic accepts.

    Why: a batch above max.message.bytes is refused with MESSAGE_TOO_LARGE; a single record of that size can never be
        written. The producer compares a record before compression, the broker the batch after it: with compression a
        larger max.request.size is usual, and only records that do not shrink are refused.
    Fix: set max.request.size to at most the topic's max.message.bytes, or raise that.
    Bad:
        [producer]
        bootstrap.servers=b1:9092,b2:9092
        max.request.size=5000000
        [topic]
        retention.ms=86400000
        max.message.bytes=1000000
    Good:
        [producer]
        bootstrap.servers=b1:9092,b2:9092
        max.request.size=1000000
        [topic]
        retention.ms=86400000
        max.message.bytes=1000000
    See: https://kafka.apache.org/documentation/#topicconfigs_max.message.bytes
    """
    key = request_limit(producer)
    applies(producer.is_set(key) or topic.is_set("max.message.bytes"), "both are left at their defaults")
    sent, taken = producer.int(key), topic.int("max.message.bytes")
    if sent > taken:
        places = [producer.at(key), topic.at("max.message.bytes")]
        yield too_large(producer, places, sent, taken)


@rule("KA803", "medium", dev="low")
def request_above_broker(producer: Subject, cluster: Subject) -> Problems:
    """The producer may send larger batches than the brokers accept.

    Why: a batch above message.max.bytes is refused with MESSAGE_TOO_LARGE unless the topic allows more. The producer
        compares a record before compression, the broker the batch after it: with compression a larger max.request.size
        is usual, and only records that do not shrink are refused.
    Fix: set max.request.size to at most message.max.bytes, or raise message.max.bytes on all brokers or
        max.message.bytes of the topic.
    Bad:
        [producer]
        bootstrap.servers=b1:9092,b2:9092
        max.request.size=5000000
        [broker]
        process.roles=broker
        node.id=1
    Good:
        [producer]
        bootstrap.servers=b1:9092,b2:9092
        max.request.size=5000000
        [broker]
        process.roles=broker
        node.id=1
        message.max.bytes=5000000
    See: https://kafka.apache.org/documentation/#brokerconfigs_message.max.bytes
    """
    key = request_limit(producer)
    applies(has_brokers(cluster), "no file of a broker")
    applies(producer.is_set(key) or cluster.is_set("message.max.bytes"), "both are left at their defaults")
    sent, taken = producer.int(key), cluster.int("message.max.bytes")
    if sent > taken:
        places = [producer.at(key), cluster.at("message.max.bytes")]
        yield too_large(producer, places, sent, taken, likely=True)


@rule("KA804", "info", each=("max.partition.fetch.bytes", "fetch.max.bytes"))
def fetch_below_topic(consumer: Subject, topic: Subject, key: str) -> Problems:
    """The consumer's fetches are smaller than one batch of the topic may be.

    Why: since KIP-74 the first batch is always sent whole, so no consumer gets stuck, but each such fetch returns one
        batch of one partition, which is slow.
    Fix: set max.partition.fetch.bytes and fetch.max.bytes to at least the topic's max.message.bytes.
    Bad:
        [consumer]
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        max.partition.fetch.bytes=100000
        [topic]
        retention.ms=86400000
        max.message.bytes=5000000
    Good:
        [consumer]
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        max.partition.fetch.bytes=5000000
        [topic]
        retention.ms=86400000
        max.message.bytes=5000000
    See: KIP-74
    """
    applies(consumer.is_set(key) or topic.is_set("max.message.bytes"), "both are left at their defaults")
    fetched, held = consumer.int(key), topic.int("max.message.bytes")
    if fetched < held:
        places = [consumer.at(key), topic.at("max.message.bytes")]
        yield Problem(places, f"a batch of up to {held} bytes exceeds the limit and is fetched alone", f">= {held}")


@rule("KA805", "info")
def replica_fetch_too_small(broker: Subject) -> Problems:
    """Followers' fetches are smaller than one batch may be.

    Why: since KIP-74 the first batch of a fetch is always sent whole, so a large batch slows replication but never
        stops it. Kafka's own defaults differ in this way by twelve bytes.
    Fix: raise replica.fetch.max.bytes to message.max.bytes.
    Bad:
        process.roles=broker
        node.id=1
        message.max.bytes=10000000
    Good:
        process.roles=broker
        node.id=1
        message.max.bytes=10000000
        replica.fetch.max.bytes=10000000
    See: KIP-74
    """
    applies(broker.is_set("message.max.bytes") or broker.is_set("replica.fetch.max.bytes"), "left at their defaults")
    held, fetched = broker.int("message.max.bytes"), broker.int("replica.fetch.max.bytes")
    if held > fetched + 1024:
        keys = sorted(("replica.fetch.max.bytes", "message.max.bytes"), key=broker.is_set, reverse=True)
        yield Problem(keys, f"a batch of up to {held} bytes exceeds the limit and is fetched alone", f">= {held}")


@rule("KA807", "medium", dev="low", aim="remove socket.request.max.bytes")
def socket_request_low(node: Subject) -> Problems:
    """The broker refuses requests of a size that ordinary clients send.

    Why: on a request above socket.request.max.bytes the broker closes the connection without a response; a producer's
        request is up to max.request.size (1 MB), those of large groups and of controllers are larger still.
    Fix: remove socket.request.max.bytes (default 104857600).
    Bad:
        process.roles=broker
        node.id=1
        socket.request.max.bytes=500000
    Good:
        process.roles=broker
        node.id=1
        socket.request.max.bytes=104857600
    See: https://kafka.apache.org/documentation/#brokerconfigs_socket.request.max.bytes
    """
    most = node.int("socket.request.max.bytes")
    if most < MEGABYTE:
        applies("broker" in roles(node), "no clients")
        yield Problem(
            "socket.request.max.bytes", f"the broker closes connections with requests above {most} bytes", "104857600"
        )


@rule("KA808", "high", dev="medium", aim="by hand: load")
def batch_above_buffer(producer: Subject) -> Problems:
    """A batch is larger than the producer's whole buffer: every send fails.

    Why: the producer allocates a whole batch.size from buffer.memory for each new batch, and throws an error if
        buffer.memory is smaller.
    Fix: set buffer.memory (default 33554432) to many times batch.size (default 16384), a few batches per partition.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        batch.size=1000000
        buffer.memory=500000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        batch.size=65536
        buffer.memory=67108864
    See: org.apache.kafka.clients.producer.internals.BufferPool
    """
    applies(producer.family() == JAVA, "librdkafka counts its queue otherwise")
    batch, memory = producer.int("batch.size"), producer.int("buffer.memory")
    if batch > memory:
        keys = sorted(("batch.size", "buffer.memory"), key=producer.is_set, reverse=True)
        yield Problem(keys, f"a batch needs {batch} bytes, and the buffer has {memory}: every send fails")


@rule("KA809", "low", dev="info")
def batch_above_request(producer: Subject) -> Problems:
    """A full batch is larger than the largest request.

    Why: a request carries at least one batch, so max.request.size is exceeded, and the broker refuses the batch if it
        is above message.max.bytes; the producer then splits and sends it again.
    Fix: set batch.size (default 16384) below max.request.size (default 1048576).
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        batch.size=2000000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        batch.size=500000
    See: https://kafka.apache.org/documentation/#producerconfigs_max.request.size
    """
    applies(producer.family() == JAVA, "librdkafka bounds its batches by itself")
    batch, request = producer.int("batch.size"), producer.int("max.request.size")
    if batch > request:
        keys = sorted(("batch.size", "max.request.size"), key=producer.is_set, reverse=True)
        yield Problem(keys, f"a full batch of {batch} bytes exceeds a request of {request}", f"<= {request}")


@rule("KA810", "low", dev="info")
def fetch_limits_crossed(consumer: Subject) -> Problems:
    """The fetch limit of one partition is above that of the whole fetch.

    Why: fetch.max.bytes limits every fetch, so a larger max.partition.fetch.bytes has no effect. Only the first batch of
        a fetch is returned whole, however large it is (KIP-74).
    Fix: set max.partition.fetch.bytes (default 1048576) below fetch.max.bytes (default 52428800).
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        fetch.max.bytes=500000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        fetch.max.bytes=10000000
    See: https://kafka.apache.org/documentation/#consumerconfigs_fetch.max.bytes
    """
    one, whole = consumer.int("max.partition.fetch.bytes"), consumer.int("fetch.max.bytes")
    if one > whole:
        keys = sorted(("fetch.max.bytes", "max.partition.fetch.bytes"), key=consumer.is_set, reverse=True)
        ends = f"{whole} bytes or with its first batch"
        yield Problem(keys, f"a fetch ends at {ends}, so {one} for one partition have no effect")


@rule("KA811", "low", dev="info", aim="remove max.partition.fetch.bytes")
def partition_fetch_tiny(consumer: Subject) -> Problems:
    """Each fetch returns little more than one batch of a partition.

    Why: with a tiny max.partition.fetch.bytes every batch costs a request; so throughput falls and the brokers' load
        rises.
    Fix: remove max.partition.fetch.bytes (default 1048576); limit the work per poll with max.poll.records in Java,
        and what librdkafka holds with queued.max.messages.kbytes.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        max.partition.fetch.bytes=1000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        max.partition.fetch.bytes=1048576
    See: https://kafka.apache.org/documentation/#consumerconfigs_max.partition.fetch.bytes
    """
    size = consumer.int("max.partition.fetch.bytes")
    if size < 16_384:
        yield Problem("max.partition.fetch.bytes", "every small batch costs a request of its own", "1048576")


@rule("KA812", "medium", each=("fetch.max.bytes", "receive.message.max.bytes"), refuses=True)
def receive_limits_crossed(consumer: Subject, key: str) -> Problems:
    """librdkafka's limits for messages, fetches and responses contradict each other, and the client is not created.

    Why: a fetch has to hold one message and a response one fetch: message.max.bytes <= fetch.max.bytes <=
        receive.message.max.bytes - 512. Limits that are not set adjust themselves.
    Fix: raise fetch.max.bytes and receive.message.max.bytes together with message.max.bytes, or remove them.
    Bad:
        metadata.broker.list=b1:9092,b2:9092
        group.id=billing
        fetch.max.bytes=500000
        message.max.bytes=1000000
    Good:
        metadata.broker.list=b1:9092,b2:9092
        group.id=billing
        fetch.max.bytes=5000000
        message.max.bytes=1000000
    See: https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md
    """
    applies(consumer.family() == LIBRDKAFKA and consumer.is_set(key), "adjusts itself")
    message, fetch = consumer.int("message.max.bytes"), consumer.int("fetch.max.bytes")
    fetch = fetch if consumer.is_set("fetch.max.bytes") else max(fetch, message)
    least, other = (message, "message.max.bytes") if key == "fetch.max.bytes" else (fetch + 512, "fetch.max.bytes")
    if consumer.int(key) < least:
        yield Problem([key, other], f"the limit must be at least {least} for {other}", f">= {least}", refused=True)


@rule("KA813", "info", aim="set compression.type=producer")
def brokers_recompress(broker: Subject) -> Problems:
    """Brokers recompress batches that producers compressed with another codec.

    Why: with a compression.type of its own the leader decompresses every batch of another codec and compresses it
        again: that costs CPU time of the request handlers, and the producer's choice is lost.
    Fix: set compression.type=producer (the default) on brokers and topics, and the codec on the producers.
    Bad:
        process.roles=broker
        node.id=1
        compression.type=gzip
    Good:
        process.roles=broker
        node.id=1
        compression.type=producer
    See: https://kafka.apache.org/documentation/#brokerconfigs_compression.type
    """
    codec = broker.str("compression.type").lower()
    if codec != "producer":
        yield Problem("compression.type", f"the leader recompresses every batch that is not {codec}", "producer")


@rule("KA814", "info", aim="remove compression.type")
def topic_recompressed(topic: Subject) -> Problems:
    """The topic's leaders recompress batches that producers compressed with another codec.

    Why: with a compression.type of its own the leader decompresses every batch of another codec and compresses it
        again: that costs CPU time of the request handlers, and the producer's choice is lost.
    Fix: remove compression.type from the topic (default producer), and set the codec on its producers.
    Bad (topic):
        cleanup.policy=delete
        compression.type=gzip
    Good (topic):
        cleanup.policy=delete
        compression.type=producer
    See: https://kafka.apache.org/documentation/#topicconfigs_compression.type
    """
    applies(written(topic, "compression.type"), "the cluster's value counts")
    codec = topic.str("compression.type").lower()
    if codec != "producer":
        yield Problem("compression.type", f"the leader recompresses every batch that is not {codec}", "producer")
