"""The engine over columns gives what the judge gives over objects: every finding and unknown, message for message."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock

import pyarrow as pa
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.engine.report import Report
from advisor.engine.verdicts import LEAVES
from advisor.model import Snapshot
from advisor.model.finding import Finding
from advisor.rule import Problem, Problems, Rule
from advisor.rule.subject import Subject
from advisor.samples.cluster_text import parse_cluster
from advisor.secrets.disclosure import shown_value
from spark_audit.engine import engine as fleet
from spark_audit.engine import tree_walk as walk
from spark_audit.engine.columns import cluster_tables as sides
from spark_audit.engine.columns import partial_counts as counts
from spark_audit.execution import chunk_result as work
from spark_audit.results import waivers as waiving
from spark_audit.storage import encode as rows
from tests.support.address_strategies import as_text, clusters, running
from tests.support.simulation import MORE
from tests.support.strategies import RULES, snapshots

BROKER_LINES = (
    "log.dirs=/data", "log.dirs=/tmp/kafka-logs", "min.insync.replicas=abc", "min.insync.replicas=2", "auto.create.topics.enable=true",
    "offsets.topic.replication.factor=1", "listeners=PLAINTEXT://:9092", "listeners=PLAINTEXT://0.0.0.0:9092,CONTROLLER://b1:9093",
    "advertised.listeners=PLAINTEXT://b1:9092", "process.roles=broker,controller", "controller.quorum.voters=1@a:9093,2@b:9093",
    "node.id=1", "broker.id=7", "message.max.bytes=1000", "replica.fetch.max.bytes=10",
    "authorizer.class.name=kafka.security.authorizer.AclAuthorizer", "no.such.key=1",
    "unclean.leader.election.enable=true", "log.retention.hours=1", "zookeeper.connect=zk:2181", "super.users=User:ANONYMOUS",
)  # fmt: skip
CLUSTER_LINES = (
    "cluster-wide min.insync.replicas=2", "quorum leader=101 voters=101,102 observers=1 behind=102", "quorum leader=-1 voters=1",
    "features metadata.version=20/30", "logdir 1 /data free=5 total=100", "logdir 2 /data error=KafkaStorageError", "acl User:* topic * ALL",
    "group old state=EMPTY members=0 committed=t0/0:5,gone/0:1", "group dead state=DEAD members=0", "unread groups: not permitted",
    "unread acls: not permitted", "unread topics: not permitted", "unread quorum: not permitted", "ensemble voters=2 up=1 deletions=gone",
)  # fmt: skip
CLIENT_LINES = (
    "acks=0", "acks=1", "acks=all", "acks=-1", "retries=0", "enable.idempotence=false", "max.request.size=10485760", "linger.ms=abc",
    "bootstrap.servers=b1:9092", "bootstrap.servers=b1:9092,b2:9092", "group.id=g", "enable.auto.commit=true", "fetch.max.bytes=10",
    "auto.offset.reset=latest", "transactional.id=t", "delivery.timeout.ms=1", "sasl.jaas.config=x y;", "max.poll.records=100000",
    "isolation.level=read_committed", "session.timeout.ms=1000", "acsk=all", "client.rack=a",
)  # fmt: skip


def lines(of: tuple[str, ...], most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(of), max_size=most, unique_by=lambda line: line.split("=")[0].split(" ")[0:2][-1])


@st.composite
def whole(draw: st.DrawFn) -> Snapshot:
    """A cluster with everything that there can be: settings of brokers, facts, clients of some of its topics."""
    topics = draw(snapshots())
    text = [draw(st.sampled_from(["kafka 4.3", "kafka 3.5", "kafka 2.8 zookeeper"])), "brokers 1/a 2/b 3"]
    for broker in draw(st.lists(st.sampled_from("*123"), max_size=3, unique=True)):
        text += [f"broker {broker} {line}" for line in draw(lines(BROKER_LINES, 6))]
    text += draw(lines(CLUSTER_LINES, 5))
    for number, kind in enumerate(draw(st.lists(st.sampled_from(["producer", "consumer", "client"]), max_size=4))):
        text += [
            f"[{kind} {draw(st.sampled_from(['t0', 't*', 'orders']))}]",
            f"client.id=c{number}",
            *draw(lines(CLIENT_LINES, 6)),
        ]
    found = parse_cluster("\n".join(text))
    target = found.entities[0].target
    for topic in topics.entities:
        topic.target = target
    clients = [entity for entity in found.entities if entity.cluster is None]
    servers = [entity for entity in found.entities if entity.cluster is not None and entity.kind != "topic"]
    own = [entity for entity in topics.entities if entity.kind == "topic"]
    assert found.live is not None
    assert topics.live is not None
    for entity in (*servers, *own):
        if entity.missing is not None or draw(st.integers(0, 9)) == 0:
            entity.missing = draw(st.sampled_from(["not permitted", "timed out"]))
            entity.settings = {}
    if draw(st.booleans()):
        found.live.nodes = topics.live.nodes
    return Snapshot("example", [*servers, *own, *clients], live=found.live, joined=found.joined)


class Judged:
    """What the engine over columns says of a fleet, its topics in batches of `size`."""

    def __init__(
        self,
        snapshots: dict[str, Snapshot],
        rules: list[Rule] = RULES,
        size: int = 1000,
        together: int = 1,
        engine: fleet.Engine | None = None,
    ) -> None:
        tables = [rows.encode_snapshot(name, snapshot) for name, snapshot in snapshots.items()]
        joined = {name: pa.concat_tables([each[name] for each in tables]) for name in tables[0]}
        side = sides.ClusterTables(joined)
        self.engine = engine or fleet.Engine(rules, Policy(rules))
        self.findings: list[Any] = []
        self.unknown: list[Any] = []
        self.passed = self.not_applicable = 0
        parts: list[Any] = []
        slices = [self.engine.batch(batch, side) for batch in joined["topics"].to_batches(max_chunksize=size)]
        for at in range(0, len(slices), together):
            topics = self.engine.topics(slices[at : at + together], side)
            parts += [each for batch in topics.batches for each in batch.counts]
            self.take(topics.run(), topics.clusters)
        names = list(snapshots)
        rest = self.engine.clusters(side, names, counts.add_counts(json.loads(json.dumps(parts))))
        self.take(rest.run(), rest.clusters)

    def take(self, outcomes: Any, clusters: Any) -> None:
        done = work.ChunkResult(outcomes, clusters, waiving.Waivers(), {}, "a")
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


def told_row(row: dict[str, Any]) -> tuple[object, ...]:
    own = {"kind": row["kind"], "name": row["subject"]}
    others = [dict(zip(("kind", "name"), other.split(" ", 1), strict=True)) for other in row["with"]]
    evidence = []
    for each in json.loads(row["evidence"]):
        entity = each.get("entity", own)
        evidence.append((entity if "name" in entity else next(o for o in others if o["kind"] == entity["kind"]), each))
    return (
        row["rule"], row["kind"], row["subject"], row["severity"], row["confidence"], row["message"], row["key"], row["value"],
        row["required"], row["refused"], row["partitions"], tuple(row["first_partitions"]), row["line"],
        tuple(sorted(row["with"])), row["fingerprint"], row["proof"],
        tuple(sorted((entity["kind"], entity["name"], each["key"], each["value"], each["source"])
                     for entity, each in evidence if not each["key"].startswith("partition "))),
    )  # fmt: skip


def agree(judged: Judged, name: str, snapshot: Snapshot) -> None:
    agree_with(judged, name, judge([snapshot], RULES, Policy(RULES)))


def agree_with(judged: Judged, name: str, report: Report) -> None:
    mine = [row for row in judged.findings if row["cluster"] == name]
    assert sorted(map(str, map(told_row, mine))) == sorted(map(str, map(told, report.findings)))
    unknown = {(row.rule, *row.entity, row.reason, row.key) for row in report.unknown}
    assert {(row["rule"], row["kind"], row["subject"], row["reason"], row["key"])
            for row in judged.unknown if row["cluster"] == name} == unknown  # fmt: skip


BATCHES = ((2, 1, LEAVES), (2, 3, LEAVES), (1, 9, 1))
"""(topics in a batch, batches that are judged together, leaves of a tree), from the second judgement on."""


@settings(max_examples=3 * MORE, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(whole(), whole(), st.sampled_from(BATCHES))
def test_columns_of_a_fleet_say_what_the_judge_says_of_each_cluster(
    one: Snapshot, two: Snapshot, batches: tuple[int, int, int]
) -> None:
    assert two.live is not None
    two.live.cluster_id = "other"
    for entity in two.entities:
        if entity.cluster is not None:
            entity.cluster = "other"
    reports = {name: judge([snapshot], RULES, Policy(RULES)) for name, snapshot in (("one", one), ("two", two))}
    engine = None
    for size, together, leaves in ((1000, 1, LEAVES), batches):
        # the second time the trees are grown, or may not grow, and clusters are in several batches
        with mock.patch.object(walk, "LEAVES", leaves):
            judged = Judged({"one": one, "two": two}, size=size, together=together, engine=engine)
        engine = judged.engine if batches[2] == LEAVES else None
        for name, report in reports.items():
            agree_with(judged, name, report)
        assert judged.passed == sum(report.passed for report in reports.values())
        assert judged.not_applicable == sum(report.not_applicable for report in reports.values())
        assert len(
            {
                (row["cluster"], row["rule"], row["kind"], row["subject"], row["key"], str(row["with"]))
                for row in judged.unknown
            }
        ) == len(judged.unknown)


@settings(max_examples=8 * MORE, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(clusters())
def test_columns_say_by_outlines_what_the_judge_says_by_the_texts(text: str) -> None:
    drawn = running(text)
    for entity in drawn.entities:  # tables hold what may be shown
        assume(all(shown_value(key, setting.value) == setting.value for key, setting in entity.settings.items()))
    judged = Judged({"one": drawn})
    with as_text():
        agree(judged, "one", running(text))


def test_a_cluster_without_topics() -> None:
    empty = parse_cluster("brokers 1 2 3")
    agree(Judged({"empty": empty}), "empty", empty)


@pytest.mark.parametrize("name", ["größe-😀", "<b>", "x" * 300])
def test_names_and_dirty_values(name: str) -> None:
    dirty = parse_cluster(
        "brokers 1 2/b 3\ntopic a min.insync.replicas=abc retention.ms=\n0: leader 1 replicas 1,2,9 isr 1\n"
        "1: leader none replicas 9 isr 9\ntopic b\ntopic c missing=not_permitted\n0: leader 1 replicas 1,2,3 isr 1,2,3"
    )
    dirty.entities[3].name = name
    agree(Judged({"one": dirty}), "one", dirty)


def test_clients_whose_instances_share_an_id() -> None:
    shared = parse_cluster(
        "kafka 4.3\nbrokers 1 2 3\ntopic t 1\n[client t]\ntransactional.id=t\n[consumer t]\ngroup.id=g\ngroup.instance.id=i"
    )
    judged = Judged({"shared": shared})
    assert {"KA1015", "KA1116"} <= {row["rule"] for row in judged.findings}
    agree(judged, "shared", shared)


def test_a_key_that_no_catalog_knows_is_asked_of_those_that_have_it() -> None:
    odd = parse_cluster("kafka 4.3\nbrokers 1 2 3\nbroker 2 no.such.key=1\nbroker 3 no.such.key=2")
    agree(Judged({"one": odd}), "one", odd)


def test_a_rule_that_crashes_where_a_key_is_absent_judges_those_that_have_it() -> None:
    def asks(broker: Subject) -> Problems:
        """A key of somebody's own.

        Why: because.
        Fix: do.
        """
        if broker.text("no.such.key") == "1":
            yield Problem("no.such.key", "is 1")

    without, having = (
        parse_cluster("kafka 4.3\nbrokers 1"),
        parse_cluster("kafka 4.3\nbrokers 1\nbroker 1 no.such.key=1"),
    )
    judged = Judged(
        {"one": without, "two": having}, rules=[Rule("OWN9", asks, ("low",) * 4, "certain", None, None, None)]
    )
    assert {(row["cluster"], row["rule"]) for row in judged.findings} == {("one", "KA000"), ("two", "OWN9")}
