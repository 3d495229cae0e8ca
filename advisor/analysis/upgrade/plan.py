"""The plan of an upgrade: what to do before and after, what changes by itself, the path, what stays unknown."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from advisor.analysis.findings import (
    CHANGED_SILENTLY,
    CLIENTS_FIRST,
    FEATURE_FIRST,
    JAVA_FIRST,
    KRAFT_FIRST,
    SETTING_FIRST,
    UPGRADE_STEP,
    UPGRADE_UNKNOWN,
)
from advisor.model import Entity, Snapshot, Version
from advisor.model.finding import Finding, NotJudged

MUST, SHOULD, AFTER, SILENT, FINAL, UNKNOWN = "must", "should", "after", "silent", "final", "unknown"
"""The parts of a plan, which are the parts of its reports."""
PARTS = (MUST, SHOULD, AFTER, SILENT, FINAL, UNKNOWN)
SETTING, JAVA, CLIENT, ZOOKEEPER = "setting", "java", "client", "zookeeper"
FEATURE, STORAGE, ROLLING, READING = "feature", "storage", "rolling restart", "reading"
"""What a row is about."""


class RowSubject(NamedTuple):
    """What a row is true of, and where it stands; file and line are None where no file says it.

    `title` is how an output names it: by its file, else by kind and name.
    """

    cluster: str
    kind: str
    name: str
    title: str
    file: str | None = None
    line: int | None = None


BEFORE_UPGRADE = {JAVA: JAVA_FIRST, CLIENT: CLIENTS_FIRST, ZOOKEEPER: KRAFT_FIRST, FEATURE: FEATURE_FIRST}
"""What comes before the upgrade, by what it is about."""
OWN_FINDINGS = {
    SHOULD: SETTING_FIRST,
    SILENT: CHANGED_SILENTLY,
    AFTER: UPGRADE_STEP,
    FINAL: UPGRADE_STEP,
    UNKNOWN: UPGRADE_UNKNOWN,
}
SEVERITY_OF_PART = {MUST: "high", SHOULD: "medium", SILENT: "info", AFTER: "info", FINAL: "info"}
LEAST_NOTABLE = 100
"""The urgency from which on a silent change is of little note."""


class UpgradeRow(NamedTuple):
    """A finding of the plan: one thing to do or to know, at each of its subjects; NotJudged in the part UNKNOWN.

    The `value` and `used` of a silent change's finding are the effective values before and after. `refused_today` says of
    a refusal that the present release refuses it as well; `releases` are the present releases that the row holds for,
    empty where it holds for every one that it can be; `urgency` orders the rows of a part, 0 first.
    """

    part: str
    about: str
    finding: Finding | NotJudged
    source: str | None = None
    refused_today: bool = False
    releases: tuple[Version, ...] = ()
    urgency: int = 0
    row_subjects: tuple[RowSubject, ...] = ()

    def at(self, *row_subjects: RowSubject) -> UpgradeRow:
        """The same row at other subjects."""
        return self._replace(row_subjects=row_subjects)

    @property
    def change(self) -> tuple[str | None, str | None]:
        """The effective values before and after a silent change."""
        if self.part == SILENT and isinstance(self.finding, Finding):
            return self.finding.value, self.finding.used
        return None, None

    @property
    def identity(self) -> Hashable:
        """What two rows have in common that differ in their subjects alone, or in who refuses them today."""
        own = (self.finding.rule, self.finding.key, self.finding.message, *self.change)
        return (self.part, self.about, *own, self.source, self.releases, self.urgency)

    @property
    def severity(self) -> str:
        """How bad it is: critical what the target refuses, low a silent change of note."""
        if isinstance(self.finding, Finding) and self.finding.refused:
            return "critical"
        return "low" if self.part == SILENT and self.urgency < LEAST_NOTABLE else SEVERITY_OF_PART[self.part]


def new_row(
    part: str,
    about: str,
    key: str | None,
    message: str,
    *row_subjects: RowSubject,
    change: tuple[str | None, str | None] = (None, None),
    **details: Any,
) -> UpgradeRow:
    """A row that comes from no rule; `change` are the effective values of a silent one."""
    own = BEFORE_UPGRADE[about] if part == MUST else OWN_FINDINGS[part]
    finding: Finding | NotJudged = own.unknown(key, message)
    if part != UNKNOWN:
        finding = own.finding(key, message, SEVERITY_OF_PART[part], value=change[0], used=change[1])
    return UpgradeRow(part, about, finding, row_subjects=row_subjects, **details)


@dataclass(frozen=True, slots=True)
class Present:
    """The release that runs today: one where it is known, else the oldest and the newest that it can be."""

    releases: tuple[Version, ...]
    reason: str

    @property
    def known(self) -> bool:
        """Whether the release is known."""
        return len(self.releases) == 1


@dataclass(frozen=True, slots=True)
class Starts:
    """How many subjects start with their files as they are, are refused, and cannot be judged, with the reasons."""

    started: int
    refused: int
    unknown: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """One release of a path, what to do there, and who keeps the metadata: None for clients, or where nothing says so.

    `starts` is None where the files have to be others by then.
    """

    releases: tuple[Version, ...]
    metadata: str | None
    action: str
    starts: Starts | None


@dataclass(frozen=True, slots=True)
class Path:
    """The releases that some subjects go through, in order."""

    subjects: tuple[RowSubject, ...]
    stages: tuple[Stage, ...]


@dataclass(slots=True)
class UpgradePlan:
    """The upgrade of everything that was read to one release."""

    to: Version
    subjects: list[tuple[RowSubject, Present]] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    rows: dict[str, list[UpgradeRow]] = field(default_factory=lambda: {part: [] for part in PARTS})

    def add(self, rows: Iterable[UpgradeRow]) -> None:
        """Add rows to their parts."""
        for row in rows:
            self.rows[row.part].append(row)

    def settle(self) -> None:
        """Join equal rows and sort each part."""
        for part, rows in self.rows.items():
            self.rows[part] = sorted(join_equal(rows), key=lambda row: row.urgency)


def join_equal(rows: Iterable[UpgradeRow]) -> list[UpgradeRow]:
    """The rows, those that differ in their subjects alone as one, in the order of the first."""
    joined: dict[Hashable, tuple[UpgradeRow, dict[RowSubject, None]]] = {}
    for row in rows:
        _, row_subjects = joined.setdefault((row.identity, row.refused_today), (row, {}))
        row_subjects.update(dict.fromkeys(row.row_subjects))
    return [row.at(*row_subjects) for row, row_subjects in joined.values()]


def row_subject_of(entity: Entity, cluster: str, line: int | None = None) -> RowSubject:
    """Where an entity stands."""
    title = entity.title if entity.file else f"{entity.kind} {entity.name}"
    return RowSubject(cluster, entity.kind, entity.name, title, entity.file, line)


def row_subject_of_cluster(snapshot: Snapshot) -> RowSubject:
    """A whole cluster as the subject of a row."""
    several = snapshot.live is None and len(snapshot.entities) > 1
    return RowSubject(
        snapshot.name, "cluster", snapshot.name, f"cluster of {snapshot.name}" if several else snapshot.name
    )


def text_of(release: Version) -> str:
    """4.0 for (4, 0)."""
    return f"{release[0]}.{release[1]}"


def span_text(releases: Iterable[Version]) -> str:
    """3.6, or 2.0 to 3.9 for the two ends of what is not known."""
    return " to ".join(text_of(release) for release, _ in groupby(releases))
