"""The engine over columns gives what the judge gives over objects: every finding and unknown, message for message."""

from __future__ import annotations

import json

import pytest
from hypothesis import Phase, given, settings

from advisor.drawn import drawn
from advisor.engine import judge
from advisor.finding import Finding
from advisor.model import Snapshot
from advisor.policy import Policy
from tests.test_crowds import RULES, snapshots

pa = pytest.importorskip("pyarrow", reason="fleets need the extra `fleet`")
rows = pytest.importorskip("spark_audit.rows")
fleet = pytest.importorskip("spark_audit.engine")
work = pytest.importorskip("spark_audit.work")
waiving = pytest.importorskip("spark_audit.waivers")
sides = pytest.importorskip("spark_audit.clusters")
counts = pytest.importorskip("spark_audit.counts")


class Judged:
    """What the engine over columns says of a fleet, its topics in batches of `size`."""

    def __init__(self, snapshots: dict[str, Snapshot], rules: list = RULES, size: int = 1000, engine: object = None) -> None:
        tables = [rows.rows_of(name, snapshot) for name, snapshot in snapshots.items()]
        joined = {name: pa.concat_tables([each[name] for each in tables]) for name in tables[0]}
        side = sides.Side(joined)
        self.engine = engine or fleet.Engine(rules, Policy(rules))
        self.findings: list[dict] = []
        self.unknown: list[dict] = []
        self.passed = self.not_applicable = 0
        parts: list = []
        for batch in joined["topics"].to_batches(max_chunksize=size):
            topics = self.engine.topics(batch, side)
            parts += topics.parts()
            self.take(topics.run(), topics.clusters)
        names = list(snapshots)
        rest = self.engine.clusters(side, names, counts.merged(json.loads(json.dumps(parts))))
        self.take(rest.run(), rest.clusters)

    def take(self, outcomes: object, clusters: object) -> None:
        done = work.Done(outcomes, clusters, waiving.Waivers(), (), "a")
        self.findings += done.findings.to_pylist()
        self.unknown += done.unknowns.to_pylist()
        self.passed += int(outcomes.passed.sum())
        self.not_applicable += int(outcomes.not_applicable.sum())


def told(finding: Finding) -> tuple[object, ...]:
    return (
        finding.rule, *finding.entity, finding.severity, finding.confidence, finding.message, finding.key, finding.value,
        finding.required, finding.refused, len(finding.partitions), finding.partitions[:5], finding.line,
        tuple(sorted(f"{kind} {name}" for kind, name in finding.with_)), finding.fingerprint,
        json.dumps(finding.proof, ensure_ascii=False) if finding.proof else None,
        tuple(sorted((*row.entity, row.key, row.value, row.source) for row in finding.evidence if not row.key.startswith("partition "))),
    )  # fmt: skip


def told_row(row: dict) -> tuple[object, ...]:
    own = {"kind": row["kind"], "name": row["subject"]}
    evidence = [(each.get("entity", own), each) for each in json.loads(row["evidence"])]
    return (
        row["rule"], row["kind"], row["subject"], row["severity"], row["confidence"], row["message"], row["key"], row["value"],
        row["required"], row["refused"], row["partitions"], tuple(row["first_partitions"]), row["line"],
        tuple(sorted(row["with"])), row["fingerprint"], row["proof"],
        tuple(sorted((entity["kind"], entity["name"], each["key"], each["value"], each["source"])
                     for entity, each in evidence if not each["key"].startswith("partition "))),
    )  # fmt: skip


def agree(judged: Judged, name: str, snapshot: Snapshot) -> None:
    report = judge([snapshot], RULES, Policy(RULES))
    mine = [row for row in judged.findings if row["cluster"] == name]
    assert sorted(map(str, map(told_row, mine))) == sorted(map(str, map(told, report.findings)))
    assert sorted((row["rule"], row["kind"], row["subject"], row["reason"], row["key"] or "") for row in judged.unknown
                  if row["cluster"] == name) == sorted((row.rule, *row.entity, row.reason, row.key or "") for row in report.unknown)  # fmt: skip


@settings(max_examples=40, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(snapshots(), snapshots())
def test_columns_of_a_fleet_say_what_the_judge_says_of_each_cluster(one: Snapshot, two: Snapshot) -> None:
    assert two.live is not None
    two.live.cluster_id = "other"
    for entity in two.entities:
        entity.cluster = "other"
    engine = None
    for size in (1000, 2):  # the second time the trees are grown, and clusters are in several batches
        judged = Judged({"one": one, "two": two}, size=size, engine=engine)
        engine = judged.engine
        agree(judged, "one", one)
        agree(judged, "two", two)
        reports = [judge([snapshot], RULES, Policy(RULES)) for snapshot in (one, two)]
        assert judged.passed == sum(report.passed for report in reports)
        assert judged.not_applicable == sum(report.not_applicable for report in reports)


def test_a_cluster_without_topics() -> None:
    empty = drawn("brokers 1 2 3")
    agree(Judged({"empty": empty}), "empty", empty)


@pytest.mark.parametrize("name", ["größe-😀", "<b>", "x" * 300])
def test_names_and_dirty_values(name: str) -> None:
    dirty = drawn(
        "brokers 1 2/b 3\ntopic a min.insync.replicas=abc retention.ms=\n0: leader 1 replicas 1,2,9 isr 1\n"
        "1: leader none replicas 9 isr 9\ntopic b\ntopic c missing=not_permitted\n0: leader 1 replicas 1,2,3 isr 1,2,3"
    )
    dirty.entities[3].name = name
    agree(Judged({"one": dirty}), "one", dirty)
