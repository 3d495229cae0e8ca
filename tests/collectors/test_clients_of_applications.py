"""Files of applications that name the client before each of its keys, as Confluent's REST Proxy does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

ADDRESS = "bootstrap.servers=b1:9093,b2:9093\n"
TLS = "security.protocol=SSL\n"
REST = f"id=rest\nschema.registry.url=http://registry:8081\nlisteners=http://0.0.0.0:8082\n{ADDRESS}"
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: rest}\ndata:\n  kafka-rest.properties: |\n"
JUDGED = {
    "acks of one replica": ("producer.acks=1\n", "KA101 producer.acks"),
    "acks of none": ("producer.acks=0\n", "KA101 producer.acks"),
    "acks in words": ("producer.acks=leader\n", "KA1409 producer.acks"),
    "no retries": ("producer.retries=0\n", "KA1001 producer.retries"),
    "idempotence off": ("producer.enable.idempotence=false\n", "KA1002 producer.enable.idempotence"),
    "stores without TLS": ("client.ssl.truststore.location=/t\n", "KA659 client.ssl.truststore.location"),
    "too many in flight": (
        "producer.enable.idempotence=true\nproducer.max.in.flight.requests.per.connection=6\n",
        "KA1004 producer.max.in.flight.requests.per.connection",
    ),
    "commits on a timer": ("consumer.enable.auto.commit=true\n", "KA1101 consumer.enable.auto.commit"),
    "skips records": ("consumer.auto.offset.reset=latest\n", "KA1102 consumer.auto.offset.reset"),
    "heartbeats": ("consumer.session.timeout.ms=10000\nconsumer.heartbeat.interval.ms=20000\n", "KA915 consumer.heartbeat.interval.ms"),
    "a short timeout": ("producer.request.timeout.ms=-5\n", "KA1409 producer.request.timeout.ms"),
    "in clear": ("client.security.protocol=PLAINTEXT\n", "KA650 client.security.protocol"),
    "a producer in clear": ("producer.security.protocol=PLAINTEXT\n", "KA650 producer.security.protocol"),
    "host names": ("client.security.protocol=SSL\nclient.ssl.endpoint.identification.algorithm=\n", "KA653 client.ssl.endpoint.identification.algorithm"),
    "a password": ("client.ssl.key.password=hunter2\n", "KA616 client.ssl.key.password"),
    "a key of none": ("client.security.protocol=SSL\nproducer.ackz=1\n", "KA1401 producer.ackz"),
}  # fmt: skip
SILENT = {
    "every replica": ("producer.acks=all\n", "KA101"),
    "every replica as a number": ("producer.acks=-1\n", "KA1409"),
    "keys are known": ("producer.acks=all\nconsumer.auto.offset.reset=earliest\nclient.client.id=rest\n", "KA1401"),
    "defaults that are left out": ("producer.linger.ms=5\n", "KA1102"),
    "TLS of all clients": ("client.security.protocol=SSL\n", "KA650"),
    "TLS of each client": ("producer.security.protocol=SSL\nconsumer.security.protocol=SASL_SSL\n", "KA650"),
    "TLS of all clients, a store of one": (
        "client.security.protocol=SSL\nproducer.ssl.truststore.location=/t\n",
        "KA659",
    ),
    "a key that the application reads": ("producer.threads=4\nconsumer.topic=orders\nproducer.name=a\n", "KA1401"),
    "keys of the clients themselves": ("client.id=rest\nproducer.acks=all\n", "KA1401"),
}


def lint(path: Path, text: str) -> set[str]:
    path.write_text(text)
    rows = run("lint", path, "--no-config", "--format", "json").json["findings"]
    return {f"{row['rule']} {row['key']}" for row in rows}


@pytest.mark.parametrize("name", ["kafka-rest.properties", "app.properties"])
@pytest.mark.parametrize("case", JUDGED)
def test_the_clients_of_an_application_are_judged(tmp_path: Path, case: str, name: str) -> None:
    settings, expected = JUDGED[case]
    holder = REST if name == "kafka-rest.properties" else f"{ADDRESS}topic=orders\n"
    assert expected in lint(tmp_path / name, holder + settings)


@pytest.mark.parametrize("case", SILENT)
def test_what_an_application_sets_well_is_no_finding(tmp_path: Path, case: str) -> None:
    settings, rule = SILENT[case]
    rows = lint(tmp_path / "kafka-rest.properties", REST + settings)
    assert not [row for row in rows if row.startswith(rule)]


CONTROL_CENTER = f"{ADDRESS}confluent.controlcenter.id=1\n"
STREAMS = "confluent.controlcenter.streams."
CONNECTOR = "name=c\nconnector.class=org.example.Source\n"
WORKER = "group.id=g\nkey.converter=a.B\nvalue.converter=a.B\nconfig.storage.topic=c\noffset.storage.topic=o\nstatus.storage.topic=s\n"
VENDORS = {
    "a connector's licence": (f"{CONNECTOR}confluent.topic.replication.factor=1\n", ["KA1201 medium"]),
    "two replicas of it": (f"{CONNECTOR}confluent.topic.replication.factor=2\n", ["KA1201 low"]),
    "three": (f"{CONNECTOR}confluent.topic.replication.factor=3\n", []),
    "the brokers' default": (f"{CONNECTOR}confluent.topic.replication.factor=-1\n", []),
    "filled in later": (f"{CONNECTOR}confluent.topic.replication.factor=${{FACTOR}}\n", ["KA1201 unknown"]),
    "a worker's licence": (f"{ADDRESS}{TLS}{WORKER}confluent.license.topic.replication.factor=1\n", ["KA1201 medium"]),
    "a standalone worker's": (
        f"{ADDRESS}{TLS}offset.storage.file.filename=/o\nkey.converter=a.B\nvalue.converter=a.B\nconfluent.topic.replication.factor=1\n",
        ["KA1201 medium"],
    ),
    "Control Center's topics": (
        f"{CONTROL_CENTER}{TLS}confluent.controlcenter.internal.topics.replication=1\n",
        ["KA1201 medium"],
    ),
    "Control Center's commands": (
        f"{CONTROL_CENTER}{TLS}confluent.controlcenter.command.topic.replication=1\n",
        ["KA1201 medium"],
    ),
    "Control Center's metrics": (f"{CONTROL_CENTER}confluent.metrics.topic.replication=3\n", ["KA650 medium"]),
    "Control Center's Streams": (f"{CONTROL_CENTER}{TLS}{STREAMS}producer.acks=1\n", ["KA1209 high"]),
    "Control Center's TLS": (f"{CONTROL_CENTER}{STREAMS}{TLS}", []),
    "Control Center in clear": (f"{CONTROL_CENTER}{STREAMS}security.protocol=PLAINTEXT\n", ["KA650 low"]),
    "ksqlDB's TLS": (f"{ADDRESS}ksql.service.id=k\nksql.streams.{TLS}", ["KA1201 high"]),
}
JUDGING = {"KA1201", "KA1209", "KA650"}


@pytest.mark.parametrize("case", VENDORS)
def test_topics_and_streams_of_a_vendors_programs_are_judged(tmp_path: Path, case: str) -> None:
    text, expected = VENDORS[case]
    (tmp_path / "vendor.properties").write_text(text)
    report = run("lint", tmp_path / "vendor.properties", "--no-config", "--format", "json").json
    rows = [f"{row['rule']} {row['severity']}" for row in report["findings"] if row["rule"] in JUDGING]
    rows += [f"{row['rule']} unknown" for row in report["unknown"] if row["rule"] in JUDGING]
    assert rows == expected


def test_each_client_may_have_an_address_of_its_own(tmp_path: Path) -> None:
    text = f"producer.{ADDRESS}producer.acks=1\nconsumer.{ADDRESS}consumer.group.id=orders\n"
    assert "KA101 producer.acks" in lint(tmp_path / "app.properties", text)


def test_a_file_in_a_config_map_is_judged_likewise(tmp_path: Path) -> None:
    embedded = "".join(f"    {line}\n" for line in f"{REST}producer.acks=1".splitlines())
    assert any(row.startswith("KA101 ") for row in lint(tmp_path / "rest.yaml", CONFIG_MAP + embedded))


def test_an_application_that_only_names_a_producer_is_none_of_kafkas(tmp_path: Path) -> None:
    (tmp_path / "app.properties").write_text("producer.name=a\nproducer.topic=b\nconsumer.id=3\n")
    assert "nothing to check" in run("lint", tmp_path, "--no-config").err


def test_a_setting_of_a_client_is_judged_once(tmp_path: Path) -> None:
    (tmp_path / "app.properties").write_text(f"{ADDRESS}{TLS}producer.acks=maybe\n")
    ran = run("lint", tmp_path / "app.properties", "--no-config", "--format", "json").json
    assert [row["severity"] for row in ran["findings"] if row["rule"] == "KA1409"] == ["critical"]
    shown = run("effective", tmp_path / "app.properties").out
    assert shown.count("= maybe") == 1
