"""Make sides of a comparison from reports: one judged now, or a saved JSON report."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any

from advisor import limits
from advisor.analysis.comparison import ComparedSide
from advisor.engine.report import Report
from advisor.errors import UnreadableInput
from advisor.model import Snapshot
from advisor.model.finding import SEVERITIES, EntityName, Evidence, Finding, NotJudged

REPORT_FORMAT = "kafka-advisor/1"


def side_of(path: str, snapshots: Sequence[Snapshot], report: Report) -> ComparedSide:
    """The side of inputs judged now."""
    files = len({entity.file for snapshot in snapshots for entity in snapshot.entities if entity.file})
    live = any(snapshot.live is not None for snapshot in snapshots)
    return ComparedSide(path, report, files == 1 and not live, snapshots)


def saved_report(data: bytes) -> dict[str, Any] | None:
    """The report in a JSON file, None where it is something else."""
    try:
        zipped = data[:2] == b"\x1f\x8b"
        document = json.loads(limits.decompress(data, limits.SNAPSHOT, "the report") if zipped else data)
    except (ValueError, OSError, EOFError, RecursionError, zlib.error):
        return None
    return document if isinstance(document, dict) and document.get("format") == REPORT_FORMAT else None


def saved_side(path: str, saved: dict[str, Any]) -> ComparedSide:
    """The side of a saved report. Raises UnreadableInput."""
    report = Report((), str(saved.get("profile")))
    try:
        lone = [row["file"] is not None for row in saved["inputs"]] == [True]
        cluster = next((row["cluster"] for row in saved["inputs"] if row.get("cluster")), "")
        report.findings = [finding_of(row, cluster) for row in saved["findings"]]
        report.unknown = [not_judged_of(row) for row in saved["unknown"]]
    except (KeyError, TypeError, AttributeError, ValueError):
        raise UnreadableInput(f"{path}: a damaged report; write it anew with --format json") from None
    return ComparedSide(path, report, lone)


def finding_of(row: dict[str, Any], cluster: str) -> Finding:
    """A finding from its JSON data; releases from before a field was added left it out."""
    finding = Finding(
        rule=row["rule"],
        name=row["name"],
        severity=SEVERITIES[SEVERITIES.index(row["severity"])],
        confidence=row.get("confidence") or "",
        message=row["message"],
        why=row.get("why") or "",
        fix=row.get("fix") or "",
        care=row.get("care") or "",
        cause=row.get("cause"),
        entity=entity_of(row["entity"]),
        with_=tuple(map(entity_of, row.get("with") or ())),
        key=row["key"],
        kafka_key=row.get("kafka_key"),
        value=row.get("value"),
        required=row.get("required"),
        file=row.get("file"),
        line=row.get("line"),
        column=row.get("column"),
        evidence=tuple(map(evidence_of, row["evidence"])),
        refused=row["refused_by_kafka"],
        place=row.get("file") or cluster,
    )
    finding.shared_by = tuple(row.get("shared_by") or ())
    return finding


def evidence_of(row: dict[str, Any]) -> Evidence:
    """Evidence from its JSON data."""
    return Evidence(entity_of(row["entity"]), row["key"], row["value"], row["source"], row["file"], row["line"])


def not_judged_of(row: dict[str, Any]) -> NotJudged:
    """An unknown verdict from its JSON data."""
    return NotJudged(row["rule"], row["name"], entity_of(row["entity"]), row["reason"], row.get("key"))


def entity_of(row: dict[str, Any]) -> EntityName:
    """The kind and name of a subject from its JSON data."""
    return str(row["kind"]), str(row["name"])
