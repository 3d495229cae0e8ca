"""Neovim, headless, with the settings of docs/editors.md: open, see the diagnostic, hover, complete, apply the code action."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.browser import missing
from tests.support.commands import ROOT
from tests.support.program import path_with

DRIVER = Path(__file__).with_name("drive.lua")
PRODUCER = "bootstrap.servers=b1:9092,b2:9092\nacks=1\nacks=all\n"
BLOCK = re.compile(r"```lua\n(.*?)```", re.DOTALL)


@pytest.fixture
def neovim() -> str:
    """The editor."""
    path = shutil.which("nvim")
    if path is None:
        missing("no Neovim found (the Debian package is neovim)")
    assert path is not None
    return path


def documented(neovim: str) -> str:
    """The settings of the documentation for a release of Neovim."""
    newer, older, *_ = BLOCK.findall((ROOT / "docs/editors.md").read_text())
    shown = subprocess.run([neovim, "--version"], capture_output=True, text=True, check=True).stdout
    release = re.search(r"NVIM v(\d+)\.(\d+)", shown)
    assert release is not None
    return str(newer if (int(release[1]), int(release[2])) >= (0, 11) else older)


def test_the_documented_settings(neovim: str, tmp_path: Path) -> None:
    (tmp_path / "init.lua").write_text("vim.cmd('filetype plugin on')\n" + documented(neovim))
    (tmp_path / "producer.properties").write_text(PRODUCER)
    environment = {
        **os.environ,
        "PATH": path_with(tmp_path / "bin"),
        "REPORT": str(tmp_path / "report.json"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }
    command = [neovim, "--headless", "-n", "-i", "NONE", "-u", "init.lua", "producer.properties", "-c", f"luafile {DRIVER}", "-c", "cquit"]  # fmt: skip
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    (twice,) = [row for row in report["diagnostics"] if row["code"] == "KA1407"]
    assert (twice["line"], twice["column"]) == (2, 5)
    assert "**acks**" in report["hover"]
    assert "linger.ms=" in report["completion"]
    assert any("KA1407" in title for title in report["offered"])
    assert report["lines"] == ["bootstrap.servers=b1:9092,b2:9092", "acks=all"]
    assert report["after"]
    assert "KA1407" not in report["after"]
    assert (tmp_path / "producer.properties").read_text() == PRODUCER
