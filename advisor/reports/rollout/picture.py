"""What a page on a rollout draws: every node over the steps, and above them whether writes are served."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.analysis.rollout.course import RolloutStep
from advisor.analysis.rollout.rollout import Rollout
from advisor.reports.document.blocks import Block, Legend, Timeline

OLD, NEW, RESTARTS, CUT_OFF, ENDED = "old file", "new file", "restarts", "cut off", "does not start"
BEHIND = "out of sync"
SERVES, STOPPED, LOST = "serves", "writes stop", "records lost"
MOST = 60
"""Steps and nodes that are drawn; the table has them all."""


def picture(rollout: Rollout) -> list[Block]:
    """The nodes over time with their legend; nothing where no node is restarted."""
    steps = rollout.steps[:MOST]
    if not steps:
        return []
    nodes = list(rollout.cluster.nodes.values())[:MOST]
    rows = [("writes", [service(step) for step in steps])]
    rows += [
        (node.name, [state_at(node.id, number, steps, node.is_broker) for number in range(len(steps))])
        for node in nodes
    ]
    states = (OLD, RESTARTS, NEW, BEHIND, CUT_OFF, ENDED, SERVES, STOPPED, LOST)
    drawn = {state for _, row in rows for state in row}
    bad = [str(number) for number, state in enumerate(rows[0][1], 1) if state != SERVES]
    label = f"{len(nodes)} nodes over {len(steps)} steps; " + (
        f"writes stop at step {', '.join(bad)}" if bad else "writes are served"
    )
    return [Timeline(rows, label), Legend([state for state in states if state in drawn])]


def service(step: RolloutStep) -> str:
    """What clients meet at a step."""
    if step.lost:
        return LOST
    return STOPPED if step.refused or step.offline else SERVES


def state_at(id: int, number: int, steps: Sequence[RolloutStep], is_broker: bool) -> str:
    """The state of a node at a step."""
    own = next((position for position, step in enumerate(steps) if step.id == id), None)
    if own == number:
        return ENDED if steps[number].starts is False else RESTARTS
    if own is not None and own < number and steps[own].starts is False:
        return ENDED
    if is_broker and id not in steps[number].serving:
        return CUT_OFF
    if id in steps[number].behind:
        return BEHIND
    return NEW if own is not None and own < number else OLD
