from __future__ import annotations

import pytest

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check

T = "retention.ms=604800000\n"
REMOTE = T + "remote.storage.enable=true\n"
COMPACT = "cleanup.policy=compact\n"
JOINED = "[topic]\n" + REMOTE + "[broker]\nprocess.roles=broker\nnode.id=1\n"
X = "=${X}"

CASES = [
    Case("KA750", FIRES, T + "min.compaction.lag.ms=2\nmax.compaction.lag.ms=1", "topic 2.8", severity="critical"),
    Case("KA750", SILENT, T + "min.compaction.lag.ms=500\nmax.compaction.lag.ms=500", "topic"),
    Case("KA750", UNKNOWN, T + "min.compaction.lag.ms" + X, "topic"),
    Case("KA751", FIRES, REMOTE + COMPACT, "topic 3.9", "cleanup.policy", "critical"),
    Case("KA751", FIRES, REMOTE + "cleanup.policy=", "topic 4.1", "cleanup.policy", "critical"),
    Case("KA751", SILENT, REMOTE + "cleanup.policy=", "topic 4.3"),
    Case("KA751", SILENT, T + COMPACT, "topic"),
    Case("KA751", UNKNOWN, COMPACT + "remote.storage.enable" + X, "topic"),
    Case("KA752", FIRES, REMOTE + "local.retention.bytes=100\nretention.bytes=50", "topic 3.9", severity="critical"),
    Case("KA752", FIRES, REMOTE + "local.retention.ms=-1", "topic", "local.retention.ms", "critical"),
    Case("KA752", SILENT, REMOTE + "local.retention.bytes=100", "topic"),
    Case("KA752", SILENT, REMOTE + "local.retention.ms=-2", "topic"),
    Case("KA752", SILENT, T + "local.retention.ms=-1", "topic"),
    Case("KA752", UNKNOWN, REMOTE + "local.retention.ms" + X, "topic"),
    Case("KA753", SILENT, REMOTE + "local.retention.ms=1", "topic"),
    Case("KA753", SILENT, REMOTE + "remote.log.copy.disable=true\nlocal.retention.ms=604800000", "topic"),
    Case("KA753", UNKNOWN, REMOTE + "remote.log.copy.disable" + X, "topic"),
    Case("KA754", SILENT, JOINED.replace("=true", "=false")),
    Case("KA754", UNKNOWN, JOINED + "remote.log.storage.system.enable" + X),
    Case("KA755", FIRES, T + "min.compaction.lag.ms=1", "topic", "min.compaction.lag.ms", "info"),
    Case("KA755", SILENT, T + "cleanup.policy=", "topic"),
    Case("KA755", UNKNOWN, T + "cleanup.policy" + X, "topic"),
    Case("KA756", SILENT, T + "segment.ms=604800000", "topic"),
    Case("KA756", SILENT, "retention.ms=-1\nsegment.ms=604800000", "topic"),
    Case("KA756", UNKNOWN, T + "segment.ms" + X, "topic"),
    Case("KA759", SILENT, COMPACT + "retention.ms=-1", "topic"),
    Case("KA759", SILENT, "retention.ms=-1\nretention.bytes=1000", "topic"),
    Case("KA759", UNKNOWN, "retention.ms" + X, "topic"),
    Case("KA760", SILENT, COMPACT + "retention.ms=1000", "topic"),
    Case("KA760", UNKNOWN, "retention.ms" + X, "topic"),
    Case("KA761", FIRES, T + "segment.bytes=1048576", "topic", "segment.bytes", "low"),
    Case("KA770", FIRES, T + "segment.ms=1000", "topic", "segment.ms", "medium"),
    Case("KA770", FIRES, T + "segment.ms=599999", "topic", "segment.ms", "medium"),
    Case("KA770", SILENT, T + "segment.ms=600000", "topic"),
    Case("KA770", SILENT, T, "topic"),
    Case("KA770", UNKNOWN, T + "segment.ms" + X, "topic"),
    Case("KA761", SILENT, T, "topic"),
    Case("KA761", UNKNOWN, T + "segment.bytes" + X, "topic"),
    Case("KA763", SILENT, T, "topic"),
    Case("KA763", UNKNOWN, T + "cleanup.policy" + X, "topic"),
    Case("KA764", SILENT, T + "delete.retention.ms=1", "topic"),
    Case("KA764", UNKNOWN, COMPACT + "delete.retention.ms" + X, "topic"),
    Case("KA765", SILENT, T, "topic"),
    Case("KA765", UNKNOWN, T + "leader.replication.throttled.replicas" + X, "topic"),
    Case("KA766", FIRES, T + "retention.bytes=1000000", "topic", "retention.bytes", "low"),
    Case("KA766", SILENT, T + "retention.bytes=1073741824", "topic"),
    Case("KA766", SILENT, T + "retention.bytes=-1", "topic"),
    Case("KA766", SILENT, COMPACT + "retention.bytes=1000000", "topic"),
    Case("KA766", UNKNOWN, T + "retention.bytes" + X, "topic"),
    Case("KA767", FIRES, T + "message.timestamp.after.max.ms=9223372036854775807", "topic 3.6", severity="low"),
    Case("KA767", SILENT, T + "message.timestamp.after.max.ms=9223372036854775807", "topic 3.5"),
    Case("KA767", SILENT, T, "topic 3.9"),
    Case("KA767", SILENT, T + "message.timestamp.after.max.ms=864000000", "topic"),
    Case(
        "KA767",
        SILENT,
        T + "message.timestamp.type=LogAppendTime\nmessage.timestamp.after.max.ms=9223372036854775807",
        "topic",
    ),
    Case("KA767", UNKNOWN, T + "message.timestamp.after.max.ms" + X, "topic"),
    Case("KA771", FIRES, "local.retention.ms=5", "topic 3.5", "local.retention.ms", "low", says="ignores"),
    Case("KA771", FIRES, "local.retention.bytes=5", "topic 3.0", "local.retention.bytes"),
    Case("KA771", SILENT, "local.retention.bytes=-2", "topic 3.0"),
    Case("KA771", UNKNOWN, "local.retention.ms=${MS}", "topic 3.5"),
    Case("KA771", SILENT, "local.retention.ms=5", "topic 3.6"),
    Case("KA771", SILENT, "local.retention.ms=5", "topic 2.8"),
    Case("KA771", SILENT, "retention.ms=5", "topic 3.5"),
    Case("KA768", FIRES, JOINED + "remote.log.storage.system.enable=true", "", "local.retention.ms", "low"),
    Case("KA768", SILENT, JOINED + "log.local.retention.bytes=1000"),
    Case("KA768", SILENT, JOINED.replace("[broker]", "remote.log.copy.disable=true\n[broker]"), "3.9"),
    Case("KA768", SILENT, JOINED.replace("[broker]", "local.retention.bytes=100\n[broker]")),
    Case("KA768", UNKNOWN, JOINED + "log.local.retention.ms" + X),
    Case("KA769", FIRES, COMPACT + "min.cleanable.dirty.ratio=0.9", "topic", severity="low", says="90%"),
    Case("KA769", SILENT, COMPACT + "min.cleanable.dirty.ratio=0.8", "topic"),
    Case("KA769", SILENT, T + "min.cleanable.dirty.ratio=1", "topic"),
    Case("KA769", UNKNOWN, COMPACT + "min.cleanable.dirty.ratio" + X, "topic"),
]


@pytest.mark.parametrize("case", CASES)
def test_case(case: Case) -> None:
    check(case)
