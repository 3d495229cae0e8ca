"""What other tools get wrong: W1 to W11 as far as files show them, and files that are fine as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import ROOT, run

ZK = "zookeeper.connect=z1:2181,z2:2181,z3:2181\nbroker.id=1\nlog.dirs=/data\n"
KRAFT = "process.roles=broker,controller\nnode.id=1\ncontroller.quorum.voters=1@b1:9093,2@b2:9093,3@b3:9093\n"
BROKER = "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=101@c1:9093,102@c2:9093,103@c3:9093\n"
LISTEN = "controller.listener.names=CONTROLLER\nlisteners=PLAINTEXT://:9092,CONTROLLER://:9093\nlog.dirs=/data\n"


def found(tmp_path: Path, text: str, *arguments: str) -> dict[str, str]:
    """Rule name to severity (the worst, where a rule found several)."""
    (tmp_path / "x.properties").write_text(text)
    report = run("lint", "--no-config", "--format", "json", *arguments, tmp_path / "x.properties").json
    rows = {f"{row['name']}:{row['key']}": row["severity"] for row in report["findings"]}
    return rows | {row["name"]: row["severity"] for row in reversed(report["findings"])}


ABOVE = "default.replication.factor=2\nmin.insync.replicas=3\n"
EQUAL = "default.replication.factor=3\nmin.insync.replicas=3\n"


@pytest.mark.parametrize(
    ("what", "text", "arguments", "name", "severity"),
    [
        ("W1: before 3.7 nothing can be written", ZK + ABOVE, ("--kafka-version", "3.6"), "min-isr-above-rf", "high"),
        ("W1: since 3.7 it is capped", ZK + ABOVE, ("--kafka-version", "3.7"), "min-isr-above-rf", "medium"),
        ("W2: equal does not block writes", ZK + EQUAL, (), "min-isr-equals-rf", "medium"),
        ("W2: nor is it above", ZK + EQUAL, (), "min-isr-above-rf", None),
        ("W2: one replica is not a case of it", ZK + "default.replication.factor=1\nmin.insync.replicas=1\n", (), "min-isr-equals-rf", None),
        ("W4: the stock sizes are safe", ZK, (), "message-size", None),
        ("W4: and so is the fetch size", ZK, (), "replica-fetch-too-small", None),
        ("W5: KRaft's own authorizer", KRAFT + LISTEN + "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer\n", (), "authorizer-missing", None),
        ("W6: the default retention is not an infinite one", ZK, (), "retention-infinite", None),
        ("W6: -1 is", ZK + "log.retention.ms=-1\n", (), "retention-infinite", "medium"),
        ("W9: the default is the risk", ZK, (), "default-rf-low:default.replication.factor", "high"),
        ("W9: and so is the same value written down", ZK + "default.replication.factor=1\n", (), "default-rf-low", "high"),
        ("W9: min.isr too", ZK, (), "min-isr-1:min.insync.replicas", "high"),
        ("the chroot stands once, behind the last host", ZK.replace("z3:2181", "z3:2181/kafka"), (), "zk-single", None),
        ("min.isr of a controller before 4.1 counts for nothing", BROKER.replace("=broker", "=controller"), ("--kafka-version", "4.0"), "min-isr-1", None),
    ],
)  # fmt: skip
def test_what_others_get_wrong(
    tmp_path: Path, what: str, text: str, arguments: tuple[str, ...], name: str, severity: str | None
) -> None:
    assert found(tmp_path, text, *arguments).get(name) == severity, what


def test_w3_min_isr_does_nothing_for_acks_1(tmp_path: Path) -> None:
    (tmp_path / "p.properties").write_text("acks=1\nbootstrap.servers=a:1,b:1\n")
    rows = found(
        tmp_path, ZK + "min.insync.replicas=2\ndefault.replication.factor=3\n", "--with", str(tmp_path / "p.properties")
    )
    assert rows["min-isr-without-effect"] == "low"


@pytest.mark.parametrize("own", ["", "min.insync.replicas=1\n", "min.insync.replicas=2\n"])
@pytest.mark.parametrize(("version", "known"), [("4.0", True), ("4.1", False), ("4.4", False)])
def test_w11_the_controllers_value_counts(tmp_path: Path, own: str, version: str, known: bool) -> None:
    (tmp_path / "x.properties").write_text(BROKER + own)
    report = run("lint", "--no-config", "--format", "json", "--kafka-version", version, tmp_path / "x.properties").json
    unknown = {row["name"]: row["reason"] for row in report["unknown"]}
    assert ("min-isr-1" not in unknown) is known
    if not known:
        assert "the controller's value counts" in unknown["min-isr-1"]
        assert "min-isr-1" not in {row["name"] for row in report["findings"]}


STOCK_COMMON = (
    "num.network.threads=3\nnum.io.threads=8\nsocket.send.buffer.bytes=102400\nsocket.receive.buffer.bytes=102400\n"
    "socket.request.max.bytes=104857600\nnum.partitions=1\nnum.recovery.threads.per.data.dir=1\n"
    "offsets.topic.replication.factor=1\ntransaction.state.log.replication.factor=1\n"
    "transaction.state.log.min.isr=1\nlog.retention.hours=168\nlog.segment.bytes=1073741824\n"
    "log.retention.check.interval.ms=300000\n"
)
STOCK_KRAFT = (
    "controller.quorum.bootstrap.servers=localhost:9093\ncontroller.listener.names=CONTROLLER\n"
    "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,"
    "SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL\n"
)
ONE_REPLICA_EACH = {
    "internal-topic-rf:offsets.topic.replication.factor",
    "internal-topic-rf:transaction.state.log.replication.factor",
    "default-rf-low:default.replication.factor",
    "min-isr-1:min.insync.replicas",
    "tmp-log-dir:log.dirs",
}
STOCK = {
    "3.9 with ZooKeeper": (
        "broker.id=0\nzookeeper.connect=localhost:2181\nzookeeper.connection.timeout.ms=18000\n"
        "group.initial.rebalance.delay.ms=0\nlog.dirs=/tmp/kafka-logs\n" + STOCK_COMMON,
        ONE_REPLICA_EACH | {"zk-single:zookeeper.connect"},
    ),
    "3.9 KRaft combined": (
        "process.roles=broker,controller\nnode.id=1\ncontroller.quorum.voters=1@localhost:9093\n"
        "listeners=PLAINTEXT://:9092,CONTROLLER://:9093\ninter.broker.listener.name=PLAINTEXT\n"
        "advertised.listeners=PLAINTEXT://localhost:9092\nlog.dirs=/tmp/kraft-combined-logs\n"
        + STOCK_KRAFT.split("\n", 1)[1]
        + STOCK_COMMON,
        ONE_REPLICA_EACH | {"quorum-single:controller.quorum.voters"},
    ),
    "4.x combined": (
        "process.roles=broker,controller\nnode.id=1\nlisteners=PLAINTEXT://:9092,CONTROLLER://:9093\n"
        "inter.broker.listener.name=PLAINTEXT\nadvertised.listeners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093\n"
        "log.dirs=/tmp/kraft-combined-logs\nshare.coordinator.state.topic.replication.factor=1\n"
        "share.coordinator.state.topic.min.isr=1\n" + STOCK_KRAFT + STOCK_COMMON,
        ONE_REPLICA_EACH | {"internal-topic-rf:share.coordinator.state.topic.replication.factor"},
    ),
    "4.x broker": (
        "process.roles=broker\nnode.id=2\nlisteners=PLAINTEXT://localhost:9092\ninter.broker.listener.name=PLAINTEXT\n"
        "advertised.listeners=PLAINTEXT://localhost:9092\nlog.dirs=/tmp/kraft-broker-logs\n"
        + STOCK_KRAFT
        + STOCK_COMMON,
        ONE_REPLICA_EACH - {"min-isr-1:min.insync.replicas"},
    ),
    "4.x controller": (
        "process.roles=controller\nnode.id=1\nlisteners=CONTROLLER://:9093\nlog.dirs=/tmp/kraft-controller-logs\n"
        + STOCK_KRAFT
        + STOCK_COMMON,
        {"min-isr-1:min.insync.replicas", "tmp-log-dir:log.dirs"},
    ),
}


@pytest.mark.parametrize("name", STOCK)
def test_the_stock_files_raise_only_what_every_expert_would_say(tmp_path: Path, name: str) -> None:
    text, wanted = STOCK[name]
    version = ("--kafka-version", "3.9") if name.startswith("3.9") else ()
    rows = found(tmp_path, text, *version)
    assert {row for row, severity in rows.items() if ":" in row and severity in ("critical", "high")} == wanted


@pytest.mark.parametrize("path", sorted((ROOT / "examples/good").glob("*.properties")), ids=lambda path: path.name)
@pytest.mark.parametrize("profile", ["production", "regulated"])
def test_a_hardened_file_has_no_finding_above_info(path: Path, profile: str) -> None:
    report = run("lint", "--no-config", "--format", "json", "--profile", profile, path).json
    assert [row for row in report["findings"] if row["severity"] != "info"] == []
    assert report["summary"]["grade"] == "A"
