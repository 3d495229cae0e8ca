"""Output of `advise` as JSON; described in advice.schema.json beside this module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from advisor import __version__
from advisor.analysis.advice.changes import Change, ConfigChange, FeatureChange
from advisor.analysis.advice.commands import commands_of, reassignment_file
from advisor.analysis.advice.plan import AdvicePlan
from advisor.analysis.advice.step import PlanStep
from advisor.edits.change import FileChange
from advisor.model.finding import Finding
from advisor.reports.machine.json_text import dump
from advisor.simulator.odds import Rates

ADVICE_FORMAT = "kafka-advisor-advice/1"
Row = dict[str, Any]


def lines(plan: AdvicePlan, rates: Rates) -> Iterator[str]:
    """The document."""
    yield dump(document(plan, rates), indented=True)


def document(plan: AdvicePlan, rates: Rates) -> Row:
    """The plan as JSON data."""
    odds = plan.odds(rates)
    return {
        "format": ADVICE_FORMAT,
        "tool": {"name": "kafka-advisor", "version": __version__},
        "subject": plan.before.name,
        "goal": plan.goal,
        "throttle": plan.throttle,
        "steps": [step_row(step, plan.throttle) for step in plan.steps],
        "stopped": plan.stopped,
        "obstacles": plan.obstacles,
        "odds": [row._asdict() for row in odds],
        "by_hand": [{**finding_row(finding), "fix": finding.fix, "why": aim.why} for finding, aim in plan.by_hand],
        "unknown": plan.unknown,
        "findings": {"before": len(plan.findings), "after": len(plan.left)},
    }


def step_row(step: PlanStep, throttle: int) -> Row:
    """A step."""
    file = reassignment_file(step)
    return {
        "id": step.id,
        "title": step.title,
        "why": step.why,
        "rules": step.rules,
        "change": [change_row(change) for change in step.changes],
        "how": {
            "commands": [command._asdict() for command in commands_of(step, throttle)],
            "files": {} if file is None else {file.name: file.text},
            "diff": list(step.file_diff()),
            "by_hand": list(step.by_hand),
        },
        "cost": {
            "bytes": step.cost.bytes,
            "minutes": step.cost.minutes,
            "restarts": step.cost.restarts,
            "clients": step.cost.clients,
        },
        "risk": step.risk,
        "needs": list(step.needs),
        "excludes": list(step.excludes),
        "removes": [finding_row(finding) for finding in step.removes],
        "adds": [finding_row(finding) for finding in step.adds],
        "before": step.before,
        "after": step.after,
    }


def change_row(change: Change) -> Row:
    """A change, told apart by `kind`."""
    if isinstance(change, ConfigChange):
        return {"kind": "settings", "scope": change.scope, "name": change.name, "settings": dict(change.settings)}
    if isinstance(change, FeatureChange):
        return {"kind": "feature", **change._asdict()}
    if isinstance(change, FileChange):
        return {
            "kind": "line",
            **{name: value for name, value in change._asdict().items() if name not in ("siblings", "span")},
        }
    return {"kind": "replicas", **change._asdict()}


def finding_row(finding: Finding) -> Row:
    """What names a finding."""
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "kind": finding.entity[0],
        "name": finding.entity[1],
        "key": finding.key,
        "file": finding.file,
        "line": finding.line,
    }
