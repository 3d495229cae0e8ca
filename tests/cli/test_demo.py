"""The README's first command, and the program in a folder whose names are those of its own packages."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import ROOT

COMMANDS = 5


def test_the_demo_shows_what_each_command_says() -> None:
    ran = subprocess.run([sys.executable, "examples/demo.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    outputs = re.split(r"^\$ kafka-advisor .*\n", ran.stdout, flags=re.M)[1:]
    assert len(outputs) == COMMANDS
    *lints, explained = outputs
    assert all("Score " in output.strip().splitlines()[0] for output in lints)
    assert "Shown by simulation:" in explained


@pytest.mark.parametrize("package", ["rules", "collectors"])
def test_a_folder_of_the_users_is_no_package_of_ours(tmp_path: Path, package: str) -> None:
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text("raise SystemExit('the wrong package')\n")
    (tmp_path / "a.properties").write_text("acks=1\nbootstrap.servers=b1:9092\n")
    ran = subprocess.run(
        [sys.executable, "-m", "advisor", "lint", "a.properties"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (1, "")
