"""A discovered configuration file runs no code, reads nothing outside of its folder, and is nobody else's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from advisor.cli import config_file
from tests.support.commands import process, run

RULES = "open('ran', 'w').write('code ran')\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "home/project/.git").mkdir(parents=True)
    (tmp_path / "home/project/inner").mkdir()
    (tmp_path / "home/project/inner/x.properties").write_text("acks=all\nbootstrap.servers=a:1,b:1\n")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "home/project/inner")
    return tmp_path / "home/project"


def test_a_file_above_the_repository_is_not_looked_for(project: Path) -> None:
    (project.parent / "kafka-advisor.yaml").write_text("nonsense: 1\n")
    assert run("lint", "x.properties").code in (0, 1)
    (project / "kafka-advisor.yaml").write_text("nonsense: 1\n")
    assert "no such key" in run("lint", "x.properties").err


def test_without_a_repository_the_search_ends_at_home(project: Path) -> None:
    (project / ".git").rmdir()
    (project.parent.parent / "kafka-advisor.yaml").write_text("nonsense: 1\n")
    assert run("lint", "x.properties").code in (0, 1)
    (project.parent / "kafka-advisor.yaml").write_text("nonsense: 1\n")
    assert "no such key" in run("lint", "x.properties").err


@pytest.mark.parametrize("stranger", ["project", "inner/kafka-advisor.yaml"])
def test_somebody_elses_file_is_passed_over_and_named(
    project: Path, monkeypatch: pytest.MonkeyPatch, stranger: str
) -> None:
    (project / ".git").rmdir()
    where = project if stranger == "project" else project / "inner"
    (where / "kafka-advisor.yaml").write_text("nonsense: 1\n")
    foreign = str(project if stranger == "project" else project / stranger)
    own = config_file._owner
    monkeypatch.setattr(config_file, "_owner", lambda path: 12345 if path == foreign else own(path))
    ran = run("lint", "x.properties")
    assert ran.code in (0, 1)
    assert "passed over, it belongs to another user" in ran.err
    assert ran.err.count("\n") == 1


def test_in_a_repository_the_owner_does_not_count(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "kafka-advisor.yaml").write_text("nonsense: 1\n")
    monkeypatch.setattr(config_file, "_owner", lambda path: 12345)
    assert "no such key" in run("lint", "x.properties").err


def test_a_repository_of_somebody_else_around_the_folder_is_none(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "kafka-advisor.yaml").write_text("nonsense: 1\n")
    own = config_file._owner
    monkeypatch.setattr(config_file, "_owner", lambda path: 12345 if path == str(project) else own(path))
    assert "passed over" in run("lint", "x.properties").err


@pytest.mark.parametrize("name", ["kafka-advisor.yaml", "pyproject.toml"])
def test_discovered_rules_do_not_run(project: Path, name: str) -> None:
    (project / "own.py").write_text(RULES)
    text = "rules: [own.py]\n" if name.endswith("yaml") else "[tool.kafka-advisor]\nrules = ['own.py']\n"
    (project / name).write_text(text)
    ran = process("lint", "x.properties", cwd=project / "inner")
    assert ran.code == 2
    assert f"--config {project / name}" in ran.err
    assert not (project / "inner/ran").exists()
    named = process("lint", "--config", project / name, "x.properties", cwd=project / "inner")
    assert "declares no rule" in named.err
    assert (project / "inner/ran").exists()


@pytest.mark.parametrize("baseline", ["/etc/passwd", "../../outside.json", "link.json", "folder", "fifo"])
def test_a_discovered_baseline_is_a_file_below_its_folder(project: Path, baseline: str) -> None:
    (project.parent / "outside.json").write_text("{}")
    (project / "link.json").symlink_to(project.parent / "outside.json")
    (project / "folder").mkdir()
    os.mkfifo(project / "fifo")
    (project / "kafka-advisor.yaml").write_text(f"baseline: {baseline}\n")
    ran = process("lint", "x.properties", cwd=project / "inner")
    assert ran.code == 2
    assert "is not a file below" in ran.err


def test_a_discovered_baseline_in_the_repository_counts(project: Path) -> None:
    (project / "kafka-advisor.yaml").write_text("profile: production\n")
    assert run("lint", "x.properties", "--write-baseline", project / "known.json").code == 0
    (project / "kafka-advisor.yaml").write_text("baseline: known.json\n")
    assert run("lint", "x.properties", "--format", "json").json["findings"] == []
