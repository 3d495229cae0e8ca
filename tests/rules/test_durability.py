from __future__ import annotations

from tests.support.rule_cases import FIRES, RULES, SILENT, UNKNOWN, Case, check_all, entities, judged

ZK = "zookeeper.connect=z1:2181\nbroker.id=1\n"
BROKER = "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=100@c1:9093\n"
ONE = "process.roles=controller\nnode.id=100\ncontroller.quorum.voters=100@c1:9093\n"
TWO = ONE + "min.insync.replicas=2\n"
KRAFT = "process.roles=broker,controller\nnode.id=1\n"

CASES = [
    Case("KA101", FIRES, "acks=0", "producer", "acks", "high"),
    Case("KA101", FIRES, "acks=0\nenable.idempotence=false", "producer", "acks", "medium"),
    Case("KA101", FIRES, "acks=1\nenable.idempotence=true", "producer", "acks", "high"),
    Case("KA101", FIRES, "acks=1", "producer", "acks", "high"),
    Case("KA101", FIRES, "linger.ms=1", "producer 2.8", "acks", "high"),
    Case("KA101", SILENT, "linger.ms=1", "producer 3.0"),
    Case("KA101", SILENT, "acks=-1", "producer"),
    Case("KA101", SILENT, "acks=ALL ", "producer"),
    Case("KA101", UNKNOWN, "acks=${ACKS}", "producer", says="filled in later"),
    Case("KA102", FIRES, ZK + "min.insync.replicas=1", "", "min.insync.replicas", "high"),
    Case("KA102", SILENT, ZK + "min.insync.replicas=2"),
    Case("KA102", FIRES, BROKER + "min.insync.replicas=1", severity="high", says="unless the cluster has eligible"),
    Case("KA102", SILENT, BROKER + "min.insync.replicas=2"),
    Case("KA102", UNKNOWN, BROKER + "min.insync.replicas=1", "4.4", says="the controller's value counts"),
    Case("KA102", UNKNOWN, BROKER, says="the controller's value counts"),
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
    Case("KA104", SILENT, BROKER + "unclean.leader.election.enable=true\n[controller]\n" + ONE, "broker 3.9"),
    Case("KA104", UNKNOWN, ZK + "unclean.leader.election.enable=%UNCLEAN%"),
    Case("KA105", FIRES, ZK + "log.flush.interval.ms=1000", "", "log.flush.interval.ms", "low"),
    Case("KA105", SILENT, ZK + "log.flush.scheduler.interval.ms=1000"),
    Case("KA105", SILENT, ZK + "log.flush.interval.messages=9223372036854775807"),
    Case("KA105", UNKNOWN, ZK + "log.flush.interval.messages=${N}"),
    Case("KA106", SILENT, BROKER + "min.insync.replicas=2\n[controller]\n" + TWO, "broker 4.4"),
    Case(
        "KA106",
        FIRES,
        BROKER + "min.insync.replicas=3\n[controller]\n" + TWO,
        "broker 4.4",
        says="controllers' files, 2, overrides the broker's",
    ),
    Case(
        "KA106",
        UNKNOWN,
        BROKER + "min.insync.replicas=2\n[controller]\n" + ONE + "min.insync.replicas=${N}\n",
        "broker 4.4",
    ),
    Case("KA102", UNKNOWN, BROKER + "[controller]\n" + TWO, "broker 4.4", says="eligible leader replicas"),
    Case("KA102", SILENT, BROKER + "min.insync.replicas=2\n[controller]\n" + TWO, "broker 4.4"),
    Case("KA102", FIRES, BROKER + "min.insync.replicas=2\n[controller]\n" + ONE, "broker 4.4", says="if the cluster"),
    Case("KA106", FIRES, BROKER + "min.insync.replicas=2", "4.1", severity="info"),
    Case("KA106", SILENT, BROKER + "min.insync.replicas=2", "4.0"),
    Case("KA106", SILENT, BROKER, "4.1"),
    Case("KA106", UNKNOWN, BROKER + "min.insync.replicas=${N}", "4.1"),
    Case("KA107", FIRES, "acks=all\n[broker]\n" + ZK + "min.insync.replicas=1", "producer 3.9", "acks", "medium"),
    Case("KA107", SILENT, "group.id=a\nclient.id=b\n[broker]\n" + ZK + "min.insync.replicas=1", "client 3.9"),
    Case("KA107", SILENT, "acks=all\n[broker]\n" + ZK + "min.insync.replicas=2", "producer 3.9"),
    Case("KA107", SILENT, "acks=1\n[broker]\n" + ZK, "producer 3.9"),
    Case("KA107", UNKNOWN, "acks=all\n[broker]\n" + BROKER + "min.insync.replicas=2", "producer 4.1"),
    Case("KA108", FIRES, "acks=1\n[broker]\n" + ZK + "min.insync.replicas=2", "producer 3.9", "acks", "low"),
    Case("KA108", SILENT, "acks=1\n[broker]\n" + ZK, "producer 3.9"),
    Case("KA108", UNKNOWN, "acks=${X}\n[broker]\n" + ZK, "producer 3.9"),
    Case("KA108", FIRES, "acks=1\n[broker]\n" + BROKER + "[controller]\n" + TWO, "producer 4.4", "acks", "low"),
    Case(
        "KA107", UNKNOWN, "acks=all\n[broker]\n" + BROKER + "[controller]\n" + TWO, "producer 4.4", says="without them"
    ),
    Case(
        "KA107", SILENT, "acks=all\n[broker]\n" + BROKER + "min.insync.replicas=2\n[controller]\n" + TWO, "producer 4.4"
    ),
    Case(
        "KA107", FIRES, "acks=all\n[broker]\n" + BROKER + "min.insync.replicas=2\n[controller]\n" + ONE, "producer 4.4"
    ),
    Case(
        "KA107", SILENT, "acks=all\n[broker]\n" + BROKER + "min.insync.replicas=2\n[controller]\n" + ONE, "producer 4.0"
    ),
    Case("KA107", FIRES, "acks=all\n[broker]\n" + ZK + "min.insync.replicas=2\n[broker]\n" + ZK, "producer 3.9"),
    Case("KA107", SILENT, "acks=all\n[controller]\n" + ONE, "producer 4.0"),
    Case("KA107", UNKNOWN, "acks=all\n[broker]\n" + ZK + "min.insync.replicas=${N}", "producer 3.9", says="filled in"),
    Case("KA109", FIRES, KRAFT + "unclean.leader.election.enable=true", "3.3", severity="medium"),
    Case("KA109", FIRES, KRAFT + "unclean.leader.election.enable=true", "3.8"),
    Case("KA109", SILENT, KRAFT + "unclean.leader.election.enable=true", "3.9"),
    Case("KA109", SILENT, KRAFT, "3.6"),
    Case("KA109", SILENT, "zookeeper.connect=z:1\nbroker.id=1\nunclean.leader.election.enable=true", "3.6"),
    Case("KA109", UNKNOWN, KRAFT + "unclean.leader.election.enable=${X}", "3.6"),
    Case("KA110", FIRES, BROKER + "transaction.partition.verification.enable=false", "3.6", severity="medium"),
    Case("KA110", SILENT, BROKER + "transaction.partition.verification.enable=false", "3.5"),
    Case("KA110", SILENT, BROKER),
    Case("KA110", UNKNOWN, BROKER + "transaction.partition.verification.enable=${X}"),
]


def test_cases() -> None:
    check_all(CASES)


def test_three_brokers_are_one_cluster() -> None:
    brokers = "".join(f"[broker]\nzookeeper.connect=z1:2181\nbroker.id={number}\n" for number in (1, 2, 3))
    results = judged(RULES["KA107"], entities("acks=all\n" + brokers, "producer 3.9", "producer"))
    assert [result.outcome for result in results] == ["fail"]
