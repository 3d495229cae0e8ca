"""Baselines: known findings, identified by fingerprint, never by line."""

from __future__ import annotations

import json

from advisor import atomic_file, limits
from advisor.engine.report import Report
from advisor.errors import UserError, os_reason
from advisor.model.finding import rank
from advisor.secrets.masking import name_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import IO

    from advisor.model.finding import Finding

BASELINE_FORMAT = "kafka-advisor-baseline/1"
REASON = "in the baseline"


def write(path: str, report: Report) -> int:
    """Write a report's findings as a baseline, atomically; returns how many. Raises UserError."""
    rows = [
        {"fingerprint": row.fingerprint, "rule": row.rule, "name": row.name, "file": row.file, "key": row.key}
        for row in (*report.findings, *(row for row in report.suppressed if row.reason == REASON))
    ]
    text = json.dumps({"format": BASELINE_FORMAT, "findings": rows}, indent=2, ensure_ascii=False) + "\n"
    try:
        atomic_file.write(path, [text.encode("utf-8", "surrogateescape")])
    except OSError as error:
        raise UserError(f"{path}: {os_reason(error)}") from None
    return len(rows)


def read(path: str, opener: Callable[[str], IO[bytes]] | None = None) -> frozenset[str]:
    """Read the fingerprints of a baseline; the opener is for one of a commit. Raises UserError."""
    try:
        with opener(path) if opener else open(path, "rb") as handle:
            document = json.loads(limits.read(handle, limits.BASELINE, path))
        if document["format"] != BASELINE_FORMAT:
            format = name_like(
                str(document["format"]), (BASELINE_FORMAT, "kafka-advisor/1", "kafka-advisor-snapshot/1")
            )
            raise UserError(f"{path}: is {format}, not {BASELINE_FORMAT}; write it anew")
        return frozenset(row["fingerprint"] for row in document["findings"])
    except OSError as error:
        raise UserError(f"{path}: {os_reason(error)}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UserError(f"{path}: is no baseline; write one with --write-baseline") from None


def suppress_known(report: Report, fingerprints: frozenset[str]) -> None:
    """Move the findings of the baseline to the suppressed ones."""
    suppress(report, lambda finding: finding.fingerprint in fingerprints, REASON)


def suppress_older(report: Report, former: Sequence[Finding], ref: str) -> int:
    """Move findings that were there before a change, and are no worse now, to the suppressed ones; returns how many."""
    severities = {finding.fingerprint: rank(finding.severity) for finding in former}
    shown = len(report.findings)
    suppress(
        report, lambda finding: rank(finding.severity) <= severities.get(finding.fingerprint, -1), f"there at {ref}"
    )
    return shown - len(report.findings)


def suppress(report: Report, is_known: Callable[[Finding], bool], reason: str) -> None:
    """Move the findings that are known to the suppressed ones, with the reason."""
    findings = []
    for finding in report.findings:
        if is_known(finding):
            finding.reason = reason
            report.suppressed.append(finding)
        else:
            findings.append(finding)
    report.findings = findings
