"""What all brokers of a running cluster have in common is one finding of the cluster."""

from __future__ import annotations

from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.model.finding import Finding
from advisor.samples.cluster_text import parse_cluster
from rules import all_rules

RULES = all_rules()


def findings(text: str, rule: str = "KA102") -> list[Finding]:
    report = judge([parse_cluster(text)], RULES, Policy(RULES))
    return [row for row in report.findings if row.rule == rule]


def test_what_all_brokers_share_is_one_finding() -> None:
    (row,) = findings("kafka 4.3\nbrokers 1 2 3\nbroker * min.insync.replicas=1")
    assert (row.entity, row.shared_by) == (("cluster", "example"), ("1", "2", "3"))
    assert {each.entity for each in row.evidence} <= {("cluster", "example")}


def test_what_one_broker_has_differently_stays_with_each() -> None:
    rows = findings(
        "kafka 4.3\nbrokers 1 2 3\nbroker 1 min.insync.replicas=1\nbroker 2 min.insync.replicas=1\nbroker 3 min.insync.replicas=2"
    )
    assert [(row.entity, row.shared_by) for row in rows] == [(("broker", "1"), ()), (("broker", "2"), ())]


def test_brokers_that_could_not_be_read_do_not_count() -> None:
    (row,) = findings("kafka 4.3\nbrokers 1 2 3\nbroker * min.insync.replicas=1\nbroker 3 unreadable not permitted")
    assert row.shared_by == ("1", "2")


def test_the_only_broker_keeps_its_finding() -> None:
    (row,) = findings("kafka 4.3\nbrokers 1\nbroker 1 min.insync.replicas=1")
    assert row.entity == ("broker", "1")


def test_one_zookeeper_server_is_one_finding() -> None:
    text = "kafka 3.9 zookeeper\nbrokers 1 2\nbroker * zookeeper.connect=z1:2181"
    assert [row.entity[0] for row in findings(text, "KA523")] == ["cluster"]
    assert findings(f"{text}\nensemble voters=1", "KA523") == []
    assert [row.entity[0] for row in findings(f"{text}\nensemble voters=1", "KA544")] == ["ensemble"]


def test_what_a_restart_stops_is_each_brokers_own() -> None:
    text = "kafka 4.3\nbrokers 1 2 !3\ntopic orders min.insync.replicas=2\n0: leader 1 replicas 1,2,3 isr 1,2"
    assert [row.entity for row in findings(text, "KA229")] == [("broker", "1"), ("broker", "2")]
