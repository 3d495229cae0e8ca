"""`--format gitlab`: GitLab's code quality report. Source: GitLab Docs, "Code Quality"."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from advisor.errors import printable as clean
from advisor.model.finding import Finding
from advisor.reports.context import RunResult, address, fix_and_care, short, subject
from advisor.reports.file_fixes import FileFixes
from advisor.reports.links import explain_command, rule_url
from advisor.reports.text.finding import headline

SEVERITIES = {"critical": "blocker", "high": "critical", "medium": "major", "low": "minor", "info": "info"}


def chunks(run: RunResult) -> Iterator[str]:
    """The JSON array, one finding per line."""
    seen: dict[str, int] = {}
    fixes = FileFixes(run.report)
    yield "["
    for number, finding in enumerate(run.report.findings):
        yield f"{',' if number else ''}\n{json.dumps(row(finding, seen, fixes))}"
    yield "\n]\n"


def row(finding: Finding, seen: dict[str, int], fixes: FileFixes) -> dict[str, object]:
    """One finding with GitLab's fields."""
    where = "" if finding.file else f"{subject(finding.entity)}: "
    more = rule_url(finding.rule, finding.name) or clean(explain_command(finding))
    text = f"{where}{short(headline(finding), 2000)} ({finding.rule}). {clean(fix_and_care(finding, fixes.fix_of(finding)))}{clean(fixes.suggestion(finding))}"
    return {
        "description": f"{text} {more}",
        "check_name": f"{finding.rule} {finding.name}",
        "fingerprint": fingerprint(finding, seen),
        "severity": SEVERITIES[finding.severity],
        "location": {"path": path(finding), "lines": {"begin": finding.line or 1}},
    }


def fingerprint(finding: Finding, seen: dict[str, int]) -> str:
    """Our fingerprint, made unique where several findings share it, as GitLab requires."""
    from hashlib import sha256

    own = finding.fingerprint
    seen[own] = seen.get(own, 0) + 1
    return own if seen[own] == 1 else sha256(f"{own}:{seen[own]}".encode()).hexdigest()


def path(finding: Finding) -> str:
    """The file relative to the repository; a running cluster's finding has its address instead."""
    if finding.file is None:
        return address(finding)
    real, base = os.path.abspath(finding.file), os.getcwd().rstrip(os.sep) + os.sep
    shown = real[len(base) :] if real.startswith(base) else finding.file
    return clean(shown.replace(os.sep, "/"))


def unshown(run: RunResult) -> Iterator[str]:
    """Findings that the merge request's widget cannot link to."""
    live = len(run.live())
    if live:
        yield f"{live} findings of running clusters have no file: GitLab lists them and links to nothing"
    outside = run.outside()
    if outside:
        yield f"{outside} findings are in files outside this folder: GitLab links to files of the repository only"
    if run.report.unknown:
        yield f"{len(run.report.unknown)} that could not be judged have no place in this format"
