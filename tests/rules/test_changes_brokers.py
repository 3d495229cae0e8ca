from __future__ import annotations

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check_all

NODE = "process.roles=broker\nnode.id=1\n"
ZK = "broker.id=1\nzookeeper.connect=z:1\n"


def mode(before: str, after: str) -> str:
    """A node of one mode before a change and of another after it."""
    return change(before, after, "node.id=1\nbroker.id=1\ncontroller.quorum.voters=9@c:1\n")


def change(before: str, after: str, common: str = NODE) -> str:
    return f"{common}before:\n{before}\nafter:\n{after}"


PAIR = "process.roles=broker\nnode.id=1\nbroker.rack={}\n[broker]\nprocess.roles=broker\nnode.id=2\nbroker.rack={}"
CASES = [
    Case("KA2120", FIRES, change(PAIR.format("a", "b"), PAIR.format("a", "a"), ""), key="broker.rack", severity="medium", says="1 where there were 2"),
    Case("KA2120", FIRES, change(PAIR.format("a", "b"), PAIR.format("", ""), ""), says="none where there were 2"),
    Case("KA2120", SILENT, change(PAIR.format("a", "b"), PAIR.format("b", "c"), "")),
    Case("KA2120", SILENT, change(PAIR.format("a", "a"), PAIR.format("a", "b"), "")),
    Case("KA2120", SILENT, change(PAIR.format("", ""), PAIR.format("a", "a"), "")),
    Case("KA2120", UNKNOWN, change(PAIR.format("a", "b"), PAIR.format("a", "${RACK}"), "")),
    Case("KA1801", FIRES, change("log.dirs=/a", "log.dirs=/b"), key="log.dirs", severity="critical", says="before they are formatted"),
    Case("KA1801", FIRES, change("", "log.dirs=/b"), key="log.dirs"),
    Case("KA1801", FIRES, change("log.dirs=/a,/b", "log.dirs=/c,/d"), key="log.dirs"),
    Case("KA1801", FIRES, change("log.dirs=/a", "log.dir=/b", ZK), severity="critical", says="the broker starts without"),
    Case("KA1801", SILENT, change("log.dirs=/a,/b", "log.dirs=/b,/a")),
    Case("KA1801", SILENT, change("log.dirs=/a", "log.dirs=/a/")),
    Case("KA1801", SILENT, change("log.dir=/a", "log.dirs=/a")),
    Case("KA1801", SILENT, change("", "log.dirs=/tmp/kafka-logs")),
    Case("KA1801", SILENT, change("log.dirs=/a", "log.dirs=/a,/b")),
    Case("KA1801", UNKNOWN, change("log.dirs=/a", "log.dirs=${DIRS}")),
    Case("KA1801", UNKNOWN, change("log.dirs=${DIRS}", "log.dirs=/a")),
    Case("KA1802", FIRES, change("log.dirs=/a,/b", "log.dirs=/a"), key="log.dirs", severity="high", says="/b are gone"),
    Case("KA1802", FIRES, change("log.dirs=/a,/b,/c", "log.dirs=/a,/d"), severity="high"),
    Case("KA1802", SILENT, change("log.dirs=/a", "log.dirs=/a,/b")),
    Case("KA1802", SILENT, change("log.dirs=/a", "log.dirs=/b")),
    Case("KA1802", UNKNOWN, change("log.dirs=${A}", "log.dirs=/b")),
    Case("KA1803", FIRES, change("log.dirs=/a", "log.dirs=/a,/b"), key="log.dirs", severity="medium", says="/b is formatted"),
    Case("KA1803", SILENT, change("log.dirs=/a", "log.dirs=/a,/b", ZK), "broker 3.9"),
    Case("KA1803", SILENT, change("log.dirs=/a,/b", "log.dirs=/a")),
    Case("KA1803", UNKNOWN, change("log.dirs=/a", "log.dirs=${A}")),
    Case("KA2113", FIRES, mode("zookeeper.connect=z:1", "process.roles=broker,controller"), key="process.roles", severity="critical", says="-stray"),
    Case("KA2113", FIRES, mode("process.roles=broker", "zookeeper.connect=z:1"), key="zookeeper.connect", severity="critical", says="refuses the directories"),
    Case("KA2113", SILENT, mode("zookeeper.connect=z:1\nzookeeper.metadata.migration.enable=true", "process.roles=broker")),
    Case("KA2113", SILENT, mode("process.roles=broker", "zookeeper.connect=z:1\nzookeeper.metadata.migration.enable=true")),
    Case("KA2113", SILENT, mode("process.roles=controller\nzookeeper.connect=z:1", "process.roles=controller")),
    Case("KA2113", UNKNOWN, mode("zookeeper.connect=z:1\nzookeeper.metadata.migration.enable=${M}", "process.roles=broker")),
    Case("KA1804", FIRES, "log.dirs=/a\nprocess.roles=broker\nbefore:\nnode.id=1\nafter:\nnode.id=2", key="node.id", severity="critical"),
    Case("KA1804", FIRES, "zookeeper.connect=z:1\nbefore:\nbroker.id=1\nafter:\nbroker.id=2", key="broker.id"),
    Case("KA1804", SILENT, "zookeeper.connect=z:1\nbefore:\nbroker.id=1\nafter:\nbroker.id=01"),
    Case("KA1804", SILENT, "log.dirs=/a\nbefore:\nzookeeper.connect=z:1\nbroker.id=1\nafter:\nnode.id=1\nprocess.roles=broker"),
    Case("KA1804", SILENT, "zookeeper.connect=z:1\nbefore:\nbroker.id=-1\nafter:\nbroker.id=2"),
    Case("KA1805", FIRES, change("", "broker.session.timeout.ms=30000"), key="broker.session.timeout.ms", severity="low"),
    Case("KA1805", SILENT, change("", "broker.session.timeout.ms=9000")),
    Case("KA1805", SILENT, change("", "broker.session.timeout.ms=30000", "process.roles=broker,controller\nnode.id=1\n")),
    Case("KA1805", UNKNOWN, change("", "broker.session.timeout.ms=${T}")),
    Case("KA1804", UNKNOWN, "zookeeper.connect=z:1\nbefore:\nbroker.id=${ID}\nafter:\nbroker.id=2"),
]  # fmt: skip


def test_cases() -> None:
    check_all(CASES)
