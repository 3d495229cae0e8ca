"""Output of `impact --rolling-restart` as JSON; described in restart.schema.json beside this module."""

from __future__ import annotations

from collections.abc import Iterator

from advisor import __version__
from advisor.analysis.impact.restart_changes import changes_of
from advisor.analysis.impact.rolling_restart import Blocked, RestartStep, RollingRestart
from advisor.reports.impact.data import Row, cluster_row, in_lines, quorum_row
from advisor.reports.impact.restart_document import CONDITION

RESTART_FORMAT = "kafka-advisor-rolling-restart/1"


def lines(order: RollingRestart) -> Iterator[str]:
    """The document, a step in a line."""
    head = {
        "format": RESTART_FORMAT,
        "tool": {"name": "kafka-advisor", "version": __version__},
        "cluster": cluster_row(order.live),
        "safe": order.is_safe,
        "wait": CONDITION,
        "down": order.down,
        "broken": [blocked_row(row) for row in order.broken],
    }
    tail = {"changes": [change._asdict() for change in changes_of(order)], "unknown": order.unknown}
    yield from in_lines(head, "steps", map(step_row, order.steps), tail)


def step_row(step: RestartStep) -> Row:
    """A step."""
    return {
        "node": step.id,
        "role": step.role,
        "rack": step.rack,
        "safe": step.is_safe,
        "stops": [blocked_row(row) for row in step.blocked],
        "quorum": quorum_row(step.quorum),
    }


def blocked_row(row: Blocked) -> Row:
    """Partitions that stop."""
    return {**row._asdict(), "partitions": list(row.partitions), "by_design": row.by_design}
