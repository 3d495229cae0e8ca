"""One number for a report: 100 less the points of its findings, and a grade."""

from __future__ import annotations

from advisor.model.finding import POINTS, grade


def score_of(counts: dict[str, int]) -> tuple[int, str]:
    """(score from 0 to 100, grade A to F)."""
    score = max(0, 100 - sum(POINTS[severity] * count for severity, count in counts.items()))
    return score, grade(score)
