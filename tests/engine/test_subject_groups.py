"""Topics that are judged together are judged as if each were alone, and are told one by one or grouped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import Phase, given, settings

from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.engine.report import Report
from advisor.model import Snapshot, Topic
from advisor.reports.machine import json_document
from advisor.reports.text.finding import Layout
from advisor.reports.text.report import lines as report_lines
from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write
from tests.support.commands import run
from tests.support.simulation import MORE
from tests.support.strategies import RULES, snapshots

SCHEMA = json.loads((Path(json_document.__file__).parent / "report.schema.json").read_text())


def parted(snapshot: Snapshot) -> Snapshot:
    """The same without anything shared: every topic has settings of its own, so each is a subject group of one."""
    copies = []
    for entity in snapshot.entities:
        if isinstance(entity, Topic):
            copy = Topic("topic", entity.name, None, dict(entity.settings), entity.target, cluster=entity.cluster,
                         described=entity.described, missing=entity.missing)  # fmt: skip
            copy.internal, copy.partitions = entity.internal, entity.partitions
            entity = copy
        copies.append(entity)
    return Snapshot(snapshot.name, copies, live=snapshot.live)


def told(report: Report) -> tuple[list[Any], list[Any], Any]:
    document = json_document.document(report)
    jsonschema.validate(document, SCHEMA)
    return document["findings"], document["unknown"], document["summary"]  # type: ignore[return-value]


@settings(max_examples=10 * MORE, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(snapshots())
def test_subject_groups_are_judged_as_each_topic_alone(snapshot: Snapshot) -> None:
    together = judge([snapshot], RULES, Policy(RULES))
    alone = judge([parted(snapshot)], RULES, Policy(RULES))
    assert not together.crashed
    assert told(together) == told(alone)


MANY = "kafka 4.3\nbrokers 1 2 3\n" + "".join(f"topic t{n:04}\n0-2: leader 1 replicas 1 isr 1\n" for n in range(2000))


def test_two_thousand_topics_are_a_page() -> None:
    report = judge([parse_cluster(MANY)], RULES, Policy(RULES))
    lines = list(report_lines(report))
    assert len(lines) < 200
    assert any("2000 topics with 6000 partitions" in line for line in lines)
    assert "and 1995 more (--all lists them)" in map(str.strip, lines)
    everything = "\n".join(report_lines(report, Layout(all=True)))
    assert all(f"topic t{n:04} partitions 0, 1, 2" in everything for n in range(2000))


def test_a_large_report_is_the_same_document_line_by_line() -> None:
    report = judge([parse_cluster(MANY)], RULES, Policy(RULES))
    whole = json_document.text(report)
    assert json.loads(whole) == json.loads(json.dumps(json_document.document(report)))
    assert len(whole.splitlines()) < 3 * len(report.findings)


def test_one_finding_for_a_topic_whose_partitions_differ() -> None:
    snapshot = parse_cluster("brokers 1 2 3\ntopic t\n0: leader 1 replicas 1,2 isr 1,2\n1-6: leader 1 replicas 1 isr 1")
    rows = [row for row in judge([snapshot], RULES, Policy(RULES)).findings if row.rule == "KA160"]
    assert [(row.severity, row.message, row.partitions) for row in rows] == [
        ("high", "the only replica is lost with its disk", tuple(range(7)))
    ]
    assert json_document.finding(rows[0])["partitions"] == {"count": 7, "first": [0, 1, 2, 3, 4]}
    assert any(row.key == "partition 1" for row in rows[0].evidence)


def test_fingerprints_hold_the_cluster_and_no_value(tmp_path: Path) -> None:
    one = parse_cluster("brokers 1 2 3\ntopic t\n0: leader 1 replicas 1 isr 1")
    two = parse_cluster("brokers 1 2 3\ntopic t\n0: leader 2 replicas 2,3 isr 2,3")
    prints = [
        {row.fingerprint for row in judge([snapshot], RULES, Policy(RULES)).findings if row.rule == "KA160"}
        for snapshot in (one, two)
    ]
    assert prints[0] == prints[1] != set()
    file, baseline = tmp_path / "c.json", tmp_path / "baseline.json"
    write(str(file), one)
    assert run("lint", file, "--write-baseline", baseline).code == 0
    assert run("check", file, "--baseline", baseline).code == 0


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a\x1b[31mb", "x\ny", "\u202eevil", "t" * 10_000])
def test_hostile_names_steer_nothing(tmp_path: Path, name: str) -> None:
    snapshot = parse_cluster("brokers 1 2 3\ntopic t\n0: leader 1 replicas 1 isr 1")
    for entity in snapshot.entities:
        entity.name = name if entity.kind == "topic" else entity.name
    file = tmp_path / "c.json"
    write(str(file), snapshot)
    ran = run("lint", file)
    assert "\x1b" not in ran.out
    assert "\u202e" not in ran.out
    assert any(row["entity"]["name"] == name for row in run("lint", file, "--format", "json").json["findings"])
