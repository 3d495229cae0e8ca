"""Prometheus' own tool about the alert rules, their unit tests and the metrics; systemd's about the timer."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from advisor.samples.cluster_text import parse_cluster
from tests.live.monitoring.servers import program
from tests.support.browser import missing
from tests.support.commands import ROOT, run
from tests.support.running import ALERT_TESTS, ALERTS, RUN_SCRIPT
from tests.support.written_reports import LIVE, written

UNITS = ROOT / "examples/systemd"


def promtool(*words: object, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [program("promtool"), *map(str, words)]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120, check=False)


def test_the_rules_are_valid_and_their_unit_tests_hold() -> None:
    assert "SUCCESS: 7 rules" in promtool("check", "rules", ALERTS).stdout
    ran = promtool("test", "rules", ALERT_TESTS)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [("> 86400", "> 864000"), ("> 1\n", "> 4\n"), ("- 10", "- 40"), ('{severity="critical"}', ""), ("for: 1d", "for: 1h")],
)  # fmt: skip
def test_a_rule_that_is_changed_fails_its_unit_test(tmp_path: Path, rule: str, wrong: str) -> None:
    text = ALERTS.read_text()
    assert rule in text
    (tmp_path / ALERTS.name).write_text(text.replace(rule, wrong))
    shutil.copy(ALERT_TESTS, tmp_path)
    assert promtool("test", "rules", tmp_path / ALERT_TESTS.name).returncode == 1


@pytest.mark.parametrize("files", [("examples/bad/producer.properties", "examples/bad/server.properties"), ("examples/cluster.json",)])  # fmt: skip
def test_the_metrics_have_no_fault(files: tuple[str, ...]) -> None:
    text = run("lint", "--no-config", "--format", "prometheus", *(ROOT / file for file in files)).out
    checked = promtool("check", "metrics", text=text)
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


def test_the_metrics_of_a_cluster_that_was_read_in_part_have_no_fault() -> None:
    checked = promtool("check", "metrics", text=written("prometheus", parse_cluster(f"{LIVE}\nunread acls: hidden")))
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        missing("no systemd-analyze found (the Debian package is systemd)")
    for path in UNITS.glob("kafka-advisor@*"):
        installed = path.read_text().replace("/usr/local/bin/kafka-advisor-run", str(RUN_SCRIPT))
        (tmp_path / path.name.replace("@.", "@orders.")).write_text(installed)
    units = [str(path) for path in sorted(tmp_path.iterdir())]
    ran = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
