"""What an image runs with beside its variables: refusals only where all that decides is known, by each image's own script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import run


def compose(image: str, *environment: str, mount: str = "") -> str:
    """A Compose file with one broker of an image."""
    lines = ["services:", "  kafka:", f"    image: {image}", "    ports: ['9092:9092']"]
    lines += ["    environment:", *(f"      {each}" for each in environment)] if environment else []
    lines += ["    volumes:", f"      - {mount}"] if mount else []
    return "\n".join(lines) + "\n"


ZOOKEEPER = "KAFKA_ZOOKEEPER_CONNECT: z:2181"
ROLES = "KAFKA_PROCESS_ROLES: broker,controller"
CP_ZOOKEEPER = (ZOOKEEPER, "KAFKA_BROKER_ID: 1", "KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:9092")
PEERS = "PLAINTEXT://kafka:29092,PLAINTEXT_HOST://localhost:9092"
STORES = ("KAFKA_SSL_KEYSTORE_FILENAME: k.jks", "KAFKA_SSL_KEYSTORE_CREDENTIALS: c", "KAFKA_SSL_KEY_CREDENTIALS: c")
OF_BITNAMI = ("KAFKA_CFG_PROCESS_ROLES: broker,controller", "KAFKA_CFG_NODE_ID: 1")
NAMES_AND_VOTERS = ("KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER", "KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093")
STARTS: dict[str, str] = {
    "Apache's own file": compose("apache/kafka:4.1.0"),
    "Apache's own file, 3.9": compose("apache/kafka:3.9.1"),
    "Apache's with options of the JVM": compose("apache/kafka:4.1.0", "KAFKA_HEAP_OPTS: -Xmx1g"),
    "Apache's listens where it is advertised": compose(
        "apache/kafka:3.9.0",
        ROLES,
        "KAFKA_NODE_ID: 1",
        "KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:19092,CONTROLLER://kafka:9093",
        *NAMES_AND_VOTERS,
    ),
    "Debezium merges, 2.7": compose("quay.io/debezium/kafka:2.7", "CLUSTER_ID: abc", "NODE_ID: 1"),
    "Debezium merges, by voters": compose(
        "quay.io/debezium/kafka:3.1", "CLUSTER_ID: abc", "NODE_ID: 1", "KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093"
    ),
    "Debezium merges, by listeners": compose(
        "quay.io/debezium/kafka:3.1",
        "CLUSTER_ID: a",
        "NODE_ROLE: combined",
        "KAFKA_LISTENERS: PLAINTEXT://kafka:9092,CONTROLLER://kafka:9093",
        "KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093",
    ),
    "Debezium without a variable, 3.2": compose("quay.io/debezium/kafka:3.2"),
    "Debezium with ZooKeeper": compose("debezium/kafka:2.7", "ZOOKEEPER_CONNECT: z:2181"),
    "confluent-local": compose("confluentinc/confluent-local:7.6.0", f"KAFKA_ADVERTISED_LISTENERS: {PEERS}"),
    "Bitnami in KRaft by its own file": compose("bitnami/kafka:3.4", "KAFKA_ENABLE_KRAFT: yes"),
    "Bitnami of old": compose("bitnami/kafka:2.8", "ALLOW_PLAINTEXT_LISTENER: yes"),
    "Bitnami enables the mechanisms of logins": compose(
        "bitnami/kafka:3.5.1",
        "KAFKA_CFG_NODE_ID: 1",
        "KAFKA_CFG_PROCESS_ROLES: controller,broker",
        "KAFKA_CFG_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093",
        "KAFKA_CFG_LISTENERS: SASL_PLAINTEXT://:9092,CONTROLLER://:9093",
        "KAFKA_CFG_CONTROLLER_LISTENER_NAMES: CONTROLLER",
        "KAFKA_CFG_LISTENER_SECURITY_PROTOCOL_MAP: CONTROLLER:SASL_PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT",
        "KAFKA_CFG_SASL_MECHANISM_CONTROLLER_PROTOCOL: PLAIN",
        "KAFKA_CFG_SASL_MECHANISM_INTER_BROKER_PROTOCOL: PLAIN",
        "KAFKA_CFG_INTER_BROKER_LISTENER_NAME: SASL_PLAINTEXT",
    ),
    "Bitnami's stores by the names of listeners": compose(
        "bitnami/kafka:3.9",
        "KAFKA_CFG_ZOOKEEPER_CONNECT: z:2181",
        "KAFKA_CFG_BROKER_ID: 1",
        "KAFKA_CFG_LISTENERS: SSL://:9092",
        "KAFKA_CFG_SECURITY_INTER_BROKER_PROTOCOL: SSL",
        mount="./certs:/opt/bitnami/kafka/config/certs",
    ),
    "Bitnami's script names the quorum": compose(
        "bitnami/kafka:4.1",
        *OF_BITNAMI,
        "KAFKA_CFG_CONTROLLER_LISTENER_NAMES: CONTROLLER",
        "KAFKA_CFG_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093'",
    ),
    "Bitnami of either mode": compose("bitnami/kafka:3.5", "ALLOW_PLAINTEXT_LISTENER: yes"),
    "Bitnami takes old names, 3.6": compose(
        "bitnami/kafka:3.6.0", "KAFKA_CFG_BROKER_ID: 1", ZOOKEEPER, "ALLOW_PLAINTEXT_LISTENER: yes"
    ),
    "Bitnami takes old names, 4.0": compose(
        "bitnami/kafka:4.0",
        ROLES,
        "KAFKA_NODE_ID: 1",
        "KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093",
        "KAFKA_LISTENERS: PLAINTEXT://:9092,CONTROLLER://:9093",
        "KAFKA_CFG_CONTROLLER_LISTENER_NAMES: CONTROLLER",
    ),
    "wurstmeister": compose("wurstmeister/kafka:2.13-2.8.1", ZOOKEEPER, "KAFKA_ADVERTISED_HOST_NAME: 10.0.0.1"),
    "a mounted file": compose("apache/kafka:4.1.0", ROLES, mount="./conf:/mnt/shared/config"),
    "an unknown image": compose("acme/kafka:1.0", ROLES, "KAFKA_LISTENERS: PLAINTEXT://:9092"),
    "cp-kafka with ZooKeeper": compose("confluentinc/cp-kafka:7.9.1", *CP_ZOOKEEPER),
}
REFUSED: dict[str, tuple[str, set[str]]] = {
    "one variable replaces Apache's file": (
        compose("apache/kafka:4.1.0", "KAFKA_NUM_PARTITIONS: 3"),
        {"KAFKA_PROCESS_ROLES"},
    ),
    "one variable replaces Apache's file, 3.9": (
        compose("apache/kafka:3.9.0", "KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://localhost:9092"),
        {"KAFKA_PROCESS_ROLES"},
    ),
    "Bitnami ships no mode any more": (
        compose("bitnami/kafka:4.0", "KAFKA_CFG_PROCESS_ROLES: broker,controller", "KAFKA_CFG_NODE_ID: 0"),
        {"KAFKA_CFG_CONTROLLER_LISTENER_NAMES", "KAFKA_CFG_CONTROLLER_QUORUM_BOOTSTRAP_SERVERS"},
    ),
    "cp-kafka:latest": (compose("confluentinc/cp-kafka:latest", *CP_ZOOKEEPER), {"KAFKA_ZOOKEEPER_CONNECT"}),
    "cp-kafka without a tag": (compose("confluentinc/cp-kafka", *CP_ZOOKEEPER), {"KAFKA_ZOOKEEPER_CONNECT"}),
    "cp-kafka 8": (compose("confluentinc/cp-kafka:8.0.0", *CP_ZOOKEEPER), {"KAFKA_ZOOKEEPER_CONNECT"}),
    "apache/kafka:latest": (compose("apache/kafka:latest", *CP_ZOOKEEPER), {"KAFKA_ZOOKEEPER_CONNECT"}),
    "bitnami/kafka 4": (
        compose("bitnami/kafka:4.0", "KAFKA_CFG_ZOOKEEPER_CONNECT: z:2181"),
        {"KAFKA_CFG_ZOOKEEPER_CONNECT"},
    ),
}  # fmt: skip


OLD_CHART = "image:\n  repository: bitnami/kafka\n  tag: 3.4.0\nreplicaCount: 3\npersistence:\n  size: 8Gi\ndefaultReplicationFactor: 3\n"
CHARTS = {
    "KRaft": f"{OLD_CHART}kraft:\n  enabled: true\nzookeeper:\n  enabled: false\n",
    "KRaft with TLS": f"{OLD_CHART}kraft:\n  enabled: true\nauth:\n  interBrokerProtocol: tls\n",
    "ZooKeeper by default": OLD_CHART,
    "ZooKeeper of another release": f"{OLD_CHART}zookeeper:\n  enabled: false\nexternalZookeeper:\n  servers: [zk1, zk2, zk3]\n",
    "ZooKeeper that nothing names": f"{OLD_CHART}zookeeper:\n  enabled: false\n",
    "a chart of today": "controller:\n  replicaCount: 3\nlisteners:\n  client:\n    protocol: PLAINTEXT\nextraConfig: |\n  min.insync.replicas=2\n",
}


@pytest.mark.parametrize("name", CHARTS)
def test_what_bitnamis_chart_computes_is_not_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "values.yaml").write_text(CHARTS[name])
    rows = run("lint", tmp_path / "values.yaml", "--no-config", "--format", "json").json["findings"]
    assert [row["key"] for row in rows if row["refused_by_kafka"] or row["severity"] == "critical"] == []


def lint(folder: Path, text: str) -> list[dict[str, Any]]:
    (folder / "compose.yml").write_text(text)
    ran = run("lint", folder / "compose.yml", "--no-config", "--format", "json")
    return list(ran.json["findings"])


@pytest.mark.parametrize("name", STARTS)
def test_what_the_image_completes_is_not_refused(name: str, tmp_path: Path) -> None:
    rows = lint(tmp_path, STARTS[name])
    assert [
        (row["key"], row["message"]) for row in rows if row["refused_by_kafka"] or row["severity"] == "critical"
    ] == []


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_image_completes_is_refused(name: str, tmp_path: Path) -> None:
    text, keys = REFUSED[name]
    rows = [row for row in lint(tmp_path, text) if row["severity"] == "critical"]
    assert any(row["refused_by_kafka"] for row in rows)
    assert {row["key"] for row in rows if row["cause"] is None and row["rule"] != "KA1731"} == keys


@pytest.mark.parametrize("tag", ["3.9.0", "latest"])
def test_apaches_image_has_no_zookeeper_mode(tag: str, tmp_path: Path) -> None:
    rows = lint(tmp_path, compose(f"apache/kafka:{tag}", *CP_ZOOKEEPER))
    assert any(row["severity"] == "critical" and "cp-kafka:7.9" in str(row["required"]) for row in rows)


@pytest.mark.parametrize(
    ("image", "release"),
    [
        ("quay.io/debezium/kafka:2.7", "3.7"),
        ("debezium/kafka:3.1.2.Final", "3.9"),
        ("quay.io/debezium/kafka:3.3", "4.1"),
    ],
)
def test_debeziums_tags_name_the_release_of_kafka(image: str, release: str, tmp_path: Path) -> None:
    (tmp_path / "compose.yml").write_text(compose(image, "CLUSTER_ID: abc", "NODE_ID: 1"))
    assert f"Kafka {release}: " in run("lint", tmp_path / "compose.yml", "--no-config").out


def test_a_setting_of_the_image_says_so(tmp_path: Path) -> None:
    """What no variable holds names the image as its source, and stands at the image."""
    rows = lint(tmp_path, compose("apache/kafka:4.1.0"))
    assert [row["line"] for row in rows if row["key"] == "KAFKA_ADVERTISED_LISTENERS"] == [3]
    out = run("lint", tmp_path / "compose.yml", "--no-config").out
    assert "advertised.listeners=PLAINTEXT://localhost:9092 (from the image's server.properties): " in out


@pytest.mark.parametrize(
    ("variable", "key", "is_taken"),
    [
        ("KAFKA_CFG_UNCLEAN_LEADER_ELECTION_ENABLE", "unclean.leader.election.enable", True),
        ("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "auto.create.topics.enable", True),
        ("KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE", "unclean.leader.election.enable", False),
    ],
)
def test_bitnamis_image_takes_a_few_variables_without_cfg(
    variable: str, key: str, is_taken: bool, tmp_path: Path
) -> None:
    (tmp_path / "compose.yml").write_text(compose("bitnami/kafka:3.6.0", f'{variable}: "true"', ZOOKEEPER))
    ran = run("effective", tmp_path / "compose.yml")
    assert (key in ran.out) == is_taken and "zookeeper.connect" in ran.out


SASL_CONTROLLER = (
    *OF_BITNAMI,
    "KAFKA_CFG_LISTENERS: 'INTERNAL://:9094,CONTROLLER://:9093'",
    "KAFKA_CFG_CONTROLLER_LISTENER_NAMES: CONTROLLER",
    "KAFKA_CFG_INTER_BROKER_LISTENER_NAME: INTERNAL",
    "KAFKA_CFG_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093",
    "KAFKA_CFG_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:SASL_PLAINTEXT,INTERNAL:PLAINTEXT'",
)
OF_CONTROLLER = "KAFKA_CFG_SASL_MECHANISM_CONTROLLER_PROTOCOL: PLAIN"
EFFECTIVE: dict[str, tuple[str, list[str]]] = {
    "Bitnami's controllers log in by the one mechanism of theirs": (
        compose("bitnami/kafka:3.7", *SASL_CONTROLLER, OF_CONTROLLER),
        ["listener.name.controller.plain.sasl.jaas.config =", "listener.name.controller.sasl.enabled.mechanisms = PLAIN", "-listener.name.controller.scram"],
    ),
    "Bitnami's aliases count more": (
        compose("bitnami/kafka:3.7", "KAFKA_ZOOKEEPER_CONNECT: right:2181", "KAFKA_CFG_ZOOKEEPER_CONNECT: wrong:2181"),
        ["zookeeper.connect = right:2181"],
    ),
    "wurstmeister's id of a command": (
        compose("wurstmeister/kafka:2.13-2.8.1", ZOOKEEPER, "BROKER_ID_COMMAND: echo 5", "KAFKA_LISTENERS: PLAINTEXT://:9092"),
        ["node.id = ${BROKER_ID_COMMAND}"],
    ),
    "wurstmeister's id": (
        compose("wurstmeister/kafka:2.13-2.8.1", ZOOKEEPER, "KAFKA_LISTENERS: PLAINTEXT://:9092"),
        ["node.id = -1"],
    ),
    "Bitnami's stores by the names of listeners": (
        compose("bitnami/kafka:3.9", "KAFKA_CFG_LISTENERS: 'SSL://:9092,SASL_PLAINTEXT://:9093'"),
        ["ssl.client.auth = required", "/opt/bitnami/kafka/config/certs/kafka.keystore.jks", "sasl.enabled.mechanisms = PLAIN,SCRAM", "-.sasl.jaas.config"],
    ),
    "Bitnami's logins of 3.5 by the names of listeners": (
        compose("bitnami/kafka:3.5", "KAFKA_CFG_LISTENERS: SASL_PLAINTEXT://:9093"),
        ["listener.name.sasl_plaintext.plain.sasl.jaas.config ="],
    ),
    "Bitnami's stores are for listeners alone": (
        compose("bitnami/kafka:3.9", "KAFKA_CFG_LISTENERS: PLAINTEXT://:9092", "KAFKA_CFG_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,OUT:SSL'"),
        ["-kafka.keystore.jks", "ssl.client.auth = none"],
    ),
    "Apache's listens where it is advertised": (
        compose("apache/kafka:3.9.0", "KAFKA_PROCESS_ROLES: broker", "KAFKA_LISTENERS: ''", "KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:19092"),
        ["listeners = PLAINTEXT://0.0.0.0:19092"],
    ),
    "Apache's listens where it is advertised, whatever the mounted file says": (
        compose("apache/kafka:3.9.0", "KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:19092", mount="./conf:/mnt/shared/config"),
        ["listeners = PLAINTEXT://0.0.0.0:19092"],
    ),
    "Apache's file keeps the voters": (compose("apache/kafka:4.1.0"), ["controller.quorum.voters = 1@localhost:9093"]),
    "Debezium's script sets ids, folders and ZooKeeper": (
        compose("debezium/kafka:2.7", "KAFKA_ZOOKEEPER_CONNECT: z:2181", "KAFKA_BROKER_ID: 7", "KAFKA_LOG_DIRS: /var/data"),
        ["zookeeper.connect = 0.0.0.0:2181", "node.id = 1", " log.dirs = /kafka/data/1"],
    ),
    "Debezium's addresses": (
        compose("debezium/kafka:2.7", "ZOOKEEPER_CONNECT: z:2181", "KAFKA_HOST_NAME: inner", "KAFKA_ADVERTISED_HOST_NAME: outer", "KAFKA_ADVERTISED_PORT: 19092"),
        [" listeners = PLAINTEXT://inner:9092", "advertised.listeners = PLAINTEXT://outer:19092", "-advertised.host.name"],
    ),
    "Debezium's folder is by the node": (compose("debezium/kafka:2.7", "CLUSTER_ID: a", "NODE_ID: 7"), [" log.dirs = /kafka/data/7"]),
    "Debezium makes bootstrap servers of voters": (
        compose("quay.io/debezium/kafka:3.5", "KAFKA_CONTROLLER_QUORUM_VOTERS: '1@kafka:9093,2@b:9093'"),
        ["controller.quorum.bootstrap.servers = kafka:9093", "-1@kafka:9093"],
    ),
    "Debezium's script sets no ZooKeeper any more": (
        compose("quay.io/debezium/kafka:3.2", "KAFKA_ZOOKEEPER_CONNECT: z:2181"),
        ["zookeeper.connect=z:2181 (line 6)"],
    ),
    "Debezium keeps voters": (
        compose("quay.io/debezium/kafka:3.3", "KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093"),
        ["controller.quorum.voters = 1@kafka:9093"],
    ),
    "Debezium's worker reads no variable of Kafka's": (
        compose("debezium/connect:2.7", "BOOTSTRAP_SERVERS: k:9092", "GROUP_ID: g", "KAFKA_SECURITY_PROTOCOL: SSL", "CONNECT_CLIENT_ID: c"),
        ["client.id = c", "-security.protocol = SSL"],
    ),
    "Debezium 1.6 knows no KRaft": (
        compose("debezium/kafka:1.6", "CLUSTER_ID: a", "BROKER_ID: 3", "ZOOKEEPER_CONNECT: z:2181"),
        ["broker.id = 3", "-process.roles = broker"],
    ),
    "Confluent's stores are for SSL:// alone": (
        compose("confluentinc/cp-kafka:7.9.1", ZOOKEEPER, "KAFKA_ADVERTISED_LISTENERS: EXT://kafka:9092", *STORES),
        ["-/etc/kafka/secrets/k.jks"],
    ),
    "Confluent's stores where the listeners are not known": (
        compose("confluentinc/cp-kafka:7.9.1", ZOOKEEPER, "KAFKA_ADVERTISED_LISTENERS: ${A}", *STORES),
        ["/etc/kafka/secrets/k.jks"],
    ),
    "Confluent's script sets log.dirs beside log.dir": (
        compose("confluentinc/cp-kafka:7.9.1", *CP_ZOOKEEPER, "KAFKA_LOG_DIR: /data/logs"),
        [" log.dirs = /var/lib/kafka/data"],
    ),
    "a controller advertises nothing": (
        compose("confluentinc/cp-kafka:7.9.1", "KAFKA_PROCESS_ROLES: controller", "KAFKA_ADVERTISED_LISTENERS: ''"),
        ["-advertised.listeners = (line"],
    ),
    "confluent-local leaves the proxy's variables out": (
        compose("confluentinc/confluent-local:7.6.0", "KAFKA_REST_HOST_NAME: rest"),
        ["-rest.host.name"],
    ),
    "workers of 7.9 leave reporters out": (
        compose("confluentinc/cp-kafka-connect:7.9.0", "CONNECT_GROUP_ID: g", "CONNECT_METRIC_REPORTERS: a.B"),
        ["group.id = g", "-a.B"],
    ),
    "workers of 8.1 may take reporters": (
        compose("confluentinc/cp-kafka-connect:8.1.0", "CONNECT_GROUP_ID: g", "CONNECT_METRIC_REPORTERS: a.B"),
        ["a.B"],
    ),
    "Bitnami's file of KRaft is in some builds of 3.4 alone": (
        compose("bitnami/kafka:3.4", "KAFKA_ENABLE_KRAFT: yes", "KAFKA_CFG_NODE_ID: 1"),
        ["node.id = 1", "process.roles = ${BUILD_OF_THE_IMAGE}", "-localhost"],
    ),
    "Bitnami's file of ZooKeeper mode is in some builds of 3.2 alone": (
        compose("bitnami/kafka:3.2", "ALLOW_PLAINTEXT_LISTENER: yes"),
        ["zookeeper.connect = ${BUILD_OF_THE_IMAGE}", "-localhost:2181"],
    ),
    "roles of Bitnami's 3.2 need no ZooKeeper": (
        compose("bitnami/kafka:3.2", *OF_BITNAMI),
        ["process.roles = broker,controller", "-BUILD_OF"],
    ),
    "Bitnami takes no variable over a file": (
        compose("bitnami/kafka:3.9", *OF_BITNAMI, mount="./server.properties:/bitnami/kafka/config/server.properties"),
        ["-node.id = 1", "-process.roles = broker,controller"],
    ),
    "Bitnami takes variables beside other files": (
        compose("bitnami/kafka:3.9", *OF_BITNAMI, mount="./log4j.properties:/bitnami/kafka/config/log4j.properties"),
        ["node.id = 1"],
    ),
    "an unknown image computes nothing": (
        compose("acme/kafka:1.0", ZOOKEEPER, "KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:19092"),
        ["-listeners = PLAINTEXT://0.0.0.0"],
    ),
}  # fmt: skip
"""Settings that are in effect, as `effective` shows them; those behind a hyphen are not."""


@pytest.mark.parametrize("name", EFFECTIVE)
def test_what_the_script_computes_is_in_effect(name: str, tmp_path: Path) -> None:
    text, settings = EFFECTIVE[name]
    (tmp_path / "compose.yml").write_text(text)
    out = " ".join(run("effective", tmp_path / "compose.yml", "--all").out.split())
    assert [each for each in settings if (each.removeprefix("-") in out) == each.startswith("-")] == []


def test_stores_that_variables_name_are_known(tmp_path: Path) -> None:
    text = compose("confluentinc/cp-kafka:7.9.1", ZOOKEEPER, "KAFKA_ADVERTISED_LISTENERS: SSL://kafka:9092", *STORES)
    (tmp_path / "compose.yml").write_text(text)
    ran = run("effective", tmp_path / "compose.yml", "--all")
    assert "/etc/kafka/secrets/k.jks" in ran.out


@pytest.mark.parametrize(
    ("lines", "refused", "says"),
    [
        ("log.segment.bytes=1000", False, "(refused from Kafka 4.0 on; release assumed)"),
        ("min.insync.replicas=0", True, ""),
        ("log.segment.bytes=${SIZE}", None, ""),
    ],
)
def test_what_only_some_releases_refuse_is_not_certain(
    lines: str, refused: bool | None, says: str, tmp_path: Path
) -> None:
    node = "process.roles=broker,controller\nnode.id=1\ncontroller.quorum.voters=1@b1:9093\ncontroller.listener.names=CONTROLLER\n"
    (tmp_path / "a.properties").write_text(
        f"{node}listeners=PLAINTEXT://b1:9092,CONTROLLER://b1:9093\nlog.dirs=/d\n{lines}\n"
    )
    key = lines.partition("=")[0]
    found = run("lint", tmp_path / "a.properties", "--no-config", "--format", "json").json["findings"]
    rows = [row for row in found if row["key"] == key and (row["refused_by_kafka"] or "refused" in row["message"])]
    if refused is None:
        assert rows == []
        return
    assert [(row["refused_by_kafka"], row["severity"]) for row in rows] == [
        (refused, "critical" if refused else "high")
    ]
    assert says in rows[0]["message"]


@pytest.mark.parametrize(("release", "refused"), [("4.1", True), ("3.9", False)])
def test_a_given_release_refuses_for_certain(release: str, refused: bool, tmp_path: Path) -> None:
    (tmp_path / "a.properties").write_text("process.roles=broker\nnode.id=1\nlog.segment.bytes=1000\n")
    ran = run("lint", tmp_path / "a.properties", "--no-config", "--format", "json", "--kafka-version", release)
    rows = [row for row in ran.json["findings"] if row["key"] == "log.segment.bytes" and row["refused_by_kafka"]]
    assert bool(rows) == refused


@pytest.mark.parametrize(
    ("options", "refused"),
    [("-e KAFKA_NUM_PARTITIONS=3", True), ("-v $PWD:/mnt/shared/config -e KAFKA_NUM_PARTITIONS=3", False)],
)
def test_a_file_that_docker_run_mounts_may_set_the_rest(options: str, refused: bool, tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text(f"#!/bin/sh\ndocker run {options} apache/kafka:4.1.0\n")
    rows = run("lint", tmp_path / "run.sh", "--no-config", "--format", "json").json["findings"]
    assert any(row["refused_by_kafka"] for row in rows) == refused


CLUSTER_ID, ADVERTISED = "CLUSTER_ID: MkU3OEVBNTcwNTJENDM2Qk", "KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:9092"
CONTROLLER = "KAFKA_PROCESS_ROLES: controller"
KEY_STORE = {"KAFKA_SSL_KEYSTORE_FILENAME", "KAFKA_SSL_KEY_CREDENTIALS", "KAFKA_SSL_KEYSTORE_CREDENTIALS"}
TRUST_STORE = {"KAFKA_SSL_TRUSTSTORE_FILENAME", "KAFKA_SSL_TRUSTSTORE_CREDENTIALS"}
ADVERTISES_SSL = "KAFKA_ADVERTISED_LISTENERS: SSL://kafka:9092"
ADVERTISES_SASL = "KAFKA_ADVERTISED_LISTENERS: SASL_PLAINTEXT://kafka:9092"
ADVERTISES = [
    (ADVERTISES_SSL, KEY_STORE),
    (ADVERTISES_SASL, {"KAFKA_OPTS"}),
    ("KAFKA_ADVERTISED_LISTENERS: SASL_SSL://kafka:9092", {*KEY_STORE, "KAFKA_OPTS"}),
    ("KAFKA_ADVERTISED_LISTENERS: EXT://kafka:9092", set[str]()),
]
MAPS_CONTROLLER = "KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: CONTROLLER:SSL"
DYNAMIC = (ROLES, "KAFKA_NODE_ID: 1", CLUSTER_ID, ADVERTISED, "KAFKA_CONTROLLER_QUORUM_BOOTSTRAP_SERVERS: kafka:9093")
SERVERS_OF_BITNAMI = "KAFKA_CFG_CONTROLLER_QUORUM_BOOTSTRAP_SERVERS: kafka:9093"
APACHE_4 = "apache/kafka:4.1.0"
CP_9, CP_8, CP_0 = (f"confluentinc/cp-kafka:{tag}" for tag in ("7.9.1", "8.0.0", "7.3.2"))


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        (compose(CP_9, ROLES, ADVERTISED), {"CLUSTER_ID"}),
        (compose(CP_9, ROLES, ADVERTISED, "KAFKA_CLUSTER_ID: abc"), {"CLUSTER_ID"}),
        (compose(CP_9, ROLES), {"CLUSTER_ID", "KAFKA_ADVERTISED_LISTENERS"}),
        (compose(CP_8, "KAFKA_NODE_ID: 1", "KAFKA_PORT: 9092"), {"KAFKA_PROCESS_ROLES", "CLUSTER_ID", "KAFKA_ADVERTISED_LISTENERS", "KAFKA_PORT"}),
        (compose("confluentinc/cp-kafka:${TAG}", "KAFKA_NODE_ID: 1", ADVERTISED), set()),
        (compose("confluentinc/cp-kafka:ubi8", "KAFKA_NODE_ID: 1", ADVERTISED), set()),
        (compose(CP_9, ROLES, CLUSTER_ID), {"KAFKA_ADVERTISED_LISTENERS"}),
        (compose(CP_9, ROLES, CLUSTER_ID, ADVERTISED), set()),
        (compose(CP_9, CONTROLLER, CLUSTER_ID), set()),
        (compose(CP_9, CONTROLLER, CLUSTER_ID, ADVERTISED), {"KAFKA_ADVERTISED_LISTENERS"}),
        (compose(CP_9, *CP_ZOOKEEPER), set()),
        (compose(CP_9, *CP_ZOOKEEPER, "KAFKA_PORT: 9092"), {"KAFKA_PORT"}),
        (compose(CP_9, CONTROLLER, CLUSTER_ID, "KAFKA_ADVERTISED_LISTENERS: ''", "KAFKA_PORT: ''"), set()),
        (compose(CP_9, ROLES, "CLUSTER_ID: ''", ADVERTISED), {"CLUSTER_ID"}),
        (compose("confluentinc/cp-kafka:8.1.0", ROLES, "CLUSTER_ID: ''", ADVERTISED), set()),
        (compose(CP_0, "KAFKA_ZOOKEEPER_CONNECT: ''", ADVERTISED), {"KAFKA_ZOOKEEPER_CONNECT"}),
        *((compose(image, ROLES, CLUSTER_ID, variable), missing) for image in (CP_9, APACHE_4) for variable, missing in ADVERTISES),
        (compose(CP_9, ROLES, CLUSTER_ID, ADVERTISES_SSL, "KAFKA_SSL_CLIENT_AUTH: required"), KEY_STORE | TRUST_STORE),
        (compose(CP_9, ROLES, CLUSTER_ID, ADVERTISES_SSL, *STORES), set()),
        (compose(CP_9, ROLES, CLUSTER_ID, ADVERTISES_SASL, "KAFKA_OPTS: -Djava.security.auth.login.config=/j"), set()),
        (compose("confluentinc/cp-server:8.0.0", CONTROLLER, CLUSTER_ID, MAPS_CONTROLLER), KEY_STORE),
        (compose("confluentinc/cp-server:7.9.0", CONTROLLER, CLUSTER_ID, MAPS_CONTROLLER), set()),
        (compose(APACHE_4, CONTROLLER, ADVERTISED), {"KAFKA_ADVERTISED_LISTENERS"}),
        (compose(APACHE_4, CONTROLLER, "KAFKA_ADVERTISED_LISTENERS: ''"), set()),
        (compose(CP_9, "KAFKA_BROKER_ID: 1", ADVERTISED), {"KAFKA_ZOOKEEPER_CONNECT"}),
        (compose(CP_8, "KAFKA_NODE_ID: 1", CLUSTER_ID, ADVERTISED), {"KAFKA_PROCESS_ROLES"}),
        (compose("confluentinc/cp-kafka", ROLES, ADVERTISED), {"CLUSTER_ID"}),
        (compose(CP_0, ROLES, ADVERTISED), {"KAFKA_ZOOKEEPER_CONNECT"}),
        (compose(CP_9, "KAFKA_PROCESS_ROLES: ${ROLES}", ADVERTISED), set()),
        (compose(CP_9, ROLES, ADVERTISED).replace("environment:", "env_file: not-there.env\n    environment:"), set()),
        (compose(CP_9, ROLES, ADVERTISED) + "    command: bash -c '/tmp/format.sh && /etc/confluent/docker/run'\n", set()),
        (compose(CP_9, ROLES, ADVERTISED).replace("      KAFKA_PROC", "      {{- range .env }}\n      A: 1\n      {{- end }}\n      KAFKA_PROC"), set()),
        *((compose(image, *DYNAMIC), {"KAFKA_CONTROLLER_QUORUM_VOTERS"}) for image in (APACHE_4, CP_8, "confluentinc/cp-kafka:7.9.1")),
        (compose(APACHE_4, *DYNAMIC, mount="./conf:/mnt/shared/config"), set()),
        (compose(APACHE_4, *(each.replace(",controller", "") for each in DYNAMIC)), set()),
        (compose(APACHE_4, *DYNAMIC, "KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093"), set()),
        (compose("bitnami/kafka:3.9-debian-12", *OF_BITNAMI, SERVERS_OF_BITNAMI), {"KAFKA_CFG_CONTROLLER_QUORUM_VOTERS"}),
        (compose("bitnami/kafka:3.9", *OF_BITNAMI, SERVERS_OF_BITNAMI, "KAFKA_CONTROLLER_QUORUM_VOTERS_COMMAND: voters.sh"), set()),
        (compose("bitnami/kafka:4.0", *OF_BITNAMI, SERVERS_OF_BITNAMI), {"KAFKA_CFG_CONTROLLER_QUORUM_VOTERS"}),
        (compose("bitnami/kafka:4.0.0-debian-12-r3", *OF_BITNAMI, SERVERS_OF_BITNAMI, "KAFKA_CFG_CONTROLLER_QUORUM_VOTERS: 1@k:9093"), set()),
        (compose("bitnami/kafka:4.1", *OF_BITNAMI, SERVERS_OF_BITNAMI), {"KAFKA_INITIAL_CONTROLLERS"}),
        (compose("bitnamilegacy/kafka:4.1.0-debian-12-r1", *OF_BITNAMI, SERVERS_OF_BITNAMI, "KAFKA_CFG_CONTROLLER_QUORUM_VOTERS: 1@k:9093"), {"KAFKA_INITIAL_CONTROLLERS"}),
        (compose("bitnami/kafka:4.1", *OF_BITNAMI, SERVERS_OF_BITNAMI, "KAFKA_INITIAL_CONTROLLERS: 1@kafka:9093:AAAAAAAAAAAAAAAAAAAAAA"), set()),
        (compose("bitnami/kafka:4.1", *OF_BITNAMI, SERVERS_OF_BITNAMI.replace("kafka:", "localhost:")), set()),
        (compose("bitnami/kafka:4.1", *OF_BITNAMI, SERVERS_OF_BITNAMI.replace("kafka:9093", "${SERVERS}")), set()),
        (compose("bitnami/kafka:4.1", "KAFKA_CFG_PROCESS_ROLES: broker", OF_BITNAMI[1], SERVERS_OF_BITNAMI), set()),
        (compose("bitnami/kafka:4.1", *OF_BITNAMI), set()),
        (compose("bitnami/kafka:latest", *OF_BITNAMI, SERVERS_OF_BITNAMI), set()),
        (compose("bitnami/kafka:3.7", OF_BITNAMI[0], "KAFKA_CFG_BROKER_ID: 1"), {"KAFKA_CFG_NODE_ID"}),
        (compose("bitnami/kafka:3.7", OF_BITNAMI[0], "KAFKA_NODE_ID_COMMAND: id.sh"), set()),
        (compose("bitnami/kafka:3.5", OF_BITNAMI[0], "KAFKA_CFG_BROKER_ID: 1"), set()),
        (compose("bitnami/kafka:3.9", *OF_BITNAMI, ZOOKEEPER), {"KAFKA_ZOOKEEPER_CONNECT"}),
        (compose("bitnami/kafka:3.9", *OF_BITNAMI, ZOOKEEPER, "KAFKA_CFG_ZOOKEEPER_METADATA_MIGRATION_ENABLE: 'true'"), set()),
        (compose("bitnami/kafka:3.7", *SASL_CONTROLLER), {"KAFKA_CFG_SASL_MECHANISM_CONTROLLER_PROTOCOL"}),
        (compose("bitnami/kafka:3.7", *SASL_CONTROLLER, OF_CONTROLLER), set()),
        (compose("bitnami/kafka:3.7", *SASL_CONTROLLER[:-1], "KAFKA_CFG_LISTENER_SECURITY_PROTOCOL_MAP: ${MAP}"), set()),
        (compose("bitnami/kafka:3.5", *SASL_CONTROLLER), set()),
        (compose("bitnami/kafka:2.8.1", ZOOKEEPER), {"ALLOW_PLAINTEXT_LISTENER"}),
        (compose("bitnami/kafka:2.8.1", ZOOKEEPER, "ALLOW_PLAINTEXT_LISTENER: yes"), set()),
        (compose("bitnami/kafka:2.8.1", ZOOKEEPER, "KAFKA_CFG_LISTENERS: SASL_SSL://:9092"), set()),
        (compose("bitnami/kafka:3.4", ZOOKEEPER), set()),
        (compose("bitnami/kafka:1.1.0", ZOOKEEPER), set()),
        (compose("wurstmeister/kafka", ZOOKEEPER, ADVERTISED), {"KAFKA_LISTENERS"}),
        (compose("wurstmeister/kafka:2.13-2.8.1", "KAFKA_LISTENERS: PLAINTEXT://:9092"), {"KAFKA_ZOOKEEPER_CONNECT"}),
        (compose("wurstmeister/kafka:2.13-2.8.1", ZOOKEEPER, "HOSTNAME_COMMAND: hostname"), set()),
        (compose("wurstmeister/kafka:2.13-2.8.1", ZOOKEEPER, "HOSTNAME_COMMAND: hostname", ADVERTISED), {"KAFKA_LISTENERS"}),
        (compose("wurstmeister/kafka:0.10.2.1", "KAFKA_ADVERTISED_HOST_NAME: a"), set()),
        (compose("quay.io/debezium/kafka:3.2", "NODE_ROLE: broker", "NODE_ID: 2"), {"NODE_ROLE"}),
        (compose("quay.io/debezium/kafka:3.3", "NODE_ID: 2"), set()),
        (compose("quay.io/debezium/kafka:3.4", "NODE_ID: 2"), {"NODE_ID"}),
        (compose("quay.io/debezium/kafka:3.4", "NODE_ID: 1"), set()),
        (compose("quay.io/debezium/kafka:2.7", "CLUSTER_ID: a", "NODE_ROLE: broker", "NODE_ID: 2"), set()),
        (compose("confluentinc/confluent-local:7.6.0", ADVERTISED), set()),
        (compose("apache/kafka:4.1.0", ROLES), set()),
        (compose("quay.io/debezium/kafka:3.2"), set()),
    ],
)  # fmt: skip
def test_the_script_of_an_image_requires_variables(text: str, variables: set[str], tmp_path: Path) -> None:
    (tmp_path / "compose.yml").write_text(text)
    rows = run("lint", tmp_path / "compose.yml", "--no-config", "--format", "json").json["findings"]
    own = [row for row in rows if row["rule"] in ("KA1733", "KA000")]
    assert {row["message"].partition(" is ")[0] for row in own} == variables
    assert len({row["fingerprint"] for row in own}) == len(variables)


TOPICS = tuple(f"CONNECT_{name}_STORAGE_TOPIC: {name}" for name in ("CONFIG", "OFFSET", "STATUS"))
WORKER = ("CONNECT_BOOTSTRAP_SERVERS: k:9092", "CONNECT_GROUP_ID: g", *TOPICS, "CONNECT_REST_ADVERTISED_HOST_NAME: c")
STRINGS = tuple(
    f"CONNECT_{name}_CONVERTER: org.apache.kafka.connect.storage.StringConverter" for name in ("KEY", "VALUE")
)
AVRO = "CONNECT_VALUE_CONVERTER: io.confluent.connect.avro.AvroConverter"
CP_CONNECT, CP_ZK, BITNAMI_ZK = (
    "confluentinc/cp-kafka-connect:7.9.0",
    "confluentinc/cp-zookeeper:7.9.0",
    "bitnami/zookeeper:3.9",
)
OF_DEBEZIUM = ("BOOTSTRAP_SERVERS: k:9092", "GROUP_ID: 1", "OFFSET_STORAGE_TOPIC: o")


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        (compose(CP_CONNECT, *WORKER, *STRINGS), set()),
        (compose(CP_CONNECT, *WORKER), {"CONNECT_KEY_CONVERTER", "CONNECT_VALUE_CONVERTER"}),
        (compose(CP_CONNECT, *WORKER[:-1], *STRINGS), {"CONNECT_REST_ADVERTISED_HOST_NAME"}),
        (compose(CP_CONNECT, *WORKER, STRINGS[0], AVRO), {"CONNECT_VALUE_CONVERTER_SCHEMA_REGISTRY_URL"}),
        (compose(CP_CONNECT, *WORKER, STRINGS[0], AVRO, "CONNECT_VALUE_CONVERTER_SCHEMA_REGISTRY_URL: ${URL}"), set()),
        (compose("confluentinc/cp-server-connect-base:8.1.0", *WORKER[:-1], *STRINGS), {"CONNECT_REST_ADVERTISED_HOST_NAME"}),
        (compose("confluentinc/cp-kafka-connect:8.1.0", *WORKER[:-1], *STRINGS, "CONNECT_REST_ADVERTISED_HOST_NAME: ''"), set()),
        (compose("acme/cp-kafka-connect:7.9.0", *WORKER[:-1], *STRINGS), set()),
        (compose(CP_CONNECT, *WORKER) + "    command: bash -c 'confluent-hub install a && /etc/confluent/docker/run'\n", set()),
        (compose(CP_CONNECT, *WORKER).replace("environment:", "env_file: not-there.env\n    environment:"), set()),
        (compose("quay.io/debezium/connect:2.7", *OF_DEBEZIUM), {"CONFIG_STORAGE_TOPIC"}),
        (compose("quay.io/debezium/connect:2.7", *OF_DEBEZIUM, TOPICS[0]), {"CONFIG_STORAGE_TOPIC"}),
        (compose("quay.io/debezium/connect:2.7", *OF_DEBEZIUM, "CONFIG_STORAGE_TOPIC: ${TOPIC}"), set()),
        (compose(CP_ZK, "ZOOKEEPER_TICK_TIME: 2000"), {"ZOOKEEPER_CLIENT_PORT"}),
        (compose(CP_ZK), {"ZOOKEEPER_CLIENT_PORT"}),
        (compose(CP_ZK, "ZOOKEEPER_CLIENT_PORT: 2181"), set()),
        (compose(CP_ZK, "ZOOKEEPER_SECURE_CLIENT_PORT: 2182", "ZOOKEEPER_SERVERS: a:2888:3888"), {"ZOOKEEPER_SERVER_ID"}),
        (compose(CP_ZK, "ZOOKEEPER_CLIENT_PORT: ${PORT}", "ZOOKEEPER_SERVERS: ${SERVERS}", "ZOOKEEPER_SERVER_ID: 1"), set()),
        (compose(BITNAMI_ZK, "ZOO_TICK_TIME: 2000"), {"ALLOW_ANONYMOUS_LOGIN"}),
        (compose(BITNAMI_ZK), {"ALLOW_ANONYMOUS_LOGIN"}),
        (compose(BITNAMI_ZK, "ALLOW_ANONYMOUS_LOGIN: 'no'"), {"ALLOW_ANONYMOUS_LOGIN"}),
        (compose(BITNAMI_ZK, "ALLOW_ANONYMOUS_LOGIN: yes"), set()),
        (compose(BITNAMI_ZK, "ZOO_ENABLE_AUTH: 'yes'"), set()),
        (compose(BITNAMI_ZK, "ZOO_ENABLE_AUTH: ${AUTH}"), set()),
        (compose("zookeeper:3.9"), set()),
        (compose("wurstmeister/zookeeper"), set()),
        (compose("confluentinc/confluent-local:7.6.0", CONTROLLER), {"KAFKA_PROCESS_ROLES"}),
        (compose("confluentinc/confluent-local:7.6.0", "KAFKA_REST_PORT: 8082"), {"KAFKA_REST_PORT"}),
        (compose("confluentinc/confluent-local:7.6.0", ROLES), set()),
        (compose("confluentinc/cp-enterprise-kafka:6.0.0", ZOOKEEPER), {"KAFKA_ADVERTISED_LISTENERS"}),
        (compose("confluentinc/cp-enterprise-kafka:6.0.0", *CP_ZOOKEEPER), set()),
    ],
)  # fmt: skip
def test_the_script_of_an_image_of_workers_or_zookeeper_requires_variables(
    text: str, variables: set[str], tmp_path: Path
) -> None:
    (tmp_path / "compose.yml").write_text(text)
    ran = run("lint", tmp_path / "compose.yml", "--no-config", "--format", "json")
    rows = ran.json["findings"] if ran.out else []
    assert {row["message"].partition(" is ")[0] for row in rows if row["rule"] == "KA1733"} == variables


NOTHING_BUT_ROLES = "KAFKA_NODE_ID, KAFKA_LISTENERS, KAFKA_CONTROLLER_LISTENER_NAMES, KAFKA_CONTROLLER_QUORUM_VOTERS"
WRITTEN_LINES = [
    (":3.9.0", "KAFKA_JMX_PORT: 9999"),
    (":4.1.0", "KAFKA_CLUSTER_ID: 5L6g3nShT-eMCtK--X86sw"),
    (":4.1.0", "KAFKA_CREATE_TOPICS: 't:1:1'"),
    ("-native:3.9.0", "KAFKA_SSL_KEYSTORE_FILENAME: k.jks"),
]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (compose("apache/kafka:3.9.0", "KAFKA_NUM_PARTITIONS: 3"), NOTHING_BUT_ROLES),
        (compose("apache/kafka:4.1.0", "KAFKA_BROKER_ID: 3", "KAFKA_CONTROLLER_QUORUM_BOOTSTRAP_SERVERS: k:9093"), "KAFKA_LISTENERS, KAFKA_CONTROLLER_LISTENER_NAMES"),
        *((compose(f"apache/kafka{image}", variable), NOTHING_BUT_ROLES) for image, variable in WRITTEN_LINES),
        (compose("apache/kafka:3.9.0"), None),
        (compose("apache/kafka:3.9.0", "KAFKA_HEAP_OPTS: -Xmx1g"), None),
        (compose("apache/kafka:3.9.0", ROLES), None),
        (compose("apache/kafka:3.9.0", *CP_ZOOKEEPER), None),
        (compose("apache/kafka:3.9.0", "KAFKA_NUM_PARTITIONS: 3", mount="./conf:/mnt/shared/config"), None),
        (compose("apache/kafka:3.9.0", "KAFKA_NUM_PARTITIONS: 3").replace("environment:", "env_file: not-there.env\n    environment:"), None),
        (compose("apache/kafka:3.9.0", "KAFKA_NUM_PARTITIONS: 3") + "    command: bash -c '/start.sh'\n", None),
        (compose("confluentinc/cp-kafka:7.9.0", "KAFKA_NUM_PARTITIONS: 3"), None),
    ],
)  # fmt: skip
def test_one_variable_drops_the_file_of_apaches_image(text: str, missing: str | None, tmp_path: Path) -> None:
    rows = [row for row in lint(tmp_path, text) if row["rule"] in ("KA1736", "KA1410", "KA000")]
    said = [row["message"].partition("also missing: ")[2] for row in rows if row["rule"] == "KA1736"]
    assert said == ([missing] if missing else [])
    assert not said or len(rows) == 1


MOUNTED_FILE = (
    "process.roles=broker\nlog.dirs=/data\noffsets.topic.replication.factor=1\ncontroller.listener.names=CONTROLLER\n"
)
COMPLETED = ("KAFKA_NODE_ID: 1", "KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093", ROLES,
             "KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093'")  # fmt: skip


@pytest.mark.parametrize(
    "mount", ["./conf:/mnt/shared/config", "./conf/server.properties:/mnt/shared/config/server.properties:ro"]
)
@pytest.mark.parametrize("folder", [".", "docker"])
def test_apaches_image_appends_its_variables_to_a_mounted_file(mount: str, folder: str, tmp_path: Path) -> None:
    above = "../" if folder != "." else ""
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "server.properties").write_text(MOUNTED_FILE)
    (tmp_path / folder).mkdir(exist_ok=True)
    composed = compose("${IMAGE}", *COMPLETED, mount=mount.replace("./", f"./{above}", 1))
    (tmp_path / folder / "compose.yml").write_text(composed)
    ran = run("lint", tmp_path, "--no-config", "--format", "json")
    rows = ran.json["findings"]
    assert not any(row["refused_by_kafka"] for row in rows)
    assert [row["file"] for row in rows if row["rule"] == "KA401"] == [str(tmp_path / "conf" / "server.properties")]
    assert "1 file that Compose mounts" in ran.err


def test_a_mounted_file_without_variables_is_judged_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "server.properties").write_text(MOUNTED_FILE)
    (tmp_path / "compose.yml").write_text(compose("apache/kafka:4.1.0", mount=".:/mnt/shared/config"))
    rows = run("lint", tmp_path, "--no-config", "--format", "json").json["findings"]
    assert any(row["refused_by_kafka"] and row["key"] == "node.id" for row in rows)


REPLACED = {
    "a file that is not there": "COPY conf/server.properties /mnt/shared/config/server.properties\n",
    "a file of the net": "ADD https://example.com/server.properties /opt/kafka/config/server.properties\n",
    "a download": "RUN curl -o /opt/kafka/config/server.properties https://example.com/x\n",
    "a folder": "COPY conf/ /opt/kafka/config/\n",
}
KEPT = (
    "COPY app.jar /opt/kafka/libs/app.jar\n",
    "COPY log4j.properties.xml /opt/app/\n",
    "RUN curl -O https://x/a.jar\n",
)


@pytest.mark.parametrize("instruction", REPLACED.values(), ids=REPLACED)
def test_settings_that_a_dockerfile_replaces_are_unknown(tmp_path: Path, instruction: str) -> None:
    (tmp_path / "Dockerfile").write_text(f"FROM apache/kafka:4.0.0\n{instruction}")
    document = run("lint", tmp_path, "--no-config", "--format", "json").json
    assert "KA104" in {row["rule"] for row in document["unknown"]}


@pytest.mark.parametrize("instruction", KEPT)
def test_other_files_replace_no_settings(tmp_path: Path, instruction: str) -> None:
    (tmp_path / "Dockerfile").write_text(f"FROM apache/kafka:4.0.0\n{instruction}")
    document = run("lint", tmp_path, "--no-config", "--format", "json").json
    assert "KA104" not in {row["rule"] for row in document["unknown"]}


PASSED = {
    "compose.yml": "services: {k: {build: {context: ., args: {UNCLEAN: 'true'}}}}\n",
    "docker-bake.hcl": 'target "k" {\n  args = {\n    UNCLEAN = "true"\n  }\n}\n',
    "main.tf": 'resource "docker_image" "k" {\n  build { build_args = { UNCLEAN = "true" } }\n}\n',
    "skaffold.yaml": "build: {artifacts: [{image: k, docker: {buildArgs: {UNCLEAN: 'true'}}}]}\n",
}


@pytest.mark.parametrize("name", PASSED)
def test_an_argument_that_a_build_passes_is_unknown(tmp_path: Path, name: str) -> None:
    (tmp_path / "Dockerfile").write_text(
        "FROM apache/kafka:4.0.0\nARG UNCLEAN=false\nENV KAFKA_NODE_ID=1 KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE=$UNCLEAN\n"
    )
    (tmp_path / name).write_text(PASSED[name])
    document = run("lint", tmp_path, "--no-config", "--format", "json").json
    assert "KA104" in {row["rule"] for row in document["unknown"]}
