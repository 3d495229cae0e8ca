from __future__ import annotations

import pytest

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check

ZK = "zookeeper.connect=z1:2181,z2:2181,z3:2181\nbroker.id=1\n"
BROKER = "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=100@c1:9093\ncontroller.listener.names=CONTROLLER\n"
REMOTE = "remote.log.storage.system.enable=true\n"

CASES = [
    Case("KA701", FIRES, BROKER, "", "log.dirs", "high"),
    Case("KA701", FIRES, BROKER + "log.dir=/var/tmp/k", "", "log.dir", "high"),
    Case("KA701", FIRES, BROKER + "log.dirs=/d\nmetadata.log.dir=/tmp/m", key="metadata.log.dir"),
    Case("KA701", SILENT, BROKER + "log.dirs=/tmpfs/k,/data/tmp\nlog.dir=/tmp/kafka-logs"),
    Case("KA701", UNKNOWN, BROKER + "log.dirs=${DIRS}"),
    Case("KA702", FIRES, BROKER + "log.dirs=/d\nlog.dir=/e", key="log.dir", severity="low"),
    Case("KA702", SILENT, BROKER + "log.retention.hours=5"),
    Case("KA702", UNKNOWN, BROKER + "log.retention.hours=5\nlog.retention.ms=${X}"),
    Case("KA703", FIRES, BROKER + "log.retention.hours=-1", "", "log.retention.hours", "medium"),
    Case("KA703", SILENT, BROKER + "log.retention.bytes=-1"),
    Case("KA703", SILENT, BROKER + "log.retention.ms=-1\nlog.retention.bytes=1000"),
    Case("KA703", UNKNOWN, BROKER + "log.retention.ms=${X}"),
    Case("KA704", FIRES, BROKER + "log.retention.minutes=10", "", "log.retention.minutes", "low"),
    Case("KA704", SILENT, BROKER + "log.retention.hours=24"),
    Case("KA704", SILENT, BROKER + "log.retention.hours=1\nlog.retention.ms=-1"),
    Case("KA704", UNKNOWN, BROKER + "log.retention.hours=${X:-3}"),
    Case("KA704", FIRES, "process.roles=broker\nnode.id=1\nlog.retention.hours=1", says="live 1 hour"),
    Case("KA705", FIRES, BROKER + "log.retention.minutes=0", severity="critical"),
    Case("KA705", SILENT, BROKER + "log.retention.minutes=0\nlog.retention.ms=5"),
    Case("KA705", UNKNOWN, BROKER + "log.retention.ms=${X}"),
    Case("KA706", FIRES, BROKER + "log.roll.ms=10000\nlog.retention.ms=5000", severity="low"),
    Case("KA706", SILENT, BROKER + "log.retention.ms=5000"),
    Case("KA706", UNKNOWN, BROKER + "log.roll.ms=10000\nlog.retention.ms=${X}"),
    Case("KA707", FIRES, BROKER + "log.cleaner.enable=false", severity="medium"),
    Case("KA707", SILENT, BROKER),
    Case("KA707", UNKNOWN, BROKER + "log.cleaner.enable=${X}"),
    Case("KA708", FIRES, BROKER + "log.cleaner.threads=200", "", "log.cleaner.threads", "critical"),
    Case("KA708", SILENT, BROKER + "log.cleaner.threads=8"),
    Case("KA708", UNKNOWN, BROKER + "log.cleaner.threads=${X}"),
    Case("KA709", FIRES, BROKER + "log.cleaner.max.compaction.lag.ms=5\nlog.cleaner.min.compaction.lag.ms=6"),
    Case("KA709", SILENT, BROKER + "log.cleaner.max.compaction.lag.ms=5\nlog.cleaner.min.compaction.lag.ms=5"),
    Case("KA709", UNKNOWN, BROKER + "log.cleaner.max.compaction.lag.ms=${X}"),
    Case("KA710", FIRES, BROKER + REMOTE + "log.local.retention.bytes=-1\nlog.retention.bytes=5", severity="critical"),
    Case("KA710", SILENT, BROKER + "log.local.retention.ms=700000000"),
    Case("KA710", SILENT, BROKER + REMOTE),
    Case("KA710", UNKNOWN, BROKER + REMOTE + "log.local.retention.ms=${X}"),
    Case("KA711", FIRES, BROKER + REMOTE, "3.9", severity="critical"),
    Case("KA711", SILENT, BROKER, "3.9"),
    Case("KA711", UNKNOWN, BROKER + REMOTE + "remote.log.storage.manager.class.name=${X}"),
    Case("KA712", FIRES, BROKER + REMOTE + "remote.log.metadata.manager.listener.name=X"),
    Case("KA712", SILENT, BROKER + "remote.log.metadata.manager.listener.name=X"),
    Case("KA712", UNKNOWN, BROKER + REMOTE + "remote.log.metadata.manager.listener.name=${X}"),
    Case("KA713", FIRES, BROKER + "log.dirs=/d,/d/", "4.3", severity="critical"),
    Case("KA713", SILENT, BROKER + "log.dirs=/d,/d", "4.3"),
    Case("KA713", UNKNOWN, BROKER + "log.dirs=${X}"),
    Case("KA714", FIRES, BROKER + "log.dirs=", "3.9", severity="critical"),
    Case("KA714", SILENT, BROKER),
    Case("KA714", UNKNOWN, BROKER + "log.dirs=${X}"),
    Case("KA715", FIRES, BROKER + "log.dirs=/a\ncordoned.log.dirs=*,/a", "4.3"),
    Case("KA715", SILENT, BROKER + "log.dirs=/a\ncordoned.log.dirs=*", "4.3"),
    Case("KA715", SILENT, BROKER + "log.dirs=/a\ncordoned.log.dirs=/b", "4.1"),
    Case("KA715", UNKNOWN, BROKER + "cordoned.log.dirs=${X}", "4.3"),
    Case("KA716", FIRES, BROKER + "log.dirs=/a,/b", "3.6"),
    Case("KA716", FIRES, BROKER + "log.dirs=/a,/b", "3.6", severity="high"),
    Case("KA716", FIRES, BROKER + "log.dirs=/a,/b", "3.7", severity="medium", says="early access"),
    Case("KA716", SILENT, BROKER + "log.dirs=/a,/b", "3.8"),
    Case("KA716", SILENT, ZK + "log.dirs=/a,/b", "3.6"),
    Case("KA716", UNKNOWN, BROKER + "log.dirs=${X}", "3.6"),
    Case("KA717", FIRES, BROKER + "log.cleanup.policy=compact,delete"),
    Case("KA717", SILENT, BROKER),
    Case("KA717", UNKNOWN, BROKER + "log.cleanup.policy=${X}"),
    Case("KA718", FIRES, BROKER + "log.segment.bytes=1048576", severity="low"),
    Case("KA718", SILENT, BROKER + "log.segment.bytes=134217728"),
    Case("KA718", UNKNOWN, BROKER + "log.segment.bytes=${X}"),
    Case("KA719", FIRES, BROKER + "log.dirs=data"),
    Case("KA719", SILENT, BROKER + "log.dirs=C:/kafka/data,/data"),
    Case("KA719", UNKNOWN, BROKER + "log.dirs=${X}"),
    Case("KA719", SILENT, BROKER + "log.dirs=KAFKA_LOG_DIRS"),
]


@pytest.mark.parametrize("case", CASES)
def test_case(case: Case) -> None:
    check(case)
