from __future__ import annotations

import pytest

from tests.support.rule_cases import FIRES, RULES, SILENT, UNKNOWN, Case, check_all, findings

ZK = "zookeeper.connect=z1:2181,z2:2181,z3:2181\nbroker.id=1\n"
BROKER = "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=100@c1:9093\ncontroller.listener.names=CONTROLLER\n"
CONTROLLER = (
    "process.roles=controller\nnode.id=100\ncontroller.quorum.voters=100@c1:9093\n"
    "controller.listener.names=CONTROLLER\nlisteners=CONTROLLER://c1:9093\n"
)
DYNAMIC = (
    "process.roles=controller\nnode.id=1\ncontroller.listener.names=CONTROLLER\nlisteners=CONTROLLER://c1:9093\n"
    "controller.quorum.bootstrap.servers="
)
COMBINED = "process.roles=broker,controller\nnode.id=1\ncontroller.listener.names=CONTROLLER\n"
SESSION = ZK + "zookeeper.session.timeout.ms="
ENSEMBLE = "\n[zookeeper]\ntickTime=2000\ndataDir=/d\nclientPort=1\n"

IBP = "inter.broker.protocol.version"
MIGRATING = (
    "broker.id=1\nzookeeper.connect=z:1\nzookeeper.metadata.migration.enable=true\ncontroller.quorum.voters=100@c1:9093\n"
    "controller.listener.names=CONTROLLER\nlistener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT\n"
)

CASES = [
    Case("KA501", FIRES, CONTROLLER, "", "controller.quorum.voters", "high"),
    Case("KA501", SILENT, "process.roles=broker\nnode.id=1\ncontroller.quorum.bootstrap.servers=c1:9093"),
    Case("KA501", UNKNOWN, "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=${VOTERS}"),
    Case("KA501", FIRES, DYNAMIC + "c1:9093", "", "controller.quorum.bootstrap.servers", "info", "one controller's"),
    Case("KA501", FIRES, DYNAMIC + "c1:9093,c1:9093", "3.9", "controller.quorum.bootstrap.servers"),
    Case("KA501", FIRES, COMBINED + "controller.quorum.bootstrap.servers=localhost:9093", says="reaches localhost"),
    Case("KA501", SILENT, DYNAMIC + "c1:9093", "3.8"),
    Case("KA501", SILENT, DYNAMIC + "c1:9093,c2:9093,c3:9093"),
    Case("KA501", SILENT, DYNAMIC + "kafka-controller-headless.ns.svc.cluster.local:9093"),
    Case("KA501", SILENT, DYNAMIC + "controllers.ns.svc:9093"),
    Case("KA501", FIRES, DYNAMIC + "kafka-0.kafka-headless.ns.svc:9093"),
    Case("KA501", SILENT, DYNAMIC + "c1:9093\n[controller]\n" + DYNAMIC.replace("id=1", "id=2") + "c1:9093"),
    Case("KA501", FIRES, DYNAMIC + "c1:9093\n[broker]\n" + BROKER.partition("controller.quorum")[0]),
    Case("KA501", UNKNOWN, DYNAMIC + "${CONTROLLERS}"),
    Case("KA501", UNKNOWN, DYNAMIC + "${HOST}:9093"),
    Case(
        "KA501",
        FIRES,
        CONTROLLER + "controller.quorum.bootstrap.servers=c1:9093",
        "",
        "controller.quorum.voters",
        "high",
    ),
    Case("KA502", SILENT, DYNAMIC + "c1:9093,c2:9093"),
    Case("KA507", SILENT, DYNAMIC + "c7:9093"),
    Case(
        "KA520",
        FIRES,
        DYNAMIC + "localhost:19093,localhost:29093",
        "",
        "controller.quorum.bootstrap.servers",
        "medium",
        "2 of 2 controllers",
    ),
    Case("KA520", SILENT, DYNAMIC + "localhost:9093"),
    Case("KA520", SILENT, DYNAMIC + "c1:9093,c2:9093"),
    Case("KA502", FIRES, COMBINED + "controller.quorum.voters=1@a:1,2@b:1,3@c:1,4@d:1", severity="medium"),
    Case("KA502", SILENT, CONTROLLER),
    Case("KA502", UNKNOWN, COMBINED + "controller.quorum.voters=${VOTERS}"),
    Case(
        "KA503",
        FIRES,
        COMBINED + "controller.quorum.voters=" + ",".join(f"{n}@c{n}:1" for n in range(12)),
        severity="high",
    ),
    Case("KA503", SILENT, CONTROLLER),
    Case("KA503", UNKNOWN, COMBINED + "controller.quorum.voters=${VOTERS}"),
    Case("KA504", FIRES, COMBINED, severity="medium"),
    Case("KA504", FIRES, COMBINED + "controller.quorum.voters=1@a:1,2@b:1,3@c:1", severity="low"),
    Case("KA504", FIRES, COMBINED + "controller.quorum.voters=1@a:1,2@b:1,3@c:1,4@d:1,5@e:1", severity="medium"),
    Case("KA506", FIRES, COMBINED + "controller.quorum.voters=1@localhost:9093", severity="info"),
    Case("KA506", SILENT, COMBINED + "controller.quorum.voters=1@c1:9093"),
    Case("KA506", SILENT, CONTROLLER.replace("c1", "localhost")),
    Case("KA506", UNKNOWN, COMBINED + "controller.quorum.voters=${VOTERS}"),
    Case("KA504", SILENT, CONTROLLER),
    Case("KA504", UNKNOWN, "process.roles=${ROLES}\nnode.id=1", "combined"),
    Case("KA505", FIRES, COMBINED, "", "controller.quorum.bootstrap.servers", "critical"),
    Case("KA505", FIRES, COMBINED + "controller.quorum.bootstrap.servers=c:1", "3.3", "controller.quorum.voters"),
    Case("KA505", SILENT, COMBINED + "controller.quorum.bootstrap.servers=c:1", "3.9"),
    Case("KA505", SILENT, ZK, "3.9"),
    Case("KA507", FIRES, COMBINED + "controller.quorum.voters=100@c1:9093", "", "node.id", "critical"),
    Case("KA507", SILENT, CONTROLLER),
    Case("KA507", SILENT, "process.roles=controller\ncontroller.quorum.voters=100@c1:9093"),
    Case("KA507", UNKNOWN, COMBINED + "controller.quorum.voters=${VOTERS}"),
    Case("KA508", FIRES, "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=1@b1:1", "", "node.id"),
    Case("KA508", SILENT, BROKER),
    Case("KA508", UNKNOWN, "process.roles=broker\nnode.id=${ID}\ncontroller.quorum.voters=1@b1:1"),
    Case("KA509", FIRES, COMBINED + "broker.id=2", severity="critical"),
    Case("KA509", SILENT, COMBINED + "broker.id=1"),
    Case("KA509", SILENT, COMBINED + "broker.id=2", "3.0"),
    Case("KA509", UNKNOWN, COMBINED + "broker.id=${ID}"),
    Case("KA510", FIRES, "process.roles=broker,broker\nnode.id=1", "4.1"),
    Case("KA510", SILENT, "process.roles=broker,broker\nnode.id=1", "4.2"),
    Case("KA510", UNKNOWN, "process.roles=${ROLES}\nnode.id=1", "4.0"),
    Case(
        "KA511", FIRES, "process.roles=controller\nnode.id=1\ncontroller.listener.names=FOO\nlisteners=CONTROLLER://:1"
    ),
    Case(
        "KA511",
        FIRES,
        CONTROLLER.replace("names=CONTROLLER", "names=controller"),
        says="controller is not in listeners",
    ),
    Case(
        "KA511",
        FIRES,
        "process.roles=controller\nnode.id=1\nlisteners=CONTROLLER://:1",
        key="controller.listener.names",
        says="add controller.listener.names=CONTROLLER: no listener is the controllers'",
    ),
    Case("KA511", SILENT, CONTROLLER),
    Case(
        "KA511",
        UNKNOWN,
        "process.roles=controller\nnode.id=1\ncontroller.listener.names=${X}\nlisteners=CONTROLLER://:1",
    ),
    Case("KA512", FIRES, "process.roles=broker\nnode.id=1\ncontroller.listener.names="),
    Case("KA512", SILENT, BROKER),
    Case("KA512", UNKNOWN, "process.roles=broker\nnode.id=1\ncontroller.listener.names=${X}"),
    Case("KA513", FIRES, BROKER + "listeners=CONTROLLER://:1"),
    Case("KA513", SILENT, BROKER),
    Case("KA513", UNKNOWN, BROKER + "listeners=${X}"),
    Case("KA514", FIRES, BROKER + "listener.security.protocol.map=PLAINTEXT:PLAINTEXT", severity="critical"),
    Case("KA514", SILENT, BROKER),
    Case("KA514", UNKNOWN, BROKER + "listener.security.protocol.map=${X}"),
    Case(
        "KA515",
        FIRES,
        "process.roles=controller\nnode.id=1\ncontroller.listener.names=C\nlisteners=C://:1,PLAINTEXT://:2",
    ),
    Case("KA515", SILENT, CONTROLLER),
    Case("KA515", UNKNOWN, "process.roles=controller\nnode.id=1\ncontroller.listener.names=C\nlisteners=${X}"),
    Case("KA516", FIRES, CONTROLLER + "advertised.listeners=CONTROLLER://c1:9093", "3.3"),
    Case("KA516", SILENT, CONTROLLER + "advertised.listeners=CONTROLLER://c1:9093", "3.9"),
    Case("KA516", SILENT, COMBINED + "advertised.listeners=PLAINTEXT://b1:1", "3.7"),
    Case("KA516", UNKNOWN, COMBINED + "advertised.listeners=${X}", "3.7"),
    Case("KA517", FIRES, CONTROLLER + "inter.broker.listener.name=CONTROLLER", "4.0"),
    Case("KA517", SILENT, CONTROLLER + "inter.broker.listener.name=CONTROLLER", "3.9"),
    Case("KA517", UNKNOWN, CONTROLLER + "inter.broker.listener.name=${X}"),
    Case("KA518", FIRES, BROKER + "controller.quorum.auto.join.enable=true"),
    Case("KA518", SILENT, BROKER),
    Case("KA518", UNKNOWN, BROKER + "controller.quorum.auto.join.enable=${X}"),
    Case("KA519", FIRES, BROKER + "controller.quorum.bootstrap.servers=c1:9093", severity="info"),
    Case("KA519", SILENT, BROKER),
    Case("KA519", UNKNOWN, COMBINED + "controller.quorum.voters=${X}\ncontroller.quorum.bootstrap.servers=c1:9093"),
    Case("KA520", FIRES, COMBINED + "controller.quorum.voters=1@127.0.0.1:1,2@127.0.0.1:2"),
    Case("KA520", SILENT, COMBINED + "controller.quorum.voters=1@localhost:1"),
    Case("KA520", UNKNOWN, COMBINED + "controller.quorum.voters=${X}"),
    Case(
        "KA554",
        FIRES,
        CONTROLLER.replace("100@c1:9093", "100@c1:9094"),
        severity="high",
        says="nothing listens at port 9094",
    ),
    Case(
        "KA554",
        FIRES,
        COMBINED + "listeners=PLAINTEXT://:9092,CONTROLLER://:9093\ncontroller.quorum.voters=1@c1:9092",
        says="9092 is the port of PLAINTEXT",
    ),
    Case(
        "KA554",
        SILENT,
        COMBINED + "listeners=PLAINTEXT://:9092,CONTROLLER://:9093\ncontroller.quorum.voters=2@c2:9094,1@c1:9093",
    ),
    Case("KA554", SILENT, CONTROLLER.replace("100@c1:9093", "101@c1:9094")),
    Case("KA554", SILENT, DYNAMIC + "c1:9094"),
    Case("KA554", UNKNOWN, CONTROLLER.replace("CONTROLLER://c1:9093", "CONTROLLER://c1:${PORT}")),
    Case("KA554", UNKNOWN, CONTROLLER.replace("100@c1:9093", "100@c1:${PORT}")),
    Case("KA521", FIRES, COMBINED + "controller.quorum.voters=1@a:1,1@b:1", severity="high"),
    Case("KA521", SILENT, CONTROLLER),
    Case("KA555", FIRES, COMBINED + "controller.quorum.voters=1@0.0.0.0:9093", severity="critical", says="0.0.0.0"),
    Case("KA555", SILENT, COMBINED + "controller.quorum.voters=1@0.0.0.0:9093", "3.7"),
    Case("KA555", SILENT, COMBINED + "controller.quorum.voters=1@10.0.0.1:9093"),
    Case("KA555", UNKNOWN, COMBINED + "controller.quorum.voters=${VOTERS}"),
    Case("KA521", UNKNOWN, COMBINED + "controller.quorum.voters=${ID}@a:1"),
    Case("KA522", FIRES, ZK, "", "zookeeper.connect", "medium"),
    Case("KA522", SILENT, COMBINED + "zookeeper.connect=z1:2181", "3.9"),
    Case("KA522", UNKNOWN, ZK + "zookeeper.metadata.migration.enable=${X}", "3.9"),
    Case("KA522", FIRES, "zookeeper.connect=z1:2181", "4.1", says="Kafka 4.1 has no ZooKeeper mode"),
    Case("KA522", FIRES, "zookeeper.connect=z1:2181", "3.9", says="before Kafka 4.0"),
    Case("KA523", FIRES, "broker.id=1\nzookeeper.connect=10.0.0.1:2181/kafka", severity="high"),
    Case("KA523", FIRES, "broker.id=1\nzookeeper.connect=zookeeper:2181", severity="medium"),
    Case("KA523", SILENT, ZK),
    Case("KA523", UNKNOWN, "broker.id=1\nzookeeper.connect=<ZOOKEEPER>:2181"),
    Case("KA524", FIRES, "broker.id=1\nzookeeper.connect=a:1,b:1,c:1,d:1", severity="low"),
    Case("KA524", SILENT, ZK),
    Case("KA524", UNKNOWN, "broker.id=1\nzookeeper.connect=${ZK}"),
    Case("KA525", FIRES, "broker.id=1\nzookeeper.connect=a:1/k,b:1/k", severity="high"),
    Case("KA525", SILENT, "broker.id=1\nzookeeper.connect=a:1,b:1/k"),
    Case("KA525", UNKNOWN, "broker.id=1\nzookeeper.connect=${ZK}"),
    Case("KA526", FIRES, COMBINED + "zookeeper.session.timeout.ms=18000", "3.9", severity="low"),
    Case("KA526", SILENT, COMBINED + "zookeeper.connect=z\nzookeeper.metadata.migration.enable=true", "3.9"),
    Case("KA526", UNKNOWN, COMBINED + "zookeeper.connect=z\nzookeeper.metadata.migration.enable=${X}", "3.9"),
    Case("KA527", FIRES, ZK + "controller.quorum.voters=1@c:1", severity="low"),
    Case("KA527", SILENT, ZK),
    Case("KA527", UNKNOWN, ZK + "controller.quorum.voters=1@c:1\nzookeeper.metadata.migration.enable=${X}", "3.9"),
    Case("KA528", FIRES, ZK + "controller.listener.names=C", "3.3", severity="critical"),
    Case("KA528", SILENT, ZK + "controller.listener.names=C\nzookeeper.metadata.migration.enable=true", "3.9"),
    Case("KA528", UNKNOWN, ZK + "controller.listener.names=${X}", "3.9"),
    Case("KA529", FIRES, COMBINED + "zookeeper.metadata.migration.enable=true", "3.9", "zookeeper.connect"),
    *(
        Case("KA529", outcome, MIGRATING + lines, version, key, says=says)
        for outcome, lines, version, key, says in (
            (FIRES, f"{IBP}=3.3\n", "3.9", IBP, "needs 3.4"),
            (FIRES, f"{IBP}=3.3\n", "3.6", IBP, "needs 3.4"),
            (SILENT, f"{IBP}=3.4\n", "3.9", None, ""),
            (FIRES, f"log.dirs=/a,/b\n{IBP}=3.6\n", "3.9", IBP, "needs 3.7 with several log.dirs"),
            (FIRES, f"log.dirs=/a,/b\n{IBP}=3.7-IV1\n", "3.9", IBP, "needs 3.7"),
            (SILENT, f"log.dirs=/a,/b\n{IBP}=3.7-IV2\n", "3.9", None, ""),
            (SILENT, "log.dirs=/a,/b\n", "3.7", None, ""),
            (FIRES, "log.dirs=/a,/b\n", "3.6", "log.dirs", "cannot migrate"),
            (SILENT, "log.dirs=/a\n", "3.6", None, ""),
            (UNKNOWN, "log.dirs=${D}\n", "3.9", None, ""),
        )
    ),
    Case("KA529", SILENT, ZK, "3.9"),
    Case("KA529", UNKNOWN, ZK + "zookeeper.metadata.migration.enable=${X}", "3.9"),
    Case("KA530", FIRES, "zookeeper.connect=z:1\nbroker.id=-1\nbroker.id.generation.enable=false", "3.9"),
    Case("KA530", SILENT, "zookeeper.connect=z:1\nbroker.id=-1", "3.9"),
    Case("KA530", UNKNOWN, "zookeeper.connect=z:1\nbroker.id=${ID}", "3.9"),
    Case("KA531", FIRES, COMBINED + "inter.broker.protocol.version=2.0", "3.3"),
    Case("KA531", SILENT, COMBINED + "inter.broker.protocol.version=2.0", "4.0"),
    Case("KA531", SILENT, COMBINED + "inter.broker.protocol.version=3.0-IV1", "3.3"),
    Case("KA531", UNKNOWN, COMBINED + "inter.broker.protocol.version=${X}", "3.3"),
    Case("KA532", FIRES, COMBINED + "inter.broker.protocol.version=3.3", "3.9", severity="low"),
    Case("KA532", SILENT, ZK + "inter.broker.protocol.version=3.3", "3.9"),
    Case("KA532", UNKNOWN, COMBINED + "inter.broker.protocol.version=${X}", "3.9"),
    Case("KA533", FIRES, ZK + "inter.broker.protocol.version=0.10.2\nlog.message.format.version=0.11.0", "3.9"),
    Case("KA533", SILENT, ZK + "log.message.format.version=2.8\ninter.broker.protocol.version=2.6", "3.9"),
    Case("KA533", UNKNOWN, ZK + "inter.broker.protocol.version=${X}", "3.9"),
    Case("KA534", FIRES, BROKER + "alter.config.policy.class.name=org.example.P", severity="low"),
    Case("KA534", SILENT, COMBINED + "alter.config.policy.class.name=org.example.P"),
    Case("KA534", SILENT, BROKER + "alter.config.policy.class.name=org.example.P", "3.9"),
    Case("KA534", UNKNOWN, BROKER + "alter.config.policy.class.name=${X}"),
    Case("KA535", FIRES, COMBINED + "broker.session.timeout.ms=3000", severity="medium"),
    Case("KA535", SILENT, COMBINED),
    Case("KA535", UNKNOWN, COMBINED + "broker.session.timeout.ms=${X}"),
    Case("KA536", FIRES, BROKER + "num.partitions=6", "4.3", severity="info"),
    Case("KA536", SILENT, BROKER + "num.partitions=6", "4.2"),
    Case("KA536", SILENT, BROKER + "num.partitions=6\n[controller]\n" + CONTROLLER + "num.partitions=6", "broker 4.3"),
    Case("KA536", FIRES, BROKER + "num.partitions=6\n[controller]\n" + CONTROLLER + "num.partitions=3", "broker 4.3"),
    Case("KA536", UNKNOWN, BROKER + "num.partitions=${N}"),
    Case("KA537", FIRES, ZK + "zookeeper.session.timeout.ms=3000", "3.9"),
    Case("KA537", SILENT, ZK, "2.4"),
    Case("KA537", UNKNOWN, ZK + "zookeeper.session.timeout.ms=${X}", "3.9"),
    Case("KA553", FIRES, SESSION + "60000" + ENSEMBLE, "3.9", severity="low", says="40000 ms granted"),
    Case("KA553", FIRES, SESSION + "3000" + ENSEMBLE, "3.9", says="4000 ms granted"),
    Case("KA553", SILENT, SESSION + "18000" + ENSEMBLE, "3.9"),
    Case("KA553", SILENT, SESSION + "60000" + ENSEMBLE + "maxSessionTimeout=60000\n", "3.9"),
    Case("KA553", SILENT, SESSION + "60000" + ENSEMBLE, "4.0"),
    Case("KA553", UNKNOWN, SESSION + "60000" + ENSEMBLE + "maxSessionTimeout=${X}\n", "3.9"),
]


@pytest.mark.parametrize("id", ["KA501", "KA502", "KA507", "KA520"])
def test_the_fix_knows_static_and_dynamic_quorums(id: str) -> None:
    fix = RULES[id].documentation().text("Fix")
    assert "controller.quorum.voters" in fix
    assert "add-controller" in fix or "controller.quorum.bootstrap.servers" in fix


def test_one_bootstrap_server_is_likely_the_only_controller() -> None:
    assert [finding.confidence for finding in findings(Case("KA501", FIRES, DYNAMIC + "c1:9093"))] == ["likely"]
    assert [finding.confidence for finding in findings(Case("KA501", FIRES, CONTROLLER))] == ["certain"]


def test_cases() -> None:
    check_all(CASES)
