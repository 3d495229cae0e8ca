"""A server that lies: a reading ends in time, in bounds, in one of the exit codes, and steers no terminal.

Lies that make a cluster of 100,000 topics, or that keep thousands of threads busy, are marked `live`: they disturb what
runs beside them.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

import pytest

from rules import MODULES
from tests.support.commands import ENVIRONMENT, ROOT
from tests.support.fork_server import fork
from tests.support.hostile_broker import HONEST, LIES, WIRES, Api, Cluster, Lie, flipped, hostile_broker, of_topics

GRACE = 10.0
"""Seconds that a command may take beyond its time-out."""
MEMORY = 500
"""MB that a command may take."""
MEMORY_OF_A_FLOOD = 2048 + 200
"""MB where a server sends without a pause: kafka-python reads until there is one, and the child's limit is what holds."""
FLOODS = ("log directories of 40 MB", "log directories of 99 MB", "registrations of no end")
CODES = (0, 1, 2, 4)
IMPORTED = (
    "advisor.cli.commands.check",
    "advisor.reports.text.report",
    "collectors.client.connection",
    "collectors.kafka.child_process",
    "collectors.kafka.cluster",
    "confluent_kafka",
    *(f"rules.{name}" for name in MODULES),
)
"""What reading and judging a cluster loads."""
STEERING = re.compile("[\x00\x07\x08\x0b\x0c\x0d\x1b\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Ended(NamedTuple):
    """How a command ended: its exit code (None where it had to be killed), seconds, MB, and what it wrote."""

    code: int | None
    seconds: float
    megabytes: int
    out: str
    err: str


def read(port: int, command: tuple[str, ...] = ("check",), timeout: float = 3, patience: float = 0) -> Ended:
    """Read the cluster at a port with the command, as a process of its own."""
    address = ("--bootstrap-server", f"127.0.0.1:{port}")
    return ended((*command, *address, "--timeout", str(timeout)), timeout + (patience or GRACE))


def ended(arguments: tuple[str, ...], patience: float, forks: bool = False) -> Ended:
    """Run the command, kill it after so many seconds, and measure it meanwhile; one that forks is started as a program."""
    with open(os.devnull, "rb") as nothing, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started, most = time.monotonic(), 0
        process = program(arguments, nothing, out, err) if forks else fork(arguments, IMPORTED, (nothing, out, err))
        while process.poll() is None and time.monotonic() - started < patience:
            most = max(most, peak(process.pid))
            time.sleep(0.03)
        seconds, code = time.monotonic() - started, process.poll()
        process.kill()
        process.wait()
        return Ended(code, seconds, most, text(out), text(err))


def program(arguments: tuple[str, ...], stdin: IO[bytes], out: IO[bytes], err: IO[bytes]) -> subprocess.Popen[bytes]:
    """The command, started from its beginning."""
    command = [sys.executable, "-m", "advisor", *arguments]
    return subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdin=stdin, stdout=out, stderr=err)


def peak(pid: int) -> int:
    """The most memory that a process, or one of its children, had so far, in MB."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    match = re.search(r"VmHWM:\s+(\d+) kB", status)
    own = int(match[1]) // 1024 if match else 0
    return max([own, *(peak(int(child)) for child in children)])


def text(stream: IO[bytes]) -> str:
    """What was written to a file from its beginning."""
    stream.seek(0)
    return stream.read().decode()


def assert_harmless(ran: Ended, memory: int = MEMORY) -> None:
    """The command ended by itself, in bounds, with a known exit code, and says nothing that steers a terminal."""
    assert ran.code in CODES, ran
    assert ran.megabytes < memory
    for stream in (ran.out, ran.err):
        assert "Traceback" not in stream
        assert "internal error" not in stream
        assert not STEERING.search(stream)
    assert ran.code != 4 or ran.err.count("\n") == 1


HEAVY = ("thousands of brokers", "100,000 topics", "1,000,000 topics")
"""Lies that keep a machine busy: they may take the memory that a cluster's reading has, and as long as judging takes."""
JUDGING = 180.0
"""Seconds after which judging 100,000 topics counts as hanging, also where other clusters keep the machine busy."""
AT_ONE: dict[str, Lie] = {
    "log directories without names": LIES["null texts"].at(Api.DESCRIBE_LOG_DIRS),
    "log directories null": LIES["null arrays"].at(Api.DESCRIBE_LOG_DIRS),
    "quorum null": LIES["null arrays"].at(Api.DESCRIBE_QUORUM),
    "registrations null": LIES["null arrays"].at(Api.DESCRIBE_CLUSTER),
    "partitions null": LIES["null arrays"].at(Api.DESCRIBE_TOPIC_PARTITIONS),
    "partitions cut": LIES["cut frame"].at(Api.DESCRIBE_TOPIC_PARTITIONS),
    "reassignments null": LIES["null arrays"].at(Api.LIST_PARTITION_REASSIGNMENTS),
    "registrations of no end": LIES["endless bytes"].at(Api.DESCRIBE_CLUSTER),
    "log directories of 40 MB": LIES["40 MB of zeros"].at(Api.DESCRIBE_LOG_DIRS),
    "log directories of 99 MB": LIES["99 MB of zeros"].at(Api.DESCRIBE_LOG_DIRS),
    "quorum of no end": LIES["huge counts"].at(Api.DESCRIBE_QUORUM),
    "groups without names": LIES["names: empty"].at(Api.LIST_GROUPS),
    "offsets in invalid utf-8": LIES["names: invalid utf-8"].at(Api.OFFSET_FETCH),
    "partitions in invalid utf-8": LIES["names: invalid utf-8"].at(Api.DESCRIBE_TOPIC_PARTITIONS),
    "settings of no end": LIES["huge counts"].at(Api.DESCRIBE_CONFIGS),
    "versions of garbage": LIES["garbage body"].at(Api.API_VERSIONS),
    "versions of no end": LIES["huge counts"].at(Api.API_VERSIONS),
    "access rules in invalid utf-8": LIES["names: invalid utf-8"].at(Api.DESCRIBE_ACLS),
    "settings in invalid utf-8": LIES["names: invalid utf-8"].at(Api.DESCRIBE_CONFIGS),
    "groups in invalid utf-8": LIES["names: invalid utf-8"].at(Api.LIST_GROUPS),
    "members in invalid utf-8": LIES["names: invalid utf-8"].at(Api.DESCRIBE_GROUPS),
    "groups of no end": LIES["huge counts"].at(Api.LIST_GROUPS),
    "groups below zero": LIES["negative counts"].at(Api.LIST_GROUPS),
}
"""Lies at one request; the last six kill librdkafka by SIGSEGV."""
ASSERTIONS: dict[str, Lie] = {
    "access rules cut": LIES["cut frame"].at(Api.DESCRIBE_ACLS),
    "access rules of garbage": LIES["garbage body"].at(Api.DESCRIBE_ACLS),
    "access rules of no end": LIES["huge counts"].at(Api.DESCRIBE_ACLS),
    "access rules without lengths": LIES["negative lengths"].at(Api.DESCRIBE_ACLS),
    "no group described": LIES["null arrays"].at(Api.DESCRIBE_GROUPS),
    "another group described": LIES["null texts"].at(Api.DESCRIBE_GROUPS),
    "no versions": LIES["null arrays"].at(Api.API_VERSIONS),
    "bits 10": Lie(wire=flipped(10)),
}
"""Lies at which librdkafka aborts the process (SIGABRT)."""
WAITING = {
    *WIRES,
    "huge counts",
    "negative counts",
    "100,000 rows",
    "huge lengths",
    "negative lengths",
    "huge tags",
    "extreme numbers",
    "broker port 0",
    "broker port 70000",
    "dead broker",
    "no brokers after all",
    "negative broker ids",
    "duplicated topics",
    "many replicas",
}
"""Lies after which the command only waits for its time-out."""


def cases() -> Iterator[object]:
    """Every lie, at every request, as a parameter."""
    for name, lie in LIES.items():
        if name in HEAVY:
            yield pytest.param(lie, 10, MEMORY_OF_A_FLOOD, JUDGING, id=name, marks=pytest.mark.live)
        else:
            yield pytest.param(lie, 1 if name in WAITING else 2, MEMORY, GRACE, id=name)


def cases_at_one() -> Iterator[object]:
    """Lies at one request, as parameters."""
    for name, lie in AT_ONE.items():
        yield pytest.param(lie, MEMORY_OF_A_FLOOD if name in FLOODS else MEMORY, id=name)
    for name, lie in ASSERTIONS.items():
        yield pytest.param(lie, MEMORY, id=name)


def test_an_honest_broker_is_read_whole() -> None:
    with hostile_broker(HONEST) as broker:
        ran = read(broker.port, ("check", "--all"), timeout=10)
    assert_harmless(ran)
    assert ran.code == 1
    assert "Cluster text at" in ran.out
    assert "cannot be told" not in ran.out
    assert set(Api) - set(broker.asked) == {Api.LIST_OFFSETS}


@pytest.mark.parametrize(("lie", "timeout", "memory", "patience"), list(cases()))
def test_a_lie_at_every_request(lie: Lie, timeout: float, memory: int, patience: float) -> None:
    with hostile_broker(lie) as broker:
        assert_harmless(read(broker.port, timeout=timeout, patience=patience), memory)


@pytest.mark.parametrize(("lie", "memory"), list(cases_at_one()))
def test_a_lie_at_one_request(lie: Lie, memory: int) -> None:
    with hostile_broker(lie) as broker:
        assert_harmless(read(broker.port, timeout=1.5), memory)


@pytest.mark.parametrize("api", Api, ids=lambda api: api.name)
def test_a_connection_that_is_closed_at_one_request(api: Api) -> None:
    with hostile_broker(LIES["closed"].at(api)) as broker:
        ran = read(broker.port, ("check", "--lag"), timeout=1.5)
    assert_harmless(ran)
    assert api in broker.asked


@pytest.mark.parametrize("seed", [0, 1, 3, 7, 22])
def test_bits_that_turn_over(seed: int) -> None:
    with hostile_broker(Lie(wire=flipped(seed))) as broker:
        assert_harmless(read(broker.port, timeout=1))


@pytest.mark.parametrize("name", ["names: controls", "names: bidi", "broker hosts"])
def test_a_snapshot_is_printed_as_json_without_steering(name: str) -> None:
    with hostile_broker(LIES[name]) as broker:
        assert_harmless(read(broker.port, ("snapshot", "-o", "-")))


def collected(folder: Path, *lies: Lie) -> Ended:
    """Collect a fleet of clusters, one for each lie, into the folder."""
    with contextlib.ExitStack() as stack:
        ports = [stack.enter_context(hostile_broker(lie)).port for lie in lies]
        rows = "".join(f"  - {{name: c{port}, bootstrap_servers: ['127.0.0.1:{port}']}}\n" for port in ports)
        (folder / "fleet.yaml").write_text(f"clusters:\n{rows}")
        arguments = ("collect", "--inventory", str(folder / "fleet.yaml"), "--out", str(folder / "out"))
        return ended(
            (*arguments, "--engine", "local", "--timeout", "3", "--max-unreachable", "50%"), 3 + GRACE, forks=True
        )


def test_a_fleet_of_liars_is_collected(tmp_path: Path) -> None:
    ran = collected(tmp_path, LIES["names: controls"], AT_ONE["quorum null"], LIES["silent"], LIES["http"])
    assert_harmless(ran)
    assert "4 clusters (1 ok, 1 partial, 2 unreachable)" in ran.out


def test_a_liar_costs_no_other_cluster(tmp_path: Path) -> None:
    ran = collected(tmp_path, LIES["null arrays"], HONEST)
    assert_harmless(ran)
    assert "2 clusters (1 ok, 0 partial, 1 unreachable)" in ran.out


def test_more_topics_than_a_reading_has_time_for_are_left() -> None:
    with hostile_broker(Lie(Cluster(topics=of_topics(5_000).topics, throttle=20_000_000))) as broker:
        assert_harmless(read(broker.port))
