"""The JSON report, version 1. Fields are added within a version, never renamed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from advisor import __version__
from advisor.model.finding import EntityName, Evidence, Finding, NotJudged
from advisor.reports.links import rule_url
from advisor.reports.machine.json_text import dump

if TYPE_CHECKING:
    from advisor.engine.report import Report

REPORT_FORMAT = "kafka-advisor/1"
ENTITIES_SHOWN = 5
"""How many of the other entities a joint finding names; all are counted."""
MANY = 1000
"""Findings from which on each is one line: indenting ten thousand takes longer than finding them."""


def text(report: Report) -> str:
    """The whole report as one JSON document."""
    return "".join(chunks(report))


def chunks(report: Report) -> Iterator[str]:
    """The document in pieces, so that only one finding at a time is held as text."""
    frame = _frame(report)
    if len(report.findings) + len(report.unknown) <= MANY:
        yield dump(document(report), indented=True)
        return
    opening = "{"
    for key, value in frame.items():
        yield f"{opening}\n{json.dumps(key)}: "
        opening = ","
        rows = LISTS[key](report) if key in LISTS else None
        if rows is None:
            yield dump(value)
            continue
        separator = "["
        for row in rows:
            yield f"{separator}\n{dump(row)}"
            separator = ","
        yield "[]" if separator == "[" else "]"
    yield "}"


def document(report: Report) -> dict[str, object]:
    """The whole report as plain data."""
    return {key: list(LISTS[key](report)) if key in LISTS else value for key, value in _frame(report).items()}


def _frame(report: Report) -> dict[str, object]:
    """The document without its long lists."""
    score = report.score
    return {
        "format": REPORT_FORMAT,
        "tool": {"name": "kafka-advisor", "version": __version__},
        "target": _target(report),
        "profile": report.profile,
        **({"configuration": report.configuration} if report.configuration else {}),
        "inputs": _inputs(report),
        "findings": None,
        "unknown": None,
        "skipped": [{"rule": rule.id, "name": rule.name, "needs": list(needs)} for rule, needs in report.skipped],
        "suppressed": None,
        "not_read": [{"file": file, "reason": reason} for file, reason in report.not_read],
        "summary": {
            **report.counts,
            "passed": report.passed,
            "not_applicable": report.not_applicable,
            "unknown": len(report.unknown),
            "suppressed": len(report.suppressed),
            "not_read": len(report.not_read),
            "score": score.rounded,
            "grade": score.grade,
            "scores": score.parts,
        },
    }


def _target(report: Report) -> dict[str, str]:
    return {"kafka_version": report.target.text, "reason": report.target.reason}


def _inputs(report: Report) -> list[dict[str, object]]:
    seen: dict[object, dict[str, object]] = {}
    for snapshot in report.snapshots:
        if snapshot.live is not None:
            target = snapshot.entities[0].target
            seen[snapshot.name] = {
                "file": None,
                "kind": "cluster",
                "format": "snapshot",
                "cluster": snapshot.name,
                "collected": snapshot.live.collected,
                "kafka_version": target.text,
                "reason": target.reason,
            }
        for entity in snapshot.entities:
            if entity.file is None:
                continue
            seen[entity.file, entity.kind, entity.name] = {
                "file": entity.file,
                "kind": entity.kind,
                "name": entity.name,
                "format": entity.format,
                "family": entity.family,
                "kafka_version": entity.target.text,
                "reason": entity.target.reason,
            }
    return list(seen.values())


def finding(row: Finding) -> dict[str, object]:
    """One finding as plain data."""
    data: dict[str, object] = {
        "rule": row.rule,
        "name": row.name,
        "severity": row.severity,
        "confidence": row.confidence,
        "refused_by_kafka": row.refused,
        "message": row.message,
        "why": row.why,
        "fix": row.fix,
        "care": row.care or None,
        "cause": row.cause,
        "entity": entity(row.entity),
        "with": [entity(name) for name in row.with_[:ENTITIES_SHOWN]],
        "key": row.key,
        "value": row.value,
        "required": row.required,
        "file": row.file,
        "line": row.line,
        "column": row.column,
        "evidence": [_evidence(each) for each in row.evidence],
        "proof": row.proof,
        "fingerprint": row.fingerprint,
        "url": rule_url(row.rule, row.name) or None,
    }
    if row.with_:
        data["with_count"] = len(row.with_)
    if row.shared_by:
        data["shared_by"] = list(row.shared_by[:ENTITIES_SHOWN])
    if row.partitions:
        data["partitions"] = {"count": len(row.partitions), "first": list(row.partitions[:ENTITIES_SHOWN])}
    if row.kafka_key is not None:
        data["kafka_key"] = row.kafka_key
    if row.before is not None:
        former = row.before
        data |= {"change": True, "effect": row.effect, "acts": row.acts or None}
        data["before"] = {"value": former.value, "file": former.file, "line": former.line, "ref": former.ref}
    return data


def _findings(report: Report) -> Iterator[dict[str, object]]:
    """The findings, those that `lint --fix` mends with their edits."""
    if not any(row.edit for row in report.findings):
        yield from map(finding, report.findings)
        return
    from advisor.reports.file_fixes import FileFixes

    fixes = FileFixes(report)
    for row in report.findings:
        own = fixes.data(row)
        yield finding(row) | ({"fixes": own} if own is not None else {})


def unknown(row: NotJudged) -> dict[str, object]:
    return {"rule": row.rule, "name": row.name, "entity": entity(row.entity), "reason": row.reason, "key": row.key}


LISTS: dict[str, Callable[[Report], Iterator[dict[str, object]]]] = {
    "findings": lambda report: _findings(report),
    "unknown": lambda report: (unknown(row) for row in report.unknown),
    "suppressed": lambda report: ({**finding(row), "reason": row.reason} for row in report.suppressed),
}


def entity(name: EntityName) -> dict[str, str]:
    """The kind and name of a subject as plain data."""
    return {"kind": name[0], "name": name[1]}


def _evidence(row: Evidence) -> dict[str, object]:
    return {
        "entity": entity(row.entity),
        "key": row.key,
        "value": row.value,
        "source": row.source,
        "file": row.file,
        "line": row.line,
    }
