"""The disk is full in the middle of an audit: one line, nothing that looks whole, and once there is room it works."""

from __future__ import annotations

from pathlib import Path

from examples.fleet import Fleet, write
from tests.support.fleets import audit, table
from tests.support.small_disk import small_disk


def test_one_line_and_nothing_that_looks_whole(tmp_path: Path) -> None:
    write(Fleet(12, 1500, 7), str(tmp_path / "fleet"))
    audit(tmp_path / "fleet", tmp_path / "elsewhere")
    with small_disk(tmp_path / "small") as (disk, run, run_with_room):
        command = ("audit", tmp_path / "fleet", "--out", disk / "audit", "--no-config", "--engine", "local")
        ran = run(*command, "--jobs", "2")
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert ran.err.startswith("kafka-advisor: /")
        assert ran.err.endswith((": no space left on device\n", ": file too large\n"))
        assert not (disk / "audit").exists()
        assert run_with_room(*command, "--jobs", "2").code == 1
        for name in ("findings", "unknowns", "clusters", "counts"):
            assert table(disk / "audit", name) == table(tmp_path / "elsewhere", name)
