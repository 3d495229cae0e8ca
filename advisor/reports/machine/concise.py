"""`--format concise`: a line for each finding, as compilers and editors know it, and the sum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from advisor.errors import printable as clean
from advisor.model.finding import rank
from advisor.reports.text.finding import effect_of, headline, mark_of_fix, place_and_name
from advisor.reports.text.report import last_line

if TYPE_CHECKING:
    from advisor.model.finding import Finding
    from advisor.reports.context import RunResult


def chunks(run: RunResult) -> Iterator[str]:
    """file:line:column: severity id key=value: effect, worst first: 1:1 for what has no line, kind and name of what runs."""
    for finding in run.report.findings:
        if rank(finding.severity) >= rank(run.least):
            yield f"{clean(_line(finding))}\n"
    if not run.quiet:
        yield f"{clean(last_line(run.report, run.least))}\n"


def _line(finding: Finding) -> str:
    where, _, name = place_and_name(finding).partition(" (")
    if finding.file is not None and finding.line is None:
        where += ":1:1"
    subject = f"{name.rstrip(')')}: " if name else ""
    return f"{where}: {finding.severity} {finding.rule}{mark_of_fix(finding)} {subject}{' '.join((effect_of if subject else headline)(finding).split())}"


def unshown(run: RunResult) -> Iterator[str]:
    """What could not be judged."""
    if run.report.unknown:
        yield f"{len(run.report.unknown)} could not be judged: --format text says why"
