"""The effective command: values as they are used, where they come from, and the lines that do nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import process, run

NODE = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@b1:9093
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://b1:9092,CONTROLLER://b1:9093
log.dirs=/d/a,/d/b
"""
ZOOKEEPER = "broker.id=3\nzookeeper.connect=z:1\nlisteners=PLAINTEXT://b1:9092\n"
PRODUCER = "bootstrap.servers=b:1\nkey.serializer=a.B\n"
STREAMS = "application.id=a\nbootstrap.servers=b:1\nprocessing.guarantee=exactly_once_v2\n"


def effective(tmp_path: Path, text: str, *arguments: str) -> Any:
    file = tmp_path / "x.properties"
    file.write_text(text)
    ran = run("effective", file, "--format", "json", *arguments)
    assert ran.code == 0, ran
    return ran.json


@pytest.mark.parametrize(
    ("text", "arguments", "key", "value", "source", "note"),
    [
        (NODE + "log.retention.hours=24", "4.4", "log.retention.ms", "86400000", "STATIC_BROKER", "24 of log.retention.h"),
        (NODE + "log.retention.hours=24\nlog.retention.ms=5", "4.4", "log.retention.ms", "5", "STATIC_BROKER", ""),
        (NODE, "4.4", "log.retention.ms", None, "-", ""),
        (NODE, "4.4 --all", "log.retention.ms", "604800000", "DEFAULT", ""),
        (NODE, "4.4 --all", "num.io.threads", "8", "DEFAULT", ""),
        (NODE, "4.4", "num.io.threads", None, "-", ""),
        (NODE, "4.4", "advertised.listeners", "PLAINTEXT://b1:9092", "DERIVED", "without those of controllers"),
        (NODE, "4.4", "inter.broker.listener.name", "PLAINTEXT", "DERIVED", "security.inter.broker.protocol"),
        (NODE, "4.4", "metadata.log.dir", "/d/a", "DERIVED", "the first of log.dirs"),
        (NODE + "log.cleanup.policy=delete, delete", "4.4", "log.cleanup.policy", "delete", "STATIC_BROKER", "dropped"),
        (NODE + "log.cleanup.policy=delete,delete", "4.0", "log.cleanup.policy", "delete,delete", "STATIC_BROKER", ""),
        (NODE + "num.io.threads= 9 ", "4.4", "num.io.threads", "9", "STATIC_BROKER", ""),
        (NODE + "num.io.threads=0", "4.4", "num.io.threads", "0", "STATIC_BROKER", "refused: must be at least 1"),
        (NODE + "num.io.threads=${N}", "4.4", "num.io.threads", "${N}", "STATIC_BROKER", "filled in later"),
        (NODE + "ssl.keystore.password=geheim", "4.4", "ssl.keystore.password", "********", "STATIC_BROKER", ""),
        (
            NODE + "listener.name.plaintext.sasl.enabled.mechanisms=PLAIN",
            "4.4",
            "listener.name.plaintext.sasl.enabled.mechanisms",
            "PLAIN",
            "STATIC_BROKER",
            "in place of sasl.enabled.mechanisms",
        ),
        (ZOOKEEPER, "3.9", "node.id", "3", "STATIC_BROKER", ""),
        (ZOOKEEPER, "3.9", "metadata.log.dir", None, "-", ""),
        ("process.roles=broker\ncontroller.listener.names=A,B", "4.4", "controller.listener.names", "A", "DERIVED", "first"),
        (PRODUCER + "acks=1", "3.9", "enable.idempotence", "false", "DERIVED", "acks=1 rules it out"),
        (PRODUCER + "acks=1", "2.8", "enable.idempotence", None, "-", ""),
        (PRODUCER + "transactional.id=t", "2.8", "enable.idempotence", "true", "DERIVED", "transactional.id"),
        (PRODUCER + "max.in.flight.requests.per.connection=6", "3.9", "enable.idempotence", "false", "DERIVED", "more"),
        (PRODUCER + "linger.ms=100000", "4.4", "delivery.timeout.ms", "130000", "DERIVED", "raised"),
        (PRODUCER + "linger.ms=10", "4.4", "delivery.timeout.ms", None, "-", ""),
        (PRODUCER + "reconnect.backoff.ms=7", "4.4", "reconnect.backoff.max.ms", "7", "DERIVED", "follows"),
        ("bootstrap.servers=b:1\nkey.deserializer=a.B", "4.4", "enable.auto.commit", "false", "DERIVED", "no group.id"),
        ("group.id=g\nkey.deserializer=a.B", "4.4", "enable.auto.commit", None, "-", ""),
        (STREAMS, "4.3", "commit.interval.ms", "100", "DERIVED", "exactly-once"),
        (STREAMS + "commit.interval.ms=7", "4.3", "commit.interval.ms", "7", "CLIENT_FILE", ""),
        (STREAMS + "consumer.isolation.level=read_uncommitted", "4.3", "consumer.isolation.level", "read_committed",
         "DERIVED", "exactly-once"),
        ("group.id=g\nconfig.storage.topic=c\noffset.storage.topic=o\nconfig.storage.partitions=3", "4.3",
         "config.storage.partitions", "1", "DERIVED", "always"),
        ("retention.ms=5\nsegment.ms=6", "4.4", "retention.ms", "5", "DYNAMIC_TOPIC", ""),
    ],
)  # fmt: skip
def test_a_value_is_what_kafka_uses(
    tmp_path: Path, text: str, arguments: str, key: str, value: str | None, source: str, note: str
) -> None:
    rows = {row["key"]: row for row in effective(tmp_path, text, "--kafka-version", *arguments.split())["settings"]}
    if source == "-":
        assert key not in rows
        return
    row = rows[key]
    assert (row["value"], row["source"]) == (value, source)
    assert note in (row["note"] or ""), row


@pytest.mark.parametrize(
    ("text", "version", "key", "line", "why"),
    [
        (NODE + "zookeeper.connect=z:1", "4.4", "zookeeper.connect", 7, "gone since Kafka 4.0"),
        (NODE + "cordoned.log.dirs=/d/a", "4.0", "cordoned.log.dirs", 7, "known from Kafka 4.3 on"),
        (NODE + "min.insync.replica=2", "4.4", "min.insync.replica", 7, "not one of Kafka's keys"),
        (NODE + "acks=all", "4.4", "acks", 7, "producer key"),
        (NODE + "log.retention.hours=1\nlog.retention.ms=5", "4.4", "log.retention.hours", 7, "log.retention.ms wins"),
        (NODE + "num.io.threads=1\nnum.io.threads=2", "4.4", "num.io.threads", 7, "set again in line 8"),
    ],
)
def test_a_line_that_does_nothing_is_told(
    tmp_path: Path, text: str, version: str, key: str, line: int, why: str
) -> None:
    found = effective(tmp_path, text, "--kafka-version", version)
    rows = [row for row in found["ignored"] if row["key"] == key]
    assert len(rows) == 1 and rows[0]["line"] == line and why in rows[0]["reason"], found["ignored"]


def test_what_is_overridden_stands_with_the_winner(tmp_path: Path) -> None:
    text = NODE + "log.retention.hours=1\nlog.retention.ms=4\nlog.retention.ms=5"
    rows = {row["key"]: row for row in effective(tmp_path, text)["settings"]}
    said = [(row["key"], row["value"], row["line"]) for row in rows["log.retention.ms"]["overrides"]]
    assert said == [("log.retention.ms", "4", 8), ("log.retention.hours", "1", 7)]
    assert "log.retention.hours" not in rows


def test_the_text_for_people(tmp_path: Path) -> None:
    file = tmp_path / "x.properties"
    file.write_text(NODE + "log.retention.hours=24\nssl.key.password=geheim\nzookeeper.connect=z:1\n")
    ran = run("effective", file, "--kafka-version", "4.4")
    lines = [re.sub(" +", " ", line) for line in ran.out.splitlines()]
    assert lines[0].endswith("(combined), Kafka 4.4: --kafka-version 4.4")
    assert " log.retention.ms = 86400000 (line 7, log.retention.hours; 24 of log.retention.hours)" in lines
    assert " ssl.key.password = ******** (line 8)" in lines and "geheim" not in ran.out
    assert lines[-2:] == ["does nothing:", " zookeeper.connect=z:1 (line 9): gone since Kafka 4.0"]


@pytest.mark.parametrize(
    ("text", "arguments", "code"),
    [("acks=1\n", ["--kafka-version", "x"], 2), ("# nothing\n", [], 3), (None, [], 2)],
)
def test_what_cannot_be_shown(tmp_path: Path, text: str | None, arguments: list[str], code: int) -> None:
    file = tmp_path / "x.properties"
    if text is not None:
        file.write_text(text)
    ran = run("effective", file, *arguments)
    assert ran.code == code and len(ran.err.splitlines()) == 1 and not ran.out


def test_text_needs_no_json(tmp_path: Path) -> None:
    file = tmp_path / "x.properties"
    file.write_text(NODE)
    for command in ("effective", "starts"):
        ran = process(command, file, flags=("-X", "importtime"))
        assert ran.code == 0 and not re.search(r"\| +(json|rich|typing)$", ran.err, re.M)


PROVIDERS = (
    "config.providers=file\nconfig.providers.file.class=org.apache.kafka.common.config.provider.FileConfigProvider\n"
)


@pytest.mark.parametrize(("release", "is_read"), [("2.2", False), ("2.3", True), ("3.9", True), ("4.4", True)])
@pytest.mark.parametrize("text", [ZOOKEEPER, PRODUCER])
def test_providers_of_values_are_read_long_before_they_are_documented(
    tmp_path: Path, text: str, release: str, is_read: bool
) -> None:
    shown = effective(tmp_path, text + PROVIDERS, "--kafka-version", release)
    assert ("config.providers" in {row["key"] for row in shown["settings"]}) == is_read
    assert ("config.providers" in {row["key"] for row in shown["ignored"]}) != is_read
    assert "config.providers.file.class" not in {row["key"] for row in shown["ignored"]}
    starts = run("starts", tmp_path / "x.properties", "--on", release).out
    assert ("ignores config.providers" in starts) != is_read


STRIMZI = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: Kafka
metadata: {name: my-cluster}
spec:
  kafka:
    version: 3.9.0
    config: {min.insync.replicas: 2}
"""
STRIMZI_TOPIC = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaTopic
metadata: {name: orders, labels: {strimzi.io/cluster: CLUSTER}}
spec: {partitions: 3, replicas: 3, config: {retention.ms: 100000}}
"""


@pytest.mark.parametrize(
    ("cluster", "arguments", "release"),
    [
        ("my-cluster", (), "3.9"),
        ("my-cluster", ("--kafka-version", "4.1"), "4.1"),
        ("another", (), "4.4"),
    ],
)
def test_a_topic_has_the_release_of_its_cluster(
    tmp_path: Path, cluster: str, arguments: tuple[str, ...], release: str
) -> None:
    topic = STRIMZI_TOPIC.replace("CLUSTER", cluster)
    (tmp_path / "both.yaml").write_text(f"{STRIMZI}---\n{topic}")
    (tmp_path / "kafka.yaml").write_text(STRIMZI)
    (tmp_path / "topic.yaml").write_text(topic)
    for files in (["both.yaml"], ["topic.yaml", "kafka.yaml"]):
        shown = run("effective", *(tmp_path / file for file in files), "--format", "json", *arguments).json
        topics = [each for each in shown if each["kind"] == "topic"]
        assert [each["target"]["kafka_version"] for each in topics] == [release], shown
