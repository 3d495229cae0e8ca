from __future__ import annotations

import pytest

from tests.judging import FIRES, SILENT, UNKNOWN, Case, check

ZK = "zookeeper.connect=z1:2181\nbroker.id=1\n"
BROKER = "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=100@c1:9093\n"

CASES = [
    Case("KA101", FIRES, "acks=0", "producer", "acks", "critical"),
    Case("KA101", FIRES, "acks=1", "producer", "acks", "high"),
    Case("KA101", FIRES, "linger.ms=1", "producer 2.8", "acks", "high"),
    Case("KA101", SILENT, "linger.ms=1", "producer 3.0"),
    Case("KA101", SILENT, "acks=-1", "producer"),
    Case("KA101", SILENT, "acks=ALL ", "producer"),
    Case("KA101", UNKNOWN, "acks=${ACKS}", "producer", says="filled in later"),
    Case("KA102", FIRES, ZK + "min.insync.replicas=1", "", "min.insync.replicas", "high"),
    Case("KA102", SILENT, ZK + "min.insync.replicas=2"),
    Case("KA102", UNKNOWN, BROKER + "min.insync.replicas=1", says="the controller's value counts"),
    Case("KA102", UNKNOWN, BROKER + "min.insync.replicas=2", says="the controller's value counts"),
    Case("KA102", UNKNOWN, BROKER, "4.1", says="the controller's value counts"),
    Case("KA102", FIRES, BROKER, "4.0"),
    Case("KA102", FIRES, "process.roles=controller\nnode.id=1", "4.1"),
    Case("KA102", SILENT, "process.roles=controller\nnode.id=1", "4.0"),
    Case("KA102", UNKNOWN, ZK + "min.insync.replicas={{ min_isr }}", says="filled in later"),
    Case("KA103", SILENT, ZK + "default.replication.factor=3"),
    Case("KA103", FIRES, ZK + "default.replication.factor=2", severity="medium"),
    Case("KA103", FIRES, ZK, severity="high"),
    Case("KA103", UNKNOWN, ZK + "default.replication.factor=${RF}"),
    Case("KA104", FIRES, ZK + "unclean.leader.election.enable=TRUE", severity="critical"),
    Case("KA104", SILENT, BROKER + "unclean.leader.election.enable=true", "3.8"),
    Case("KA104", FIRES, BROKER + "unclean.leader.election.enable=true", "3.9"),
    Case("KA104", UNKNOWN, ZK + "unclean.leader.election.enable=%UNCLEAN%"),
]


@pytest.mark.parametrize("case", CASES)
def test_case(case: Case) -> None:
    check(case)
