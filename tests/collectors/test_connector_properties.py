"""A connector's file of properties is a connector, and no worker that lacks its settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

SINK = "name=orders\nconnector.class=org.example.OrdersSinkConnector\ntasks.max=1\ntopics=orders\n"
CONVERTERS = "key.converter=a.B\nvalue.converter=a.B\n"
WORKER = "bootstrap.servers=b1:9092,b2:9092\nplugin.path=/p\noffset.storage.file.filename=/data/o\n" + CONVERTERS


def lint(folder: Path, text: str) -> dict[str, list[str]]:
    """The rules that find something, by the kind of what they are about."""
    (folder / "connect.properties").write_text(text)
    found: dict[str, list[str]] = {}
    for row in run("lint", folder / "connect.properties", "--format", "json", "--no-config").json["findings"]:
        found.setdefault(row["entity"]["kind"], []).append(row["rule"])
    return found


@pytest.mark.parametrize("text", [SINK, SINK + CONVERTERS])
def test_a_connector_lacks_nothing_of_a_workers(tmp_path: Path, text: str) -> None:
    assert lint(tmp_path, text) == {}


def test_the_clients_that_it_overrides_are_judged(tmp_path: Path) -> None:
    found = lint(tmp_path, SINK + "errors.tolerance=all\nproducer.override.acks=1\n")
    assert "KA1215" in found["connect"] and "KA101" in found["producer"]


@pytest.mark.parametrize(
    ("line", "of"),
    [
        ("producer.linger.ms=abc", {"KA1409": "producer"}),
        ("consumer.isolation.level=read_commited", {"KA1409": "consumer"}),
        ("producer.lingr.ms=1", {"KA1401": "connect"}),
        ("producer.acks=2", {"KA1409": "connect"}),
        ("consumer.fetch.min.bytes=5", {}),
    ],
)
def test_a_setting_of_a_workers_client_is_judged_once(tmp_path: Path, line: str, of: dict[str, str]) -> None:
    found = lint(tmp_path, WORKER + line + "\n")
    assert {rule: kind for kind, rules in found.items() for rule in rules if rule in ("KA1409", "KA1401")} == of
    assert all(len(rules) == len(set(rules)) for rules in found.values())


def test_a_comment_silences_a_finding_of_it(tmp_path: Path) -> None:
    text = SINK + "# kafka-advisor: ignore[KA1215] the log is watched\nerrors.tolerance=all\n"
    assert "KA1215" not in lint(tmp_path, text).get("connect", ())


def test_an_engine_or_a_worker_with_a_connector_in_its_file_stays_one(tmp_path: Path) -> None:
    assert "KA1410" in lint(tmp_path, WORKER.replace("bootstrap.servers=b1:9092,b2:9092\n", "") + SINK)["connect"]


def test_another_name_in_the_same_file_is_another_connector(tmp_path: Path) -> None:
    for side, text in (("old", SINK), ("new", SINK.replace("orders\nconn", "bills\nconn"))):
        (tmp_path / side).mkdir()
        (tmp_path / side / "c.properties").write_text(text)
    ran = run("diff", tmp_path / "old", tmp_path / "new", "--format", "json", "--no-config")
    assert [row["rule"] for row in ran.json["change_findings"]] == ["KA1894"]


def test_a_variable_that_the_images_own_script_reads_is_found_and_not_removed(tmp_path: Path) -> None:
    names = (
        "BOOTSTRAP_SERVERS: b:1",
        "GROUP_ID: g",
        "CONFIG_STORAGE_TOPIC: c",
        "REST_PORT: 8083",
        "KEY_CONVERTER: a.B",
    )
    lines = "".join(f"      CONNECT_{name}\n" for name in names)
    image = "confluentinc/cp-kafka-connect:7.9.0"
    (tmp_path / "compose.yml").write_text(f"services:\n  c:\n    image: {image}\n    environment:\n{lines}")
    assert "CONNECT_REST_PORT=8083: Kafka ignores it" in run("lint", tmp_path, "--no-config").out
    assert "-      CONNECT_REST_PORT" not in run("lint", tmp_path, "--diff", "--unsafe-fixes", "--no-config").out


def test_a_workers_listeners_for_its_administration_are_no_clients(tmp_path: Path) -> None:
    (tmp_path / "connect.properties").write_text(f"{WORKER}admin.listeners=http://:8080\n")
    rows = run("lint", tmp_path / "connect.properties", "--format", "json", "--no-config").json["inputs"]
    assert [row["kind"] for row in rows] == ["connect"]
