"""What the documents show of a fleet's audit is what `make demo-fleet` prints."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.support.commands import ROOT

SAMPLE = re.compile(r"```\n((?:\$ kafka-advisor audit[^\n]*\n|200 clusters).*?)```", re.S)
TOOK = re.compile(r"\d+\.\d s; .*")
"""Seconds and folders are those of whoever ran it."""


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    out = tmp_path_factory.mktemp("demo")
    command = [sys.executable, "-m", "examples.demo_fleet", "--out", str(out)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=300)
    return [TOOK.sub("", line) for line in ran.stdout.splitlines()]


@pytest.mark.parametrize(("document", "samples"), [("README.md", 1), ("docs/fleet.md", 2)])
def test_the_documents_show_what_is_printed(printed: list[str], document: str, samples: int) -> None:
    shown = SAMPLE.findall((ROOT / document).read_text())
    assert len(shown) == samples
    for sample in shown:
        lines = [TOOK.sub("", line) for line in sample.splitlines() if line != "…" and not line.startswith("$")]
        last = len(printed) - printed[::-1].index(lines[-1])
        assert [line for line in lines if line not in printed[:last]] == []
