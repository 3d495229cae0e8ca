"""`--format csv`: one line for each finding, suppressed finding and thing that could not be judged."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from advisor.errors import printable as clean
from advisor.model.finding import Finding, NotJudged

if TYPE_CHECKING:
    from advisor.reports.context import RunResult

HEADER = (
    "status", "rule", "name", "family", "severity", "confidence", "refused_by_kafka", "cluster", "entity_kind", "entity",
    "file", "line", "column", "key", "value", "required", "message", "fix", "reason", "fingerprint", "care",
)  # fmt: skip
STARTS = "=+-@\t\r|%"
"""What a spreadsheet may take for a formula at the beginning of a cell."""


def chunks(run: RunResult) -> Iterator[str]:
    """The table, row by row."""
    yield line(HEADER)
    for row in run.report.findings:
        yield line(finding(run, row, "finding"))
    for row in run.report.suppressed:
        yield line(finding(run, row, "suppressed"))
    for unknown in run.report.unknown:
        yield line(not_judged(run, unknown))


def finding(run: RunResult, row: Finding, status: str) -> tuple[object, ...]:
    """The cells of a finding."""
    kind, name = row.entity
    return (
        status, row.rule, row.name, run.family(row.rule), row.severity, row.confidence, str(row.refused).lower(),
        run.cluster(row), kind, name, row.file, row.line, row.column, row.key, row.value, row.required, row.message,
        row.fix, row.reason, row.fingerprint, row.care,
    )  # fmt: skip


def not_judged(run: RunResult, row: NotJudged) -> tuple[object, ...]:
    """The cells of something that could not be judged."""
    kind, name = row.entity
    cells = {"status": "unknown", "rule": row.rule, "name": row.name, "family": run.family(row.rule), "entity_kind": kind,
             "cluster": run.cluster_of(row.entity), "entity": name, "key": row.key, "reason": row.reason}  # fmt: skip
    return tuple(cells.get(column) for column in HEADER)


def line(cells: tuple[object, ...]) -> str:
    """One row, with cells quoted where necessary."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow([cell(each) for each in cells])
    return out.getvalue()


def cell(value: object) -> str:
    """A cell that no spreadsheet evaluates as a formula; numbers stay numbers."""
    if value is None:
        return ""
    text = clean(str(value))
    if text.lstrip()[:1] and text.lstrip()[0] in STARTS and not number(text):
        return "'" + text
    return text


def number(text: str) -> bool:
    """Whether a text is a plain number."""
    digits = text.removeprefix("-").removeprefix("+")
    return digits.replace(".", "", 1).isascii() and digits.replace(".", "", 1).isdigit()


def unshown(run: RunResult) -> Iterator[str]:
    """Nothing: every row has a place."""
    yield from ()
