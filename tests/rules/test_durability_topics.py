from __future__ import annotations

import pytest

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check

UNCLEAN = "cleanup.policy=delete\nunclean.leader.election.enable=true\n"
KRAFT = "[combined]\nprocess.roles=broker,controller\nnode.id=1\n"

CASES = [
    Case("KA151", FIRES, "cleanup.policy=compact\nmin.insync.replicas=1", "topic", severity="high"),
    Case("KA151", SILENT, "cleanup.policy=compact", "topic"),
    Case("KA151", UNKNOWN, "cleanup.policy=compact\nmin.insync.replicas=${N}", "topic"),
    Case("KA152", FIRES, "unclean.leader.election.enable=true", "topic", severity="critical"),
    Case("KA152", SILENT, "cleanup.policy=compact", "topic"),
    Case("KA152", UNKNOWN, "unclean.leader.election.enable=${X}", "topic"),
    Case("KA153", FIRES, "flush.ms=1000", "topic", severity="low"),
    Case("KA153", SILENT, "flush.messages=9223372036854775807", "topic"),
    Case("KA153", UNKNOWN, "flush.ms=${X}", "topic"),
    Case("KA154", FIRES, "acks=0\n[topic]\nmin.insync.replicas=2", "producer", severity="medium"),
    Case("KA154", SILENT, "acks=all\n[topic]\nmin.insync.replicas=2", "producer"),
    Case("KA154", SILENT, "acks=1\n[topic]\ncleanup.policy=delete", "producer"),
    Case("KA154", UNKNOWN, "acks=1\n[topic]\nmin.insync.replicas=${N}", "producer"),
    Case("KA155", FIRES, UNCLEAN + KRAFT, "3.8", "unclean.leader.election.enable", "medium"),
    Case("KA155", SILENT, UNCLEAN + KRAFT, "3.9"),
    Case("KA155", SILENT, UNCLEAN + "[broker]\nzookeeper.connect=z:1\nbroker.id=1", "3.6"),
    Case("KA155", UNKNOWN, UNCLEAN.replace("true", "${X}") + KRAFT, "3.6"),
]


@pytest.mark.parametrize("case", CASES)
def test_case(case: Case) -> None:
    check(case)
