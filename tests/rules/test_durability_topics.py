from __future__ import annotations

from tests.support.rule_cases import FIRES, RULES, SILENT, UNKNOWN, Case, check_all, findings

UNCLEAN = "unclean.leader.election.enable=true"
KRAFT = "process.roles=broker,controller\nnode.id=1\ncontroller.listener.names=C\n"
ZK = "zookeeper.connect=z1:2181\nbroker.id=1\n"
DORMANT = "cleanup.policy=delete\nunclean.leader.election.enable=true\n"
NODE = "[combined]\nprocess.roles=broker,controller\nnode.id=1\n"
STRIMZI = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {name: nodes, labels: {strimzi.io/cluster: %s}}
spec: {replicas: 3, roles: [controller, broker], storage: {type: persistent-claim, size: 10Gi}}
---
apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: a}
spec: {kafka: {version: 4.2.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {name: orders, labels: {strimzi.io/cluster: %s}}
spec: {partitions: 3, replicas: %s}
"""

CASES = [
    Case("KA157", FIRES, STRIMZI % ("a", "a", 5), "strimzi", severity="high", says="5 replicas need 5 brokers, not 3"),
    Case("KA157", SILENT, STRIMZI % ("a", "a", 3), "strimzi"),
    Case("KA157", SILENT, STRIMZI % ("a", "b", 5), "strimzi"),
    Case("KA157", UNKNOWN, STRIMZI % ("a", "a", "'${REPLICAS}'"), "strimzi"),
    Case("KA157", SILENT, "replication.factor=5\ncleanup.policy=delete", "topic"),
    Case("KA156", FIRES, "replication.factor=1\ncleanup.policy=delete", "topic", "replication.factor", "high"),
    Case("KA156", FIRES, "replication.factor=2\ncleanup.policy=delete", "topic", severity="medium"),
    Case("KA156", SILENT, "replication.factor=3\ncleanup.policy=delete", "topic"),
    Case("KA156", SILENT, "cleanup.policy=delete", "topic"),
    Case("KA156", UNKNOWN, "replication.factor=${N}\ncleanup.policy=delete", "topic"),
    Case("KA151", FIRES, "cleanup.policy=compact\nmin.insync.replicas=1", "topic", severity="high"),
    Case("KA151", SILENT, "cleanup.policy=compact", "topic"),
    Case("KA151", UNKNOWN, "cleanup.policy=compact\nmin.insync.replicas=${N}", "topic"),
    Case("KA152", FIRES, UNCLEAN, "topic", severity="high"),
    Case("KA152", FIRES, UNCLEAN, "topic 3.6", says="with ZooKeeper; KRaft ignores the key"),
    Case("KA152", SILENT, KRAFT + "[topic]\n" + UNCLEAN, "combined 3.6"),
    Case("KA152", SILENT, KRAFT + "[topic]\n" + UNCLEAN, "combined 3.8"),
    Case("KA152", FIRES, KRAFT + "[topic]\n" + UNCLEAN, "combined 3.9", severity="high"),
    Case("KA152", FIRES, ZK + "[topic]\n" + UNCLEAN, "broker 3.6", severity="high"),
    Case("KA152", SILENT, "kafka 3.6\nbrokers 1 2 3\ntopic orders " + UNCLEAN),
    Case("KA152", FIRES, "kafka 3.9\nbrokers 1 2 3\ntopic orders " + UNCLEAN, severity="high"),
    Case("KA152", FIRES, "kafka 3.6 zookeeper\nbrokers 1 2 3\ntopic orders " + UNCLEAN, severity="high"),
    Case("KA152", SILENT, "cleanup.policy=compact", "topic"),
    Case("KA152", UNKNOWN, "unclean.leader.election.enable=${X}", "topic"),
    Case("KA153", FIRES, "flush.ms=1000", "topic", severity="low"),
    Case("KA153", SILENT, "flush.messages=9223372036854775807", "topic"),
    Case("KA153", UNKNOWN, "flush.ms=${X}", "topic"),
    Case("KA154", FIRES, "acks=0\n[topic]\nmin.insync.replicas=2", "producer", severity="low"),
    Case("KA154", SILENT, "acks=all\n[topic]\nmin.insync.replicas=2", "producer"),
    Case("KA154", SILENT, "acks=1\n[topic]\ncleanup.policy=delete", "producer"),
    Case("KA154", UNKNOWN, "acks=1\n[topic]\nmin.insync.replicas=${N}", "producer"),
    Case("KA155", FIRES, DORMANT + NODE, "3.8", "unclean.leader.election.enable", "medium"),
    Case("KA155", SILENT, DORMANT + NODE, "3.9"),
    Case("KA155", SILENT, DORMANT + "[broker]\nzookeeper.connect=z:1\nbroker.id=1", "3.6"),
    Case("KA155", UNKNOWN, DORMANT.replace("true", "${X}") + NODE, "3.6"),
]


def test_it_is_likely_only_where_nothing_says_who_keeps_the_metadata() -> None:
    confidences = {
        text: findings(Case("KA152", FIRES, text, options))[0].confidence
        for text, options in (
            (UNCLEAN, "topic 3.6"),
            (UNCLEAN, "topic 3.9"),
            (ZK + "[topic]\n" + UNCLEAN, "broker 3.6"),
        )
    }
    assert confidences == {UNCLEAN: "certain", ZK + "[topic]\n" + UNCLEAN: "certain"}
    assert findings(Case("KA152", FIRES, UNCLEAN, "topic 3.6"))[0].confidence == "likely"


def test_what_one_rule_advises_is_no_critical_finding_of_the_other() -> None:
    assert "on that topic alone" in RULES["KA104"].documentation().text("Fix")
    assert RULES["KA152"].severity("production") == "high"


def test_cases() -> None:
    check_all(CASES)
