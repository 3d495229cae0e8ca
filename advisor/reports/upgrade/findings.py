"""`upgrade` in the formats for programs: what must, should or will change, at its file and line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

from advisor.analysis.upgrade.plan import MUST, SHOULD, SILENT, UNKNOWN, RowSubject, UpgradePlan, UpgradeRow
from advisor.engine.policy import Policy
from advisor.engine.report import finding_order
from advisor.model import Snapshot
from advisor.model.finding import Finding, NotJudged
from advisor.reports.context import RunResult, applicable, result_of
from advisor.reports.upgrade.words import sentence
from advisor.rule import Rule

FINDINGS = (MUST, SHOULD, SILENT)
"""The parts that are findings: what comes after the upgrade is not at fault today."""


def run_of(plan: UpgradePlan, snapshots: Sequence[Snapshot], rules: Sequence[Rule]) -> RunResult:
    """The plan as a run's result."""
    findings = [finding for part in FINDINGS for row in plan.rows[part] for finding in findings_of(row)]
    unknown = [
        NotJudged(row.finding.rule, row.finding.name, (subject.kind, subject.name), sentence(row), row.finding.key)
        for row in plan.rows[UNKNOWN]
        for subject in row.row_subjects
    ]
    ids = {row.rule for row in findings} | {row.rule for row in unknown}
    asked = applicable([rule for rule in rules if rule.refuses], snapshots)
    return result_of(
        "upgrade",
        snapshots,
        sorted(findings, key=finding_order),
        unknown,
        [*asked, *(rule for rule in rules if rule.id in ids)],
    )


def findings_of(row: UpgradeRow) -> Iterator[Finding]:
    """The finding of a row at each of its subjects."""
    for subject in row.row_subjects:
        if isinstance(row.finding, Finding):
            yield finding_at(row.finding, row, subject)


def finding_at(finding: Finding, row: UpgradeRow, subject: RowSubject) -> Finding:
    """A row's finding at one of its subjects; columns are those of the line that it was made for."""
    copied = copy(finding)
    copied.severity, copied.message = row.severity, sentence(row) + (f" [{row.source}]" if row.source else "")
    copied.entity, copied.file, copied.line = (subject.kind, subject.name), subject.file, subject.line
    copied.place = Policy().place(subject.file) if subject.file else subject.cluster
    if (subject.file, subject.line) != (finding.file, finding.line):
        copied.column, copied.source_line, copied.evidence = None, None, ()
    return copied
