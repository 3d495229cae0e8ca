"""A baseline holds wherever the command runs, and what it holds is said in place of a score."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.support.commands import ROOT, run

BROKERS = ROOT / "examples/cluster"
ACKS = "bootstrap.servers=b1:9092,b2:9092\nacks=1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a producer and a cluster of files, whose findings are in ci/known.json."""
    (tmp_path / "ci").mkdir()
    shutil.copytree(BROKERS, tmp_path / "kafka/brokers")
    (tmp_path / "kafka/producer.properties").write_text(ACKS)
    monkeypatch.chdir(tmp_path)
    assert run("lint", "kafka", "--no-config", "--write-baseline", "ci/known.json").code == 0
    return tmp_path


@pytest.mark.parametrize(
    ("at", "files", "baseline"),
    [
        (".", ["kafka"], "ci/known.json"),
        (".", ["./kafka/producer.properties"], "ci/../ci/known.json"),
        ("ci", ["../kafka"], "known.json"),
        ("kafka", ["."], "../ci/known.json"),
        ("kafka/brokers", ["../producer.properties", "."], "../../ci/known.json"),
    ],
)
def test_it_holds_in_whatever_folder_the_command_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch, at: str, files: list[str], baseline: str
) -> None:
    monkeypatch.chdir(folder / at)
    ran = run("lint", *files, "--baseline", baseline, "--format", "json")
    assert (ran.code, ran.json["findings"]) == (0, [])
    assert len(ran.json["suppressed"]) >= 3


def test_it_holds_where_it_is_moved_with_its_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "moved").mkdir()
    for name in ("ci", "kafka"):
        (folder / name).rename(folder / "moved" / name)
    assert run("lint", "moved", "--baseline", "moved/ci/known.json", "--format", "json").json["findings"] == []


def test_it_is_that_of_a_configuration_in_a_folder_above(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "kafka-advisor.yaml").write_text("baseline: ci/known.json\n")
    monkeypatch.chdir(folder / "kafka")
    assert run("lint", ".", "--format", "json").json["findings"] == []


def test_the_same_name_in_another_folder_is_another_file(folder: Path) -> None:
    shutil.copytree("kafka", "other")
    files = ("kafka/producer.properties", "other/producer.properties")
    rows = run("lint", *files, "--baseline", "ci/known.json", "--format", "json").json["findings"]
    assert {row["file"].split("/")[0] for row in rows} == {"other"}


def test_entries_name_files_beside_the_baseline(folder: Path) -> None:
    rows = json.loads(Path("ci/known.json").read_text())["findings"]
    assert {row["file"] for row in rows if row["key"] == "acks"} == {"../kafka/producer.properties"}


def test_a_baseline_of_the_former_format_still_counts(folder: Path) -> None:
    rows = run("lint", "kafka", "--no-config", "--format", "json").json["findings"]
    former = {"format": "kafka-advisor-baseline/1", "findings": [{"fingerprint": row["fingerprint"]} for row in rows]}
    Path("former.json").write_text(json.dumps(former))
    assert run("lint", "kafka", "--baseline", "former.json", "--format", "json").json["findings"] == []


def test_known_findings_are_counted_again_by_a_new_baseline(folder: Path) -> None:
    before = Path("ci/known.json").read_text()
    both = ("--baseline", "ci/known.json", "--write-baseline", "ci/known.json")
    assert run("lint", "kafka", *both).code == 0
    assert Path("ci/known.json").read_text() == before


def test_a_cluster_keeps_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    snapshot = ROOT / "examples/cluster.json"
    assert run("lint", snapshot, "--write-baseline", "known.json").code == 0
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert run("lint", snapshot, "--baseline", "../known.json", "--format", "json").json["findings"] == []


@pytest.mark.parametrize("format", ["text", "markdown", "concise", "html"])
def test_the_sum_says_what_is_known_in_place_of_a_score(folder: Path, format: str) -> None:
    ran = run("lint", "kafka/producer.properties", "--baseline", "ci/known.json", "--format", format)
    assert "none new" in ran.out
    assert "3 known: 1 high" in ran.out
    assert "core 100" not in ran.out and "grade A" not in ran.out


def test_a_new_finding_stands_beside_those_that_are_known(folder: Path) -> None:
    with open("kafka/producer.properties", "a") as file:
        file.write("retries=0\n")
    ran = run("lint", "kafka/producer.properties", "--baseline", "ci/known.json")
    assert ran.out.splitlines()[0].endswith("new (3 known: 1 high). Profile production")
    assert "retries=0" in ran.out and "Score" not in ran.out
