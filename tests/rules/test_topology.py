from __future__ import annotations

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check_all

ZK = "zookeeper.connect=z1:2181,z2:2181,z3:2181\nbroker.id=1\n"
BROKER = "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=100@c1:9093\ncontroller.listener.names=CONTROLLER\n"
SELECTOR = "replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector\n"
VOTERS = "process.roles=broker,controller\ncontroller.quorum.voters="
REPLICAS = "default.replication.factor=3\n"
RACKS = f"[broker]\n{BROKER}broker.rack=a\n[broker]\n{BROKER}broker.rack=b\n".replace("node.id=1", "node.id=2")
SHUFFLED = "zookeeper.connect=z3:1,z1:1,z2:1/k\nbroker.id=1\n[broker]\nzookeeper.connect=z1:1,z2:1,z3:1/k\nbroker.id=2"
TWO = ZK + "min.insync.replicas=2\n[broker]\n"
THREE = TWO + TWO + ZK
RACK = "bootstrap.servers=b1:9092\ngroup.id=g\nclient.rack=a\n"

OF_ZOOKEEPER = "zookeeper.connect=z:1\nbroker.id={}\nbroker.rack={}\n"
OLD = "zookeeper.connect=z1:1,z2:1\nbroker.id={}\nlisteners=SSL://b:1\nsecurity.inter.broker.protocol={}\n"
FIRST = BROKER.replace("c1:9093", "c1.example.com:9093")
SECOND = FIRST.replace("node.id=1", "node.id=2")
INTERNAL = "listeners=INTERNAL://b:9091\ninter.broker.listener.name=INTERNAL\nlistener.security.protocol.map=CONTROLLER:SSL,INTERNAL:{}\n"
REPLICATION = INTERNAL.replace("INTERNAL", "REPL")
CONTROLLER = (
    "process.roles=controller\ncontroller.listener.names=CONTROLLER\nlistener.security.protocol.map=CONTROLLER:{}\n"
)
IN_RACK = "process.roles=broker\nnode.id={}\nbroker.rack={}\n"
IN_RACKS = "[broker]\n".join((IN_RACK,) * 3)
CASES = [
    Case(
        "KA307",
        FIRES,
        f"{OLD}[broker]\n{OLD}".format(1, "SSL", 2, "PLAINTEXT"),
        "3.6",
        says="at PLAINTEXT, which 2 brokers of them do not",
    ),
    Case("KA307", SILENT, f"{OLD}[broker]\n{OLD}".format(1, "SSL", 2, "PLAINTEXT").replace("z1:1,z2:1", "z1:1"), "3.6"),
    Case("KA307", SILENT, f"{OLD}[broker]\n{OLD}".format(1, "SSL", 2, "SSL"), "3.6"),
    Case("KA307", SILENT, f"{OLD}[broker]\n{OLD}".format(1, "SSL", 1, "PLAINTEXT"), "3.6"),
    Case(
        "KA308",
        FIRES,
        IN_RACKS.format(1, "a", 2, "a", 3, "a"),
        "",
        "broker.rack",
        "low",
        "all 3 brokers name the rack a",
    ),
    Case("KA308", SILENT, IN_RACKS.format(1, "a", 2, "a", 3, "b")),
    Case("KA308", SILENT, f"{IN_RACK}[broker]\n{IN_RACK}".format(1, "a", 2, "a")),
    Case("KA308", UNKNOWN, IN_RACKS.format(1, "a", 2, "a", 3, "${RACK}")),
    Case("KA308", UNKNOWN, IN_RACKS.format(1, "${RACK}", 2, "${RACK}", 3, "${RACK}")),
    Case(
        "KA307",
        FIRES,
        f"{FIRST}{INTERNAL.format('SSL')}[broker]\n{SECOND}{INTERNAL.format('SASL_SSL')}",
        "",
        "listener.security.protocol.map",
        "high",
        "SASL_SSL on 1 node and SSL on 1 node",
    ),
    Case(
        "KA307",
        FIRES,
        f"{FIRST}{INTERNAL.format('SSL')}[broker]\n{SECOND}{REPLICATION.format('SSL')}",
        "",
        "inter.broker.listener.name",
        "high",
        "INTERNAL, which 1 broker of them does not advertise",
    ),
    Case(
        "KA307",
        FIRES,
        f"{CONTROLLER.format('SSL')}[controller]\n{CONTROLLER.format('PLAINTEXT')}",
        "",
        says="the controllers' listener is PLAINTEXT on 1 node",
    ),
    Case(
        "KA307",
        FIRES,
        f"{FIRST}security.inter.broker.protocol=SSL\nlisteners=SSL://b:1\n[broker]\n{SECOND}listeners=PLAINTEXT://b:1",
        says="at SSL, which",
    ),
    Case(
        "KA307",
        SILENT,
        f"{FIRST}{INTERNAL.format('SSL')}[broker]\n{SECOND}{INTERNAL.format('SSL')}[controller]\n{CONTROLLER.format('SSL')}",
    ),
    Case("KA307", SILENT, f"{FIRST}{INTERNAL.format('SSL')}[controller]\n{CONTROLLER.format('SSL')}"),
    Case("KA307", SILENT, f"{FIRST}{INTERNAL.format('SSL')}"),
    Case("KA307", SILENT, f"{FIRST}listeners=PLAINTEXT://a:1\n[broker]\n{SECOND}"),
    Case("KA307", UNKNOWN, f"{FIRST}{INTERNAL.format('SSL')}[broker]\n{SECOND}{INTERNAL.format('${P}')}"),
    Case(
        "KA309",
        FIRES,
        OF_ZOOKEEPER.format(1, "a") + "[broker]\n" + OF_ZOOKEEPER.format(2, ""),
        "broker 3.6",
        "broker.rack",
        "high",
        "1 of 2 brokers names no rack",
    ),
    Case("KA309", SILENT, OF_ZOOKEEPER.format(1, "a") + "[broker]\n" + OF_ZOOKEEPER.format(2, "b"), "broker 3.6"),
    Case("KA309", SILENT, "process.roles=broker\nnode.id=1\nbroker.rack=a\n[broker]\nprocess.roles=broker\nnode.id=2"),
    Case("KA309", UNKNOWN, OF_ZOOKEEPER.format(1, "a") + "[broker]\n" + OF_ZOOKEEPER.format(2, "${R}"), "broker 3.6"),
    Case("KA301", FIRES, BROKER + "default.replication.factor=2", severity="low"),
    Case("KA301", FIRES, BROKER + REPLICAS, says="all 3 replicas may be in one"),
    Case("KA301", FIRES, BROKER + REPLICAS + RACKS, says="beside 2 brokers with racks"),
    Case("KA301", SILENT, BROKER),
    Case("KA301", UNKNOWN, BROKER + "default.replication.factor=3\nbroker.rack=${RACK}"),
    Case("KA302", FIRES, BROKER + "broker.rack=a", "", "replica.selector.class", "info"),
    Case("KA302", SILENT, BROKER),
    Case("KA302", SILENT, ZK + "broker.rack=a", "2.3"),
    Case("KA302", UNKNOWN, BROKER + "broker.rack=${RACK}"),
    Case("KA303", FIRES, BROKER + SELECTOR, "", "broker.rack", "low"),
    Case("KA303", SILENT, BROKER + SELECTOR + "broker.rack=a"),
    Case("KA303", UNKNOWN, BROKER + SELECTOR + "broker.rack=${RACK}"),
    Case("KA304", FIRES, ZK + "[broker]\nbroker.id=2\nzookeeper.connect=other:1", "3.9", "zookeeper.connect", "medium"),
    Case("KA304", SILENT, ZK + "log.retention.hours=24\n[broker]\n" + ZK + "log.retention.hours=24", "3.9"),
    Case("KA304", SILENT, BROKER + "num.partitions=6\n[controller]\nprocess.roles=controller\nnode.id=2"),
    Case("KA304", UNKNOWN, ZK + "num.partitions=${N}\n[broker]\n" + ZK + "num.partitions=3", "3.9"),
    Case("KA304", SILENT, SHUFFLED, "3.9"),
    Case("KA304", SILENT, ZK + "log.retention.ms=604800000\n[broker]\n" + ZK + "log.retention.minutes=10080", "3.9"),
    Case("KA304", SILENT, ZK + "log.retention.hours=168\n[broker]\n" + ZK, "3.9"),
    Case(
        "KA304",
        FIRES,
        ZK + "log.retention.hours=24\n[broker]\n" + ZK,
        "3.9",
        says="604800000 on 1 node and 86400000 on 1",
    ),
    Case("KA304", SILENT, BROKER + "[broker]\n" + BROKER.replace("=1\n", "=2\n"), "4.4"),
    Case("KA304", SILENT, VOTERS + "1@a:1,2@b:1\n[combined]\n" + VOTERS + "2@b:1, 1@a:1", "4.4"),
    Case(
        "KA304", FIRES, VOTERS + "1@a:1,2@b:1\n[combined]\n" + VOTERS + "1@a:1,3@c:1", "4.4", "controller.quorum.voters"
    ),
    Case("KA304", UNKNOWN, VOTERS + "@VOTERS@\n[combined]\n" + VOTERS + "1@a:1", "4.4"),
    Case("KA304", UNKNOWN, VOTERS + "VOTERS\n[combined]\n" + VOTERS + "1@a:1", "4.4"),
    Case("KA304", FIRES, THREE, "3.9", "min.insync.replicas", says="min.insync.replicas is 2 on 2 nodes and 1 on 1"),
    Case("KA305", FIRES, ZK + "[broker]\n" + ZK, "3.9", severity="high", says="node.id is 1 on 2 nodes"),
    Case("KA305", SILENT, ZK + "[broker]\nbroker.id=2\nzookeeper.connect=z1:2181", "3.9"),
    Case("KA305", SILENT, ZK),
    Case("KA305", UNKNOWN, ZK + "[broker]\nbroker.id=${ID}\nzookeeper.connect=z1:2181", "3.9"),
    Case("KA306", FIRES, RACK + "[broker]\n" + BROKER, "2.4", "client.rack", "low"),
    Case("KA306", SILENT, RACK + "[broker]\n" + BROKER + "replica.selector.class=org.example.Mine"),
    Case("KA306", SILENT, RACK.replace("client.rack=a\n", "") + "[broker]\n" + BROKER),
    Case("KA306", UNKNOWN, RACK + "[broker]\n" + BROKER + "replica.selector.class=${X}"),
]


def test_cases() -> None:
    check_all(CASES)
