"""What is completed: keys as their place spells them, values of sets, listeners of the file, classes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.language_client import Client, applied, position_of, server

CURSOR = "|"
BROKER = "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=1@a:9093\nlisteners=IN://:9092,OUT://:9093\n"
COMPOSE = """\
services:
  kafka:
    image: confluentinc/cp-kafka:7.5.0
    environment:
      KAFKA_NODE_ID: 1
      KAFKA_PROCESS_ROLES: broker,controller
      {}
      KAFKA_LISTENERS: A://:9092
    ports: []
"""
LIST = """\
services:
  kafka:
    image: apache/kafka:3.9.0
    environment:
      - KAFKA_NODE_ID=1
      - KAFKA_PROCESS_ROLES=broker,controller
      - {}
"""
SPRING = "spring:\n  kafka:\n    bootstrap-servers: a:9092\n    producer:\n      acks: all\n      {}\n"
STRIMZI = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: Kafka
metadata: {{name: orders}}
spec:
  kafka:
    version: 3.9.0
    replicas: 3
    config:
      default.replication.factor: 3
      {}
      min.insync.replicas: 2
"""
TERRAFORM = """\
resource "kafka_topic" "orders" {{
  name               = "orders"
  replication_factor = 3
  partitions         = 6
  config = {{
    "cleanup.policy" = "delete"
    {}
  }}
}}
"""
JSON = '{{\n  "Kafka": {{\n    "BootstrapServers": "a:9092",\n    {}\n    "SecurityProtocol": "SSL"\n  }}\n}}\n'
KEYS = [
    ("producer.properties", "bootstrap.servers=a:9092\nli|\nacks=all\n", "linger.ms", "long, default 5", "linger.ms="),
    ("producer.properties", "bootstrap.servers=a:9092\nli| = 5\nacks=all\n", "linger.ms", "long, default 5", "linger.ms = 5"),
    ("server.properties", BROKER + "|", "broker.rack", "string, default none", "broker.rack="),
    ("compose.yml", COMPOSE.format("KAFKA_AUTO|"), "KAFKA_AUTO_CREATE_TOPICS_ENABLE", "boolean, default true", "      KAFKA_AUTO_CREATE_TOPICS_ENABLE: "),
    ("compose.yml", LIST.format("KAFKA_COMP|"), "KAFKA_COMPRESSION_TYPE", "string, default producer", "      - KAFKA_COMPRESSION_TYPE="),
    ("application.yml", SPRING.format("b|"), "batch-size", "int, default 16384", "      batch-size: "),
    ("kafka.yaml", STRIMZI.format("un|"), "unclean.leader.election.enable", "boolean, default false", "      unclean.leader.election.enable: "),
    ("topics.tf", TERRAFORM.format('"re|"'), "retention.ms", "long, default 604800000", '    "retention.ms"'),
    ("appsettings.json", JSON.format('"A|"'), "Acks", "string, default -1", '    "Acks"'),
]  # fmt: skip
FIRST = """\
services:
  kafka:
    image: apache/kafka:4.1.0
    environment:
      {}
"""
KEYS += [
    ("compose.yml", FIRST.format("KAFKA_AUTO|"), "KAFKA_AUTO_CREATE_TOPICS_ENABLE", "boolean, default true", "      KAFKA_AUTO_CREATE_TOPICS_ENABLE: "),
    ("compose.yml", FIRST.format("- KAFKA_|"), "KAFKA_BROKER_RACK", "string, default none", "      - KAFKA_BROKER_RACK="),
    ("producer.properties", "ac|", "acks", "string, default all", "acks="),
    ("kafka.yaml", STRIMZI.format("un|").replace("      default.replication.factor: 3\n", "").replace("      min.insync.replicas: 2\n", ""), "unclean.leader.election.enable", "boolean, default false", "      unclean.leader.election.enable: "),
    ("application.yml", "spring:\n  kafka:\n    producer:\n      ba|\n", "batch-size", "int, default 16384", "      batch-size: "),
]  # fmt: skip
VALUES = [
    ("producer.properties", "bootstrap.servers=a:9092\nacks=|\n", {"all", "-1", "0", "1"}, "all", "acks=all"),
    ("producer.properties", "bootstrap.servers=a:9092\nenable.idempotence = f|", {"true", "false"}, "false", "enable.idempotence = false"),
    ("producer.properties", "bootstrap.servers=a:9092\nkey.serializer=|\n", None, "org.apache.kafka.common.serialization.StringSerializer", "key.serializer=org.apache.kafka.common.serialization.StringSerializer"),
    ("server.properties", BROKER + "inter.broker.listener.name=|\n", {"IN", "OUT"}, "IN", "inter.broker.listener.name=IN"),
    ("server.properties", BROKER + "listener.security.protocol.map=IN:|\n", None, "SSL", "listener.security.protocol.map=IN:SSL"),
    ("server.properties", BROKER + "log.cleanup.policy=compact,|\n", {"delete"}, "delete", "log.cleanup.policy=compact,delete"),
    ("compose.yml", COMPOSE.format("KAFKA_AUTO_CREATE_TOPICS_ENABLE:|"), {"true", "false"}, "true", '      KAFKA_AUTO_CREATE_TOPICS_ENABLE: "true"'),
    ("compose.yml", LIST.format("KAFKA_COMPRESSION_TYPE=|"), None, "zstd", "      - KAFKA_COMPRESSION_TYPE=zstd"),
    ("application.yml", SPRING.format('compression-type: "|"'), None, "lz4", '      compression-type: "lz4"'),
    ("topics.tf", TERRAFORM.format('"compression.type" = |'), None, "zstd", '    "compression.type" = "zstd"'),
    ("topics.tf", TERRAFORM.format('"compression.type" = "z|"'), None, "zstd", '    "compression.type" = "zstd"'),
    ("appsettings.json", JSON.format('"Acks": "|",'), None, "all", '    "Acks": "all",'),
]  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """One server for all tests."""
    with server() as running:
        yield running


def completed(client: Client, path: Path, text: str) -> tuple[str, int, list[Any]]:
    """The text without its mark, the line of that, and what is offered there."""
    at = text.index(CURSOR)
    text = text.replace(CURSOR, "", 1)
    uri = client.open(path, text)
    position = position_of(text, at)
    answer = client.request("textDocument/completion", textDocument={"uri": uri}, position=position)
    client.notify("textDocument/didClose", textDocument={"uri": uri})
    return text, position["line"], answer["items"] if answer else []


def with_item(text: str, line: int, item: Any) -> str:
    """The line after an item is taken."""
    return applied(text, [item["textEdit"]]).splitlines()[line]


@pytest.mark.parametrize(("name", "text", "label", "detail", "line"), KEYS, ids=lambda case: None)
def test_keys(client: Client, tmp_path: Path, name: str, text: str, label: str, detail: str, line: str) -> None:
    text, number, items = completed(client, tmp_path / name, text)
    (item,) = [row for row in items if row["label"] == label]
    assert item["detail"] == detail
    assert with_item(text, number, item) == line


@pytest.mark.parametrize(("name", "text", "labels", "label", "line"), VALUES, ids=lambda case: None)
def test_values(
    client: Client, tmp_path: Path, name: str, text: str, labels: set[str] | None, label: str, line: str
) -> None:
    text, number, items = completed(client, tmp_path / name, text)
    assert labels is None or {row["label"] for row in items} == labels
    (item,) = [row for row in items if row["label"] == label]
    assert with_item(text, number, item) == line


def test_keys_are_those_of_the_release_and_not_there_yet(client: Client, tmp_path: Path) -> None:
    _, _, items = completed(client, tmp_path / "compose.yml", COMPOSE.format("KAFKA_|"))
    labels = {row["label"] for row in items}
    assert "KAFKA_ZOOKEEPER_CONNECT" in labels
    assert not {"KAFKA_NODE_ID", "KAFKA_LISTENERS", "KAFKA_GROUP_SHARE_ENABLE"} & labels
    _, _, newer = completed(client, tmp_path / "compose.yml", COMPOSE.replace("7.5.0", "8.0.0").format("KAFKA_|"))
    assert "KAFKA_ZOOKEEPER_CONNECT" not in {row["label"] for row in newer}


def test_keys_that_strimzi_drops_are_not_offered(client: Client, tmp_path: Path) -> None:
    _, _, items = completed(client, tmp_path / "kafka.yaml", STRIMZI.format("l|"))
    labels = {row["label"] for row in items}
    assert "log.retention.ms" in labels and not {"listeners", "log.dirs", "listener.security.protocol.map"} & labels
    _, _, items = completed(client, tmp_path / "kafka.yaml", STRIMZI.format("ssl.|"))
    assert "ssl.cipher.suites" in {row["label"] for row in items}


def test_a_deprecated_key_is_marked(client: Client, tmp_path: Path) -> None:
    _, _, items = completed(client, tmp_path / "compose.yml", LIST.format("KAFKA_|"))
    (item,) = [row for row in items if row["label"] == "KAFKA_ZOOKEEPER_CONNECT"]
    assert item.get("tags") in ([1], None)
    assert any(row.get("tags") == [1] for row in items)


def test_nothing_is_offered_in_a_file_of_something_else(client: Client, tmp_path: Path) -> None:
    assert completed(client, tmp_path / "other.yml", "name: a\nsteps:\n  - run: b\n  c|\n")[2] == []
    assert completed(client, tmp_path / "values.yml", "settings:\n  ac|\n")[2] == []
    assert completed(client, tmp_path / "log4j.properties", "ac|\n")[2] == []
    assert completed(client, tmp_path / "notes.md", "Say what you |")[2] == []
