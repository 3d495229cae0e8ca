"""`--format concise`: a line for each finding, as compilers and editors know it, and the sum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from advisor.errors import printable as clean
from advisor.model.finding import rank
from advisor.reports.file_fixes import FileFixes
from advisor.reports.text.finding import effect_of, headline, needs_name, place
from advisor.reports.text.report import last_line

if TYPE_CHECKING:
    from advisor.model.finding import Finding
    from advisor.reports.context import RunResult


def chunks(run: RunResult) -> Iterator[str]:
    """file:line:column: severity id key=value: effect, worst first: 1:1 for what has no line; the cluster stands for the file of what runs."""
    fixes = FileFixes(run.report)
    for finding in run.report.findings:
        if rank(finding.severity) >= rank(run.least):
            yield f"{clean(_line(finding, fixes))}\n"
    if not run.quiet:
        yield f"{clean(last_line(run.report, run.least))}\n"


def _line(finding: Finding, fixes: FileFixes) -> str:
    where, subject = _where(finding)
    text = " ".join((effect_of if subject else headline)(finding).split())
    return f"{where}: {finding.severity} {finding.rule}{fixes.mark(finding)} {subject}{text}"


def _where(finding: Finding) -> tuple[str, str]:
    """file:line:column, and the subject where these do not tell it."""
    kind, name = finding.entity
    if finding.file is None:
        return f"{finding.place or name}:1:1", f"{kind}: " if name == finding.place else f"{kind} {name}: "
    return place(finding) if finding.line else f"{finding.file}:1:1", f"{kind} {name}: " if needs_name(finding) else ""


def unshown(run: RunResult) -> Iterator[str]:
    """What could not be judged."""
    if run.report.unknown:
        yield f"{len(run.report.unknown)} could not be judged: --format text says why"
