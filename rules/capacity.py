"""Capacity: threads, queues, buffers and partitions that are too few or too many for what they serve."""

from __future__ import annotations

from advisor.facts import written
from advisor.rule import Problem, Problems, Subject, applies, rule
from rules import WINDOW, count, window


@rule("KA1501", "info")
def one_partition(node: Subject) -> Problems:
    """New topics get a single partition, so one broker leads each topic and one consumer of a group reads it.

    Why: partitions are the unit of parallel work; adding some later changes which partition a key goes to.
    Fix: set num.partitions to a small multiple of the number of brokers, or create topics with the partitions they
        need.
    Bad:
        process.roles=broker
        node.id=1
        num.partitions=1
    Good:
        process.roles=broker
        node.id=1
        num.partitions=6
    See: https://kafka.apache.org/documentation/#brokerconfigs_num.partitions
    """
    applies(node.is_set("num.partitions"), "not set")
    if node.int("num.partitions") == 1:
        yield Problem("num.partitions", "one broker leads a new topic, and one consumer of a group reads it", ">= 3")


@rule("KA1502", "info", aim="by hand: load")
def recovery_threads(broker: Subject) -> Problems:
    """After an unclean shutdown a single thread recovers each log directory.

    Why: a broker with many partitions reads their last segments one after the other before it is back in service. The
        default was 1 until Kafka 4.0 made it 2 (KIP-1030).
    Fix: set num.recovery.threads.per.data.dir to 2 to 8; these threads run only at startup and shutdown.
    Bad:
        process.roles=broker
        node.id=1
        num.recovery.threads.per.data.dir=1
    Good:
        process.roles=broker
        node.id=1
        num.recovery.threads.per.data.dir=4
    See: KIP-1030, https://kafka.apache.org/documentation/#brokerconfigs_num.recovery.threads.per.data.dir
    """
    applies(broker.is_set("num.recovery.threads.per.data.dir"), "not set")
    if broker.int("num.recovery.threads.per.data.dir") == 1:
        yield Problem(
            "num.recovery.threads.per.data.dir",
            "one thread recovers a log directory after an unclean shutdown",
            "2 to 8",
        )


@rule("KA1503", "low", dev="info", aim="by hand: load")
def few_io_threads(broker: Subject) -> Problems:
    """There are fewer request handler threads than log directories, so requests to one disk wait for another.

    Why: a request handler thread that waits for one disk serves no other; with fewer threads than disks some disks are
        always idle.
    Fix: set num.io.threads to 8 (the default), or to at least the number of log directories.
    Bad:
        process.roles=broker
        node.id=1
        log.dirs=/d/1,/d/2,/d/3,/d/4
        num.io.threads=2
    Good:
        process.roles=broker
        node.id=1
        log.dirs=/d/1,/d/2,/d/3,/d/4
        num.io.threads=8
    See: https://kafka.apache.org/documentation/#brokerconfigs_num.io.threads
    """
    threads, disks = broker.int("num.io.threads"), len(broker.list("log.dirs"))
    if threads < disks or threads == 1:
        directories = "log directory" if disks == 1 else "log directories"
        text = f"{count(threads, 'request handler thread')} for {disks} {directories}: requests wait for each other"
        yield Problem(["num.io.threads", "log.dirs"], text, f">= {max(disks, 8)}")


@rule(
    "KA1504",
    "low",
    dev="info",
    each=("num.network.threads", "num.io.threads", "num.replica.fetchers"),
    aim="by hand: load",
)
def many_threads(broker: Subject, key: str) -> Problems:
    """The broker has so many threads that they mostly wait for each other.

    Why: threads beyond a few per core add context switches and memory, and fetchers beyond a few add connections
        between every two brokers, without moving more records.
    Fix: remove the key, then raise it from the default only while the idle ratio of the thread pool stays below 0.3.
    Bad:
        process.roles=broker
        node.id=1
        num.network.threads=500
    Good:
        process.roles=broker
        node.id=1
        num.network.threads=8
    See: https://kafka.apache.org/documentation/#brokerconfigs_num.network.threads
    """
    applies(written(broker, key), "left at its default")
    limit = 32 if key == "num.replica.fetchers" else 128
    if broker.int(key) > limit:
        yield Problem(key, f"{broker.int(key)} threads mostly wait for each other", f"<= {limit}")


@rule("KA1505", "low", dev="info", aim="remove num.network.threads")
def one_network_thread(broker: Subject) -> Problems:
    """A single network thread serves all connections of a listener.

    Why: a single slow TLS handshake or a large response holds up every other client of the listener.
    Fix: set num.network.threads to 3 (the default) or more.
    Bad:
        process.roles=broker
        node.id=1
        num.network.threads=1
    Good:
        process.roles=broker
        node.id=1
        num.network.threads=3
    See: https://kafka.apache.org/documentation/#brokerconfigs_num.network.threads
    """
    if broker.int("num.network.threads") == 1:
        yield Problem("num.network.threads", "one slow connection holds up the others of its listener", ">= 3")


@rule("KA1506", "low", dev="info", aim="remove queued.max.requests")
def queue_small(broker: Subject) -> Problems:
    """The queue of requests holds fewer than there are threads to handle them.

    Why: a network thread puts a request in the queue and blocks while that is full; it then serves none of its other
        connections. With fewer places than request handlers some of these wait although clients have requests.
    Fix: remove queued.max.requests (default 500).
    Bad:
        process.roles=broker
        node.id=1
        queued.max.requests=4
    Good:
        process.roles=broker
        node.id=1
        queued.max.requests=500
    See: https://kafka.apache.org/documentation/#brokerconfigs_queued.max.requests
    """
    places, threads = broker.int("queued.max.requests"), broker.int("num.io.threads")
    if places < threads:
        message = f"{count(places, 'request')} wait for {count(threads, 'handler')}: the network threads block"
        yield Problem(["queued.max.requests", "num.io.threads"], message, "500")


@rule(
    "KA1507",
    "low",
    dev="info",
    each=("socket.send.buffer.bytes", "socket.receive.buffer.bytes", "replica.socket.receive.buffer.bytes"),
    aim="remove",
)
def broker_socket_buffer_small(broker: Subject, key: str) -> Problems:
    """A small socket buffer bounds what a connection of the broker carries, however fast the network is.

    Why: TCP has at most a buffer's bytes on their way: 8 KB at 1 ms there and back are 8 MB a second for a follower that
        has to keep up with every partition of the leader.
    Fix: remove the key (defaults 102400, and 65536 for replication), or set it to -1: the operating system then sizes the
        buffer as it needs.
    Bad:
        process.roles=broker
        node.id=1
        replica.socket.receive.buffer.bytes=8192
    Good:
        process.roles=broker
        node.id=1
        replica.socket.receive.buffer.bytes=1048576
    See: https://kafka.apache.org/documentation/#brokerconfigs_replica.socket.receive.buffer.bytes
    """
    applies(written(broker, key), "left at its default")
    size = broker.int(key)
    if 0 <= size < WINDOW:
        yield Problem(key, window(size), "-1")
