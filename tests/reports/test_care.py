"""What a fix breaks on a cluster that runs stands beside the fix, in every format and in explain."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run
from tests.support.rule_cases import RULES

FILE = "process.roles=broker\nnode.id=1\ncontroller.listener.names=C\ncontroller.quorum.voters=9@c:1\nlog.cleanup.policy=compact\n"
FILE += "controlled.shutdown.enable=false\n"
CARE = " ".join(RULES["KA717"].documentation().text("Care").split()[:12])


@pytest.mark.parametrize("format", ["text", "json", "html", "sarif", "junit", "markdown", "gitlab", "github", "csv"])
def test_every_format_that_shows_a_fix_shows_its_care(tmp_path: Path, format: str) -> None:
    (tmp_path / "server.properties").write_text(FILE)
    ran = run("lint", tmp_path / "server.properties", "--no-config", "--format", format, "-v")
    assert CARE in " ".join(ran.out.split())


def test_explain_shows_the_care() -> None:
    assert CARE in " ".join(run("explain", "KA717").out.split())


def test_programs_get_null_where_nothing_breaks(tmp_path: Path) -> None:
    (tmp_path / "server.properties").write_text(FILE)
    findings = run("lint", tmp_path / "server.properties", "--no-config", "--format", "json").json["findings"]
    care_of = {finding["rule"]: finding["care"] for finding in findings}
    assert care_of["KA717"].startswith(CARE)
    assert None in care_of.values()
