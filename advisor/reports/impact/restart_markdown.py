"""Output of `impact --rolling-restart` as Markdown: a list to tick off."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.impact.restart_changes import changes_of
from advisor.analysis.impact.rolling_restart import RollingRestart
from advisor.reports.impact.restart_text import CONDITION, blocked_lines, broken_lines, change_lines, step_line, verdict
from advisor.reports.markdown import escape


def text(order: RollingRestart) -> Iterator[str]:
    """The order as lines of Markdown."""
    yield f"### Rolling restart of {escape(order.live.name, 100)}"
    yield ""
    yield f"{verdict(order)} Read {order.live.collected}."
    yield from (f"* {escape(line, 300)}" for line in broken_lines(order))
    yield ""
    for number, step in enumerate(order.steps, 1):
        yield f"- [ ] {escape(step_line(number, step).strip(), 300)}"
        yield from (f"  - {escape(line.strip(), 300)}" for line in blocked_lines(step.blocked))
    yield ""
    yield f"{escape(CONDITION, 500)}."
    yield from (escape(line, 500) for line in change_lines(changes_of(order)))
    yield from (f"* unknown: {escape(row, 300)}" for row in order.unknown)
