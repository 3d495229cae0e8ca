from __future__ import annotations

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check_all

ZK = "zookeeper.connect=z1:2181,z2:2181,z3:2181\nbroker.id=1\n"
BROKER = "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=100@c1:9093\ncontroller.listener.names=CONTROLLER\n"

CASES = [
    Case("KA1501", FIRES, BROKER + "num.partitions=1", severity="info"),
    Case("KA1501", SILENT, BROKER),
    Case("KA1501", SILENT, BROKER + "num.partitions=3"),
    Case("KA1501", UNKNOWN, BROKER + "num.partitions=${N}"),
    Case("KA1502", FIRES, ZK + "num.recovery.threads.per.data.dir=1", "3.9", severity="info"),
    Case("KA1502", SILENT, ZK, "3.9"),
    Case("KA1502", SILENT, BROKER, "4.0"),
    Case("KA1502", UNKNOWN, BROKER + "num.recovery.threads.per.data.dir=${N}"),
    Case("KA1503", FIRES, BROKER + "num.io.threads=1", severity="low"),
    Case("KA1503", SILENT, BROKER),
    Case("KA1503", UNKNOWN, BROKER + "num.io.threads=${N}"),
    Case("KA1504", FIRES, BROKER + "num.replica.fetchers=100", "", "num.replica.fetchers", "low"),
    Case("KA1504", SILENT, BROKER + "num.network.threads=24"),
    Case("KA1504", UNKNOWN, BROKER + "num.io.threads=${N}"),
    Case("KA1505", FIRES, BROKER + "num.network.threads=1", severity="low"),
    Case("KA1505", SILENT, BROKER),
    Case("KA1505", UNKNOWN, BROKER + "num.network.threads=${N}"),
    Case(
        "KA1506",
        FIRES,
        BROKER + "queued.max.requests=4",
        "",
        "queued.max.requests",
        "low",
        "4 requests wait for 8 handlers",
    ),
    Case("KA1506", SILENT, BROKER + "queued.max.requests=8"),
    Case("KA1506", SILENT, BROKER),
    Case("KA1506", UNKNOWN, BROKER + "queued.max.requests=${N}"),
    Case("KA1507", FIRES, BROKER + "replica.socket.receive.buffer.bytes=8000", severity="low", says="8 MB a second"),
    Case("KA1507", FIRES, BROKER + "socket.send.buffer.bytes=100", severity="low", says="100 KB a second"),
    Case("KA1507", SILENT, BROKER + "socket.receive.buffer.bytes=-1"),
    Case("KA1507", SILENT, BROKER),
    Case("KA1507", UNKNOWN, BROKER + "socket.receive.buffer.bytes=${N}"),
]


def test_cases() -> None:
    check_all(CASES)
