"""The document of `impact --rolling-restart`: the order, what to wait for, and what makes it unsafe."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.impact.restart_changes import RestartChange, changes_of
from advisor.analysis.impact.rolling_restart import Blocked, RestartStep, RollingRestart
from advisor.reports.document.blocks import Document, Item, Items, Section, Sentence, Step, Steps
from advisor.reports.impact.words import counted, ids_text, mode_of

TOPICS_SHOWN = 10
"""Topics that are shown; JSON has them all."""
CONDITION = (
    "before each step wait until every ISR is as large as it is now (kafka-topics.sh --describe "
    "--under-replicated-partitions is empty) and, in KRaft, until kafka-metadata-quorum.sh describe --replication shows "
    "every voter caught up"
)


def document(order: RollingRestart) -> Document:
    """The order of restarts, and what to wait for."""
    live = order.live
    return Document(
        verdict(order),
        about=f"cluster {live.name} ({mode_of(live)}), read {live.collected}",
        blocks=[Items(list(broken_lines(order)))] if order.down or order.broken else [],
        sections=list(sections(order)),
    )


def sections(order: RollingRestart) -> Iterator[Section]:
    """The steps, what to wait for before each, what makes them safe, and what was not read."""
    yield Section("The order", [Steps([step_of(step) for step in order.steps])], titled=False)
    yield Section("Before each step", [Sentence(CONDITION)], titled=False)
    changes = changes_of(order)
    if changes:
        yield Section(
            "What makes it safe, the least first", [Items([item(change) for change in changes], shown=TOPICS_SHOWN)]
        )
    if order.unknown:
        count = Sentence(f"{counted(len(order.unknown), 'answer')} that the order takes:", "unknown")
        yield Section("Not read", [count, Items(order.unknown, shown=TOPICS_SHOWN)], apart=False, titled=False)


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
    for row in order.broken[:TOPICS_SHOWN]:
        which = ids_text(row.partitions, "partition ", "partitions ")
        why = f"{row.in_sync} in sync, {row.needed} required" if row.in_sync < row.needed else "no leader"
        yield f"{row.topic}: {which}: {why}: acks=all writes fail now"
    if len(order.broken) > TOPICS_SHOWN:
        yield f"… and {len(order.broken) - TOPICS_SHOWN} more (--format json has them all)"


def step_of(step: RestartStep) -> Step:
    """One node to restart, and the topics that it would stop."""
    rack = f", rack {step.rack}" if step.rack else ""
    topics = [
        f"{row.topic}: {ids_text(row.partitions, 'partition ', 'partitions ')}: {reason(row)}" for row in step.blocked
    ]
    state = "safe" if step.is_safe else "unknown" if step.is_safe is None else "unsafe"
    title = f"{step.role} {step.id}{rack}: {outcome(step)}"
    return Step(title, below=Items(topics, "topics", TOPICS_SHOWN), state=state)


def outcome(step: RestartStep) -> str:
    """What a restart does."""
    single = sum(len(row.partitions) for row in step.blocked if row.replicas == 1)
    others = sum(len(row.partitions) for row in step.blocked) - single
    stops = [f"reads and writes of {counted(single, 'partition')} with one replica"] if single else []
    stops += [f"acks=all writes to {counted(others, 'partition')}"] if others else []
    words = f"stops {' and '.join(stops)}" if stops else "safe"
    if step.quorum.keeps is False:
        return f"{'' if words == 'safe' else words + '; '}the quorum loses its majority meanwhile"
    return f"unknown, because {step.quorum.unread or ''}" if step.is_safe is None else words


def reason(row: Blocked) -> str:
    """Why a restart stops writes."""
    if not row.by_design:
        return f"only {row.in_sync} of {row.replicas} in sync, {row.needed} required"
    return "one replica" if row.replicas == 1 else f"min.insync.replicas requires all {row.replicas} replicas"


def item(change: RestartChange) -> Item:
    """A change that makes a restart safe."""
    return Item(f"{change.subject}: {change.change}", (f"not first: {change.instead}",) if change.instead else ())
