"""`advise` in the formats for programs: the findings that its steps resolve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from advisor.analysis.advice.plan import AdvicePlan
from advisor.analysis.advice.step import identity
from advisor.engine.report import Report
from advisor.reports.context import RunResult
from advisor.rule import Rule


def run_of(plans: Sequence[AdvicePlan], report: Report, rules: Iterable[Rule]) -> RunResult:
    """The report on what was read, with what the plans resolve alone; rules with findings that stay are left out."""
    resolved = {identity(finding) for plan in plans for step in plan.steps for finding in step.removes}
    stay = {finding.rule for finding in report.findings if identity(finding) not in resolved}
    report.findings = [finding for finding in report.findings if identity(finding) in resolved]
    stay -= {finding.rule for finding in report.findings}
    return RunResult(report, [rule for rule in rules if rule.id not in stay], command="advise")
