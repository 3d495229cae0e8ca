"""The starts command: verdicts of releases on a file, questions in bulk, and what no file can tell."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from advisor.analysis.startup.judge import StartupJudge
from advisor.analysis.startup.queries import answer, read
from rules import all_rules
from tests.extra import verify_refusals
from tests.extra.questions import BASES, questions
from tests.support.commands import process, run

STARTER = StartupJudge(all_rules())
COMBINED = BASES["combined"][1]
PRODUCER, CONSUMER, CONNECT, STREAMS = (BASES[name][1] for name in ("producer", "consumer", "connect", "streams"))
PLAIN = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="b";'
SASL = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.jaas.config": PLAIN}
LAGS = {"max.compaction.lag.ms": "5", "broker:log.cleaner.min.compaction.lag.ms": "6"}
TLS = {"security.protocol": "SSL"}


def ask(component: str, version: str, settings: dict[str, str]) -> dict[str, Any]:
    row = {"id": "q", "component": component, "version": version, "settings": settings}
    return answer(read(json.dumps(row)), STARTER)


@pytest.mark.parametrize(
    ("component", "version", "settings", "refused", "says"),
    [
        ("broker", "3.9", BASES["zookeeper"][1], False, ""),
        ("broker", "4.0", BASES["zookeeper"][1], True, "process.roles"),
        ("broker", "4.3", COMBINED, False, ""),
        ("broker", "4.3", COMBINED | {"listeners": "FOO"}, True, "NAME://host:port"),
        ("broker", "3.9", COMBINED | {"listener.security.protocol.map": "FOO"}, True, "NAME:PROTOCOL"),
        ("broker", "4.3", COMBINED | {"num.io.threads": "MANY"}, True, "whole number"),
        ("broker", "4.3", COMBINED | {"authorizer.class.name": "org.example.Own"}, None, "class path"),
        (
            "broker",
            "3.9",
            COMBINED | {"authorizer.class.name": "kafka.security.authorizer.AclAuthorizer"},
            True,
            "needs ZooKeeper",
        ),
        ("broker", "4.3", COMBINED | {"remote.log.metadata.manager.class.name": "org.example.Own"}, False, ""),
        ("producer", "4.3", PRODUCER, False, ""),
        ("producer", "4.3", {}, True, "bootstrap.servers is required"),
        ("producer", "4.3", {"bootstrap.servers": "127.0.0.1:9"}, True, "key.serializer is required"),
        ("producer", "4.3", PRODUCER | {"bootstrap.servers": "b1.example.org:9092"}, None, "resolvable"),
        ("producer", "4.3", PRODUCER | {"bootstrap.servers": "[::1]:9092,localhost:1"}, False, ""),
        ("producer", "4.3", PRODUCER | SASL, False, ""),
        ("producer", "4.3", PRODUCER | {"security.protocol": "SASL_SSL"}, None, "java.security.auth.login.config"),
        ("producer", "4.3", PRODUCER | SASL | {"sasl.mechanism": "GSSAPI"}, True, "GSSAPI"),
        ("producer", "4.3", PRODUCER | SASL | {"sasl.jaas.config": PLAIN[:-1]}, True, "semi"),
        ("producer", "4.3", PRODUCER | SASL | {"sasl.jaas.config": "a.b.Module required;"}, None, "a.b.Module"),
        ("producer", "4.3", PRODUCER | TLS, False, ""),
        ("producer", "4.3", PRODUCER | TLS | {"ssl.truststore.location": "/a.jks"}, None, "readable"),
        ("producer", "4.3", PRODUCER | {"ssl.truststore.location": "/a.jks"}, False, ""),
        ("producer", "4.3", PRODUCER | TLS | {"ssl.truststore.password": "x"}, True, "ssl.truststore.location"),
        ("producer", "4.3", PRODUCER | TLS | {"ssl.keystore.location": "/a.jks"}, True, "ssl.keystore.password"),
        ("producer", "4.3", PRODUCER | TLS | {"ssl.keystore.key": "x"}, True, "PEM"),
        ("producer", "4.3", PRODUCER | TLS | {"ssl.protocol": "Own"}, None, "JVM"),
        ("producer", "4.4", PRODUCER | {"partitioner.rack.aware": "true"}, True, "client.rack"),
        ("consumer", "4.3", CONSUMER, False, ""),
        ("consumer", "4.3", {k: v for k, v in CONSUMER.items() if k != "group.id"}, False, ""),
        (
            "consumer",
            "3.9",
            {**{k: v for k, v in CONSUMER.items() if k != "group.id"}, "enable.auto.commit": "true"},
            True,
            "without a group.id",
        ),
        ("admin", "3.0", {"bootstrap.controllers": "127.0.0.1:9"}, True, "bootstrap.servers"),
        ("admin", "3.9", {"bootstrap.controllers": "127.0.0.1:9"}, False, ""),
        ("admin", "4.3", {"bootstrap.servers": ""}, True, "bootstrap.servers"),
        ("topic", "4.3", {"retention.ms": "-2"}, True, "at least -1"),
        ("topic", "4.3", {"min.insync.replica": "2"}, True, "not a topic key"),
        ("topic", "4.3", {"replication.factor": "3"}, True, "--replication-factor"),
        ("topic", "2.8", {"partitions": "3", "retention.ms": "1000"}, True, "--partitions"),
        ("topic", "3.5", {"local.retention.ms": "1000"}, False, ""),
        ("topic", "4.3", {"remote.storage.enable": "true"}, True, "tiered storage"),
        (
            "topic",
            "4.3",
            {"remote.storage.enable": "true", "broker:remote.log.storage.system.enable": "true"},
            False,
            "",
        ),
        ("topic", "4.3", {"broker:num.io.threads": "0"}, True, "at least 1"),
        ("topic", "3.9", LAGS, True, "stay uncompacted"),
        ("topic", "3.3", LAGS, False, ""),
        ("connect", "4.3", CONNECT, False, ""),
        ("worker", "4.3", CONNECT | {"offset.storage.partitions": "0"}, True, "offset.storage.partitions"),
        ("streams", "4.3", STREAMS, False, ""),
        ("streams", "4.3", STREAMS | {"upgrade.from": "2.3"}, True, "takes only"),
    ],
)
def test_a_question_is_answered(
    component: str, version: str, settings: dict[str, str], refused: bool | None, says: str
) -> None:
    said = ask(component, version, settings)
    assert said["refused"] is refused, said
    assert says in json.dumps(said["reasons"]), said
    assert bool(said["reasons"]) == (refused is not False)


@pytest.mark.parametrize(
    ("component", "version", "settings", "changed"),
    [
        ("producer", "3.9", {"acks": "1"}, ["enable.idempotence"]),
        ("producer", "2.8", {"acks": "1"}, []),
        ("producer", "3.9", {"acks": "1", "enable.idempotence": "false"}, []),
        ("producer", "4.3", {"reconnect.backoff.ms": "5"}, ["reconnect.backoff.max.ms"]),
        ("consumer", "4.3", {"group.id": ""}, []),
        ("connect", "4.3", {"config.storage.partitions": "3"}, ["config.storage.partitions"]),
        ("streams", "4.3", {"consumer.enable.auto.commit": "true"}, ["consumer.enable.auto.commit"]),
        ("combined", "4.3", {"log.cleanup.policy": "delete,delete"}, ["log.cleanup.policy"]),
        ("combined", "4.0", {"log.cleanup.policy": "delete,delete"}, []),
        ("combined", "4.3", {"log.retention.ms": "1", "log.retention.hours": "1"}, ["log.retention.hours"]),
        ("combined", "4.3", {"zookeeper.connect": "z:1"}, []),
        ("broker", "4.3", {"num.partitions": "6"}, ["num.partitions"]),
        ("broker", "4.3", {"num.partitions": "0"}, []),
    ],
)
def test_what_kafka_changes_is_named(
    component: str, version: str, settings: dict[str, str], changed: list[str]
) -> None:
    kind, base = BASES[component]
    assert ask(kind, version, base | settings)["changed"] == changed


def test_a_secret_is_in_no_answer() -> None:
    said = ask(
        "producer", "4.3", PRODUCER | SASL | TLS | {"ssl.keystore.password": "geheim", "ssl.key.password": "x y"}
    )
    assert "geheim" not in json.dumps(said) and "username" not in json.dumps(said)


LINES = [
    ({"id": 1, "component": "producer", "version": "4.3", "settings": PRODUCER}, False),
    ("", None),
    ("{", "not JSON"),
    ("[]", "a JSON object"),
    ({"id": "x", "component": "table", "version": "4.3", "settings": {}}, "component is one of"),
    ({"id": "x", "component": "topic", "version": "new", "settings": {}}, "not a Kafka version"),
    ({"id": "x", "component": "topic", "version": 4, "settings": {}}, "version is a text"),
    ({"id": "x", "component": "topic", "version": "4.3", "settings": {"a": 1}}, "object of texts"),
    ({"id": "x", "component": ["topic"], "version": "4.3", "settings": {}}, "component is one of"),
    ({"id": "\u2028", "component": "topic", "version": "4.3", "settings": {}}, False),
    ({"id": "y", "component": "topic", "version": "4.3.1", "settings": {"retention.ms": "-5"}}, True),
]


def test_lines_are_answered_in_their_order(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(
        "\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line, _ in LINES)
    )
    ran = run("starts", "--queries", file)
    said = [json.loads(line) for line in ran.out.strip().split("\n")]
    wanted = [want for _, want in LINES if want is not None]
    assert ran.code == 2 and len(said) == len(wanted)
    for found, want in zip(said, wanted, strict=True):
        assert want in found["error"] if isinstance(want, str) else found["refused"] is want
    assert said[3]["id"] == "x" and "line 5" in said[3]["error"]


def test_questions_come_from_standard_input_too() -> None:
    line = json.dumps({"id": 7, "component": "admin", "version": "4.3", "settings": {}})
    ran = process("starts", "--queries", "-", stdin=line.encode() + b"\n")
    assert ran.code == 0 and ran.json["id"] == 7 and ran.json["refused"] is True


@pytest.fixture
def server(tmp_path: Path) -> Path:
    file = tmp_path / "server.properties"
    settings = COMBINED | {"log.segment.bytes": "1000", "log.retention.ms": "1", "log.retention.hours": "1"}
    file.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))
    return file


def test_a_file_is_asked_about_every_release(server: Path) -> None:
    ran = run("starts", server)
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert ran.code == 1
    assert lines[0].endswith("server.properties (combined)")
    assert "3.3 to 3.9 starts" in lines and "but log.retention.hours: log.retention.ms is set and wins" in lines
    assert "4.0 to 4.4 refused: log.segment.bytes: 1000: must be at least 1048576" in lines


def test_the_table_as_json(server: Path) -> None:
    ran = run("starts", server, "--on", "3.9,4.4.0", "--format", "json")
    assert ran.code == 1 and ran.json["format"] == "kafka-advisor-starts/1"
    old, new = ran.json["starts"]
    assert (old["version"], old["refused"], old["changed"][0]["key"]) == ("3.9", False, "log.retention.hours")
    assert (new["version"], new["refused"], new["reasons"][0]["rule"]) == ("4.4", True, "KA1409")


@pytest.mark.parametrize(
    ("text", "arguments", "code", "says"),
    [
        ("acks=all\n", ["--kind", "producer", "--on", "4.3"], 0, "unknown: bootstrap.servers is not in the file"),
        ("broker.id=1\nzookeeper.connect=z:1\n", ["--on", "3.9"], 0, "starts"),
        (
            "broker.id=1\nzookeeper.connect=z:1\n",
            ["--on", "3.9,4.0"],
            1,
            "process.roles: Kafka does not start without it",
        ),
        ("retention.ms=-2\n", ["--on", "4.0"], 1, "refused: retention.ms"),
        ("num.io.threads=${N}\nbroker.id=1\nzookeeper.connect=z:1", ["--on", "3.9"], 0, "unknown: num.io.threads"),
        ("acks=all\n", ["--on", "nine"], 2, "not a Kafka version"),
        ("acks=all\n", ["--on", ","], 2, "name at least one release"),
        ("# nothing\n", [], 3, "nothing to check"),
    ],
)
def test_files(tmp_path: Path, text: str, arguments: list[str], code: int, says: str) -> None:
    file = tmp_path / "x.properties"
    file.write_text(text)
    ran = run("starts", file, *arguments)
    assert ran.code == code, ran
    assert says in ran.out + ran.err


@pytest.mark.parametrize(
    ("on", "says"),
    [
        ("9.9", "--on 9.9: Kafka 9.9 is newer than the catalogs; known are Kafka 2.0, "),
        ("1.0, 3.9", "--on 1.0: Kafka 1.0 is older than the catalogs"),
        ("3.9,3.10", "--on 3.10: There is no Kafka 3.10; known are"),
        ("cp6.7", "--on cp6.7: Confluent Platform 6.7 does not exist; known are"),
    ],
)
def test_a_release_that_the_catalogs_lack_is_an_error(server: Path, on: str, says: str) -> None:
    ran = run("starts", server, "--on", on)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"kafka-advisor: {says}")
    assert "4.4 and latest" in ran.err


@pytest.mark.parametrize(("on", "same"), [("4.4.0", "4.4"), ("3.9.77", "3.9"), ("latest", "4.4"), ("LATEST", "4.4")])
def test_any_patch_of_a_known_release_is_that_release(server: Path, on: str, same: str) -> None:
    ran, other = (run("starts", server, "--on", release) for release in (on, same))
    assert (ran.code, ran.out, ran.err) == (other.code, other.out, other.err)


@pytest.mark.parametrize("arguments", [["starts"], ["starts", "/no/such"], ["starts", "--queries", "/no/such"]])
def test_wrong_usage(arguments: list[str]) -> None:
    ran = run(*arguments)
    assert ran.code == 2 and len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("release", ["2.8", "3.3", "3.9", "4.4"])
def test_every_base_starts(release: str) -> None:
    for row in questions(release, 1, 0):
        if set(row["settings"]) == set(next(base for name, (_, base) in BASES.items() if row["id"].startswith(name))):
            assert answer(read(json.dumps(row)), STARTER)["refused"] is False, row


def test_made_up_questions_are_answered_and_the_same_each_time() -> None:
    first, again = (list(questions("4.3", 5, 20)) for _ in range(2))
    assert first == again and len({row["id"] for row in first}) == len(first)
    verdicts = [answer(read(json.dumps(row)), STARTER)["refused"] for row in first]
    assert {True, False} <= set(verdicts)


def test_without_maven_the_comparison_is_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda tool: None if tool == "mvn" else f"/usr/bin/{tool}")
    assert verify_refusals.main([]) == 0
    assert capsys.readouterr().out == "verify-refusals: skipped: there is no mvn\n"


def test_starts_says_what_a_topic_sets_in_vain(tmp_path: Path) -> None:
    (tmp_path / "orders.properties").write_text("local.retention.ms=1000\n")
    out = run("starts", tmp_path / "orders.properties", "--kind", "topic", "--on", "3.5,3.6").out
    assert "local.retention.ms: Kafka ignores it before 3.6" in out.partition("3.6  ")[0]
    assert "ignores" not in out.partition("3.6  ")[2]


@pytest.mark.parametrize("text", ["kafka-topics.sh --create --topic a --replication-factor 3 --partitions 6\n"])
def test_what_creates_a_topic_may_name_its_replicas(text: str, tmp_path: Path) -> None:
    (tmp_path / "topics.sh").write_text(f"#!/bin/sh\n{text}")
    ran = run("starts", tmp_path / "topics.sh", "--on", "4.3")
    assert "refused" not in ran.out


@pytest.mark.parametrize("command", ["starts", "upgrade"])
def test_a_chart_whose_listener_has_another_name_is_judged(command: str, tmp_path: Path) -> None:
    (tmp_path / "values.yaml").write_text(
        "extraConfig: |\n  inter.broker.listener.name=INTERNAL\nlisteners: {client: {name: CLIENT}}\n"
        "kraft: {clusterId: abc}\nimage: {repository: bitnami/kafka}\n"
    )
    assert run(command, tmp_path / "values.yaml").code == 0


@pytest.mark.parametrize(("value", "says"), [("${f:/etc/names:id}", "unknown"), ("${e:ID}", "starts"), ("a", "starts")])
def test_a_start_rests_on_the_file_that_a_provider_reads(value: str, says: str, tmp_path: Path) -> None:
    package = "org.apache.kafka.common.config.provider"
    settings = PRODUCER | {
        "config.providers": "e, f",
        "config.providers.e.class": f"{package}.EnvVarConfigProvider",
        "config.providers.f.class": f"{package}.FileConfigProvider",
        "bootstrap.servers": "127.0.0.1:9092",
        "client.id": value,
    }
    file = tmp_path / "producer.properties"
    file.write_text("".join(f"{key}={text}\n" for key, text in settings.items()))
    ran = run("starts", file, "--on", "3.9")
    assert says in ran.out and (says == "starts" or "the provider f reads" in ran.out)
