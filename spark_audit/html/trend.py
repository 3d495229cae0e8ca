"""The trend chart of the fleet's HTML report: critical and high findings over its audits; sizes in SVG units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from spark_audit.results.history import PastAudit

LINES = ("critical", "high")
LEFT, ACROSS, TOP, DOWN, GAP = 64, 640, 24, 90, 34
DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?$")
AUDITS = 400
"""Audits shown, the newest; a line says how many more there are."""


class Line:
    """A severity's line on a scale of its own: critical findings are few beside others, and matter most."""

    def __init__(self, severity: str, numbers: Sequence[int], x_of_audit: Sequence[float], top: int) -> None:
        maximum = max(numbers) or 1
        self.severity = severity
        self.top = top
        self.marks = [(top + DOWN, 0), (top, maximum)]
        y_of_audit = [round(top + DOWN - DOWN * number / maximum, 1) for number in numbers]
        self.dots = list(zip(x_of_audit, y_of_audit, strict=True))
        self.points = " ".join(f"{x:g},{y:g}" for x, y in self.dots)
        self.last = numbers[-1]


class Trend:
    """The chart, and the audits for the table beside it."""

    def __init__(self, audits: Sequence[PastAudit]) -> None:
        self.audits = audits[-AUDITS:]
        self.more = len(audits) - len(self.audits)
        self.dates = dates(self.audits)
        x_of_audit = x_positions(self.dates)
        numbers = {severity: [int(audit.about[severity]) for audit in self.audits] for severity in LINES}
        self.lines = [
            Line(severity, numbers[severity], x_of_audit, TOP + index * (DOWN + GAP))
            for index, severity in enumerate(LINES)
        ]
        self.left, self.right = LEFT, LEFT + ACROSS
        self.bottom = self.lines[-1].top + DOWN
        self.width, self.height = self.right + 76, self.bottom + 30


def dates(audits: Sequence[PastAudit]) -> list[str]:
    """The dates that the audits are named by, where all are and in that order; else when each was begun."""
    names = [audit.name for audit in audits]
    named = all(DATE.match(name) for name in names) and names == sorted(set(names))
    return [name if named else audit.started for name, audit in zip(names, audits, strict=True)]


def x_positions(dates: Sequence[str]) -> list[float]:
    """The x position of each audit: by time, or evenly where no time passed."""
    try:
        times = [datetime.fromisoformat(date).timestamp() for date in dates]
    except (ValueError, TypeError):
        times = [0.0]
    if len(times) != len(dates) or times[0] == times[-1]:
        times = [float(number) for number in range(len(dates))]
    return [round(LEFT + ACROSS * (time - times[0]) / (times[-1] - times[0]), 1) for time in times]


def trend(audits: Sequence[PastAudit]) -> Trend | None:
    """The chart, None where there is only one audit."""
    return Trend(audits) if len(audits) > 1 else None
