"""What operators run in production and have set well: nothing above low, and at most three findings a file."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.support.commands import ROOT, run

FOLDER = ROOT / "tests/data/production"
RELEASES = {"zookeeper-3.6": "3.6", "confluent-7.9": "cp7.9"}
WITH_CONTROLLER = ("kraft-broker", "tiered")
"""Brokers whose controllers' file is judged in the same run."""
LOUD = {"KA522"}
"""ZooKeeper mode is medium wherever it runs."""
NAMES = sorted(path.stem for path in FOLDER.iterdir())


def test_there_are_ten_and_more() -> None:
    assert len(NAMES) >= 10


@pytest.mark.parametrize("name", NAMES)
def test_a_good_file_is_quiet(name: str) -> None:
    files = [FOLDER / f"{name}.properties"]
    files += [FOLDER / "kraft-controller.properties"] if name in WITH_CONTROLLER else []
    release = ["--kafka-version", RELEASES[name]] if name in RELEASES else []
    ran = run("lint", *files, *release, "--no-config", "--format", "json")
    findings = [finding for finding in ran.json["findings"] if finding["rule"] not in LOUD]
    assert {finding["severity"] for finding in findings} <= {"low", "info"}
    assert Counter(finding["file"] for finding in findings)[str(files[0])] <= 3
    assert ran.code == 0
