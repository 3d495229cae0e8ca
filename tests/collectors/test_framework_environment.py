"""Variables of containers that Quarkus, Micronaut and Spring Cloud Stream bind, and whose are none of these."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

COMPOSE = "services:\n  shop:\n    image: %s\n    environment:\n"
BINDER = "SPRING_CLOUD_STREAM_KAFKA_BINDER_"


def findings_of(
    tmp_path: Path, *variables: str, image: str = "example/shop:1"
) -> set[tuple[str, str, str | None, int | None]]:
    """(rule, key, Kafka's key, line) of what is said of a container that has variables, the first in line 5."""
    (tmp_path / "compose.yml").write_text(COMPOSE % image + "".join(f"      {each}\n" for each in variables))
    ran = run("lint", tmp_path / "compose.yml", "--no-config", "--format", "json")
    assert "internal error" not in ran.err
    rows = ran.json["findings"] if ran.out else []
    return {(row["name"], row["key"], row.get("kafka_key"), row["line"]) for row in rows}


@pytest.mark.parametrize(
    ("variable", "rule", "key"),
    [
        ("MP_MESSAGING_OUTGOING_ORDERS_OUT_ACKS: 0", "acks-not-all", "acks"),
        ("MP_MESSAGING_INCOMING_ORDERS_ENABLE_AUTO_COMMIT: 'true'", "auto-commit", "enable.auto.commit"),
        ("MP_MESSAGING_CONNECTOR_SMALLRYE_KAFKA_SSL_KEY_PASSWORD: hunter2222", "secret-in-config", "ssl.key.password"),
        ("KAFKA_SECURITY_PROTOCOL: PLAINTEXT", "plaintext-client", "security.protocol"),
        ("KAFKA_STREAMS_PROCESSING_GUARANTEE: exactly_once", "invalid-value", "processing.guarantee"),
    ],
)
def test_variables_of_quarkus(tmp_path: Path, variable: str, rule: str, key: str) -> None:
    common = ("KAFKA_BOOTSTRAP_SERVERS: a:1,b:1", "MP_MESSAGING_OUTGOING_X_CONNECTOR: smallrye-kafka")
    assert (rule, variable.partition(":")[0], key, 7) in findings_of(tmp_path, *common, variable)


@pytest.mark.parametrize(
    ("variable", "rule", "key"),
    [
        ("KAFKA_PRODUCERS_DEFAULT_ACKS: 0", "acks-not-all", "acks"),
        ("KAFKA_CONSUMERS_MY_GROUP_ENABLE_AUTO_COMMIT: 'true'", "auto-commit", "enable.auto.commit"),
    ],
)
def test_variables_of_micronaut(tmp_path: Path, variable: str, rule: str, key: str) -> None:
    rows = findings_of(tmp_path, "KAFKA_SECURITY_PROTOCOL: PLAINTEXT", "KAFKA_BOOTSTRAP_SERVERS: a:1,b:1", variable)
    assert (rule, variable.partition(":")[0], key, 7) in rows
    assert ("plaintext-client", "KAFKA_SECURITY_PROTOCOL", "security.protocol", 5) in rows


@pytest.mark.parametrize(
    ("variable", "rule", "key"),
    [
        (f"{BINDER}REQUIREDACKS: 0", "acks-not-all", "acks"),
        (f"{BINDER}REQUIRED_ACKS: 0", "acks-not-all", "acks"),
        (f"{BINDER}PRODUCERPROPERTIES_ACKS: 0", "acks-not-all", "acks"),
        (f"{BINDER}PRODUCER_PROPERTIES_ACKS: 0", "acks-not-all", "acks"),
        (f"{BINDER}CONFIGURATION_SECURITY_PROTOCOL: PLAINTEXT", "plaintext-client", "security.protocol"),
        (
            f"{BINDER}CONSUMERPROPERTIES_SESSION_TIMEOUT_MS: 600000",
            "session-timeout-high",
            "session.timeout.ms",
        ),
    ],
)
def test_variables_of_spring_cloud_stream(tmp_path: Path, variable: str, rule: str, key: str) -> None:
    rows = findings_of(tmp_path, f"{BINDER}BROKERS: a:1,b:1", variable)
    assert (rule, variable.partition(":")[0], key, 6) in rows


@pytest.mark.parametrize(
    "variables",
    [
        ("KAFKA_PRODUCERS_RETRIES: 0", "KAFKA_CONSUMERS_COUNT: 3", "KAFKA_PRODUCERS_X_TOPIC: acks"),
        ("KAFKA_ACKS: 0", "KAFKA_BOOTSTRAP_SERVERS: a:1", "KAFKA_SECURITY_PROTOCOL: PLAINTEXT"),
        ("MP_MESSAGING_OUTGOING_X_ACKS: 0", "MP_MESSAGING_OUTGOING_X_CONNECTOR: smallrye-amqp"),
        ("MP_MESSAGING_OUTGOING_X_ACKS: 0", "MP_MESSAGING_OUTGOING_X_ENABLED: 'false'"),
        ("MP_MESSAGING_OUTGOING_X_ACKS: all", "MP_MESSAGING_OUTGOING_X_HEALTH_ENABLED: 'true'"),
        ("MP_MESSAGING_INCOMING_X_CLIENT_ID: a", "MP_MESSAGING_INCOMING_X_TRACING_ENABLED: 'true'"),
        ("MP_MESSAGING_INCOMING_X_DEAD_LETTER_QUEUE_BOOTSTRAP_SERVERS: a:1", "MP_MESSAGING_OUTGOING_ACKS: 0"),
        ("MP_MESSAGING_OUTGOING_X_ACKS: ${ACKS}", "MP_MESSAGING_INCOMING_X_GROUP_ID: g"),
        (f"{BINDER}CONSUMERPROPERTIES_ACKS: 0", f"{BINDER}HEADERS: acks", f"{BINDER}CONFIGURATION_: x"),
        ("QUARKUS_HTTP_PORT: 80", "MICRONAUT_SERVER_PORT: 80", f"MP_MESSAGING_OUTGOING_{'A_' * 40}ACKS: 0"),
        ("QUARKUS_LOG_LEVEL: INFO", "KAFKA_BOOTSTRAP_SERVERS: a:1,b:1", "KAFKA_TOPIC: orders"),
    ],
)
def test_variables_that_are_no_risk_or_say_nothing_for_certain(tmp_path: Path, variables: tuple[str, ...]) -> None:
    assert findings_of(tmp_path, *variables) == set()


@pytest.mark.parametrize(
    "image",
    [
        "tchiotludo/akhq:0.25", "provectuslabs/kafka-ui:v0.7", "confluentinc/cp-schema-registry:7.6.0",
        "confluentinc/cp-kafka-rest:7.6.0", "confluentinc/cp-kafka:7.6.0", "apache/kafka:4.0.0", "bitnami/kafka:3.9",
        "apicurio/apicurio-registry-kafkasql:2.6.0.Final",
    ],
)  # fmt: skip
def test_tools_and_kafka_itself_are_no_applications(tmp_path: Path, image: str) -> None:
    variables = ("MICRONAUT_SERVER_PORT: 80", "KAFKA_PRODUCERS_DEFAULT_ACKS: 0", "MP_MESSAGING_OUTGOING_X_ACKS: 0")
    rows = findings_of(tmp_path, *variables, f"{BINDER}REQUIREDACKS: 0", image=image)
    assert "acks-not-all" not in {row[0] for row in rows}


def test_what_is_left_out_is_the_applications(tmp_path: Path) -> None:
    assert findings_of(tmp_path, "KAFKA_BOOTSTRAP_SERVERS: a:1,b:1", "MP_MESSAGING_OUTGOING_X_LINGER_MS: 5") == set()


def test_a_variable_of_another_file_stands_there(tmp_path: Path) -> None:
    (tmp_path / "shop.env").write_text("A=1\nB=2\nC=3\nMP_MESSAGING_OUTGOING_X_ACKS=0\n")
    compose = "services:\n  shop:\n    image: example/shop:1\n    env_file: shop.env\n    depends_on: [kafka]\n"
    (tmp_path / "compose.yml").write_text(compose)
    rows = run("lint", tmp_path / "compose.yml", "--no-config", "--format", "json").json["findings"]
    places = {(row["name"], row["key"], Path(row["file"]).name, row["line"]) for row in rows}
    assert ("acks-not-all", "MP_MESSAGING_OUTGOING_X_ACKS", "shop.env", 4) in places


def test_variables_of_a_pod(tmp_path: Path) -> None:
    (tmp_path / "pod.yml").write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n    - name: shop\n      env:\n"
        "        - name: MP_MESSAGING_OUTGOING_X_ACKS\n          value: '0'\n"
    )
    rows = run("lint", tmp_path / "pod.yml", "--no-config", "--format", "json").json["findings"]
    assert ("acks-not-all", "MP_MESSAGING_OUTGOING_X_ACKS", 8) in {(r["name"], r["key"], r["line"]) for r in rows}
