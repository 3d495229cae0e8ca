"""Which nodes a step restarts, in which order, and what that risks."""

from __future__ import annotations

from collections.abc import Container

from advisor.analysis.advice.step_inputs import StepInputs
from advisor.analysis.impact.rolling_restart import rolling_restart


def nodes_to_restart(names: Container[str], inputs: StepInputs) -> tuple[str, ...]:
    """The nodes whose files change, in the order of a rolling restart: all of them, where a file is every node's."""
    steps = rolling_restart(inputs.snapshot).steps
    return tuple(f"{step.role} {step.id}" for step in steps if "" in names or str(step.id) in names)


def risk_of_restarts(inputs: StepInputs) -> str:
    """What a restart of every broker stands for by then."""
    order = rolling_restart(inputs.snapshot)
    stopped = {(row.topic, id) for step in order.steps for row in step.blocked for id in row.partitions}
    if stopped:
        partitions = f"{len(stopped)} partition{'s' if len(stopped) > 1 else ''}"
        return f"restarts stop acks=all writes to {partitions}: see impact --rolling-restart before"
    if order.is_safe is None:
        return f"whether restarts stop something is unknown, because {'; '.join(order.unknown) or 'the quorum was not read'}"
    return "restart one node at a time in this order, each when every replica is in sync again"
