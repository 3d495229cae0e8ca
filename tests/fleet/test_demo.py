"""What the documents show of a fleet's audit is what `make demo-fleet` prints."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from examples import demo_fleet, fleet
from tests.support.commands import ROOT, run

SAMPLE = re.compile(r"```\n((?:\$ kafka-advisor audit[^\n]*\n|200 clusters).*?)```", re.S)
TOOK = re.compile(r"\d+\.\d s; .*")
"""Seconds and folders are those of whoever ran it."""
ONE_PROCESS = ("--jobs", "1")
"""Each of several would learn the same of the rules."""


def printed(out: Path, patch: pytest.MonkeyPatch) -> list[str]:
    """What the demonstration prints; its commands are run by this process, which has imported what they need."""
    outputs = []

    def shown(_: str, module: str, *words: str, allowed: tuple[int, ...] = (0,)) -> None:
        if module == "advisor":
            ran = run(*words, *(ONE_PROCESS if words[0] == "audit" else ()))
            assert ran.code in allowed, ran.err
            outputs.append(ran.out)
        else:
            patch.setattr(sys, "argv", [module, *words])
            fleet.main()

    patch.chdir(ROOT)
    patch.setattr(demo_fleet, "shown", shown)
    patch.setattr(sys, "argv", ["demo_fleet", "--out", str(out)])
    demo_fleet.main()
    return [TOOK.sub("", line) for line in "".join(outputs).splitlines()]


def test_the_documents_show_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = printed(tmp_path, monkeypatch)
    for document, samples in (("README.md", 1), ("docs/fleet.md", 2)):
        shown = SAMPLE.findall((ROOT / document).read_text())
        assert len(shown) == samples
        for sample in shown:
            own = [TOOK.sub("", line) for line in sample.splitlines() if line != "…" and not line.startswith("$")]
            last = len(lines) - lines[::-1].index(own[-1])
            assert [line for line in own if line not in lines[:last]] == []
