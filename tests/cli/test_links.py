"""Reports, baselines and snapshots never follow a link that a repository brought."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.commands import run

BAD = "bootstrap.servers=a:1,b:1\nkey.serializer=a.B\nvalue.serializer=a.B\nacks=1\n"
WRITERS = {
    "json": ("lint", "p.properties", "--format", "json=out"),
    "sarif": ("lint", "p.properties", "--format", "sarif=out"),
    "html": ("lint", "p.properties", "--format", "html=out"),
    "advise": ("advise", "p.properties", "--format", "markdown=out"),
    "effective": ("effective", "p.properties", "--format", "json=out"),
    "starts": ("starts", "p.properties", "--format", "html=out"),
    "diff": ("diff", "p.properties", "p.properties", "--format", "json=out"),
}


def git(*arguments: str) -> None:
    names = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(("git", *names, *arguments), check=True, capture_output=True)


@pytest.fixture(autouse=True)
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    git("init", "-q")
    Path("p.properties").write_text(BAD)
    (tmp_path / "victim").write_text("mine")


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("tracked", [True, False])
def test_a_link_that_the_repository_brought_is_not_followed(name: str, tracked: bool, tmp_path: Path) -> None:
    os.symlink(tmp_path / "victim", "out")
    if tracked:
        git("add", "-A")
    ran = run(*WRITERS[name], *(["--no-config"] if WRITERS[name][0] in ("lint", "advise") else []))
    victim = (tmp_path / "victim").read_text()
    assert (victim == "mine") == tracked
    if tracked:
        assert ran.code == 2 and "a link" in ran.err and len(ran.err.splitlines()) <= 2


def test_a_folder_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    os.symlink(tmp_path, "reports")
    git("add", "-A")
    ran = run("lint", "p.properties", "--no-config", "--format", "json=reports/victim")
    assert ran.code == 2 and (tmp_path / "victim").read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file to another user")
def test_a_link_of_another_user_in_a_shared_folder_is_not_followed(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o1777)
    shared.chmod(0o1777)
    os.symlink(tmp_path / "victim", shared / "out")
    os.lchown(shared / "out", 12345, 12345)
    ran = run("lint", "p.properties", "--no-config", "--format", f"json={shared / 'out'}")
    assert ran.code == 2 and (tmp_path / "victim").read_text() == "mine"
