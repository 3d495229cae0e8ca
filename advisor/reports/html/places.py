"""Places of the HTML report: a finding's line or subject, what to write there, and what it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.finding import Evidence, Finding
from advisor.reports.context import short
from advisor.reports.file_fixes import FileFixes
from advisor.reports.text.finding import LEVELS, former_line, needs_name
from advisor.reports.text.grouped import partitions

ROWS = 30
"""Rows of evidence for a place."""


class Anchors:
    """Ids of findings for links: the same from run to run, and each once on a page; `folder` is the page's."""

    def __init__(self, folder: str = "") -> None:
        self.folder = folder
        self._taken: dict[str, int] = {}

    def of(self, finding: Finding) -> str:
        """The next free id of a finding."""
        base = f"{finding.rule}-{finding.fingerprint[:8]}"
        self._taken[base] = self._taken.get(base, 0) + 1
        return base if self._taken[base] == 1 else f"{base}-{self._taken[base]}"


class Place:
    """One finding of a card."""

    def __init__(
        self,
        finding: Finding,
        anchors: Anchors,
        fixes: FileFixes,
        consequences: Sequence[Finding] = (),
        with_evidence: bool = True,
    ) -> None:
        self.id = anchors.of(finding)
        self.severity = finding.severity
        self.refused = finding.refused
        self.source = finding.file or finding.place
        self.where = where(finding, anchors.folder)
        self.message = finding.message
        self.source_line = finding.source_line
        self.new_lines = (fixes.lines(finding, plain_value(finding)) or setting_line(finding, fixes)).splitlines()
        self.now = None if finding.source_line is not None or finding.is_removal else value_now(finding)
        self.was, self.acts = former_line(finding), finding.acts
        self.is_set = finding.source_line is not None or finding.value is not None
        self.required = f"{finding.kafka_key}={finding.required}" if is_converted(finding) else finding.required
        self.consequences = [Place(row, anchors, fixes, with_evidence=False) for row in consequences]
        self.rule, self.name = finding.rule, finding.name
        self.evidence = (
            [EvidenceRow(row, finding, anchors.folder) for row in finding.evidence[:ROWS]] if with_evidence else []
        )
        self.more = max(0, len(finding.evidence) - ROWS) if with_evidence else 0


class EvidenceRow:
    """A setting that a finding rests on, where it comes from, and whose it is where that is another subject."""

    def __init__(self, row: Evidence, finding: Finding, folder: str) -> None:
        self.setting = f"{row.key} not set" if row.value is None else f"{row.key}={row.value}"
        self.origin = f"{within(folder, row.file or '')}:{row.line}" if row.line else LEVELS.get(row.source, row.source)
        self.entity = " ".join(row.entity) if row.entity != finding.entity else ""


def within(folder: str, file: str) -> str:
    """A file's path from a folder."""
    return file.removeprefix(f"{folder}/")


def where(finding: Finding, folder: str) -> str:
    """file:line within the page's folder, else the subject with its partitions or its brokers."""
    if finding.file is not None:
        line = "" if finding.line is None else f":{finding.line}"
        name = f": {short(finding.entity[1])}" if finding.is_removal or needs_name(finding) else ""
        return f"{short(within(folder, finding.file), 500)}{line}{name}"
    subject = f"{finding.entity[0]} {short(finding.entity[1])}"
    if finding.partitions:
        return f"{subject} {partitions(finding)}"
    return f"all {len(finding.shared_by)} brokers of {subject}" if finding.shared_by else subject


def plain_value(finding: Finding) -> str | None:
    """The required value where it is a value and no description."""
    value = finding.required
    plain = value is not None and (value in ("true", "false", "all") or value.removeprefix("-").isdigit())
    return value if plain else None


def is_converted(finding: Finding) -> bool:
    """Whether the value is that of Kafka's key, made of a field in another unit."""
    return bool(finding.derived and finding.kafka_key) and plain_value(finding) is not None


def setting_line(finding: Finding, fixes: FileFixes) -> str:
    """The setting to write where no edit of a file says it: as Kafka's tools and files of properties take it, else empty."""
    value, key = plain_value(finding), finding.key or ""
    if value is None or finding.derived or not fixes.is_properties(finding):
        return ""
    return f"{key}={value}" if key.isascii() and key.isprintable() and key and " " not in key else ""


def value_now(finding: Finding) -> str | None:
    """The setting as it is, where no line of a file shows it; None for what is not a setting."""
    if finding.key is None or finding.required is None:
        return None
    return f"{finding.key} not set" if finding.value is None else f"{finding.key}={finding.value}"
