"""What answers at the ports that a service of Compose publishes: JMX without a password, and listeners on the loopback interface."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

CP, APACHE, BITNAMI = "confluentinc/cp-kafka:7.9.0", "apache/kafka:4.3.0", "bitnamilegacy/kafka:3.9"


def service(image: str, ports: str, *variables: str, more: str = "") -> str:
    lines = "".join(f"      {each}\n" for each in variables)
    return f"services:\n  kafka:\n    image: {image}\n    ports: {ports}\n{more}    environment:\n{lines}"


def findings(folder: Path, text: str) -> list[tuple[str, str, int | None]]:
    (folder / "compose.yml").write_text(text)
    rows = run("lint", folder / "compose.yml", "--no-config", "--format", "json").json["findings"]
    return [(row["rule"], row["key"], row["line"]) for row in rows if row["rule"] in ("KA000", "KA1709", "KA1735")]


PORT, ID = "KAFKA_JMX_PORT: 9101", "KAFKA_NODE_ID: 1"
JMX = {
    "Confluent's": (service(CP, '["9101:9101"]', ID, PORT), ["KAFKA_JMX_PORT"]),
    "Apache's": (service(APACHE, '["9101:9101"]', ID, PORT), ["KAFKA_JMX_PORT"]),
    "the variable of the script": (service(APACHE, '["9101:9101"]', ID, "JMX_PORT: 9101"), ["JMX_PORT"]),
    "Bitnami's": (service(BITNAMI, '["9101:9101"]', "KAFKA_CFG_NODE_ID: 1", "JMX_PORT: 9101"), ["JMX_PORT"]),
    "Bitnami's hands KAFKA_JMX_PORT to nobody": (service(BITNAMI, '["9101:9101"]', "KAFKA_CFG_NODE_ID: 1", PORT), []),
    "a native image has no JMX": (service("apache/kafka-native:4.3.0", '["9101:9101"]', ID, PORT), []),
    "a range": (service(CP, '["9100-9110:9100-9110"]', ID, PORT), ["KAFKA_JMX_PORT"]),
    "a port of the host's choice": (service(CP, '["9101"]', ID, PORT), ["KAFKA_JMX_PORT"]),
    "the long syntax": (service(CP, "[{target: 9101, published: 19101}]", ID, PORT), ["KAFKA_JMX_PORT"]),
    "the network of the host": (service(CP, "[]", ID, PORT, more="    network_mode: host\n"), ["KAFKA_JMX_PORT"]),
    "empty options": (service(CP, '["9101:9101"]', ID, PORT, "KAFKA_JMX_OPTS: ''"), ["KAFKA_JMX_PORT"]),
    "not published": (service(CP, '["9092:9092"]', ID, PORT), []),
    "for the host alone": (service(CP, '["127.0.0.1:9101:9101"]', ID, PORT), []),
    "UDP": (service(CP, '["9101:9101/udp"]', ID, PORT), []),
    "options": (service(CP, '["9101:9101"]', ID, PORT, "KAFKA_JMX_OPTS: -Dcom.sun.management.jmxremote.authenticate=true"), []),
    "options for all": (service(CP, '["9101:9101"]', ID, PORT, "KAFKA_OPTS: -Dcom.sun.management.jmxremote.authenticate=true"), []),
    "options that are filled in later": (service(CP, '["9101:9101"]', ID, PORT, "KAFKA_JMX_OPTS: ${OPTIONS}"), []),
    "a port that is filled in later": (service(CP, '["${JMX}:${JMX}"]', ID, "KAFKA_JMX_PORT: ${JMX}"), []),
}  # fmt: skip


@pytest.mark.parametrize("name", JMX)
def test_jmx_is_open_where_the_script_opens_a_published_port(name: str, tmp_path: Path) -> None:
    text, keys = JMX[name]
    assert [(rule, key) for rule, key, _ in findings(tmp_path, text)] == [("KA1709", key) for key in keys]


def test_a_published_port_of_jmx_that_is_filled_in_later_is_unknown(tmp_path: Path) -> None:
    text, _ = JMX["a port that is filled in later"]
    (tmp_path / "compose.yml").write_text(text)
    unknown = run("lint", tmp_path / "compose.yml", "--no-config", "--format", "json").json["unknown"]
    assert any("KA1709" in str(row) for row in unknown)


LOCAL = "KAFKA_LISTENERS: PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093"
NAMES = "KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER"
LOOPBACK = {
    "published": (service(APACHE, '["9092:9092"]', NAMES, LOCAL), [4]),
    "published to the host alone": (service(APACHE, '["127.0.0.1:19092:9092"]', NAMES, LOCAL), [4]),
    "by its number": (service(APACHE, '["9092:9092"]', NAMES, LOCAL.replace("localhost", "127.0.0.1")), [4]),
    "the controllers'": (service(APACHE, '["9093:9093"]', NAMES, LOCAL), []),
    "not published": (service(APACHE, '["8080:8080"]', NAMES, LOCAL), []),
    "on all interfaces": (service(APACHE, '["9092:9092"]', NAMES, LOCAL.replace("localhost", "")), []),
    "the network of the host": (service(APACHE, '["9092:9092"]', NAMES, LOCAL, more="    network_mode: host\n"), []),
    "filled in later": (service(APACHE, '["9092:9092"]', NAMES, "KAFKA_LISTENERS: PLAINTEXT://${HOST}:9092"), []),
    "a port that is filled in later": (service(APACHE, '["${PORT}:${PORT}"]', NAMES, LOCAL), []),
    "another file": (service(APACHE, '["9092:9092"]', NAMES, LOCAL, more="    env_file: missing.env\n"), []),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPBACK)
def test_a_published_port_needs_a_listener_on_the_containers_network(name: str, tmp_path: Path) -> None:
    text, lines = LOOPBACK[name]
    assert findings(tmp_path, text) == [("KA1735", "ports", line) for line in lines]
