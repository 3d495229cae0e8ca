from __future__ import annotations

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check_all

ZK = "zookeeper.connect=z1:2181,z2:2181,z3:2181\nbroker.id=1\n"
BROKER = "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=100@c1:9093\ncontroller.listener.names=CONTROLLER\n"
COMBINED = "process.roles=broker,controller\nnode.id=1\ncontroller.listener.names=CONTROLLER\n"
REMOTE = "remote.log.storage.system.enable=true\n"
OFFSETS = COMBINED + "min.insync.replicas=2\ndefault.replication.factor=3\noffsets.topic.replication.factor="

CASES = [
    Case("KA401", FIRES, BROKER + "offsets.topic.replication.factor=1", severity="high"),
    Case("KA401", FIRES, BROKER + "transaction.state.log.replication.factor=2", severity="medium"),
    Case("KA401", FIRES, ZK + "confluent.license.topic.replication.factor=1", severity="medium"),
    Case(
        "KA401", FIRES, BROKER + REMOTE + "rlmm.config.remote.log.metadata.topic.replication.factor=1", severity="high"
    ),
    Case("KA401", SILENT, BROKER + "rlmm.config.remote.log.metadata.topic.replication.factor=1"),
    Case("KA401", SILENT, ZK + "share.coordinator.state.topic.replication.factor=1", "3.8"),
    Case("KA401", SILENT, BROKER),
    Case("KA401", UNKNOWN, BROKER + "offsets.topic.replication.factor=${RF}"),
    Case("KA401", UNKNOWN, ZK + "confluent.license.topic.replication.factor=${RF}"),
    Case("KA402", FIRES, BROKER + "share.coordinator.state.topic.min.isr=1", severity="medium"),
    Case("KA402", SILENT, BROKER),
    Case("KA402", UNKNOWN, BROKER + "transaction.state.log.min.isr=${X}"),
    Case("KA403", FIRES, ZK + "offsets.commit.required.acks=-2", "3.9", severity="critical"),
    Case("KA403", SILENT, COMBINED + "offsets.commit.required.acks=5", "4.0"),
    Case("KA403", SILENT, ZK + "offsets.commit.required.acks=3", "3.9"),
    Case("KA403", UNKNOWN, ZK + "offsets.commit.required.acks=${X}", "3.9"),
    Case("KA404", FIRES, ZK + "offsets.commit.required.acks=0", "3.9", severity="medium"),
    Case("KA404", SILENT, ZK, "3.9"),
    Case("KA404", UNKNOWN, ZK + "offsets.commit.required.acks=${X}", "3.9"),
    Case("KA405", FIRES, BROKER + "offsets.retention.minutes=60", severity="low"),
    Case("KA405", FIRES, BROKER + "log.retention.hours=720", severity="info"),
    Case("KA405", SILENT, BROKER),
    Case("KA405", SILENT, BROKER + "log.retention.ms=-1"),
    Case(
        "KA405",
        FIRES,
        BROKER + "log.retention.ms=-1\noffsets.retention.minutes=60",
        severity="low",
        says="records never",
    ),
    Case("KA405", SILENT, BROKER + "log.retention.ms=-1\noffsets.retention.minutes=43200"),
    Case("KA405", UNKNOWN, BROKER + "log.retention.ms=${X}"),
    Case("KA406", FIRES, BROKER + "offsets.topic.compression.codec=-1", severity="critical"),
    Case("KA406", SILENT, BROKER + "offsets.topic.compression.codec=4"),
    Case("KA406", UNKNOWN, BROKER + "offsets.topic.compression.codec=${X}"),
    Case("KA407", FIRES, OFFSETS + "2", "", "offsets.topic.replication.factor", "medium"),
    Case("KA407", FIRES, OFFSETS + "1", "3.6", severity="high"),
    Case(
        "KA407",
        FIRES,
        OFFSETS + "1\nmin.insync.replicas=3\ndefault.replication.factor=4",
        "3.6",
        says="the topic has 1",
    ),
    Case("KA407", FIRES, OFFSETS + "2\nmin.insync.replicas=3\ndefault.replication.factor=4", "3.7", severity="medium"),
    Case("KA407", SILENT, OFFSETS + "1", "3.7"),
    Case("KA407", SILENT, OFFSETS + "3"),
    Case("KA407", SILENT, OFFSETS + "2\ndefault.replication.factor=2"),
    Case("KA407", UNKNOWN, OFFSETS + "${X}"),
]


def test_cases() -> None:
    check_all(CASES)
