"""ksqlDB and Control Center in containers: what their variables make of topics and clients."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

SERVERS = {
    "statements of ksqlDB": ("ksqldb-server", "KSQL_BOOTSTRAP_SERVERS: k:9092\n      KSQL_KSQL_INTERNAL_TOPIC_REPLICAS: 1", {"KSQL_KSQL_INTERNAL_TOPIC_REPLICAS": "high"}),
    "streams of ksqlDB": ("ksqldb-server", "KSQL_BOOTSTRAP_SERVERS: k:9092\n      KSQL_KSQL_STREAMS_REPLICATION_FACTOR: 1", {"KSQL_KSQL_STREAMS_REPLICATION_FACTOR": "high"}),
    "log of ksqlDB": ("ksqldb-server", "KSQL_BOOTSTRAP_SERVERS: k:9092\n      KSQL_KSQL_LOGGING_PROCESSING_TOPIC_REPLICATION_FACTOR: 1", {"KSQL_KSQL_LOGGING_PROCESSING_TOPIC_REPLICATION_FACTOR": "medium"}),
    "Control Center": ("enterprise-control-center", "CONTROL_CENTER_BOOTSTRAP_SERVERS: k:9092\n      CONTROL_CENTER_REPLICATION_FACTOR: 1", {"CONTROL_CENTER_REPLICATION_FACTOR": "medium"}),
    "Control Center, said twice": ("enterprise-control-center", "CONTROL_CENTER_BOOTSTRAP_SERVERS: k:9092\n      CONTROL_CENTER_REPLICATION_FACTOR: 1\n      CONTROL_CENTER_INTERNAL_TOPICS_REPLICATION: 3", {}),
    "three replicas": ("ksqldb-server", "KSQL_BOOTSTRAP_SERVERS: k:9092\n      KSQL_KSQL_STREAMS_REPLICATION_FACTOR: 3", {}),
    "its web server and its log": ("ksqldb-server", "KSQL_BOOTSTRAP_SERVERS: k:9092\n      KSQL_LISTENERS: http://0.0.0.0:8088\n      KSQL_LOG4J_OPTS: x\n      KSQL_HOST_NAME: a", {}),
}  # fmt: skip


@pytest.mark.parametrize("case", SERVERS)
def test_what_servers_in_containers_make_of_their_topics(tmp_path: Path, case: str) -> None:
    image, variables, expected = SERVERS[case]
    file = tmp_path / "compose.yml"
    file.write_text(f"services:\n  s:\n    image: confluentinc/cp-{image}:7.6.0\n    environment:\n      {variables}\n")
    rows = run("lint", file, "--no-config", "--format", "json").json["findings"]
    assert {row["key"]: row["severity"] for row in rows if row["rule"] == "KA1201"} == expected
    assert not [row for row in rows if row["rule"] in ("KA1401", "KA1407")]


def test_the_streams_application_of_ksqldb_is_judged(tmp_path: Path) -> None:
    file = tmp_path / "compose.yml"
    variables = 'KSQL_BOOTSTRAP_SERVERS: k:9092\n      KSQL_KSQL_STREAMS_PRODUCER_ACKS: "0"'
    file.write_text(
        f"services:\n  s:\n    image: confluentinc/cp-ksqldb-server:7.6.0\n    environment:\n      {variables}\n"
    )
    ran = run("lint", file, "--no-config", "--format", "concise")
    assert "compose.yml:6:7: critical KA1209 KSQL_KSQL_STREAMS_PRODUCER_ACKS=0" in ran.out


JAAS = "org.apache.kafka.common.security.plain.PlainLoginModule required{0}\n        username=a{0}\n        password=b;"


@pytest.mark.parametrize(("end", "is_whole"), [(" \\", True), ("", False)], ids=["backslashes", "none"])
@pytest.mark.parametrize(
    ("image", "variables"),
    [
        (
            "ksqldb-server",
            ("KSQL_BOOTSTRAP_SERVERS: k:9092\n      KSQL_SECURITY_PROTOCOL: SASL_SSL", "KSQL_SASL_JAAS_CONFIG"),
        ),
        (
            "enterprise-control-center",
            (
                "CONTROL_CENTER_BOOTSTRAP_SERVERS: k:9092\n      CONTROL_CENTER_STREAMS_SECURITY_PROTOCOL: SASL_SSL",
                "CONTROL_CENTER_STREAMS_SASL_JAAS_CONFIG",
            ),
        ),
        (
            "kafka-connect",
            (
                "CONNECT_BOOTSTRAP_SERVERS: k:9092\n      CONNECT_PRODUCER_SECURITY_PROTOCOL: SASL_SSL",
                "CONNECT_PRODUCER_SASL_JAAS_CONFIG",
            ),
        ),
    ],
)
def test_lines_of_a_variable_go_on_behind_backslashes_alone(
    tmp_path: Path, image: str, variables: tuple[str, str], end: str, is_whole: bool
) -> None:
    file = tmp_path / "compose.yml"
    other, name = variables
    file.write_text(
        f"services:\n  s:\n    image: confluentinc/cp-{image}:7.6.0\n    environment:\n      {other}\n"
        f"      {name}: |\n        {JAAS.format(end)}\n"
    )
    rows = run("lint", file, "--no-config", "--format", "json").json["findings"]
    assert ("KA657" in {row["rule"] for row in rows}) is not is_whole
