"""What fixing a rule gives: how much the score rises, of a cluster and of the fleet's mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from advisor.engine.fix_first import restoring_rank
from advisor.engine.score import score_of

Row = Mapping[str, Any]


def gains_of_cluster(row: Row) -> dict[str, float]:
    """How much a cluster's score rises with each rule that fails no more; empty for audits that did not note points."""
    points = {each["rule"]: each["points"] for each in row.get("points") or ()}
    score, total = score_of(points.values()), sum(points.values())
    return {rule: score_of([total - cost]) - score for rule, cost in points.items()}


def mean_gains(rows: Sequence[Row]) -> dict[str, float]:
    """How much the mean score of all clusters that have one rises with each rule that fails no more on any of them."""
    scored = [row for row in rows if row["score"] is not None]
    gains: dict[str, float] = {}
    for row in scored:
        for rule, gain in gains_of_cluster(row).items():
            gains[rule] = gains.get(rule, 0.0) + gain / len(scored)
    return gains


def order_of_fixing(rule: str, gains: Mapping[str, float]) -> tuple[int, float]:
    """The rank of a rule among those to fix first: what is down now, then what raises the score most."""
    return restoring_rank(rule), -gains.get(rule, 0.0)


def shown_gain(gain: float | None) -> str:
    """A gain as in `+3.2`; nothing where it is not known or too small to show."""
    return f"+{gain:.1f}" if gain is not None and round(gain, 1) else ""
