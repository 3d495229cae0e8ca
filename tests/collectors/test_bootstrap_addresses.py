"""Clients of a Compose file whose addresses cannot work with the broker of the same file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

BROKER = """\
services:
  kafka:
    image: apache/kafka:4.3.0
    container_name: broker
    ports: ["29092:9094"]
    environment:
      KAFKA_NODE_ID: 1
      KAFKA_PROCESS_ROLES: broker,controller
      KAFKA_LISTENERS: PLAINTEXT://:9092,CONTROLLER://:9093,HOST://:9094,LOCAL://127.0.0.1:9095
      KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:9092,HOST://localhost:29092,LOCAL://localhost:9095
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,HOST:PLAINTEXT,LOCAL:PLAINTEXT
      KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER
      KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093
"""
APP = "  app:\n    image: {image}\n{more}    environment:\n      {name}: {servers}\n"
PLAIN = "services:\n  kafka:\n    image: apache/kafka:4.3.0\n"


def file(
    servers: str, name: str = "SPRING_KAFKA_BOOTSTRAP_SERVERS", image: str = "me/orders:1.0", more: str = "", broker: str = BROKER
) -> str:  # fmt: skip
    return broker + APP.format(image=image, more=more, name=name, servers=servers)


REFUSED, HOME, SENT, SERVES = (
    "no listener at this port",
    "localhost is the client's own container",
    "advertises localhost",
    "controllers' listener",
)
FILES = {
    "the right listener": (file("kafka:9092"), None),
    "by the container's name": (file("broker:9094"), SENT),
    "no listener": (file("kafka:9096"), REFUSED),
    "a port of the host's": (file("kafka:29092"), REFUSED),
    "a listener that is advertised as localhost": (file("kafka:9094"), SENT),
    "the image's own file": (file("kafka:9092", broker=PLAIN), SENT),
    "a listener on the loopback interface": (file("kafka:9095"), "the localhost of its own container"),
    "the controllers'": (file("kafka:9093"), SERVES),
    "localhost": (file("localhost:29092"), HOME),
    "one of two works": (file("kafka:9096,kafka:9092"), None),
    "one of two is of another file": (file("kafka:9096,other:9092"), None),
    "neither of two": (file("kafka:9096,kafka:9093"), REFUSED),
    "another host": (file("kafka-2:9096"), None),
    "the Docker host": (file("host.docker.internal:29092"), None),
    "filled in later": (file("${SERVERS}"), None),
    "a port that is filled in later": (file("kafka:${PORT}"), None),
    "a variable without a value": (file(""), None),
    "only kept up": (file("kafka:9096", more="    command: sleep infinity\n"), None),
    "only kept up by a shell": (file("kafka:9096", more='    command: sh -c "tail -f /dev/null"\n'), None),
    "kept up behind its program": (file("kafka:9096", more='    command: sh -c "/app & tail -f /dev/null"\n'), REFUSED),
    "hosts of its own": (file("kafka:9096", more="    extra_hosts: ['kafka:10.0.0.1']\n"), None),
    "the network of the host": (file("localhost:29092", more="    network_mode: host\n"), None),
    "the network of the broker": (file("localhost:9092", more="    network_mode: service:kafka\n"), None),
    "a broker in the network of the client": (file("localhost:9092", broker=BROKER.replace("    ports", "    network_mode: service:app\n    ports")), None),
    "a broker in the network of the host": (file("kafka:9096", broker=BROKER.replace("    ports", "    network_mode: host\n    ports")), None),
    "a broker of a profile": (file("kafka:9096", broker=BROKER.replace("    ports", "    profiles: [kafka]\n    ports")), None),
    "a broker with a file that is not there": (file("kafka:9096", broker=BROKER.replace("    ports", "    env_file: missing.env\n    ports")), None),
    "listeners that are filled in later": (file("kafka:9096", broker=BROKER.replace("PLAINTEXT://:9092", "${LISTENER}")), None),
    "no broker": (file("localhost:9092", broker="services:\n"), None),
    "an image that may run a broker": (file("localhost:9092", image="acme/kafka-all-in-one:1"), None),
    "tools in the broker's image": (file("localhost:9092", image="apache/kafka:4.3.0", more="    command: kafka-topics.sh --list\n"), None),
    "a user interface": (file("localhost:29092", "KAFKA_CLUSTERS_0_BOOTSTRAPSERVERS", "provectuslabs/kafka-ui:v1"), HOME),
    "ksqlDB": (file("kafka:9094", "KSQL_BOOTSTRAP_SERVERS", "confluentinc/cp-ksqldb-server:7.9.0"), SENT),
    "a schema registry": (file("PLAINTEXT://kafka:9094", "SCHEMA_REGISTRY_KAFKASTORE_BOOTSTRAP_SERVERS", "confluentinc/cp-schema-registry:7.9.0"), SENT),
    "a worker": (file("localhost:9092\n      CONNECT_GROUP_ID: g", "CONNECT_BOOTSTRAP_SERVERS", "confluentinc/cp-kafka-connect:7.9.0"), HOME),
    "the quorum's addresses": (file("kafka:9093", "X_QUORUM_BOOTSTRAP_SERVERS"), None),
    "a variable of something else": (file("kafka:9096", "OTHER_ADDRESS"), None),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_addresses_lead_to_a_listener_that_sends_clients_on_to_the_broker(name: str, tmp_path: Path) -> None:
    text, said = FILES[name]
    (tmp_path / "compose.yml").write_text(text)
    rows = run("lint", tmp_path / "compose.yml", "--no-config", "--format", "json").json["findings"]
    own = [row for row in rows if row["rule"] in ("KA1737", "KA000")]
    assert len(own) == (said is not None)
    if said is not None:
        assert said in own[0]["message"]
        assert own[0]["entity"]["name"] == "app"
        assert own[0]["line"] == text[: text.index("BOOTSTRAP", text.index("  app:"))].count("\n") + 1
