"""What services of one Compose file take from each other, and what replicas of one container have alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

NODE = """  {0}:
    image: {1}
    environment: {{KAFKA_NODE_ID: {2}, KAFKA_PROCESS_ROLES: broker, KAFKA_CONTROLLER_QUORUM_VOTERS: "9@c:9093", {3}}}
"""
APACHE = "apache/kafka:4.3.0"


def node(name: str, id: int, *lines: str, variables: str = "KAFKA_LOG_DIRS: /data", image: str = APACHE) -> str:
    """A service that runs a broker."""
    return NODE.format(name, image, id, variables) + "".join(f"    {line}\n" for line in lines)


def rules(folder: Path, services: str, name: str = "compose.yml") -> dict[str, str]:
    """The findings about such conflicts: the message of each rule."""
    text = services if services.startswith("apiVersion") else f"services:\n{services}"
    (folder / name).write_text(text)
    rows = run("lint", folder / name, "--no-config", "--format", "json").json["findings"]
    return {
        row["rule"]: row["message"] for row in rows if row["rule"] in ("KA000", "KA1739", "KA1740", "KA1741", "KA1742")
    }


ONE = 'volumes: ["d:/data"]'
FOLDERS = {
    "one volume": (node("a", 1, ONE) + node("b", 2, ONE), True),
    "one folder of the host": (node("a", 1, 'volumes: ["./d:/data"]') + node("b", 2, 'volumes: ["./d/:/data"]'), True),
    "mounted elsewhere": (node("a", 1, ONE) + node("b", 2, 'volumes: ["d:/other"]', variables="KAFKA_LOG_DIRS: /other"), True),
    "the long syntax": (node("a", 1, ONE) + node("b", 2, "volumes: [{type: volume, source: d, target: /data}]"), True),
    "a part of a volume": (node("a", 1, ONE) + node("b", 2, "volumes: [{type: volume, source: d, target: /data, volume: {subpath: b}}]"), False),
    "two volumes": (node("a", 1, ONE) + node("b", 2, 'volumes: ["e:/data"]'), False),
    "folders of their own in one volume": (node("a", 1, ONE, variables="KAFKA_LOG_DIRS: /data/a") + node("b", 2, ONE, variables="KAFKA_LOG_DIRS: /data/b"), False),
    "a folder that is filled in later": (node("a", 1, ONE, variables='KAFKA_LOG_DIRS: "/data/$${HOSTNAME}"') + node("b", 2, ONE, variables='KAFKA_LOG_DIRS: "/data/$${HOSTNAME}"'), False),
    "another folder": (node("a", 1, 'volumes: ["d:/scripts"]') + node("b", 2, 'volumes: ["d:/scripts"]'), False),
    "services of profiles": (node("a", 1, ONE, "profiles: [x]") + node("b", 2, ONE, "profiles: [y]"), False),
    "a volume that is filled in later": (node("a", 1, 'volumes: ["${D}:/data"]') + node("b", 2, 'volumes: ["${D}:/data"]'), False),
}  # fmt: skip


@pytest.mark.parametrize("name", FOLDERS)
def test_one_folder_of_several_nodes(name: str, tmp_path: Path) -> None:
    services, fires = FOLDERS[name]
    assert ("KA1740" in rules(tmp_path, services)) == fires


def ports(first: str, second: str, *lines: str) -> str:
    return node("a", 1, f"ports: {first}") + node("b", 2, f"ports: {second}", *lines)


PORTS = {
    "one port": (ports('["9092:9092"]', '["9092:9094"]'), True),
    "the long syntax": (ports('["9092:9092"]', "[{target: 9092, published: 9092}]"), True),
    "a range": (ports('["9090-9092:9090-9092"]', '["9092:9092"]'), True),
    "one address": (ports('["127.0.0.1:9092:9092"]', '["9092:9092"]'), True),
    "two addresses": (ports('["127.0.0.1:9092:9092"]', '["10.0.0.1:9092:9092"]'), False),
    "two ports": (ports('["9092:9092"]', '["9093:9092"]'), False),
    "a choice of several": (ports('["9092-9094:9092"]', '["9092-9094:9092"]'), False),
    "a port of the host's choice": (ports('["9092"]', '["9092"]'), False),
    "UDP": (ports('["9092:9092"]', '["9092:9092/udp"]'), False),
    "filled in later": (ports('["${P}:9092"]', '["${P}:9092"]'), False),
    "a service of a profile": (ports('["9092:9092"]', '["9092:9092"]', "profiles: [x]"), False),
    "the network of the host": (ports('["9092:9092"]', '["9092:9092"]', "network_mode: host"), False),
}


@pytest.mark.parametrize("name", PORTS)
def test_one_port_of_two_services(name: str, tmp_path: Path) -> None:
    services, fires = PORTS[name]
    assert ("KA1741" in rules(tmp_path, services)) == fires


KAFKA = """  kafka:
    image: confluentinc/cp-kafka:7.9.1
    environment: {KAFKA_BROKER_ID: 1, KAFKA_ZOOKEEPER_CONNECT: "%s", KAFKA_ADVERTISED_LISTENERS: "PLAINTEXT://kafka:9092"}
"""
KEPT = '    volumes: ["k:/var/lib/kafka/data"]\n'
SERVER = "  zk:\n    image: confluentinc/cp-zookeeper:7.9.1\n    environment: {ZOOKEEPER_CLIENT_PORT: 2181}\n"
DATA = '    volumes: ["z:/var/lib/zookeeper"]\n'
ZOOKEEPERS = {
    "no volume": (SERVER + KAFKA % "zk:2181" + KEPT, True),
    "an image without variables": ("  zk: {image: 'zookeeper:3.9'}\n" + KAFKA % "zk:2181" + KEPT, True),
    "a file of settings alone": (SERVER + '    volumes: ["./z:/etc/z"]\n' + KAFKA % "zk:2181/k" + KEPT, True),
    "volumes for both": (SERVER + DATA + KAFKA % "zk:2181" + KEPT, False),
    "volumes for none": (SERVER + KAFKA % "zk:2181", False),
    "another ZooKeeper": (SERVER + KAFKA % "other:2181" + KEPT, False),
    "one of two with a volume": (SERVER + SERVER.replace("zk:", "z2:") + DATA + KAFKA % "zk:2181,z2:2181" + KEPT, False),
}  # fmt: skip


@pytest.mark.parametrize("name", ZOOKEEPERS)
def test_zookeeper_without_a_volume(name: str, tmp_path: Path) -> None:
    services, fires = ZOOKEEPERS[name]
    assert ("KA1742" in rules(tmp_path, services)) == fires


SET = """apiVersion: apps/v1
kind: StatefulSet
metadata: {{name: kafka}}
spec:
  replicas: {0}
  template:
    spec:
      containers:
      - name: kafka
        image: apache/kafka:4.3.0
        {1}
        env:
        - {{name: KAFKA_PROCESS_ROLES, value: broker}}
        - {{name: KAFKA_CONTROLLER_QUORUM_VOTERS, value: "9@c:9093"}}
        - {{name: KAFKA_NODE_ID, {2}}}
"""
FIXED, POD = 'value: "1"', "valueFrom: {fieldRef: {fieldPath: metadata.name}}"
INDEX = "valueFrom: {fieldRef: {fieldPath: \"metadata.labels['apps.kubernetes.io/pod-index']\"}}"
REPLICAS = {
    "three pods": (SET.format(3, "workingDir: /", FIXED), True),
    "one pod": (SET.format(1, "workingDir: /", FIXED), False),
    "the name of the pod": (SET.format(3, "workingDir: /", POD), False),
    "the number of the pod": (SET.format(3, "workingDir: /", INDEX), False),
    "a script of its own": (SET.format(3, 'command: [sh, -c, "export KAFKA_NODE_ID=${HOSTNAME##*-}; exec /etc/kafka/docker/run"]', FIXED), False),
    "deploy.replicas": (node("a", 1, "deploy: {replicas: 3}"), True),
    "scale": (node("a", 1, "scale: 2"), True),
    "one container": (node("a", 1, "deploy: {replicas: 1}"), False),
    "an id that ZooKeeper gives": (KAFKA.replace("ID: 1", "ID: -1") % "zk:2181" + "    scale: 3\n", False),
}  # fmt: skip


@pytest.mark.parametrize("name", REPLICAS)
def test_one_id_of_all_replicas(name: str, tmp_path: Path) -> None:
    services, fires = REPLICAS[name]
    assert ("KA1739" in rules(tmp_path, services)) == fires
