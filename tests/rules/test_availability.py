from __future__ import annotations

import pytest

from rules.availability import FACTOR_OF
from tests.support.rule_cases import FIRES, RULES, SILENT, UNKNOWN, Case, check_all, findings

ZK = "zookeeper.connect=z1:2181,z2:2181,z3:2181\nbroker.id=1\n"
BROKER = "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=100@c1:9093\ncontroller.listener.names=CONTROLLER\n"
COMBINED = "process.roles=broker,controller\nnode.id=1\ncontroller.listener.names=CONTROLLER\n"
BEATS = "group.consumer.heartbeat.interval.ms=45000\ngroup.consumer.max.heartbeat.interval.ms=60000\n"

AUDIT = "replication.factor={0}\n{1}"
ZOOKEEPER_2 = "[broker]\nzookeeper.connect=z:1\nbroker.id=1\nmin.insync.replicas=2\n"

CASES = [
    Case("KA201", FIRES, COMBINED + "default.replication.factor=3\nmin.insync.replicas=3", severity="medium"),
    Case("KA201", SILENT, COMBINED),
    Case("KA201", FIRES, COMBINED + "transaction.state.log.min.isr=3", "", "transaction.state.log.min.isr", "medium"),
    Case("KA201", FIRES, COMBINED + "transaction.state.log.replication.factor=2", "", "transaction.state.log.min.isr"),
    Case("KA201", SILENT, COMBINED + "default.replication.factor=3\nmin.insync.replicas=2"),
    Case("KA201", FIRES, BROKER + "default.replication.factor=3\nmin.insync.replicas=3", says="unless the cluster has"),
    Case("KA201", UNKNOWN, COMBINED + "default.replication.factor=${RF}"),
    Case("KA202", FIRES, ZK + "default.replication.factor=2\nmin.insync.replicas=3", "3.6", severity="high"),
    Case("KA202", FIRES, ZK + "default.replication.factor=2\nmin.insync.replicas=3", "3.7", severity="medium"),
    Case("KA202", SILENT, COMBINED + "transaction.state.log.min.isr=1\ntransaction.state.log.replication.factor=1"),
    Case("KA202", UNKNOWN, BROKER + "transaction.state.log.min.isr=${X}"),
    Case("KA202", UNKNOWN, "process.roles=${ROLES}\nnode.id=1", says="process.roles is filled in later"),
    Case("KA203", FIRES, BROKER + "controlled.shutdown.enable=false", severity="medium"),
    Case("KA203", SILENT, BROKER),
    Case("KA203", UNKNOWN, BROKER + "controlled.shutdown.enable=${X}"),
    Case("KA204", FIRES, BROKER + "auto.leader.rebalance.enable=false", severity="low"),
    Case("KA204", SILENT, BROKER),
    Case("KA204", UNKNOWN, BROKER + "auto.leader.rebalance.enable=${X}"),
    Case("KA205", FIRES, BROKER + "replica.lag.time.max.ms=600000", severity="low"),
    Case("KA205", SILENT, ZK, "2.4"),
    Case("KA205", UNKNOWN, BROKER + "replica.lag.time.max.ms=${X}"),
    Case("KA206", FIRES, BROKER + "replica.lag.time.max.ms=400", "", "replica.lag.time.max.ms", "critical"),
    Case("KA206", SILENT, BROKER + "replica.fetch.wait.max.ms=30000"),
    Case("KA206", UNKNOWN, BROKER + "replica.fetch.wait.max.ms=${X}"),
    Case("KA207", FIRES, BROKER + "num.replica.fetchers=0", "4.0", severity="high"),
    Case("KA207", SILENT, BROKER),
    Case("KA207", UNKNOWN, BROKER + "num.replica.fetchers=${X}"),
    Case("KA209", FIRES, ZK + "group.coordinator.rebalance.protocols=classic,consumer", "3.9"),
    Case("KA209", SILENT, BROKER + "group.coordinator.rebalance.protocols=CLASSIC,consumer"),
    Case("KA209", UNKNOWN, BROKER + "group.coordinator.rebalance.protocols=${X}"),
    Case("KA210", FIRES, BROKER + "group.min.session.timeout.ms=9999999", severity="high"),
    Case("KA210", SILENT, BROKER),
    Case("KA210", UNKNOWN, BROKER + "group.min.session.timeout.ms=${X}"),
    Case("KA211", FIRES, COMBINED + "controller.quorum.election.timeout.ms=0", severity="medium"),
    Case("KA211", SILENT, COMBINED),
    Case("KA211", UNKNOWN, COMBINED + "controller.quorum.fetch.timeout.ms=${X}"),
    Case("KA212", FIRES, BROKER + "group.consumer.assignors=range", "3.9", severity="critical"),
    Case("KA212", SILENT, BROKER + "group.consumer.assignors=range", "4.0"),
    Case("KA212", FIRES, BROKER + "group.share.assignors=simple,org.example.A", "4.1"),
    Case("KA212", UNKNOWN, BROKER + "group.consumer.assignors=${X}"),
    Case("KA213", FIRES, COMBINED + "group.max.size=10", "2.2", "group.max.size", "low"),
    Case("KA213", FIRES, COMBINED + "group.consumer.max.size=10", "3.7", "group.consumer.max.size"),
    Case("KA213", SILENT, COMBINED),
    Case("KA213", UNKNOWN, COMBINED + "group.max.size=${X}"),
    Case(
        "KA214",
        FIRES,
        "cleanup.policy=delete\nmin.insync.replicas=3",
        "topic",
        severity="info",
        says="with 3 replicas one broker down",
    ),
    Case(
        "KA215",
        FIRES,
        "replication.factor=3\nmin.insync.replicas=3",
        "topic",
        "min.insync.replicas",
        "medium",
        "all 3 replicas",
    ),
    Case(
        "KA215",
        FIRES,
        "replication.factor=3\nmin.insync.replicas=4",
        "topic 3.6",
        severity="high",
        says="every acks=all write fails",
    ),
    Case(
        "KA215",
        FIRES,
        "replication.factor=3\nmin.insync.replicas=4",
        "topic",
        severity="medium",
        says="one broker down",
    ),
    Case("KA215", SILENT, "replication.factor=3\nmin.insync.replicas=2", "topic"),
    Case("KA215", SILENT, "replication.factor=1\nmin.insync.replicas=1", "topic"),
    Case(
        "KA1750",
        FIRES,
        AUDIT.format(1, "") + ZOOKEEPER_2,
        "topic 3.6",
        "replication.factor",
        "high",
        says="write fails",
    ),
    Case("KA1750", FIRES, AUDIT.format(2, "") + ZOOKEEPER_2, "topic 3.9", "replication.factor", "medium"),
    Case("KA1750", SILENT, AUDIT.format(1, "") + ZOOKEEPER_2, "topic 3.9"),
    Case("KA1750", SILENT, AUDIT.format(3, "") + ZOOKEEPER_2, "topic 3.6"),
    Case("KA1750", SILENT, AUDIT.format(1, "min.insync.replicas=1\n") + ZOOKEEPER_2, "topic 3.6"),
    Case("KA1750", UNKNOWN, AUDIT.format(1, "") + ZOOKEEPER_2.replace("=2", "=${N}"), "topic 3.6"),
    Case("KA215", UNKNOWN, "replication.factor=${R}\nmin.insync.replicas=2", "topic"),
    Case("KA214", SILENT, "replication.factor=5\nmin.insync.replicas=3", "topic"),
    Case("KA214", SILENT, "cleanup.policy=delete\nmin.insync.replicas=2", "topic"),
    Case("KA214", UNKNOWN, "cleanup.policy=delete\nmin.insync.replicas=${X}", "topic"),
]


@pytest.mark.parametrize(("key", "replicas", "required"), [
    ("min.insync.replicas", 2, "3 replicas"),
    ("transaction.state.log.min.isr", 2, "3 replicas"),
    ("min.insync.replicas", 3, "2"),
])  # fmt: skip
def test_what_min_isr_equals_rf_asks_for_is_no_new_finding(key: str, replicas: int, required: str) -> None:
    factor = FACTOR_OF[key]
    [finding] = findings(Case("KA201", FIRES, COMBINED + f"{factor}={replicas}\n{key}={replicas}"))
    assert finding.required == required


def test_what_switches_the_new_protocol_on_depends_on_the_release() -> None:
    fix = RULES["KA209"].documentation().text("Fix")
    assert [words for words in ("From 4.0 on the features", "3.7 to 3.9", "classic,consumer") if words not in fix] == []


def test_cases() -> None:
    check_all(CASES)
