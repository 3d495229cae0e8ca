"""Make sides of a comparison from reports: one judged now, or a saved JSON report."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from advisor import limits
from advisor.analysis.comparison import Side
from advisor.errors import UnreadableInput
from advisor.model import Snapshot
from advisor.reports.machine.json_document import finding

if TYPE_CHECKING:
    from advisor.engine.report import Report

FORMAT = "kafka-advisor/1"
FIELDS = ("rule", "name", "severity", "refused_by_kafka", "message", "entity", "key", "evidence")


def side_of(path: str, snapshots: Sequence[Snapshot], report: Report) -> Side:
    """The side of inputs judged now."""
    files = len({entity.file for snapshot in snapshots for entity in snapshot.entities if entity.file})
    live = any(snapshot.live is not None for snapshot in snapshots)
    rows: list[Any] = [finding(row) for row in report.findings]
    return Side(path, rows, len(report.unknown), files == 1 and not live, snapshots, report.crashed)


def saved_report(data: bytes) -> dict[str, Any] | None:
    """The report in a JSON file, None where it is something else."""
    try:
        zipped = data[:2] == b"\x1f\x8b"
        document = json.loads(limits.decompress(data, limits.SNAPSHOT, "the report") if zipped else data)
    except (ValueError, OSError, EOFError, RecursionError, zlib.error):
        return None
    return document if isinstance(document, dict) and document.get("format") == FORMAT else None


def saved_side(path: str, report: dict[str, Any]) -> Side:
    """The side of a saved report. Raises UnreadableInput."""
    try:
        rows = report["findings"]
        if not all({"kind", "name"} <= row["entity"].keys() and all(name in row for name in FIELDS) for row in rows):
            raise KeyError
        lone = [row["file"] is not None for row in report["inputs"]] == [True]
        return Side(path, rows, len(report["unknown"]), lone)
    except (KeyError, TypeError, AttributeError):
        raise UnreadableInput(f"{path}: a damaged report; write it anew with --format json") from None
