"""Critical and high findings over the audits of a fleet, as lines; all sizes in SVG units."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spark_audit.results.history import Past

LINES = ("critical", "high")
LEFT, ACROSS, TOP, DOWN, GAP = 64, 640, 24, 90, 34
AUDITS = 400
"""The newest; a line says how many more there are."""


class Line:
    """A severity's line on a scale of its own: critical ones are few beside the others, and count most."""

    def __init__(self, severity: str, numbers: Sequence[int], across: Sequence[float], top: int) -> None:
        most = max(numbers) or 1
        self.severity = severity
        self.top = top
        self.marks = [(top + DOWN, 0), (top, most)]
        heights = [round(top + DOWN - DOWN * number / most, 1) for number in numbers]
        self.dots = list(zip(across, heights, strict=True))
        self.points = " ".join(f"{x:g},{y:g}" for x, y in self.dots)
        self.last = numbers[-1]


class Trend:
    """The picture, and the audits for those who read the table."""

    def __init__(self, audits: Sequence[Past]) -> None:
        self.audits = audits[-AUDITS:]
        self.more = len(audits) - len(self.audits)
        across = places(self.audits)
        numbers = {severity: [int(audit.about[severity]) for audit in self.audits] for severity in LINES}
        self.lines = [
            Line(severity, numbers[severity], across, TOP + at * (DOWN + GAP)) for at, severity in enumerate(LINES)
        ]
        self.left, self.right = LEFT, LEFT + ACROSS
        self.bottom = self.lines[-1].top + DOWN
        self.width, self.height = self.right + 76, self.bottom + 30


def places(audits: Sequence[Past]) -> list[float]:
    """Where each audit is drawn: by time, or one after the other where no time passed."""
    try:
        times = [datetime.fromisoformat(audit.started).timestamp() for audit in audits]
    except (ValueError, TypeError):
        times = [0.0]
    if len(times) != len(audits) or times[0] == times[-1]:
        times = [float(number) for number in range(len(audits))]
    return [round(LEFT + ACROSS * (time - times[0]) / (times[-1] - times[0]), 1) for time in times]


def trend(audits: Sequence[Past]) -> Trend | None:
    """The picture, None where there is but one audit."""
    return Trend(audits) if len(audits) > 1 else None
