"""Baselines: known findings, identified by fingerprint, never by line.

A file is named relative to the baseline's own folder, so that a baseline holds in whatever folder the command runs.
"""

from __future__ import annotations

import os

from advisor import limits
from advisor.engine.policy import Baseline
from advisor.engine.report import Report
from advisor.errors import UserError, os_reason
from advisor.model.finding import fingerprint, rank
from advisor.secrets.masking import name_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import IO

    from advisor.model.finding import Finding

BASELINE_FORMAT = "kafka-advisor-baseline/2"
FORMER_FORMAT = "kafka-advisor-baseline/1"
"""Its fingerprints are those of reports: a file is relative to the configuration, or to the working directory."""
REASON = "in the baseline"
OF_NODES = ("cluster", "quorum")
"""Kinds of subjects that several files make: the first one's path is their name."""


class Places:
    """Where the findings of a report belong, as a baseline in a folder names it."""

    def __init__(self, report: Report, folder: str, base: str) -> None:
        entities = (entity for snapshot in report.snapshots for entity in snapshot.entities)
        self.clusters = {entity.cluster for entity in entities if entity.cluster is not None} | {"<stdin>"}
        self.folder, self.base = os.path.abspath(folder), os.path.abspath(base)

    def place(self, row: Finding) -> str:
        """The finding's running cluster, else its file relative to the folder."""
        return row.place if row.place in self.clusters else self.relative(os.path.join(self.base, row.place))

    def relative(self, file: str) -> str:
        """A file relative to the folder, with slashes."""
        return os.path.relpath(os.path.abspath(file), self.folder).replace(os.sep, "/")

    def fingerprint(self, row: Finding) -> str:
        """SHA-256 over rule, place, entity kind, entity name and key; clusters of files have the name of a file."""
        kind, name = row.entity
        is_path = kind in OF_NODES and row.place not in self.clusters
        return fingerprint((row.rule, self.place(row), kind, self.relative(name) if is_path else name, row.key or ""))


def write(path: str, report: Report, base: str = "") -> int:
    """Write a report's findings as a baseline, atomically; returns how many. Raises UserError.

    The places of the findings are relative to `base`, that of the policy.
    """
    import json

    from advisor import atomic_file

    places = Places(report, os.path.dirname(path), base)
    rows = [
        {
            "fingerprint": places.fingerprint(row),
            "rule": row.rule,
            "name": row.name,
            "file": row.file and places.relative(row.file),
            "key": row.key,
        }
        for row in (*report.findings, *report.known)
    ]
    rows.sort(key=lambda row: [str(row[name]) for name in ("file", "rule", "key", "fingerprint")])
    text = json.dumps({"format": BASELINE_FORMAT, "findings": rows}, indent=2, ensure_ascii=False) + "\n"
    try:
        atomic_file.write(path, [text.encode("utf-8", "surrogateescape")])
    except OSError as error:
        raise UserError(f"{path}: {os_reason(error)}") from None
    return len(rows)


def read(path: str, opener: Callable[[str], IO[bytes]] | None = None) -> Baseline:
    """Read a baseline; the opener is for one of a commit. Raises UserError."""
    import json

    try:
        with opener(path) if opener else open(path, "rb") as handle:
            document = json.loads(limits.read(handle, limits.BASELINE, path))
        if document["format"] not in (BASELINE_FORMAT, FORMER_FORMAT):
            format = name_like(
                str(document["format"]), (BASELINE_FORMAT, "kafka-advisor/1", "kafka-advisor-snapshot/1")
            )
            raise UserError(f"{path}: is {format}, not {BASELINE_FORMAT}; write it anew")
        folder = os.path.dirname(path) if document["format"] == BASELINE_FORMAT else None
        return Baseline((row["fingerprint"] for row in document["findings"]), folder)
    except OSError as error:
        raise UserError(f"{path}: {os_reason(error)}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UserError(f"{path}: is no baseline; write one with --write-baseline") from None


def suppress_known(report: Report, baseline: Baseline, base: str) -> None:
    """Move the findings of the baseline to the suppressed ones; their places are relative to `base`."""
    before = len(report.suppressed)
    if baseline.folder is None:
        suppress(report, lambda finding: finding.fingerprint in baseline.fingerprints, REASON)
    else:
        places = Places(report, baseline.folder, base)
        suppress(report, lambda finding: places.fingerprint(finding) in baseline.fingerprints, REASON)
    report.known = report.suppressed[before:]


def suppress_older(report: Report, former: Sequence[Finding], ref: str) -> int:
    """Move findings that were there before a change, and are no worse now, to the suppressed ones; returns how many."""
    severities = {finding.fingerprint: rank(finding.severity) for finding in former}
    shown = len(report.findings)
    suppress(
        report, lambda finding: rank(finding.severity) <= severities.get(finding.fingerprint, -1), f"there at {ref}"
    )
    return shown - len(report.findings)


def newly_suppressed(findings: Iterable[Finding], before: Iterable[Finding]) -> list[Finding]:
    """The suppressed findings that were not among some of before a change."""
    old = {(row.rule, row.entity, row.key) for row in before}
    return [row for row in findings if (row.rule, row.entity, row.key) not in old]


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
