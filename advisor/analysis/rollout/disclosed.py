"""Take values that are not shown out of what is said of a rollout: of its faults, steps and passes, and of what is not known."""

from __future__ import annotations

from collections.abc import Callable

from advisor.analysis.rollout.cluster import RolloutCluster
from advisor.analysis.rollout.course import Course
from advisor.analysis.rollout.passes.sequence import Pass
from advisor.analysis.rollout.rollout import Rollout
from advisor.engine.shown_text import shown_text


def disclose(rollout: Rollout) -> None:
    """Mask the hidden values of both sides in every reason."""
    hidden = hidden_values(rollout.cluster)
    if not hidden:
        return

    def masked(text: str) -> str:
        return shown_text(text, hidden)

    rollout.unknown = [row._replace(reason=masked(row.reason)) for row in rollout.unknown]
    rollout.faults = [fault._replace(why=masked(fault.why)) for fault in rollout.faults]
    rollout.instead, rollout.operators = [masked(text) for text in rollout.instead], [*map(masked, rollout.operators)]
    for row in rollout.changes:
        row.why, row.remark = masked(row.why), masked(row.remark)
    courses = dict.fromkeys((rollout.hasty, rollout.waiting, *(each.course for each in rollout.passes)))
    for course in courses:
        _disclose_steps(course, masked)
    for each in rollout.passes:
        _disclose_pass(each, masked)


def _disclose_steps(course: Course, masked: Callable[[str], str]) -> None:
    for step in course.steps:
        step.why = [masked(why) for why in step.why]
        step.faults = [fault._replace(why=masked(fault.why)) for fault in step.faults]


def _disclose_pass(each: Pass, masked: Callable[[str], str]) -> None:
    each.wait, each.before, each.commands = (
        tuple(map(masked, texts)) for texts in (each.wait, each.before, each.commands)
    )
    each.at_each, each.by_hand = tuple(map(masked, each.at_each)), tuple(map(masked, each.by_hand))
    each.way_back = masked(each.way_back)
    for file in each.files:
        file.lines = [masked(line) for line in file.lines]
        file.by_hand = {key: value and masked(value) for key, value in file.by_hand.items()}


def hidden_values(cluster: RolloutCluster) -> tuple[tuple[str, str], ...]:
    """(value, what is shown of it) of the settings of all nodes on both sides, each once."""
    sides = (side for node in cluster.nodes.values() for side in (node.old, node.new) if side is not None)
    return tuple(dict.fromkeys(pair for side in sides for pair in side.config.hidden_values()))
