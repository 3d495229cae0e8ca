"""What to fix first: the severe before all others, then what wins most, with what follows from it."""

from __future__ import annotations

import pytest

from advisor.engine import judge
from advisor.engine.fix_first import DOWN, first_steps
from advisor.engine.policy import Policy
from advisor.engine.report import Report
from advisor.model import Snapshot
from advisor.samples.cluster_text import parse_cluster
from advisor.samples.rule_examples import entities
from rules import all_rules

RULES = all_rules()
PRODUCER = "bootstrap.servers=b1:9092,b2:9092\nkey.serializer=a.B\nvalue.serializer=a.B\n"


def report_of(text: str, kind: str) -> Report:
    return judge([Snapshot("test", entities(text, "", kind))], RULES, Policy(RULES))


def test_the_severe_come_first_and_then_what_wins_most() -> None:
    steps = first_steps(report_of(PRODUCER + "acks=1\nbuffer.memory=1\ndelivery.timeout.ms=1\n", "producer"), 9)
    severities = [step.finding.severity for step in steps]
    assert severities[0] == "critical"
    assert steps[0].finding.refused
    assert all(step.finding.severity != "info" for step in steps)
    ordinary = [step.gain for step in steps if step.finding.severity in ("medium", "low")]
    assert ordinary == sorted(ordinary, reverse=True)


def test_a_step_removes_what_follows_from_it() -> None:
    report = report_of(PRODUCER + "acks=1\n", "producer")
    (step,) = [step for step in first_steps(report) if step.finding.rule == "KA101"]
    following = [row.rule for row in report.findings if row.cause == "KA101"]
    assert step.findings == 1 + len(following) > 1
    assert step.gain == report.score.without({"KA101", *following}) - report.score.unrounded


def test_one_bad_topic_of_many_comes_before_what_wins_more_points() -> None:
    topics = "".join(f"topic t{number}\n0: leader 1 replicas 1,2,3 isr 1,2,3\n" for number in range(50))
    text = f"kafka 4.3\nbrokers 1 2 3 !4\nbroker * min.insync.replicas=2\n{topics}topic gone\n0: leader none replicas 4 isr 4\n"
    steps = {step.finding.rule: step for step in first_steps(judge([parse_cluster(text)], RULES, Policy(RULES)), 9)}
    assert steps["KA220"].gain < steps["KA103"].gain
    assert list(steps).index("KA220") < list(steps).index("KA103")
    assert steps["KA220"].points == "+<1"


def test_service_is_restored_before_anything_is_designed_anew() -> None:
    text = (
        "kafka 4.3\nbrokers 1 !2 3\nbroker * min.insync.replicas=2\n"
        "topic one\n0: leader none replicas 2 isr 2\ntopic three\n0: leader 1 replicas 1,2,3 isr 1,3\n"
    )
    rules = [step.finding.rule for step in first_steps(judge([parse_cluster(text)], RULES, Policy(RULES)))]
    assert rules[:2] == ["KA228", "KA220"]


def test_what_is_down_is_what_rules_say() -> None:
    assert set(DOWN) <= {rule.id for rule in RULES}


def test_nothing_to_do_is_no_step() -> None:
    assert first_steps(Report([], "production")) == []


NODE = "process.roles=broker,controller\nnode.id=1\ncontroller.listener.names=C\nlisteners=SSL://a:1,C://a:2\nlog.dirs=/d\nunclean.leader.election.enable=true\n"


@pytest.mark.parametrize(
    ("voters", "can_work"),
    [("1@localhost:2", False), ("1@a:2", False), ("1@a:2,2@b:2", False), ("1@a:2,2@b:2,3@c:2", True), ("9@c:2", True)],
)
def test_what_takes_three_brokers_is_not_first_where_there_are_fewer(voters: str, can_work: bool) -> None:
    kind = "broker" if voters.startswith("9") else "combined"
    text = NODE.replace("broker,controller", kind.replace("combined", "broker,controller"))
    steps = first_steps(report_of(f"{text}controller.quorum.voters={voters}\n", kind), 99)
    order = [step.finding.rule for step in steps]
    assert "KA104" in order and ("KA103" in order) == can_work
    running = parse_cluster(
        f"kafka 4.3\nbrokers {'1 2 3' if can_work else '1'}\nbroker * default.replication.factor=1\n"
    )
    live = [step.finding.rule for step in first_steps(judge([running], RULES, Policy(RULES)), 99)]
    assert ("KA103" in live) == can_work
