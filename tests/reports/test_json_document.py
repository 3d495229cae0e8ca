"""The machine contract: the schema holds, the order is stable, every verdict can be traced to its settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from advisor import __version__
from tests.support.commands import ROOT, run
from tests.support.strategies import RULES

SCHEMA = json.loads((ROOT / "advisor/reports/machine/report.schema.json").read_text())
EXAMPLES = sorted((ROOT / "examples").rglob("*.properties"))


def report(*arguments: object) -> Any:
    return run("lint", "--no-config", "--format", "json", *arguments).json


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_schema_holds(file: Path) -> None:
    document = report(file)
    jsonschema.validate(document, SCHEMA)
    assert document["tool"]["version"] == __version__


def test_the_schema_holds_for_everything_at_once(tmp_path: Path) -> None:
    (tmp_path / "x.properties").write_text("# kafka-advisor: ignore[KA101] known\nacks=1\nacks=1\nretries=${R}\n")
    document = report(*EXAMPLES, tmp_path / "x.properties", "--with", ROOT / "examples/bad/producer.properties")
    jsonschema.validate(document, SCHEMA)
    assert document["suppressed"]
    assert document["unknown"]


def test_the_summary_counts_what_is_there() -> None:
    document = report(*EXAMPLES)
    for severity in ("critical", "high", "medium", "low", "info"):
        counted = [row for row in document["findings"] if row["severity"] == severity]
        assert document["summary"][severity] == len(counted)
    assert document["summary"]["score"] < 50
    assert document["summary"]["grade"] in ("D", "F")
    assert set(document["summary"]["scores"]) == {"durability", "availability", "security", "operation"}


def test_the_same_run_twice_is_the_same_text() -> None:
    assert run("lint", "--format", "json", *EXAMPLES) == run("lint", "--format", "json", *EXAMPLES)


def test_the_order_of_the_files_does_not_change_the_findings() -> None:
    forward, backward = report(*EXAMPLES), report(*reversed(EXAMPLES))
    assert [row["fingerprint"] for row in forward["findings"]] == [row["fingerprint"] for row in backward["findings"]]


def test_a_default_has_no_place_and_a_setting_has_one(tmp_path: Path) -> None:
    (tmp_path / "s.properties").write_text("zookeeper.connect=z1:2181\nlog.retention.hours=48\n")
    rows = {row["name"]: row for row in report(tmp_path / "s.properties")["findings"]}
    absent = rows["min-isr-1"]
    assert (absent["key"], absent["value"], absent["line"]) == ("min.insync.replicas", None, None)
    default = next(row for row in absent["evidence"] if row["key"] == "min.insync.replicas")
    assert (default["value"], default["source"], default["file"], default["line"]) == ("1", "DEFAULT", None, None)
    mode = rows["zk-mode"]
    assert (mode["line"], mode["column"], mode["value"]) == (1, 1, "z1:2181")


def test_the_fingerprint_knows_no_line_and_no_value(tmp_path: Path) -> None:
    file = tmp_path / "p.properties"
    prints = []
    for text in ("acks=1\n", "\n\n#\nacks = 0\n"):
        file.write_text(text)
        prints.append(next(row["fingerprint"] for row in report(file)["findings"] if row["rule"] == "KA101"))
    assert prints[0] == prints[1]


def test_a_rule_without_its_input_is_skipped_and_says_what_it_needs() -> None:
    skipped = {row["rule"]: row["needs"] for row in report(ROOT / "examples/bad/producer.properties")["skipped"]}
    assert skipped["KA102"] == ["node"]
    assert "KA101" not in skipped


def test_the_rules_page_has_every_rule() -> None:
    page = run("rules", "--format", "markdown").out
    for rule in RULES:
        assert f"\n### {rule.id}\n\n**{rule.name}**: {rule.documentation().title}" in page
