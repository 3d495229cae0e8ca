"""The disk is full in the middle of an audit by Spark: the last line says so, nothing looks whole, a repeat works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.commands import ROOT
from tests.support.fleets import audit, table
from tests.support.small_disk import small_disk


def test_the_last_line_says_why(tmp_path: Path) -> None:
    sizes = ["--clusters", "12", "--topics", "1500", "--out", str(tmp_path / "fleet")]
    subprocess.run([sys.executable, "-m", "examples.fleet", *sizes], cwd=ROOT, check=True, capture_output=True)
    audit(tmp_path / "fleet", tmp_path / "elsewhere")
    with small_disk(tmp_path / "small") as (disk, run, run_with_room):
        command = ("audit", tmp_path / "fleet", "--out", disk / "audit", "--no-config", "--engine", "spark")
        ran = run(*command)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.splitlines()[-1].startswith("kafka-advisor: Spark: ")
        if disk.is_mount():  # else Java's own files have a limit, too
            assert ran.err.splitlines()[-1].endswith(": No space left on device")
        assert not (disk / "audit").exists()
        assert run_with_room(*command).code == 1
        for name in ("findings", "unknowns", "clusters", "counts"):
            assert table(disk / "audit", name) == table(tmp_path / "elsewhere", name)
