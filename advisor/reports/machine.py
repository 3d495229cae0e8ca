"""The report for programs: `--format json`, version 1. Fields are added within a version, never renamed."""

from __future__ import annotations

import json

from advisor import __version__
from advisor.reports.score import score_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.engine import Report
    from advisor.finding import EntityName, Evidence, Finding

FORMAT = "kafka-advisor/1"
SHOWN = 5
"""How many of the other entities a joint finding names; all are counted."""


def text(report: Report) -> str:
    """The whole report as one JSON document."""
    return json.dumps(document(report), indent=2, ensure_ascii=False)


def document(report: Report) -> dict[str, object]:
    """The whole report as plain data."""
    score, grade = score_of(report.counts)
    return {
        "format": FORMAT,
        "tool": {"name": "kafka-advisor", "version": __version__},
        "target": _target(report),
        "profile": report.profile,
        "inputs": _inputs(report),
        "findings": [finding(row) for row in report.findings],
        "unknown": [
            {"rule": row.rule, "name": row.name, "entity": _entity(row.entity), "reason": row.reason, "key": row.key}
            for row in report.unknown
        ],
        "skipped": [{"rule": rule.id, "name": rule.name, "needs": list(needs)} for rule, needs in report.skipped],
        "suppressed": [{**finding(row), "reason": row.reason} for row in report.suppressed],
        "summary": {
            **report.counts,
            "passed": report.passed,
            "not_applicable": report.not_applicable,
            "unknown": len(report.unknown),
            "suppressed": len(report.suppressed),
            "score": score,
            "grade": grade,
        },
    }


def _target(report: Report) -> dict[str, str]:
    return {"kafka_version": report.target.text, "reason": report.target.reason}


def _inputs(report: Report) -> list[dict[str, object]]:
    seen: dict[str | None, dict[str, object]] = {}
    for snapshot in report.snapshots:
        for entity in snapshot.entities:
            seen[entity.file] = {
                "file": entity.file,
                "kind": entity.kind,
                "format": entity.format,
                "family": entity.family,
                "kafka_version": entity.target.text,
                "reason": entity.target.reason,
            }
    return list(seen.values())


def finding(row: Finding) -> dict[str, object]:
    """One finding as plain data."""
    found: dict[str, object] = {
        "rule": row.rule,
        "name": row.name,
        "severity": row.severity,
        "confidence": row.confidence,
        "refused_by_kafka": row.refused,
        "message": row.message,
        "why": row.why,
        "fix": row.fix,
        "entity": _entity(row.entity),
        "with": [_entity(name) for name in row.with_[:SHOWN]],
        "key": row.key,
        "value": row.value,
        "required": row.required,
        "file": row.file,
        "line": row.line,
        "column": row.column,
        "evidence": [_evidence(each) for each in row.evidence],
        "proof": row.proof,
        "fingerprint": row.fingerprint,
    }
    if row.with_:
        found["with_count"] = len(row.with_)
    if row.partitions:
        found["partitions"] = {"count": len(row.partitions), "first": list(row.partitions[:SHOWN])}
    if row.kafka_key is not None:
        found["kafka_key"] = row.kafka_key
    return found


def _entity(name: EntityName) -> dict[str, str]:
    return {"kind": name[0], "name": name[1]}


def _evidence(row: Evidence) -> dict[str, object]:
    return {
        "entity": _entity(row.entity),
        "key": row.key,
        "value": row.value,
        "source": row.source,
        "file": row.file,
        "line": row.line,
    }
