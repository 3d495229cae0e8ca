"""One bad input costs itself alone: its own line or its own unknown, and the rest is judged."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from advisor.cli.argument_types import FORMATS
from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import document
from tests.support.commands import run

Document = dict[str, Any]
CLUSTER = "brokers 1 2 3\ntopic a retention.ms=1\n0-3: leader 1 replicas 1,2,3 isr 1,2\ntopic b retention.ms=2"


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Document:
    monkeypatch.chdir(tmp_path)
    Path("good.properties").write_text("acks=1\nbootstrap.servers=a:1,b:1\n")
    whole: Document = json.loads(json.dumps(document(parse_cluster(CLUSTER))))
    Path("good.json").write_text(json.dumps(whole))
    return copy.deepcopy(whole)


def lint(name: str, format: str = "json") -> Any:
    return run("lint", "good.properties", name, "--no-config", "--format", format)


NO_VALUES = ("maybe", "", "²", "9" * 5000, "1e999", "\ud800", "NaN", "-", "٣", "0x10", "1_000", "  ")
WITH_DEFAULTS = (
    "unclean.leader.election.enable",
    "min.insync.replicas",
    "retention.ms",
    "log.retention.hours",
    "segment.bytes",
)


def with_default(saved: Document, value: str) -> str:
    """The saved cluster with this default of some keys."""
    saved["defaults"] = [dict.fromkeys(WITH_DEFAULTS, value)]
    for row in (*saved["topics"], *saved["brokers"]):
        row["defaults"] = 0
    return json.dumps(saved)


@pytest.mark.parametrize("value", NO_VALUES)
def test_a_default_that_is_no_value_is_unknown(saved: Document, value: str) -> None:
    Path("odd.json").write_text(with_default(saved, value))
    ran = lint("odd.json")
    assert ran.code == 1
    assert "KA000" not in ran.out
    assert any("as its default" in row["reason"] for row in ran.json["unknown"]) or not value.strip()


def test_defaults_that_are_no_values_end_no_audit(saved: Document) -> None:
    names = [f"odd{number}.json" for number in range(len(NO_VALUES))]
    for name, value in zip(names, NO_VALUES, strict=True):
        Path(name).write_text(with_default(saved, value))
    audited = run("audit", *names, "good.json", "--no-config", "--engine", "local", "--out", "out")
    assert audited.code == 1, audited.err
    assert f"{len(NO_VALUES) + 1} clusters" in audited.out
    assert Path("out/complete.json").exists()


def damage(saved: Document, name: str) -> str:
    whole = json.dumps(saved)
    damaged = {
        "truncated": whole[:400],
        "another format": whole.replace("snapshot/2", "snapshot/9"),
        "deep": '{"format": "kafka-advisor-snapshot/1", "x": ' + "[" * 100_000,
        "not a number": whole.replace('"port": 9092', '"port": NaN', 1),
        "a negative table": whole.replace('"settings": 0', '"settings": -1', 1),
        "a table too far": whole.replace('"settings": 0', '"settings": 9', 1),
        "a list for an object": whole.replace('"cluster": {', '"cluster": [{', 1),
        "a version that is none": whole.replace('"kafka_version": "4.', '"kafka_version": "²."', 1),
        "an endless number": whole.replace('"port": 9092', f'"port": {"9" * 5000}', 1),
        "no brokers": json.dumps({**saved, "brokers": []}),
    }
    return damaged[name]


NAMES = ("truncated", "another format", "deep", "not a number", "a negative table", "a table too far",
         "a list for an object", "a version that is none", "an endless number", "no brokers")  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_snapshot_is_one_line_and_the_other_file_is_judged(saved: Document, name: str) -> None:
    Path("bad.json").write_text(damage(saved, name))
    ran = lint("bad.json")
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1
    assert ran.err.startswith("kafka-advisor: bad.json")
    assert len(ran.err) < 600
    assert {row["file"] for row in ran.json["findings"]} == {"good.properties"}


def test_damaged_snapshots_are_unknown_clusters_of_an_audit(saved: Document) -> None:
    files = [f"bad{number}.json" for number in range(len(NAMES))]
    for file, name in zip(files, NAMES, strict=True):
        Path(file).write_text(damage(saved, name))
    options = ("--no-config", "--engine", "local", "--out", "out", "--max-unreachable", "100%")
    ran = run("audit", *files, "good.json", *options)
    assert ran.code == 1, ran.err
    assert f"{len(NAMES)} clusters unreachable" in ran.out


@pytest.mark.parametrize("half", ["\ud800", "\udfff", "\udc80"])
@pytest.mark.parametrize("format", FORMATS)
def test_half_a_character_in_a_name_ends_no_report(saved: Document, half: str, format: str) -> None:
    saved["topics"][0]["name"] = f"a{half}"
    saved["nodes"][0]["rack"] = half
    Path("odd.json").write_text(json.dumps(saved))
    ran = lint("odd.json", f"{format}=report")
    assert ran.code == 1, ran.err
    text = Path("report").read_bytes().decode("utf-8")
    assert text.strip()
    if format in ("json", "sarif", "gitlab"):
        json.loads(text)


def test_a_file_that_cannot_be_read_costs_itself_alone(saved: Document) -> None:
    Path("binary.properties").write_bytes(b"\x00\x01")
    ran = run("lint", "missing", "binary.properties", "good.properties", "--no-config", "--format", "json")
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 2
    assert ran.json["findings"]


def test_a_query_without_settings_is_judged(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"id": 1, "component": "broker", "version": "3.9"}\n')
    ran = run("starts", "--queries", tmp_path / "q.jsonl")
    assert ran.code == 0
    assert ran.json["id"] == 1


@pytest.mark.parametrize(
    "line", ["log.dirs=", "controller.quorum.voters=²²@c:1", f"controller.quorum.voters={'9' * 5000}@c:1"]
)
def test_an_odd_value_of_a_node_is_no_internal_error(tmp_path: Path, line: str) -> None:
    (tmp_path / "x.properties").write_text(f"process.roles=broker,controller\nnode.id=1\n{line}\n")
    for command in (("lint", "--no-config"), ("effective", "--all"), ("starts",)):
        ran = run(command[0], tmp_path / "x.properties", *command[1:])
        assert "internal error" not in ran.err
        assert "KA000" not in ran.out
