"""The machine contract of `rollout`: kafka-advisor-rollout/1."""

from __future__ import annotations

from advisor.analysis.rollout.changes import ChangedKey
from advisor.analysis.rollout.course import RolloutStep
from advisor.analysis.rollout.outcome import UnknownFact
from advisor.analysis.rollout.passes.sequence import Pass
from advisor.analysis.rollout.rollout import Rollout

FORMAT = "kafka-advisor-rollout/1"


def data(rollout: Rollout) -> dict[str, object]:
    """The answer as data."""
    return {
        "format": FORMAT,
        "cluster": rollout.cluster.name or None,
        "verdict": rollout.verdict,
        "patient": rollout.patient,
        "why": list(dict.fromkeys(fault.why for fault in rollout.faults)),
        "kafka_version": rollout.version,
        "changes": [change_data(row) for row in rollout.changes],
        "steps": [step_data(step) for step in rollout.steps],
        "passes": [pass_data(each) for each in rollout.passes],
        "instead": rollout.instead,
        "operators": rollout.operators,
        "unknown": [unknown_data(row) for row in rollout.unknown],
    }


def change_data(row: ChangedKey) -> dict[str, object]:
    """A changed key."""
    return {
        "key": row.key,
        "nodes": row.ids,
        "old": row.old,
        "new": row.new,
        "differs_by_node": row.differs,
        "takes": row.takes,
        "why": row.why or None,
        "commands": row.commands,
        "remark": row.remark or None,
    }


def step_data(step: RolloutStep) -> dict[str, object]:
    """What one restart does; `counts` has all partitions where the lists have the first ones."""
    return {
        "node": step.id,
        "pass": step.number,
        "starts": step.starts,
        "isr": step.isr,
        "refused": step.refused,
        "offline": step.offline,
        "lost": step.lost,
        "counts": step.counts,
        "why": step.why,
    }


def pass_data(each: Pass) -> dict[str, object]:
    """One pass of several."""
    return {
        "pass": each.number,
        "title": each.title,
        "order": [node.id for node in each.cluster.order()],
        "keys": each.keys,
        "files": [{"file": row.file, "diff": row.lines, "by_hand": row.by_hand} for row in each.files],
        "steps": [step_data(step) for step in each.course.steps],
        "before": list(each.before),
        "commands": list(each.commands),
        "at_each_node": list(each.at_each),
        "wait": list(each.wait),
        "by_hand": list(each.by_hand),
        "point_of_no_return": each.point_of_no_return,
        "way_back": each.way_back,
    }


def unknown_data(row: UnknownFact) -> dict[str, object]:
    """What is not known."""
    return {"node": row.node, "key": row.key, "reason": row.reason, "decides": row.decides}
