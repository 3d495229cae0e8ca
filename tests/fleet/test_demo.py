"""What the documents show of a fleet's audit is what `make demo-fleet` prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.support.commands import ROOT

SAMPLE = re.compile(r"```\n((?:\$ kafka-advisor audit[^\n]*\n|200 clusters).*?)```", re.S)
TOOK = re.compile(r"\d+\.\d s; .*")
"""Seconds and folders are those of whoever ran it."""


def printed(out: Path) -> list[str]:
    command = [sys.executable, "-m", "examples.demo_fleet", "--out", str(out)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=300)
    return [TOOK.sub("", line) for line in ran.stdout.splitlines()]


def test_the_documents_show_what_is_printed(tmp_path: Path) -> None:
    lines = printed(tmp_path)
    for document, samples in (("README.md", 1), ("docs/fleet.md", 2)):
        shown = SAMPLE.findall((ROOT / document).read_text())
        assert len(shown) == samples
        for sample in shown:
            own = [TOOK.sub("", line) for line in sample.splitlines() if line != "…" and not line.startswith("$")]
            last = len(lines) - lines[::-1].index(own[-1])
            assert [line for line in own if line not in lines[:last]] == []
