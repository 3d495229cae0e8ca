"""A server that speaks the Kafka protocol and lies: an honest cluster of one broker, and named lies told on top of it."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

HUGE = 2**31 - 1
TOPIC = "orders"
GROUP = "readers"
ALL_RIGHTS = sum(1 << operation for operation in range(3, 13))
OPERATIONS_HIDDEN = -(2**31)
NO_ERROR = 0
UNSUPPORTED_VERSION = 35
CHUNK = 65536


class Api(IntEnum):
    """The requests that are answered, by their keys."""

    LIST_OFFSETS = 2
    METADATA = 3
    OFFSET_FETCH = 9
    FIND_COORDINATOR = 10
    DESCRIBE_GROUPS = 15
    LIST_GROUPS = 16
    API_VERSIONS = 18
    DESCRIBE_ACLS = 29
    DESCRIBE_CONFIGS = 32
    DESCRIBE_LOG_DIRS = 35
    LIST_PARTITION_REASSIGNMENTS = 46
    DESCRIBE_QUORUM = 55
    DESCRIBE_CLUSTER = 60
    DESCRIBE_TOPIC_PARTITIONS = 75


VERSIONS = {
    Api.LIST_OFFSETS: 2,
    Api.METADATA: 9,
    Api.OFFSET_FETCH: 5,
    Api.FIND_COORDINATOR: 2,
    Api.DESCRIBE_GROUPS: 4,
    Api.LIST_GROUPS: 4,
    Api.API_VERSIONS: 3,
    Api.DESCRIBE_ACLS: 1,
    Api.DESCRIBE_CONFIGS: 1,
    Api.DESCRIBE_LOG_DIRS: 4,
    Api.LIST_PARTITION_REASSIGNMENTS: 0,
    Api.DESCRIBE_QUORUM: 2,
    Api.DESCRIBE_CLUSTER: 2,
    Api.DESCRIBE_TOPIC_PARTITIONS: 0,
}
"""The one version of each request that is spoken (of ApiVersions the older ones, too)."""
FLEXIBLE = {
    Api.METADATA,
    Api.LIST_GROUPS,
    Api.DESCRIBE_LOG_DIRS,
    Api.LIST_PARTITION_REASSIGNMENTS,
    Api.DESCRIBE_QUORUM,
    Api.DESCRIBE_CLUSTER,
    Api.DESCRIBE_TOPIC_PARTITIONS,
}
"""Requests whose version has compact arrays and tagged fields (KIP-482)."""
Text = str | bytes
Broker = tuple[int, Text, int]


@dataclass(frozen=True)
class Cluster:
    """What the broker claims; port 0 of the only broker stands for the server's own."""

    brokers: Sequence[Broker] = ((1, "127.0.0.1", 0),)
    topics: Sequence[Text] = (TOPIC,)
    replicas: Sequence[int] = (1,)
    groups: Sequence[Text] = (GROUP,)
    settings: Mapping[Text, Text] = field(default_factory=lambda: {"log.dirs": "/data", "authorizer.class.name": "A"})
    text: Text = "text"
    throttle: int = 0
    error: int = NO_ERROR
    more_pages: bool = False


class Reader:
    """Reads the fields of a request."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def number(self, size: int) -> int:
        """A signed number of so many bytes."""
        self.at += size
        return int.from_bytes(self.data[self.at - size : self.at], "big", signed=True)

    def text(self) -> bytes:
        """A string with a length of two bytes before it."""
        length = max(0, self.number(2))
        self.at += length
        return self.data[self.at - length : self.at]

    def rows(self, read: Callable[[], Any]) -> list[Any]:
        """An array with a count of four bytes before it."""
        return [read() for _ in range(max(0, self.number(4)))]


class Writer:
    """Writes the fields of an answer; a lie about counts and lengths is a subclass."""

    def __init__(self, flexible: bool) -> None:
        self.flexible = flexible
        self.data = bytearray()

    def number(self, value: int, size: int = 4) -> None:
        """A signed number of so many bytes."""
        self.data += (value % 256**size).to_bytes(size, "big")

    def varint(self, value: int) -> None:
        """An unsigned number in groups of seven bits."""
        while value > 127:
            self.data.append(value & 127 | 128)
            value >>= 7
        self.data.append(value)

    def count(self, value: int) -> None:
        """How many rows follow."""
        self.varint(value + 1) if self.flexible else self.number(value)

    def length(self, value: int) -> None:
        """How many bytes of a string follow, -1 for none."""
        self.varint(value + 1) if self.flexible else self.number(value, 2)

    def text(self, value: Text | None) -> None:
        """A string, or none."""
        raw = value.encode() if isinstance(value, str) else value
        self.length(-1 if raw is None else len(raw))
        self.data += raw or b""

    def rows(self, rows: Sequence[Any], write: Callable[[Any], None]) -> None:
        """An array; where the version has them, tagged fields after each row that has fields of its own."""
        self.count(len(rows))
        for row in rows:
            write(row)
            self.tags()

    def numbers(self, values: Sequence[int], size: int = 4) -> None:
        """An array of numbers."""
        self.count(len(values))
        for value in values:
            self.number(value, size)

    def tags(self) -> None:
        """No tagged fields."""
        if self.flexible:
            self.varint(0)


class HugeCounts(Writer):
    """Every array claims 2^31-1 rows."""

    def count(self, value: int) -> None:
        """The lie."""
        super().count(HUGE)


class HundredThousandRows(Writer):
    """Every array claims 100,000 rows, which client libraries take for possible."""

    def count(self, value: int) -> None:
        """The lie."""
        super().count(100_000)


class NegativeCounts(Writer):
    """Every array claims -2 rows, or 2^32-1 where counts have no sign."""

    def count(self, value: int) -> None:
        """The lie."""
        self.varint(2**32 - 1) if self.flexible else self.number(-2)


class NullArrays(Writer):
    """Every array is null."""

    def rows(self, rows: Sequence[Any], write: Callable[[Any], None]) -> None:
        """The lie."""
        self.count(-1)

    def numbers(self, values: Sequence[int], size: int = 4) -> None:
        """The lie."""
        self.count(-1)


class NullTexts(Writer):
    """Every string is null."""

    def text(self, value: Text | None) -> None:
        """The lie."""
        self.length(-1)


class NegativeLengths(Writer):
    """Every string claims -2 bytes, or 2^32-1 where lengths have no sign."""

    def length(self, value: int) -> None:
        """The lie."""
        self.varint(2**32 - 1) if self.flexible else self.number(-2, 2)


class HugeLengths(Writer):
    """Every string claims the most bytes that its length can hold."""

    def length(self, value: int) -> None:
        """The lie."""
        self.varint(HUGE) if self.flexible else self.number(2**15 - 1, 2)


class HugeTags(Writer):
    """Every row has 2^31-1 tagged fields, each of 2^31-1 bytes."""

    def tags(self) -> None:
        """The lie."""
        if self.flexible:
            for number in (HUGE, 0, HUGE):
                self.varint(number)


class ExtremeNumbers(Writer):
    """Every number is the lowest that there is."""

    def number(self, value: int, size: int = 4) -> None:
        """The lie, other than of errors, which would end the reading."""
        super().number(value if size == 2 else -(2 ** (8 * size - 1)), size)

    def count(self, value: int) -> None:
        """The truth."""
        self.varint(value + 1) if self.flexible else Writer.number(self, value)


def api_versions(out: Writer, cluster: Cluster, _request: Reader) -> None:
    """The versions that are spoken."""

    def write(api: Api) -> None:
        out.number(api, 2)
        out.number(0 if api == Api.API_VERSIONS else VERSIONS[api], 2)
        out.number(VERSIONS[api], 2)

    out.number(cluster.error, 2)
    out.rows(list(VERSIONS), write)
    out.number(cluster.throttle)


def old_api_versions(out: Writer, _cluster: Cluster, _request: Reader) -> None:
    """What a broker answers, in version 0, to a version that it does not speak."""
    out.number(UNSUPPORTED_VERSION, 2)
    out.numbers([Api.API_VERSIONS << 32 | VERSIONS[Api.API_VERSIONS]], 6)


def metadata(out: Writer, cluster: Cluster, _request: Reader) -> None:
    """Brokers and topics."""

    def partition(index: int) -> None:
        out.number(cluster.error, 2)
        for value in (index, cluster.replicas[0], 0):
            out.number(value)
        for replicas in (cluster.replicas, cluster.replicas, ()):
            out.numbers(replicas)

    def topic(name: Text) -> None:
        out.number(cluster.error, 2)
        out.text(name)
        out.number(0, 1)
        out.rows([0], partition)
        out.number(OPERATIONS_HIDDEN)

    out.number(cluster.throttle)
    out.rows(cluster.brokers, lambda broker: write_broker(out, broker))
    out.text(cluster.text)
    out.number(cluster.brokers[0][0])
    out.rows(cluster.topics, topic)
    out.number(ALL_RIGHTS)


def write_broker(out: Writer, broker: Broker, rack: Text | None = None) -> None:
    """A broker: id, host, port, rack."""
    id, host, port = broker
    out.number(id)
    out.text(host)
    out.number(port)
    out.text(rack)


def describe_cluster(out: Writer, cluster: Cluster, _request: Reader) -> None:
    """Brokers, with those that are fenced."""

    def broker(row: Broker) -> None:
        write_broker(out, row, cluster.text)
        out.number(row[0] != cluster.brokers[0][0], 1)

    out.number(cluster.throttle)
    out.number(cluster.error, 2)
    out.text(None)
    out.number(1, 1)
    out.text(cluster.text)
    out.number(cluster.brokers[0][0])
    out.rows(cluster.brokers, broker)
    out.number(ALL_RIGHTS)


def describe_configs(out: Writer, cluster: Cluster, request: Reader) -> None:
    """Settings of the resources that were asked about."""

    def resource() -> tuple[int, bytes]:
        row = request.number(1), request.text()
        request.rows(request.text)
        return row

    def synonym(setting: tuple[Text, Text]) -> None:
        out.text(setting[0])
        out.text(setting[1])
        out.number(4, 1)

    def write_setting(setting: tuple[Text, Text]) -> None:
        out.text(setting[0])
        out.text(setting[1])
        for flag in (0, 4, 0):
            out.number(flag, 1)
        out.rows([setting], synonym)

    def write_resource(row: tuple[int, bytes]) -> None:
        out.number(cluster.error, 2)
        out.text(cluster.text if cluster.error else None)
        out.number(row[0], 1)
        out.text(row[1])
        out.rows(list(cluster.settings.items()), write_setting)

    out.number(cluster.throttle)
    out.rows(request.rows(resource), write_resource)


def describe_acls(out: Writer, cluster: Cluster, _request: Reader) -> None:
    """One access rule."""

    def rule(principal: Text) -> None:
        out.text(principal)
        out.text(cluster.text)
        out.number(3, 1)
        out.number(3, 1)

    def resource(name: Text) -> None:
        out.number(2, 1)
        out.text(name)
        out.number(3, 1)
        out.rows([cluster.text], rule)

    out.number(cluster.throttle)
    out.number(cluster.error, 2)
    out.text(cluster.text if cluster.error else None)
    out.rows([cluster.text], resource)


def list_groups(out: Writer, cluster: Cluster, _request: Reader) -> None:
    """The groups."""

    def group(name: Text) -> None:
        out.text(name)
        out.text("consumer")
        out.text("Stable")

    out.number(cluster.throttle)
    out.number(cluster.error, 2)
    out.rows(cluster.groups, group)


def find_coordinator(out: Writer, cluster: Cluster, _request: Reader) -> None:
    """The first broker coordinates every group."""
    out.number(cluster.throttle)
    out.number(cluster.error, 2)
    out.text(cluster.text if cluster.error else None)
    id, host, port = cluster.brokers[0]
    out.number(id)
    out.text(host)
    out.number(port)


def describe_groups(out: Writer, cluster: Cluster, request: Reader) -> None:
    """Each group with one member that reads the first topic."""

    def member(name: Text) -> None:
        for text in (name, None, cluster.text, cluster.text):
            out.text(text)
        for data in (b"", assignment_of(type(out), cluster)):
            out.number(len(data))
            out.data += data

    def group(name: bytes) -> None:
        out.number(cluster.error, 2)
        for text in (name, "Stable", "consumer", "range"):
            out.text(text)
        out.rows([cluster.text], member)
        out.number(OPERATIONS_HIDDEN)

    out.number(cluster.throttle)
    out.rows(request.rows(request.text), group)


def assignment_of(writer: type[Writer], cluster: Cluster) -> bytes:
    """The assignment of a member: one partition."""
    out = writer(flexible=False)

    def topic(name: Text) -> None:
        out.text(name)
        out.numbers([0])

    out.number(0, 2)
    out.rows(cluster.topics[:1], topic)
    out.count(0)
    return bytes(out.data)


def offset_fetch(out: Writer, cluster: Cluster, _request: Reader) -> None:
    """One committed offset."""

    def partition(index: int) -> None:
        out.number(index)
        out.number(1, 8)
        out.number(0)
        out.text(cluster.text)
        out.number(cluster.error, 2)

    def topic(name: Text) -> None:
        out.text(name)
        out.rows([0], partition)

    out.number(cluster.throttle)
    out.rows(cluster.topics[:1], topic)
    out.number(cluster.error, 2)


def list_offsets(out: Writer, cluster: Cluster, _request: Reader) -> None:
    """One end offset."""

    def partition(index: int) -> None:
        out.number(index)
        out.number(cluster.error, 2)
        out.number(-1, 8)
        out.number(2, 8)

    def topic(name: Text) -> None:
        out.text(name)
        out.rows([0], partition)

    out.number(cluster.throttle)
    out.rows(cluster.topics[:1], topic)


def describe_log_dirs(out: Writer, cluster: Cluster, _request: Reader) -> None:
    """One directory with a partition of each topic."""

    def partition(index: int) -> None:
        out.number(index)
        out.number(10, 8)
        out.number(0, 8)
        out.number(0, 1)

    def topic(name: Text) -> None:
        out.text(name)
        out.rows([0], partition)

    def folder(path: Text) -> None:
        out.number(cluster.error, 2)
        out.text(path)
        out.rows(cluster.topics, topic)
        out.number(1000, 8)
        out.number(500, 8)

    out.number(cluster.throttle)
    out.number(cluster.error, 2)
    out.rows([cluster.text], folder)


def list_partition_reassignments(out: Writer, cluster: Cluster, _request: Reader) -> None:
    """The first topic's partition is moved."""

    def partition(index: int) -> None:
        out.number(index)
        for replicas in (cluster.replicas, cluster.replicas, ()):
            out.numbers(replicas)

    def topic(name: Text) -> None:
        out.text(name)
        out.rows([0], partition)

    out.number(cluster.throttle)
    out.number(cluster.error, 2)
    out.text(None)
    out.rows(cluster.topics[:1], topic)


def describe_quorum(out: Writer, cluster: Cluster, _request: Reader) -> None:
    """A quorum of one."""

    def member(id: int) -> None:
        out.number(id)
        out.data += bytes(16)
        for value in (100, 1000, 1000):
            out.number(value, 8)

    def partition(index: int) -> None:
        out.number(index)
        out.number(cluster.error, 2)
        out.text(cluster.text if cluster.error else None)
        out.number(cluster.replicas[0])
        out.number(1)
        out.number(100, 8)
        for members in (cluster.replicas, ()):
            out.rows(members, member)

    def topic(name: Text) -> None:
        out.text(name)
        out.rows([0], partition)

    out.number(cluster.error, 2)
    out.text(cluster.text if cluster.error else None)
    out.rows(["__cluster_metadata"], topic)
    out.rows([], topic)


def describe_topic_partitions(out: Writer, cluster: Cluster, _request: Reader) -> None:
    """Each topic's partition, and where asked for, that there is a page more."""

    def partition(index: int) -> None:
        out.number(cluster.error, 2)
        for value in (index, cluster.replicas[0], 0):
            out.number(value)
        for replicas in (cluster.replicas, cluster.replicas, (), (), ()):
            out.numbers(replicas)

    def topic(name: Text) -> None:
        out.number(cluster.error, 2)
        out.text(name)
        out.data += bytes(16)
        out.number(0, 1)
        out.rows([0], partition)
        out.number(OPERATIONS_HIDDEN)

    out.number(cluster.throttle)
    out.rows(cluster.topics, topic)
    out.number(1 if cluster.more_pages else -1, 1)
    if cluster.more_pages:
        out.text(cluster.topics[0])
        out.number(0)
        out.tags()


ANSWERS: dict[Api, Callable[[Writer, Cluster, Reader], None]] = {
    Api.LIST_OFFSETS: list_offsets,
    Api.METADATA: metadata,
    Api.OFFSET_FETCH: offset_fetch,
    Api.FIND_COORDINATOR: find_coordinator,
    Api.DESCRIBE_GROUPS: describe_groups,
    Api.LIST_GROUPS: list_groups,
    Api.API_VERSIONS: api_versions,
    Api.DESCRIBE_ACLS: describe_acls,
    Api.DESCRIBE_CONFIGS: describe_configs,
    Api.DESCRIBE_LOG_DIRS: describe_log_dirs,
    Api.LIST_PARTITION_REASSIGNMENTS: list_partition_reassignments,
    Api.DESCRIBE_QUORUM: describe_quorum,
    Api.DESCRIBE_CLUSTER: describe_cluster,
    Api.DESCRIBE_TOPIC_PARTITIONS: describe_topic_partitions,
}

Wire = Callable[[bytes], Iterator[bytes]]
"""Puts a correlation id and a body on the wire; the connection is closed where it raises Closed."""


class Closed(Exception):
    """The server closes the connection."""


def framed(answer: bytes) -> Iterator[bytes]:
    """The answer with its length before it."""
    yield struct.pack(">i", len(answer)) + answer


def prefixed(length: int) -> Wire:
    """A length that is a lie, and the answer."""

    def wire(answer: bytes) -> Iterator[bytes]:
        yield struct.pack(">i", length) + answer

    return wire


def endless(length: int) -> Wire:
    """A length, and bytes without end."""

    def wire(answer: bytes) -> Iterator[bytes]:
        yield struct.pack(">i", length) + answer[:4]
        while True:
            yield bytes(CHUNK)

    return wire


def endless_answers(answer: bytes) -> Iterator[bytes]:
    """The same answer again and again."""
    while True:
        yield from framed(answer)


def cut_and_closed(answer: bytes) -> Iterator[bytes]:
    """Half of the answer, and the end of the connection."""
    yield struct.pack(">i", len(answer)) + answer[: len(answer) // 2]
    raise Closed


def cut_and_silent(answer: bytes) -> Iterator[bytes]:
    """Half of the answer, and nothing more."""
    yield struct.pack(">i", len(answer)) + answer[: len(answer) // 2]


def cut_frame(answer: bytes) -> Iterator[bytes]:
    """Half of the answer in a frame of that length."""
    yield from framed(answer[: max(4, len(answer) // 2)])


def slow(answer: bytes) -> Iterator[bytes]:
    """One byte per second."""
    for byte in struct.pack(">i", len(answer)) + answer:
        yield bytes([byte])
        time.sleep(1)


def wrong_correlation(answer: bytes) -> Iterator[bytes]:
    """The answer to a request that nobody made."""
    yield from framed(struct.pack(">i", 987_654) + answer[4:])


def closed(_answer: bytes) -> Iterator[bytes]:
    """The end of the connection in place of an answer."""
    raise Closed
    yield b""


def silent(_answer: bytes) -> Iterator[bytes]:
    """No answer."""
    return iter(())


def garbage(answer: bytes) -> Iterator[bytes]:
    """Bytes by chance in place of a frame."""
    yield random.Random(len(answer)).randbytes(4096)


def garbage_body(answer: bytes) -> Iterator[bytes]:
    """Bytes by chance in a frame with the right correlation id."""
    yield from framed(answer[:4] + random.Random(len(answer)).randbytes(4096))


def http(_answer: bytes) -> Iterator[bytes]:
    """What a web server answers."""
    yield b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>\x1b[31mno</html>"
    raise Closed


def flipped(seed: int, bits: int = 3) -> Wire:
    """The answer with some bits turned over by chance, the same ones in answers of one length."""

    def wire(answer: bytes) -> Iterator[bytes]:
        chance = random.Random(seed * 1_000_003 + len(answer))
        body = bytearray(answer)
        for _ in range(bits if len(body) > 4 else 0):
            body[chance.randrange(4, len(body))] ^= 1 << chance.randrange(8)
        yield from framed(bytes(body))

    return wire


@dataclass(frozen=True)
class Lie:
    """A lie: another cluster, another way to write it, another way to send it; at some requests or at all."""

    cluster: Cluster = Cluster()
    writer: type[Writer] = Writer
    wire: Wire = framed
    apis: frozenset[Api] = frozenset(Api) - {Api.API_VERSIONS}

    def at(self, *apis: Api) -> Lie:
        """The same lie at these requests alone."""
        return replace(self, apis=frozenset(apis))


HONEST = Lie(apis=frozenset())


def named(name: Text) -> Cluster:
    """A cluster in which everything has this name."""
    settings: dict[Text, Text] = {"log.dirs": name, name: name, "authorizer.class.name": name}
    return Cluster(topics=(name,), groups=(name,), settings=settings, text=name)


def of_topics(count: int) -> Cluster:
    """A cluster of so many topics."""
    return Cluster(topics=tuple(f"topic-{number}" for number in range(count)))


SELF: Broker = (1, "127.0.0.1", 0)
EVIL_HOST = "evil\x1b[31m\r\n::error::\u202ehost"
NAMES: dict[str, Text] = {
    "controls": "a\x1b[31m\x1b]0;x\x07\r\n\t\x7f\x9bb\u2028",
    "bidi": "\u202eevil\u2066\u200f\u061c",
    "nul": "a\0b",
    "invalid utf-8": b"a\xff\xfe\xc3\x28\xed\xa0\x80b",
    "long": "n" * 32_000,
    "commands": "::error::x\n##vso[task]\n<script>",
    "empty": "",
    "paths": "../../../../etc/passwd",
}
WRITERS: dict[str, type[Writer]] = {
    "huge counts": HugeCounts,
    "100,000 rows": HundredThousandRows,
    "negative counts": NegativeCounts,
    "null arrays": NullArrays,
    "null texts": NullTexts,
    "negative lengths": NegativeLengths,
    "huge lengths": HugeLengths,
    "huge tags": HugeTags,
    "extreme numbers": ExtremeNumbers,
}
WIRES: dict[str, Wire] = {
    "prefix of 2 GB": prefixed(HUGE),
    "prefix of 99 MB": prefixed(99_000_000),
    "prefix of -1": prefixed(-1),
    "prefix of 0": prefixed(0),
    "endless bytes": endless(HUGE),
    "40 MB of zeros": endless(40_000_000),
    "99 MB of zeros": endless(99_000_000),
    "endless answers": endless_answers,
    "cut and closed": cut_and_closed,
    "cut and silent": cut_and_silent,
    "cut frame": cut_frame,
    "slow": slow,
    "wrong correlation": wrong_correlation,
    "closed": closed,
    "silent": silent,
    "garbage": garbage,
    "garbage body": garbage_body,
    "http": http,
}
CLUSTERS: dict[str, Cluster] = {
    "throttle of hours": Cluster(throttle=20_000_000),
    "negative throttle": Cluster(throttle=-20_000_000),
    "errors everywhere": Cluster(error=29),
    "unknown errors": Cluster(error=31_999, text=EVIL_HOST),
    "10,000 topics": of_topics(10_000),
    "100,000 topics": of_topics(100_000),
    "1,000,000 topics": of_topics(1_000_000),
    "duplicated topics": Cluster(topics=(TOPIC,) * 50),
    "duplicated brokers": Cluster(brokers=(SELF,) * 50),
    "broker under many ids": Cluster(brokers=tuple((id, "127.0.0.1", 0) for id in range(200))),
    "negative broker ids": Cluster(brokers=((-1, "127.0.0.1", 0), (-7, "127.0.0.1", 0)), replicas=(-1, -7)),
    "lowest broker id": Cluster(brokers=((-(2**31), "127.0.0.1", 0),), replicas=(-(2**31),)),
    "broker port 0": Cluster(brokers=((1, "127.0.0.1", -1),)),
    "broker port 70000": Cluster(brokers=((1, "127.0.0.1", 70_000),)),
    "broker hosts": Cluster(brokers=(SELF, (2, EVIL_HOST, 9092), (3, "", 9092), (4, "h" * 32_000, 9092))),
    "host in invalid utf-8": Cluster(brokers=(SELF, (2, b"\xff\xfe", 9092))),
    "dead broker": Cluster(brokers=((1, "127.0.0.1", 1),)),
    "no brokers after all": Cluster(brokers=((1, "0.0.0.0", 1), (2, "::1", 1))),
    "hundreds of brokers": Cluster(brokers=tuple((id, "127.0.0.1", 1) for id in range(300))),
    "thousands of brokers": Cluster(brokers=tuple((id, "127.0.0.1", 1) for id in range(5000))),
    "pages without end": Cluster(more_pages=True),
    "many replicas": Cluster(replicas=tuple(range(100_000))),
}
LIES: dict[str, Lie] = {
    **{name: Lie(cluster) for name, cluster in CLUSTERS.items()},
    **{f"names: {name}": Lie(named(text)) for name, text in NAMES.items()},
    **{name: Lie(writer=writer) for name, writer in WRITERS.items()},
    **{name: Lie(wire=wire) for name, wire in WIRES.items()},
}
"""Every lie by its name, told at every request but that for the versions."""


class HostileBroker:
    """A server on the loopback that tells one lie; `asked` has the requests that came."""

    def __init__(self, lie: Lie) -> None:
        self.lie = lie
        self.asked: list[Api] = []
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port: int = self.socket.getsockname()[1]
        self.bodies: dict[tuple[Api, bool], bytes] = {}

    def serve(self) -> None:
        """Take connections until the socket is closed."""
        while True:
            try:
                connection = self.socket.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.converse, args=(connection,), daemon=True).start()

    def converse(self, connection: socket.socket) -> None:
        """Answer one connection's requests until it ends."""
        with contextlib.suppress(OSError, Closed, ValueError, struct.error), connection:
            stream = connection.makefile("rb")
            while head := stream.read(4):
                for part in self.answer(stream.read(struct.unpack(">i", head)[0])):
                    connection.sendall(part)

    def answer(self, request: bytes) -> Iterator[bytes]:
        """The bytes that answer a request; Closed for one that is not understood."""
        key, version, correlation = struct.unpack_from(">hhi", request)
        api, reader = Api(key), Reader(request[8:])
        reader.text()
        self.asked.append(api)
        lying = api in self.lie.apis
        body = self.body(api, version, lying, reader)
        return (self.lie.wire if lying else framed)(struct.pack(">i", correlation) + body)

    def body(self, api: Api, version: int, lying: bool, reader: Reader) -> bytes:
        """The body of an answer; big ones are kept, other than those that repeat what was asked."""
        kept = self.bodies.get((api, lying))
        if kept is None or api in (Api.DESCRIBE_CONFIGS, Api.DESCRIBE_GROUPS, Api.API_VERSIONS):
            kept = self.bodies[api, lying] = self.written(api, version, lying, reader)
        return kept

    def written(self, api: Api, version: int, lying: bool, reader: Reader) -> bytes:
        """An answer, written anew."""
        cluster = self.lie.cluster if lying else Cluster()
        brokers = [(id, host, port or self.port) for id, host, port in cluster.brokers]
        honest_brokers = replace(cluster, brokers=[(id, host, max(0, port)) for id, host, port in brokers])
        out = (self.lie.writer if lying else Writer)(flexible(api, version))
        if api in FLEXIBLE:
            Writer.tags(out)
        write = old_api_versions if api == Api.API_VERSIONS and version > VERSIONS[api] else ANSWERS[api]
        write(out, honest_brokers, reader)
        out.tags()
        return bytes(out.data)


def flexible(api: Api, version: int) -> bool:
    """Whether an answer has compact arrays and tagged fields."""
    return version == 3 if api == Api.API_VERSIONS else api in FLEXIBLE


@contextlib.contextmanager
def hostile_broker(lie: Lie) -> Iterator[HostileBroker]:
    """A server that tells this lie."""
    broker = HostileBroker(lie)
    threading.Thread(target=broker.serve, daemon=True).start()
    try:
        yield broker
    finally:
        broker.socket.shutdown(socket.SHUT_RDWR)
        broker.socket.close()
