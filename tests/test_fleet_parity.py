"""The engine over columns gives what the judge gives over objects: every finding of topics, message for message."""

from __future__ import annotations

import json

import pytest
from hypothesis import Phase, given, settings

from advisor.drawn import drawn
from advisor.engine import judge
from advisor.finding import Finding
from advisor.model import Snapshot
from advisor.policy import Policy
from collectors.snapshot_file import document
from tests.test_crowds import RULES, snapshots

pa = pytest.importorskip("pyarrow", reason="fleets need the extra `fleet`")
tables = pytest.importorskip("spark_audit.tables")
columns = pytest.importorskip("spark_audit.engine")


def by_columns(engine: object, *fleet: tuple[str, Snapshot]) -> object:
    """The topics of several clusters as one batch."""
    found, clusters = [], {}
    for name, snapshot in fleet:
        rows, topics = tables.rows_of(name, snapshot)
        row = rows.to_pylist()[0]
        clusters[name] = columns.Cluster(
            name, tables.snapshot_of(row, topics.to_pylist()), json.loads(row["document"])["defaults"]
        )
        found.append(topics)
    batches = pa.concat_tables(found).combine_chunks().to_batches()
    return engine.batch(batches[0] if batches else pa.RecordBatch.from_pylist([], tables.TOPICS), clusters)


def told(finding: Finding) -> tuple[object, ...]:
    return (
        finding.rule, finding.entity[1], finding.severity, finding.confidence, finding.message, finding.key, finding.value,
        finding.required, len(finding.partitions), finding.partitions[:5],
    )  # fmt: skip


def told_row(row: dict) -> tuple[object, ...]:
    return (
        row["rule"], row["subject"], row["severity"], row["confidence"], row["message"], row["key"], row["value"],
        row["required"], row["partitions"], tuple(row["first_partitions"]),
    )  # fmt: skip


def agree(batch: object, name: str, snapshot: Snapshot) -> None:
    report = judge([snapshot], RULES, Policy(RULES))
    findings = [row for row in report.findings if row.entity[0] == "topic"]
    unknown = [row for row in report.unknown if row.entity[0] == "topic"]
    mine = [row for row in batch.findings if row["cluster"] == name]
    assert sorted(map(str, map(told_row, mine))) == sorted(map(str, map(told, findings)))
    assert sorted((row["rule"], row["subject"], row["reason"], row["key"] or "") for row in batch.unknown
                  if row["cluster"] == name) == sorted((row.rule, row.entity[1], row.reason, row.key or "") for row in unknown)  # fmt: skip
    for finding in findings:
        row = next(
            row
            for row in mine
            if (row["rule"], row["subject"], row["key"]) == (finding.rule, finding.entity[1], finding.key)
        )
        values = {
            (each.key, each.value, each.source) for each in finding.evidence if not each.key.startswith("partition ")
        }
        assert {(each["key"], each["value"], each["source"]) for each in json.loads(row["evidence"])
                if not each["key"].startswith("partition ")} == values  # fmt: skip


@settings(max_examples=40, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(snapshots(), snapshots())
def test_columns_of_a_fleet_say_what_the_judge_says_of_each_cluster(one: Snapshot, two: Snapshot) -> None:
    assert two.live is not None
    two.live.cluster_id = "other"
    for entity in two.entities:
        entity.cluster = "other"
    engine = columns.Engine(RULES, Policy(RULES))
    for _ in range(2):  # the second time the trees are grown
        batch = by_columns(engine, ("one", one), ("two", two))
        agree(batch, "one", one)
        agree(batch, "two", two)


def test_a_cluster_without_topics() -> None:
    batch = by_columns(columns.Engine(RULES, Policy(RULES)), ("empty", drawn("brokers 1 2 3")))
    assert (batch.findings, batch.unknown) == ([], [])


@pytest.mark.parametrize("name", ["größe-😀", "<b>", "x" * 300])
def test_names_and_dirty_values(name: str) -> None:
    dirty = drawn(
        "brokers 1 2/b 3\ntopic a min.insync.replicas=abc retention.ms=\n0: leader 1 replicas 1,2,9 isr 1\n"
        "1: leader none replicas 9 isr 9\ntopic b\ntopic c missing=not_permitted\n0: leader 1 replicas 1,2,3 isr 1,2,3"
    )
    dirty.entities[3].name = name
    agree(by_columns(columns.Engine(RULES, Policy(RULES)), ("one", dirty)), "one", dirty)


def test_a_rule_that_raises_is_a_row_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = columns.Engine(RULES, Policy(RULES))
    rule = next(rule for rule in engine.topic_rules if rule.id == "KA151")
    monkeypatch.setattr(rule, "function", lambda topic: 1 / 0)
    batch = by_columns(engine, ("one", drawn("brokers 1\ntopic a min.insync.replicas=1\n0: leader 1 replicas 1 isr 1")))
    crashes = [row for row in batch.findings if row["rule"] == "KA000"]
    assert [row["message"] for row in crashes] == ["rule KA151 min-isr-1 crashed: ZeroDivisionError: division by zero"]
    assert any(row["rule"] == "KA160" for row in batch.findings) is False


def test_rows_come_back_as_the_snapshot_that_they_were_made_of() -> None:
    snapshot = drawn(
        "kafka 4.3\nbrokers 1/a 2\ncluster-wide min.insync.replicas=2\ntopic a retention.ms=1\n"
        "0: leader 1 replicas 1,2 isr 1 elr 2\ntopic b\ngroup g state=EMPTY members=0\nunread acls: denied"
    )
    rows, topics = tables.rows_of("one", snapshot, {"team": "core"})
    row = rows.to_pylist()[0]
    assert row["status"] == "partial"
    assert row["labels"] == [("team", "core")]
    again = document(tables.snapshot_of(row, topics.to_pylist()))
    assert again == document(snapshot)
