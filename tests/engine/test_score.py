"""The score: by rules and shares of subjects, monotone, the same for equal files given twice, and it ranks."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.engine.report import Report
from advisor.engine.score import POINTS, Score, grade_of
from advisor.model import Snapshot
from advisor.model.finding import SEVERITIES, Finding
from advisor.samples.cluster_text import parse_cluster
from advisor.samples.rule_examples import entities
from rules import all_rules
from tests.support.commands import ROOT, run

RULES = all_rules()
PAGE = (ROOT / "docs/how-sure.md").read_text()
GOOD = {name: (ROOT / f"examples/good/{name}.properties").read_text() for name in ("producer", "consumer", "server")}
FAULTS = (
    ("producer", "acks=1", 0.02, 0.2, 0.6),
    ("producer", "enable.idempotence=false", 0.02, 0.2, 0.5),
    ("producer", "bootstrap.servers=kafka-1.example.org:9094", 0.05, 0.3, 0.7),
    ("consumer", "enable.auto.commit=true", 0.1, 0.5, 0.8),
    ("server", "min.insync.replicas=1", 0.02, 0.25, 0.8),
    ("server", "default.replication.factor=1", 0, 0.1, 0.6),
    ("server", "offsets.topic.replication.factor=1", 0, 0.05, 0.5),
    ("server", "unclean.leader.election.enable=true", 0, 0.05, 0.4),
    ("server", "listener.security.protocol.map=INTERNAL:SSL,CLIENTS:PLAINTEXT,CONTROLLER:SSL", 0.05, 0.4, 0.9),
    ("server", "authorizer.class.name=", 0.05, 0.4, 0.9),
    ("server", "broker.rack=", 0.1, 0.4, 0.8),
    ("server", "auto.create.topics.enable=true", 0.2, 0.6, 0.9),
    ("server", "log.dirs=/tmp/kafka-logs", 0, 0.02, 0.3),
)
"""File, setting, and the share of kept, ordinary and neglected clusters that have it: docs/how-sure.md says the same."""
TIERS = (0.3, 0.5, 0.2)


def finding(rule: str, severity: str, subject: str, key: str = "k", **more: bool) -> Finding:
    row = Finding(
        rule=rule, name="n", severity=severity, confidence="certain", message="m", why="", fix="", key=key,
        entity=("topic", subject), place="c", refused=more.get("refused", False),
    )  # fmt: skip
    row.repeated = more.get("repeated", False)
    return row


@pytest.mark.parametrize(
    ("findings", "suppressed", "passed", "points"),
    [
        ([], [], {}, 0),
        ([finding("KA101", "high", "a")], [], {}, 15),
        ([finding("KA101", "high", "a")], [], {"KA101": 3}, 15 / 4),
        ([finding("KA101", "high", "a"), finding("KA101", "critical", "b")], [], {"KA101": 2}, 55 / 4),
        ([finding("KA101", "high", "a"), finding("KA101", "low", "a", "other")], [], {}, 15),
        ([finding("KA101", "high", "a"), finding("KA102", "medium", "a")], [], {}, 20),
        ([finding("KA101", "high", "a")], [finding("KA101", "high", "b")], {}, 7.5),
        ([], [finding("KA101", "high", "b")], {}, 0),
        ([finding("KA101", "high", "a"), finding("KA101", "high", "b", repeated=True)], [], {"KA101": 1}, 7.5),
        ([finding("KA101", "info", "a")], [], {}, 0),
    ],
)
def test_the_points_of_rules(
    findings: list[Finding], suppressed: list[Finding], passed: dict[str, int], points: float
) -> None:
    assert Score(findings, suppressed, passed).unrounded == pytest.approx(100 * math.exp(-points / 100))


@pytest.mark.parametrize(
    ("score", "severities", "grade"),
    [
        (100, [], "A"),
        (90, ["medium"], "A"),
        (99, ["high", "low"], "C"),
        (99, ["critical"], "D"),
        (39, ["high"], "F"),
        (75, ["info"], "B"),
        (74.4, ["low"], "C"),
    ],
)
def test_the_worst_finding_caps_the_grade(score: float, severities: list[str], grade: str) -> None:
    assert grade_of(score, severities) == grade


def test_what_kafka_refuses_is_d_at_best() -> None:
    assert Score([finding("KA900", "low", "a", refused=True)], [], {"KA900": 99}).grade == "D"


OUTCOMES = st.dictionaries(
    st.tuples(st.sampled_from(["KA101", "KA401", "KA601", "KA1501"]), st.sampled_from("abcdef")),
    st.sampled_from(["pass", *SEVERITIES]),
    min_size=1,
)


def scored(outcomes: dict[tuple[str, str], str]) -> Score:
    passed = [rule for (rule, _), outcome in outcomes.items() if outcome == "pass"]
    findings = [finding(rule, out, subject) for (rule, subject), out in outcomes.items() if out != "pass"]
    return Score(findings, [], {rule: passed.count(rule) for rule in passed})


@given(OUTCOMES, st.data())
def test_mending_a_subject_raises_the_score_unless_it_was_only_info(
    outcomes: dict[tuple[str, str], str], data: st.DataObject
) -> None:
    at = data.draw(st.sampled_from(sorted(outcomes)))
    before, after = scored(outcomes), scored({**outcomes, at: "pass"})
    if POINTS.get(outcomes[at], 0):
        assert after.unrounded > before.unrounded
    else:
        assert after.unrounded == pytest.approx(before.unrounded)
    assert all(after.parts[part] >= before.parts[part] for part in before.parts)


def report_of(**texts: str) -> Report:
    snapshots = [Snapshot("test", [row for name, text in texts.items() for row in entities(text, "", name)])]
    return judge(snapshots, RULES, Policy(RULES))


def test_a_file_given_twice_changes_nothing(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.properties").write_text(GOOD["producer"].replace("acks=all", "acks=1"))
    (tmp_path / "c.properties").write_text(GOOD["producer"].replace("linger.ms=5", "linger.ms=6"))
    once, twice = (
        run("lint", "--no-config", "--format", "json", *(tmp_path / f"{name}.properties" for name in names)).json
        for names in ("ac", "abc")
    )
    assert len(twice["findings"]) == 2 * len(once["findings"])
    assert twice["summary"]["score"] == once["summary"]["score"] < 100
    assert twice["summary"]["scores"] == once["summary"]["scores"]


def test_a_share_of_topics_costs_its_share() -> None:
    cluster = "kafka 4.3\nbrokers 1 2 3 4\nbroker * min.insync.replicas=2\n"
    topics = [
        f"topic t{number}\n0: leader 1 replicas {replicas} isr {replicas}\n"
        for number, replicas in enumerate(["1", *["1,2,3"] * 9])
    ]
    scores = [
        judge([parse_cluster(cluster + "".join(topics[:count]))], RULES, Policy(RULES)).score for count in (1, 2, 10)
    ]
    assert scores[0].points["KA160"] / 10 == pytest.approx(scores[2].points["KA160"])
    assert scores[0].unrounded < scores[1].unrounded < scores[2].unrounded


def made_up(number: int) -> dict[str, str]:
    """The files of a made-up cluster."""
    source = random.Random(number)
    tier = source.choices(range(3), TIERS)[0]
    lines = {name: text.splitlines() for name, text in GOOD.items()}
    for name, setting, *rates in FAULTS:
        if source.random() < rates[tier]:
            key = setting.partition("=")[0]
            kept = [line for line in lines[name] if line.partition("=")[0] != key]
            lines[name] = kept if setting.endswith("=") else [*kept, setting]
    return {name: "\n".join(rows) for name, rows in lines.items()}


def test_the_score_ranks_a_made_up_fleet() -> None:
    texts = [made_up(number) for number in range(200)]
    scores = sorted(
        report_of(producer=text["producer"], consumer=text["consumer"], broker=text["server"]).score.unrounded
        for text in texts
    )
    written = re.search(r"the lowest (\d+), a tenth below (\d+), the median (\d+), the\s+highest (\d+)", PAGE)
    assert written is not None
    assert [round(scores[at]) for at in (0, 19, 100, -1)] == list(map(int, written.groups()))
    assert scores[0] < 30
    assert scores[19] < 50
    assert 50 < scores[100] < 90
    assert scores[-1] > 90


def test_the_rates_are_those_that_are_written_down() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("|") and "%" in line]
    assert [[cell.strip() for cell in row.split("|")[2:5]] for row in rows] == [
        [f"{round(rate * 100)} %" for rate in rates] for _, _, *rates in FAULTS
    ]
