"""A secret at every position that the gate can judge: no command shows it in any format."""

from __future__ import annotations

import functools
import gzip
import itertools
import json
import re
from collections.abc import Iterable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from advisor.cli.argument_types import FORMATS
from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import document
from tests.support.canary import BASES, CANARY, JAAS, Position, positions, positions_by_turns, texts_of_lines
from tests.support.commands import run
from tests.support.hostile_broker import Cluster, Lie, hostile_broker

IN_ONE_FILE = 150
"""Positions of a file: many, so that all are tried, and few, so that each is reported on."""
FILES = 39
"""Files in which all positions stand: written down, as counting them takes a second of every run that collects tests."""


@functools.cache
def _texts() -> list[tuple[str, str]]:
    """(kind, text) of every file: what has a shape of its own in files of every kind, and every key.

    What stands at a key that others have, too, is a file of its own where the key is known and where it is not; in each of the
    other kinds all of it is one file.
    """
    first, *others = texts_of_lines()
    texts = [(kind, first) for kind in BASES]
    for kind in BASES:
        texts += [(kind, text) for text in (others if kind in ("producer", "combined") else ["".join(others)])]
    for kind, group in itertools.groupby(positions_by_turns(), key=lambda position: position.kind):
        lines = [f"{position.line}\n" for position in group]
        texts += [(kind, "".join(lines[first : first + IN_ONE_FILE])) for first in range(0, len(lines), IN_ONE_FILE)]
    return texts


def test_there_are_many_positions() -> None:
    assert len(list(positions())) >= 240
    assert len(_texts()) == FILES
    assert "".join(texts_of_lines()).count(CANARY) >= 60


@pytest.mark.parametrize("number", range(FILES))
def test_no_command_shows_a_secret(tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kind, text = _texts()[number]
    Path("x.properties").write_text(BASES[kind] + text)
    Path("other.properties").write_text(BASES[kind])
    outputs = _outputs(kind)
    assert len(outputs) == len(FORMATS) + 17
    for name, text in outputs.items():
        assert CANARY not in text, (name, [line for line in text.splitlines() if CANARY in line][:3])


def _outputs(kind: str) -> dict[str, str]:
    one = ("x.properties", "--kind", kind)
    both = ("other.properties", "x.properties", "--kind", kind, "--no-config")
    commands: list[list[str]] = [
        ["lint", *one, "--no-config", "--profile", "regulated", "-v", *_written("report", FORMATS)],
        ["lint", *one, "--no-config", "--kafka-version", "3.5", *_written("old", ["json"])],
        ["lint", *one, "--no-config", "--write-baseline", "baseline.json"],
        ["effective", *one, "--all", *_written("effective", ["json"])],
        ["diff", "x.properties", *both[:1], *both[2:]],
        ["diff", *both, *_written("diff", ["json", "markdown"])],
        ["starts", *one, *_written("starts", ["json"])],
        ["upgrade", *one, "--from", "2.8", "--to", "4.4", *_written("upgrade", ["json", "markdown", "html"])],
    ]
    outputs = {}
    for command in commands:
        ran = run(*command)
        assert ran.code in (0, 1), (command, ran.err)
        outputs[" ".join(command)] = ran.out + ran.err
    return outputs | {path.name: path.read_text() for path in Path().iterdir() if not path.name.endswith(".properties")}


def _written(name: str, formats: Iterable[str]) -> list[str]:
    """The text on standard output, and files of the same run in the formats."""
    return ["--format=text", *(f"--format={format}={name}.{format}" for format in formats)]


@pytest.mark.parametrize("kind", ["brokers", "topics"])
def test_no_report_on_a_saved_cluster_shows_a_secret(tmp_path: Path, kind: str) -> None:
    own = [position for position in positions() if position.kind == ("combined" if kind == "brokers" else "topic")]
    for first in range(0, len(own), IN_ONE_FILE):
        check_saved_cluster(tmp_path, kind, own[first : first + IN_ONE_FILE])


def check_saved_cluster(tmp_path: Path, kind: str, own: list[Position]) -> None:
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
    ran = run("upgrade", tmp_path / "cluster.json", "--from", "3.9", "--to", "4.4", "--format", "json")
    assert ran.code == 1 and CANARY not in ran.out + ran.err


def test_values_of_known_keys_are_shown_to_who_asks(tmp_path: Path) -> None:
    file = tmp_path / "x.properties"
    file.write_text(f"bootstrap.servers=user:{CANARY}-1@b1:9092\nssl.key.password={CANARY}-2\nx.y={CANARY}-3\n")
    shown = run("effective", file, "--kind", "producer", "--show-values").out
    assert f"{CANARY}-1" in shown
    assert f"{CANARY}-2" not in shown
    assert f"{CANARY}-3" not in shown


@pytest.mark.parametrize("number", range(3))
def test_no_command_shows_a_secret_of_a_running_cluster(tmp_path: Path, number: int) -> None:
    settings = _settings_of_a_cluster()[number]
    formats = [f"--format={name}={tmp_path}/report.{name}" for name in FORMATS]
    with hostile_broker(Lie(Cluster(settings=settings))) as broker:
        address = ("--bootstrap-server", f"127.0.0.1:{broker.port}", "--timeout", "20")
        (tmp_path / "fleet.yaml").write_text(
            f"clusters:\n  - name: a\n    bootstrap_servers: 127.0.0.1:{broker.port}\n"
        )
        runs = [
            run("check", *address, "--no-config", "-v", "--all", *formats),
            run("snapshot", *address, "--out", tmp_path / "cluster.json"),
            run("diff", tmp_path / "cluster.json", tmp_path / "cluster.json", "--no-config"),
            run("collect", "--inventory", tmp_path / "fleet.yaml", "--out", tmp_path / "fleet", "--engine", "local"),
            run("audit", tmp_path / "fleet", "--out", tmp_path / "audit", "--engine", "local"),
        ]
    for ran in runs:
        assert ran.code in (0, 1), ran.err
        assert CANARY not in ran.out + ran.err
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > len(FORMATS) + 8
    for path in written:
        text = _text_of(path)
        assert CANARY not in text, (path, [line for line in text.splitlines() if CANARY in line][:3])


def _settings_of_a_cluster() -> list[dict[str | bytes, str | bytes]]:
    """Settings of brokers and topics, so that every position stands in one of them."""
    values: dict[str, list[str]] = {}
    for position in positions():
        if position.kind in ("combined", "topic"):
            key, _, value = re.sub(rf"{CANARY}\d+", CANARY, position.line).partition("=")
            values.setdefault(key, []).append(value)
    values |= {"sasl.jaas.confg": [JAAS], "my.db.credentials": [CANARY], "pass": [CANARY], "x.rack": [JAAS]}
    return [{key: own[number % len(own)] for key, own in values.items()} for number in range(3)]


def _text_of(path: Path) -> str:
    """A file's text; a table's rows, whose compression would hide one."""
    if path.suffix == ".parquet":
        return str(pq.read_table(path).to_pylist())
    data = path.read_bytes()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
