"""A secret at every position that the gate can judge: no command shows it in any format."""

from __future__ import annotations

import functools
import itertools
import json
from pathlib import Path

import pytest

from advisor.cli.argument_types import FORMATS
from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import document
from tests.support.canary import BASES, CANARY, LINES, Position, positions
from tests.support.commands import run

IN_ONE_FILE = 25
"""Positions of a file: many, so that all are tried, and few, so that one does not hide the others."""


@functools.cache
def _chunks() -> list[list[Position]]:
    """Files of positions; the special lines have one each, since they repeat keys."""
    chunks = [[position] for position in positions()[: len(LINES)]]
    for _, group in itertools.groupby(positions()[len(LINES) :], key=lambda position: position.kind):
        chunks += _of_one_kind(list(group))
    return chunks


def _of_one_kind(group: list[Position]) -> list[list[Position]]:
    return [group[first : first + IN_ONE_FILE] for first in range(0, len(group), IN_ONE_FILE)]


def test_there_are_many_positions() -> None:
    assert len(positions()) >= 300


@pytest.mark.parametrize("number", range(len(_chunks())))
def test_no_command_shows_a_secret(tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chunk = _chunks()[number]
    kind = chunk[0].kind
    Path("x.properties").write_text(BASES[kind] + "".join(f"{position.line}\n" for position in chunk))
    Path("other.properties").write_text(BASES[kind])
    outputs = _outputs(kind)
    for name, text in outputs.items():
        assert CANARY not in text, (name, [line for line in text.splitlines() if CANARY in line][:3])


def _outputs(kind: str) -> dict[str, str]:
    formats = [f"--format={name}=report.{name}" for name in FORMATS]
    commands: list[list[str]] = [
        ["lint", "x.properties", "--kind", kind, "--no-config", "--profile", "regulated", "-v", *formats],
        ["lint", "x.properties", "--kind", kind, "--no-config"],
        ["lint", "x.properties", "--kind", kind, "--no-config", "--kafka-version", "3.5", "--format", "json"],
        ["lint", "x.properties", "--kind", kind, "--no-config", "--write-baseline", "baseline.json"],
        ["effective", "x.properties", "--kind", kind, "--all"],
        ["effective", "x.properties", "--kind", kind, "--format", "json"],
        ["diff", "x.properties", "other.properties", "--kind", kind, "--no-config"],
        ["diff", "other.properties", "x.properties", "--kind", kind, "--no-config", "--format", "json"],
        ["diff", "other.properties", "x.properties", "--kind", kind, "--no-config", "--format", "markdown"],
        ["starts", "x.properties", "--kind", kind],
        ["starts", "x.properties", "--kind", kind, "--format", "json"],
    ]
    outputs = {}
    for command in commands:
        ran = run(*command)
        assert ran.code in (0, 1), (command, ran.err)
        outputs[" ".join(command)] = ran.out + ran.err
    for path in (*(f"report.{name}" for name in FORMATS), "baseline.json"):
        outputs[path] = Path(path).read_text()
    return outputs


@pytest.mark.parametrize("kind", ["brokers", "topics"])
def test_no_report_on_a_saved_cluster_shows_a_secret(tmp_path: Path, kind: str) -> None:
    own = [position for position in positions() if position.kind == ("combined" if kind == "brokers" else "topic")]
    rows: dict[str, dict[str, str]] = {}
    for position in own:
        key, _, value = position.line.partition("=")
        rows[key] = {"source": "STATIC_BROKER" if kind == "brokers" else "DYNAMIC_TOPIC", "value": value}
    saved = json.loads(json.dumps(document(parse_cluster("brokers 1 2 3\ntopic a retention.ms=1"))))
    settings = saved["brokers"][0]["settings"] if kind == "brokers" else saved["settings"][0]
    settings |= rows
    saved["defaults"] = [{key: row["value"] for key, row in rows.items()}]
    saved["topics"][0]["defaults"] = saved["brokers"][1]["defaults"] = 0
    (tmp_path / "cluster.json").write_text(json.dumps(saved))
    formats = [f"--format={name}={tmp_path}/report.{name}" for name in FORMATS]
    ran = run("lint", tmp_path / "cluster.json", "--no-config", "-v", "--all", *formats)
    assert ran.code in (0, 1), ran.err
    for name in FORMATS:
        text = (tmp_path / f"report.{name}").read_text()
        assert CANARY not in text, [line for line in text.splitlines() if CANARY in line][:3]


def test_values_of_known_keys_are_shown_to_who_asks(tmp_path: Path) -> None:
    file = tmp_path / "x.properties"
    file.write_text(f"bootstrap.servers=user:{CANARY}-1@b1:9092\nssl.key.password={CANARY}-2\nx.y={CANARY}-3\n")
    shown = run("effective", file, "--kind", "producer", "--show-values").out
    assert f"{CANARY}-1" in shown
    assert f"{CANARY}-2" not in shown
    assert f"{CANARY}-3" not in shown
