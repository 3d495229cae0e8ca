"""Drift by Spark is what it is by this process, row for row."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from spark_audit.storage.runs import MARKER
from tests.support.commands import ROOT, run
from tests.support.drift_examples import DRIFT_WAIVERS, FEW, HIDDEN, LOOSE, MANY, ODD_RULE, STRICT, WEAK
from tests.support.fleets import GOOD, ILL, audit, collected, folder_of, table

BEFORE = {
    "a": ILL,
    "b": FEW,
    "c": FEW,
    "gone": ILL,
    "d": None,
    "e": WEAK,
    "same": ILL,
    "set": STRICT,
    "set back": LOOSE,
}
NOW = {
    "a": GOOD,
    "b": MANY,
    "c": None,
    "born": ILL,
    "d": ILL,
    "e": HIDDEN,
    "same": ILL,
    "set": LOOSE,
    "set back": STRICT,
}


@pytest.fixture(scope="module")
def audits(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Two audits of drawn clusters with everything that may become of a finding, and two of made-up ones."""
    folder = tmp_path_factory.mktemp("audits")
    (folder / "own.py").write_text(ODD_RULE)
    (folder / "waivers.yaml").write_text(DRIFT_WAIVERS)
    for name, clusters in (("before", BEFORE), ("now", NOW)):
        more = ("--waivers", folder / "waivers.yaml", "--profile", "staging") if name == "now" else ()
        audit(collected(folder / f"{name}-fleet", clusters), folder / name, "--max-unreachable", "9", *more)
    for seed in ("1", "2"):
        words = ["--clusters", "20", "--topics", "1500", "--seed", seed, "--out", str(folder / f"fleet-{seed}")]
        subprocess.run([sys.executable, "-m", "examples.fleet", *words], cwd=ROOT, check=True, capture_output=True)
        audit(folder / f"fleet-{seed}", folder / seed)
    for name, text in (("well", 14), ("crashed", 13)):
        drawing = f"brokers 1 2\ntopic a retention.ms=14\n0: leader 1 replicas 1,2 isr 1,2\ntopic b retention.ms={text}\n0: leader 1 replicas 1,2 isr 1,2"
        audit(
            collected(folder / f"{name}-fleet", {"c": drawing}),
            folder / name,
            "--rules",
            folder / "own.py",
            "--select",
            "OWN1",
        )
    none = folder / "none"
    audit(collected(folder / "none-fleet", {"a": GOOD}), none, "--select", "KA220")
    shutil.rmtree(folder_of(none, "findings"), ignore_errors=True)
    pairs = {"drawn": ("before", "now"), "made": ("1", "2"), "raised": ("well", "crashed"), "nothing": ("none", "now")}
    return {name: (folder / old, folder / new) for name, (old, new) in pairs.items()}


@pytest.mark.parametrize("name", ["drawn", "made", "raised", "nothing"])
def test_the_same_rows(spark: Any, audits: dict[str, tuple[Path, Path]], tmp_path: Path, name: str) -> None:
    sides = audits[name]
    mine = run("audit-diff", *sides, "--out", tmp_path / "local")
    ran = run("audit-diff", *sides, "--out", tmp_path / "spark", "--engine", "spark")
    assert (ran.code, ran.err) == (mine.code, mine.err)
    for each in ("drift", "drift_counts"):
        rows = table(tmp_path / "local", each)
        assert rows
        assert table(tmp_path / "spark", each) == rows
    told = [json.loads((tmp_path / engine / MARKER).read_text()) for engine in ("local", "spark")]
    own = {"seconds": 0, "engine": "", "run": ""}
    assert told[0] | own == told[1] | own
    if name == "drawn":
        assert all(told[1][status] for status in ("new", "changed", "fixed", "unknown", "new_not_known_before"))
        rows = table(tmp_path / "spark", "drift")
        assert {"KA1840", "KA1841", "KA1843", "KA1870"} <= {
            rule["rule"] for row in rows for rule in row["change"] or ()
        }
        assert any(row["change"] == [] for row in rows) and any(row["change_unknown"] for row in rows)


def test_what_spark_says_is_one_line(spark: Any, audits: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    shutil.copytree(audits["made"][1], tmp_path / "bad")
    for path in folder_of(tmp_path / "bad", "unknowns").glob("*.parquet"):
        path.write_bytes(b"PAR1 it is not PAR1")
    ran = run("audit-diff", audits["made"][0], tmp_path / "bad", "--out", tmp_path / "out", "--engine", "spark")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert not (tmp_path / "out" / MARKER).exists()


def test_the_page_has_the_same_history(spark: Any, audits: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    pages = []
    for engine in ("local", "spark"):
        ran = run("audit-report", audits["drawn"][1], "--html", tmp_path / "fleet.html", "--engine", engine)
        assert (ran.code, ran.err) == (0, "")
        pages.append((ran.out, (tmp_path / "fleet.html").read_text()))
    assert 'id="trend"' in pages[0][1]
    assert pages[0] == pages[1]
