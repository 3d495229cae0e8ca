"""What is said of a key, a value and an image under the cursor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.language_client import Client, offsets_of, server

PRODUCER = "bootstrap.servers=b1:9092,b2:9092\r\nacks=1\r\nlinger.ms=60000\r\nacks=all\r\n"
BROKER = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@one:9093
listeners=BROKER://:9092,CONTROLLER://:9093
controller.listener.names=CONTROLLER
log.retention.hours=168
log.retention.minutes=60
log.segment.bytes=1073741824
log.cleanup.policy=compact
ssl.endpoint.identification.algorithm=
listener.name.broker.ssl.client.auth=required
"""
COMPOSE = """\
services:
  kafka:
    image: {}
    environment:
      KAFKA_PROCESS_ROLES: broker,controller
      KAFKA_NODE_ID: 1
      KAFKA_LOG_RETENTION_MS: 604800000
"""
SPRING = "spring:\n  kafka:\n    bootstrap-servers: b1:9092\n    consumer:\n      auto-offset-reset: latest\n"
CASES = [
    ("producer.properties", PRODUCER, "linger.ms", [
        "**linger.ms** (Kafka 4.4)", "type: long", "default: `5`", "valid: 0 or more", "since 2.0 or earlier",
        "here: `60000` (60000 ms = 1 minute), line 3", "[documentation](https://kafka.apache.org/documentation/#producerconfigs_linger.ms)"]),
    ("producer.properties", PRODUCER, "acks=1", ["here: `all`, line 4", "overrides acks=1 (line 2)", "KA101 acks-not-all"]),
    ("producer.properties", PRODUCER, "1\r\nlinger", ["`1`: the leader alone has written the record"]),
    ("server.properties", BROKER, "log.retention.hours", ["here: log.retention.ms = `3600000` (3600000 ms = 1 hour), line 7, log.retention.minutes", "changes: read when the broker starts"]),
    ("server.properties", BROKER, "log.segment.bytes", ["1073741824 bytes = 1 GiB", "changes: can be changed on running brokers"]),
    ("server.properties", BROKER, "compact", ["`compact`: the newest record of each key is kept"]),
    ("server.properties", BROKER, "listener.name.broker", ["**listener.name.broker.ssl.client.auth** (Kafka 4.4)", "valid: required, requested, none"]),
    ("compose.yml", COMPOSE.format("confluentinc/cp-kafka:7.9.0"), "KAFKA_LOG_RET", ["**log.retention.ms** (Kafka 3.9)", "604800000 ms = 7 days"]),
    ("compose.yml", COMPOSE.format("confluentinc/cp-kafka:7.9.0"), "confluentinc", ["**Kafka 3.9** (Confluent Platform 7.9)", "supported until 2027-02-19"]),
    ("compose.yml", COMPOSE.format("apache/kafka:3.9.0"), "apache/kafka", ["**Kafka 3.9**", "Apache fixes 4.2, 4.3, 4.4", "not this release any more"]),
    ("application.yml", SPRING, "auto-offset-reset", ["**auto.offset.reset** (Kafka 4.4)", "here: `latest`, line 5"]),
    ("application.yml", SPRING, "latest", ["`latest`: without a committed offset: only what is written from then on"]),
]  # fmt: skip


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """One server for all tests."""
    with server() as running:
        yield running


@pytest.mark.parametrize(("name", "text", "mark", "parts"), CASES, ids=lambda case: None)
def test_what_is_known(client: Client, tmp_path: Path, name: str, text: str, mark: str, parts: list[str]) -> None:
    uri = client.open(tmp_path / name, text)
    shown = client.at("textDocument/hover", uri, mark)["contents"]["value"]
    assert not [part for part in parts if part not in shown], shown


def test_the_range_is_that_of_the_setting(client: Client, tmp_path: Path) -> None:
    uri = client.open(tmp_path / "producer.properties", PRODUCER)
    start, end = offsets_of(PRODUCER, client.at("textDocument/hover", uri, "linger.ms")["range"])
    assert PRODUCER[start:end] == "linger.ms=60000"


def test_nothing_is_said_beside_settings(client: Client, tmp_path: Path) -> None:
    uri = client.open(tmp_path / "compose.yml", COMPOSE.format("apache/kafka:3.9.0"))
    assert client.at("textDocument/hover", uri, "services") is None


def test_a_key_of_another_release_says_so(client: Client, tmp_path: Path) -> None:
    text = COMPOSE.format("apache/kafka:4.1.0") + "      KAFKA_ZOOKEEPER_CONNECT: zk:2181\n"
    uri = client.open(tmp_path / "compose.yml", text)
    shown = client.at("textDocument/hover", uri, "KAFKA_ZOO")["contents"]["value"]
    assert "**zookeeper.connect**: not a setting of Kafka 4.1" in shown
    assert "removed in 4.0" in shown
