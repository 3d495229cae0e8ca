"""Starts of Kafka's own classes that were found at random, against what the tool says of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from advisor.analysis.startup.judge import StartupJudge
from advisor.analysis.startup.queries import answer, read
from rules import all_rules
from tests.extra.compare_starts import compared
from tests.extra.image_starts import RECORDED, described, differs, rows_of, written_cases
from tests.extra.questions import BASES

JUDGE = StartupJudge(all_rules())
FILE = Path(__file__).parent.parent / "data" / "real-starts.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
CONSUMER, PRODUCER, CONNECT = (BASES[name][1] for name in ("consumer", "producer", "connect"))
STREAMS, NODE, ZOOKEEPER = (BASES[name][1] for name in ("streams", "combined", "zookeeper"))
STANDARD = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"


def test_recorded_starts_of_images(tmp_path: Path) -> None:
    outcomes = {row["id"]: row for row in map(json.loads, RECORDED.read_text(encoding="utf-8").splitlines())}
    rows = [
        row | outcomes[row["id"]]
        for path in written_cases(tmp_path)
        for row in rows_of(path, tmp_path)
        if row["id"] in outcomes
    ]
    assert len(rows) == len(outcomes) > 100
    assert [described(row) for row in rows if differs(row)] == []


def ask(component: str, version: str, settings: dict[str, str]) -> dict[str, Any]:
    row = {"id": "q", "component": component, "version": version, "settings": settings}
    said: dict[str, Any] = answer(read(json.dumps(row)), JUDGE)
    return {**said, **said.get("start", {})}


@pytest.mark.parametrize("release", sorted({row["version"] for row in ROWS}))
def test_recorded_starts(release: str) -> None:
    wrong = [row for row in ROWS if row["version"] == release and not agrees(row)]
    assert wrong == []


def agrees(row: dict[str, Any]) -> bool:
    said = ask(row["component"], row["version"], row["settings"])
    wanted = None if row["outcome"] == "environment" else row["outcome"] == "refused"
    if said["refused"] is not wanted:
        return False
    return bool(wanted) or {key for key in said["changed"] if compared(row, key)} == set(row["replaced"])


@pytest.mark.parametrize(
    ("component", "version", "settings", "key"),
    [
        ("broker", "4.3", NODE | {"request.timeout.ms": "-1"}, "request.timeout.ms"),
        ("broker", "2.8", ZOOKEEPER | {"request.timeout.ms": "-1"}, "request.timeout.ms"),
        ("broker", "4.3", NODE | {"authorizer.class.name": STANDARD, "super.users": "alice"}, "super.users"),
        (
            "broker",
            "4.3",
            NODE | {"advertised.listeners": "PLAINTEXT://b1:9092,CONTROLLER://0.0.0.0:9093"},
            "advertised.listeners",
        ),
        ("broker", "4.3", NODE | {"metadata.log.segment.ms": "0"}, "metadata.log.segment.ms"),
        ("broker", "4.3", NODE | {"metrics.recording.level": "LOUD"}, "metrics.recording.level"),
        ("broker", "2.8", ZOOKEEPER | {"log.cleaner.delete.retention.ms": "-2"}, "log.cleaner.delete.retention.ms"),
        ("broker", "2.8", ZOOKEEPER | {"advertised.host.name": "a,b"}, "advertised.host.name"),
        ("connect", "4.3", CONNECT | {"listeners": "ftp://:8083"}, "listeners"),
        ("connect", "4.3", CONNECT | {"session.timeout.ms": "1000"}, "session.timeout.ms"),
        ("connect", "4.3", CONNECT | {"default.api.timeout.ms": "1"}, "default.api.timeout.ms"),
        ("streams", "4.3", STREAMS | {"producer.delivery.timeout.ms": "1"}, "producer.delivery.timeout.ms"),
        ("streams", "3.9", STREAMS | {"application.server": "here"}, "application.server"),
        ("streams", "4.0", STREAMS | {"admin.enable.metrics.push": "true"}, "admin.enable.metrics.push"),
        ("streams", "2.8", STREAMS | {"num.stream.threads": "-1"}, "num.stream.threads"),
    ],
)
def test_a_start_that_fails_after_the_configuration_was_read(
    component: str, version: str, settings: dict[str, str], key: str
) -> None:
    said = ask(component, version, settings)
    assert said["refused"] is True and said["reasons"][0]["key"] == key, said


@pytest.mark.parametrize(
    ("component", "version", "settings", "change"),
    [
        ("producer", "4.3", PRODUCER | {"linger.ms": "200000"}, ("delivery.timeout.ms", None, "230000")),
        ("producer", "2.8", PRODUCER | {"transactional.id": "t"}, ("enable.idempotence", None, "true")),
        ("producer", "3.9", PRODUCER | {"retry.backoff.ms": "5000"}, ("retry.backoff.ms", "5000", "1000")),
        (
            "admin",
            "4.3",
            {"bootstrap.servers": "127.0.0.1:9", "request.timeout.ms": "90000"},
            ("default.api.timeout.ms", None, "90000"),
        ),
        (
            "broker",
            "3.9",
            ZOOKEEPER | {"log.message.format.version": "2.8"},
            ("log.message.format.version", "2.8", "3.0-IV1"),
        ),
        (
            "streams",
            "4.3",
            STREAMS | {"producer.linger.ms": "200000"},
            ("producer.delivery.timeout.ms", None, "230000"),
        ),
        ("streams", "4.3", STREAMS | {"consumer.group.id": "g"}, ("consumer.group.id", "g", "app")),
        (
            "streams",
            "4.3",
            STREAMS | {"processing.guarantee": "exactly_once_v2"},
            ("commit.interval.ms", None, "100"),
        ),
        ("connect", "4.3", CONNECT | {"config.storage.partitions": "3"}, ("config.storage.partitions", "3", "1")),
    ],
)
def test_a_replaced_value_is_named_with_the_written_and_the_used_one(
    component: str, version: str, settings: dict[str, str], change: tuple[str, str | None, str]
) -> None:
    said = ask(component, version, settings)
    assert said["refused"] is False
    assert [(row["key"], row["written"], row["used"]) for row in said["changes"]] == [change]


@pytest.mark.parametrize(
    ("component", "version", "settings"),
    [
        ("admin", "3.0", {"bootstrap.servers": "127.0.0.1:9", "bootstrap.controllers": "c1:9093"}),
        ("producer", "2.6", PRODUCER | {"security.protocol": "SSL", "ssl.keystore.key": "x"}),
        ("producer", "2.4", PRODUCER | {"security.protocol": "SSL", "ssl.engine.factory.class": "a.b.C"}),
        ("connect", "2.3", CONNECT | {"inter.worker.key.size": "7", "inter.worker.key.generation.algorithm": "X"}),
        ("broker", "4.3", NODE | {"zookeeper.connect": "ZOOKEEPER", "inter.broker.protocol.version": "VERSION"}),
    ],
)
def test_a_key_that_the_release_does_not_know_leaves_no_doubt(
    component: str, version: str, settings: dict[str, str]
) -> None:
    assert ask(component, version, settings)["refused"] is False
