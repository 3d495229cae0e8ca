"""Throughput: settings that make many small requests, or leave the network waiting."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, applies, rule
from rules import WINDOW, megabytes, window
from rules.producer import IN_FLIGHT, JAVA, LIBRDKAFKA, idempotent
from rules.timeouts import refresh_keys

SMALL_BATCH, DEFAULT_BATCH = 1024, 16_384
"""Bytes: what batch-size-0 says of smaller batches, and the Java client's default."""
RATE = 10_000_000
"""Bytes a second of which the messages give an example."""
PAUSE = 1.0
"""Seconds of an interruption that the producer's buffer should hold at that rate."""
BUSY_WAIT = 50
"""Milliseconds: a fetch that waits no longer makes twenty requests a second and more of an idle client."""
FETCH = 1_048_576
FRESH = 10_000
"""Milliseconds: metadata that is asked for more often is load without use."""


@rule("KA2001", "info", aim="remove linger.ms")
def linger_0(producer: Subject) -> Problems:
    """With linger.ms=0 a record that finds no batch open is a request of its own.

    Why: at 1,000 records a second to one broker that is up to 1,000 requests a second; with the default of 5 ms
        there are at most 200, each of several records, which compress better. The broker pays for every request with
        a network thread, a request handler and an index entry. The default is 5 from Kafka 4.0 on and in librdkafka.
    Fix: remove linger.ms, unless 5 ms matter to the application.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        linger.ms=0
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        linger.ms=5
    See: KIP-1030, https://kafka.apache.org/documentation/#producerconfigs_linger.ms
    """
    applies(producer.family() == LIBRDKAFKA or producer.at_least((4, 0)), "0 is the default of this release")
    applies(producer.is_set("linger.ms"), "what leaves it out decides it")
    waits = producer.float("linger.ms") if producer.family() == LIBRDKAFKA else producer.int("linger.ms")
    if waits == 0:
        yield Problem(
            "linger.ms", "1,000 records a second are up to 1,000 requests a second; with linger.ms=5 at most 200", "5"
        )


@rule("KA2002", "info", aim="remove batch.size")
def batch_small(producer: Subject) -> Problems:
    """Small batches: the same records take many times the requests.

    Why: each batch has a header of 61 bytes and costs the leader an append and every follower a part of a fetch; small
        batches also compress badly. Records that come together still go out in batches of this size at most.
    Fix: remove batch.size (default 16384; librdkafka 1000000); memory is bounded by buffer.memory (in librdkafka
        queue.buffering.max.kbytes), not by it.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        batch.size=2048
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        batch.size=65536
    See: https://kafka.apache.org/documentation/#producerconfigs_batch.size
    """
    size = producer.int("batch.size")
    applies(size >= SMALL_BATCH or producer.family() == LIBRDKAFKA, "see batch-size-0")
    if 0 < size < DEFAULT_BATCH:
        message = f"{megabytes(RATE)} a second are at least {RATE // size:,} batches a second"
        yield Problem("batch.size", f"{message}, with {DEFAULT_BATCH} only {RATE // DEFAULT_BATCH:,}", ">= 16384")


@rule("KA2003", "low", dev="info", aim="remove buffer.memory")
def buffer_small(producer: Subject) -> Problems:
    """The producer's buffer is full after a moment, and send() blocks.

    Why: while a leader is elected, for seconds, records wait in buffer.memory; when it is full send() blocks for up to
        max.block.ms, and the application with it, then records are refused.
    Fix: remove buffer.memory (default 33554432, 3 s of records at 10 MB a second), or give it the bytes of the longest
        pause that the application has to outlast.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        buffer.memory=1048576
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        buffer.memory=67108864
    See: https://kafka.apache.org/documentation/#producerconfigs_buffer.memory
    """
    applies(producer.family() == JAVA, "librdkafka counts messages and kilobytes of its queue")
    memory = producer.int("buffer.memory")
    if memory < RATE * PAUSE:
        seconds = f"{memory / RATE:.1g} s" if memory < RATE else "1 s"
        message = f"at {megabytes(RATE)} a second full after {seconds} of a pause; an election takes seconds"
        yield Problem("buffer.memory", f"{message}: send() blocks", ">= 33554432")


@rule("KA2004", "low", dev="info", aim="remove max.in.flight.requests.per.connection")
def one_in_flight(producer: Subject) -> Problems:
    """One request at a time to each broker, although idempotence keeps the order with five.

    Why: with one request in flight the producer waits for each answer before it sends again: at 5 ms from request to
        answer that is at most 200 requests a second to a broker, however much is waiting. An idempotent producer
        numbers its batches, and the broker puts up to five in order.
    Fix: remove max.in.flight.requests.per.connection (default 5).
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        max.in.flight.requests.per.connection=1
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        max.in.flight.requests.per.connection=5
    See: KIP-98, https://kafka.apache.org/documentation/#producerconfigs_max.in.flight.requests.per.connection
    """
    applies(producer.is_set(IN_FLIGHT), "left at its default")
    applies(idempotent(producer), "without idempotence more than one may reorder records")
    if producer.int(IN_FLIGHT) == 1:
        message = "one request at a time is at most 200 a second to a broker at 5 ms each"
        yield Problem(IN_FLIGHT, f"{message}; idempotence keeps the order with 5", "5")


@rule("KA2005", "info", since=(2, 1), aim="by hand: load")
def gzip(producer: Subject) -> Problems:
    """gzip takes several times the processor time of zstd for the same ratio.

    Why: on the Silesia corpus zlib at its fastest level compresses 95 MB/s by 2.73, zstd 330 MB/s by 2.88 and LZ4
        620 MB/s by 2.10, each on one core (zstd's README); the Java client's gzip runs at level 6, slower still. Every
        consumer decompresses, too: 360, 940 and 3,100 MB/s.
    Fix: set compression.type=zstd where brokers and clients are 2.1 or newer, or lz4 where processor time is scarcer than
        network.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        compression.type=gzip
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        compression.type=zstd
    See: KIP-110, https://github.com/facebook/zstd/blob/dev/README.md
    """
    if producer.str("compression.type").lower() == "gzip":
        message = (
            "one core compresses some 95 MB a second; zstd makes batches as small at 330 MB, lz4 compresses 620 MB"
        )
        yield Problem("compression.type", message, "zstd")


def wait_keys(consumer: Subject) -> tuple[str, ...]:
    """The client's setting for how long a fetch waits."""
    return ("fetch.wait.max.ms",) if consumer.family() == LIBRDKAFKA else ("fetch.max.wait.ms",)


@rule("KA2006", "low", dev="info", each=wait_keys, aim="remove")
def idle_fetches(consumer: Subject, wait_key: str) -> Problems:
    """A consumer that has nothing to read asks again and again.

    Why: a fetch waits at the broker until fetch.min.bytes are there or the wait is over. With a short wait, or
        fetch.min.bytes=0, a consumer that is idle sends requests without a pause to every broker that leads one of its
        partitions; the records come no sooner, because a fetch that waits is answered as soon as one is there.
    Fix: remove fetch.max.wait.ms (default 500; librdkafka: fetch.wait.max.ms) and fetch.min.bytes=0 (default 1).
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        fetch.max.wait.ms=5
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        fetch.max.wait.ms=500
    See: https://kafka.apache.org/documentation/#consumerconfigs_fetch.max.wait.ms
    """
    wait = consumer.int(wait_key)
    if consumer.int("fetch.min.bytes") <= 0:
        message = "an idle consumer sends the next fetch as soon as the last is answered, without a pause"
        yield Problem("fetch.min.bytes", message, ">= 1")
    elif wait < BUSY_WAIT:
        often = f"{1000 // wait:,} fetches a second" if wait else "fetches without a pause"
        yield Problem(wait_key, f"an idle consumer sends {often} to every broker that it reads from", "500")


@rule("KA2007", "low", dev="info", aim="remove fetch.max.bytes")
def fetch_small(consumer: Subject) -> Problems:
    """All partitions of a broker share a small answer, and catching up takes many requests.

    Why: fetch.max.bytes bounds one answer for all partitions that the consumer reads from a broker; only the first batch
        is returned whole, however large it is. A consumer that is behind then reads in small steps, each a request with
        its own way to the broker and back.
    Fix: remove fetch.max.bytes (default 52428800); bound the memory by max.partition.fetch.bytes.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        max.partition.fetch.bytes=100000
        fetch.max.bytes=100000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        fetch.max.bytes=10485760
    See: KIP-74, https://kafka.apache.org/documentation/#consumerconfigs_fetch.max.bytes
    """
    size = consumer.int("fetch.max.bytes")
    if size < FETCH:
        yield Problem("fetch.max.bytes", small_answers(size), ">= 1048576")


def small_answers(size: int) -> str:
    """What a consumer reads with answers of so many bytes; the first batch of an answer is always whole (KIP-74)."""
    if size < DEFAULT_BATCH:
        return "about one batch per request: a broker adds none to the first, which it returns whole"
    speed = megabytes(size * 200)
    return f"at 5 ms from request to answer {speed} a second from a broker, more only where a batch alone is larger"


@rule("KA2008", "low", dev="info", each=("send.buffer.bytes", "receive.buffer.bytes"), aim="remove")
def socket_buffer_small(client: Subject, key: str) -> Problems:
    """A small socket buffer bounds what a connection carries, however fast the network is.

    Why: TCP has at most a buffer's bytes on their way: 8 KB at 1 ms there and back are 8 MB a second, at 20 ms, between
        two regions, 410 KB a second.
    Fix: remove the key, or set it to -1: the operating system then sizes the buffer as it needs.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        receive.buffer.bytes=8192
    Good:
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        receive.buffer.bytes=-1
    See: https://kafka.apache.org/documentation/#consumerconfigs_receive.buffer.bytes
    """
    applies(client.family() == JAVA and client.is_set(key), "left at its default")
    size = client.int(key)
    if 0 <= size < WINDOW:
        yield Problem(key, window(size), "-1")


@rule("KA2009", "low", dev="info", each=refresh_keys, aim="remove")
def metadata_asked_often(client: Subject, key: str) -> Problems:
    """The client asks for the metadata of all its topics every few seconds.

    Why: a broker that is no leader any more says so, and the client asks then. To ask without a cause is load for the
        brokers, the more the more clients and partitions there are: 1,000 clients that ask every second are 1,000
        requests a second, each answered with every partition of their topics.
    Fix: remove metadata.max.age.ms, or topic.metadata.refresh.interval.ms in librdkafka (default 300000): it says how soon
        new partitions are seen.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        metadata.max.age.ms=1000
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
        metadata.max.age.ms=60000
    See: https://kafka.apache.org/documentation/#producerconfigs_metadata.max.age.ms
    """
    applies(client.is_set(key), "left at its default")
    age = client.int(key)
    if 0 <= age < FRESH:
        often = f"{1_000_000 // age:,} times a second" if age else "without a pause"
        yield Problem(key, f"1,000 clients with this ask for metadata {often}", "300000")
