"""Output of `impact --rolling-restart` as text: the order, what to wait for, and what makes it unsafe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.impact.restart_changes import Change, changes_of
from advisor.analysis.impact.rolling_restart import Blocked, RestartStep, RollingRestart
from advisor.errors import printable as clean
from advisor.reports.impact.words import counted, ids_text, mode_of

SHOWN = 10
"""Topics that are shown; JSON has them all."""
CONDITION = (
    "before each step wait until every ISR is as large as it is now (kafka-topics.sh --describe "
    "--under-replicated-partitions is empty) and, in KRaft, until kafka-metadata-quorum.sh describe --replication shows "
    "every voter caught up"
)


def text(order: RollingRestart) -> Iterator[str]:
    """The order as lines of text."""
    live = order.live
    yield f"cluster {clean(live.name)} ({mode_of(live)}), read {live.collected}"
    yield verdict(order)
    yield from (f"  {line}" for line in broken_lines(order))
    yield ""
    for number, step in enumerate(order.steps, 1):
        yield step_line(number, step)
        yield from blocked_lines(step.blocked)
    yield ""
    yield CONDITION
    yield from change_lines(changes_of(order))
    if order.unknown:
        yield f"unknown: {counted(len(order.unknown), 'answer')} that the order takes:"
        yield from (f"  {clean(row)}" for row in order.unknown[:SHOWN])


def verdict(order: RollingRestart) -> str:
    """The order in one sentence."""
    if order.broken:
        return "Do not restart anything yet: some partitions do not serve now."
    unsafe = [step for step in order.steps if step.is_safe is False]
    if unsafe:
        return f"No order is safe: {counted(len(unsafe), 'node')} cannot be restarted without an outage."
    if order.is_safe is None:
        return "Unknown: not everything that decides was read."
    return "Safe in this order: no partition falls below min.insync.replicas, and the quorum keeps its majority."


def broken_lines(order: RollingRestart) -> Iterator[str]:
    """What does not serve now."""
    if order.down:
        yield f"{ids_text(order.down, 'broker ', 'brokers ')} down or fenced: bring back first"
    for row in order.broken[:SHOWN]:
        which = ids_text(row.partitions, "partition ", "partitions ")
        why = f"{row.in_sync} in sync, {row.needed} required" if row.in_sync < row.needed else "no leader"
        yield f"{clean(row.topic)}: {which}: {why}: acks=all writes fail now"
    if len(order.broken) > SHOWN:
        yield f"… and {len(order.broken) - SHOWN} more (--format json has them all)"


def step_line(number: int, step: RestartStep) -> str:
    """One node to restart."""
    rack = f", rack {clean(step.rack)}" if step.rack else ""
    stopped = sum(len(row.partitions) for row in step.blocked)
    outcome = f"stops acks=all writes to {counted(stopped, 'partition')}" if stopped else "safe"
    if step.quorum.keeps is False:
        outcome = f"{'' if outcome == 'safe' else outcome + '; '}the quorum loses its majority meanwhile"
    elif step.is_safe is None:
        outcome = f"unknown, because {clean(step.quorum.unread or '')}"
    return f"{number:>3}. {step.role} {step.id}{rack}: {outcome}"


def blocked_lines(rows: Sequence[Blocked]) -> Iterator[str]:
    """The topics that a step would stop."""
    for row in rows[:SHOWN]:
        yield f"       {clean(row.topic)}: {ids_text(row.partitions, 'partition ', 'partitions ')}: {reason(row)}"
    if len(rows) > SHOWN:
        yield f"       … and {counted(len(rows) - SHOWN, 'topic')} more (--format json has them all)"


def reason(row: Blocked) -> str:
    """Why a restart stops writes."""
    if not row.by_design:
        return f"only {row.in_sync} of {row.replicas} in sync, {row.needed} required"
    return "it has one replica" if row.replicas == 1 else f"min.insync.replicas requires all {row.replicas} replicas"


def change_lines(changes: Sequence[Change]) -> Iterator[str]:
    """The smallest changes that make the restart safe."""
    if changes:
        yield ""
        yield "What makes it safe, the least first:"
    for change in changes[:SHOWN]:
        yield f"  {clean(change.subject)}: {clean(change.change)}"
        if change.instead:
            yield f"    not first: {clean(change.instead)}"
    if len(changes) > SHOWN:
        yield f"  … and {len(changes) - SHOWN} more (--format json has them all)"
