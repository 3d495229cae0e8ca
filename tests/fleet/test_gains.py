"""What fixing a rule gives: the score without it, less the score with it; a fleet's mean over all its clusters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.engine.score import score_of
from spark_audit.html.page import CommonRule, steps_of
from spark_audit.results.gains import gains_of_cluster, mean_gains, shown_gain

POINTS = st.dictionaries(st.sampled_from(["KA101", "KA102", "KA103"]), st.floats(0.01, 40))


def row(points: dict[str, float] | None, score: int | None = 50) -> dict[str, object]:
    rows = None if points is None else [{"rule": rule, "points": cost} for rule, cost in points.items()]
    return {"cluster": "a", "score": score, "points": rows}


@given(POINTS)
def test_a_gain_is_the_score_without_the_rule(points: dict[str, float]) -> None:
    gains = gains_of_cluster(row(points))
    assert set(gains) == set(points)
    for rule, gain in gains.items():
        left = [cost for other, cost in points.items() if other != rule]
        assert gain == pytest.approx(score_of(left) - score_of(points.values()))
        assert gain > 0


def test_the_mean_counts_clusters_that_pass_and_leaves_out_those_that_were_not_reached() -> None:
    points = {"KA101": 15.0}
    (alone,) = gains_of_cluster(row(points)).values()
    assert mean_gains([row(points), row({})]) == {"KA101": pytest.approx(alone / 2)}
    assert mean_gains([row(points), row(None, score=None)]) == {"KA101": pytest.approx(alone)}


def test_an_audit_that_noted_no_points_has_no_gains() -> None:
    assert mean_gains([row(None), {"cluster": "b", "score": 80}]) == {}
    assert [shown_gain(gain) for gain in (None, 0.01, 0.06, 3.24)] == ["", "", "+0.1", "+3.2"]


def test_steps_are_the_rules_that_win_most_and_never_remarks() -> None:
    names = [("KA101", "critical"), ("KA102", "high"), ("KA103", "medium"), ("KA104", "low"), ("KA105", "info")]
    lines = [CommonRule({"rule": rule, "severity": severity}, None) for rule, severity in names]
    gains = {"KA101": 0.1, "KA103": 5.0, "KA105": 9.0}
    assert [line.row["rule"] for line in steps_of(lines, gains)] == ["KA103", "KA101", "KA102"]
    assert [line.row["rule"] for line in steps_of(lines, {})] == ["KA101", "KA102", "KA103"]


def test_what_is_down_now_is_fixed_first_whatever_it_adds_to_the_score() -> None:
    lines = [CommonRule({"rule": rule, "severity": "high"}, None) for rule in ("KA101", "KA220", "KA228", "KA102")]
    gains = {"KA101": 30.0, "KA220": 0.2, "KA228": 0.1}
    assert [line.row["rule"] for line in steps_of(lines, gains)] == ["KA228", "KA220", "KA101"]
