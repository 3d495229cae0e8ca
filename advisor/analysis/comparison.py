"""Compare two sides (files, a snapshot or a report): subjects, settings and findings that differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from advisor.catalog.keys import SYNONYMS
from advisor.config import Config, scaled
from advisor.engine.report import Report
from advisor.model import SERVER_KINDS, Entity, Setting, Snapshot, Topic
from advisor.model.finding import EntityName, Finding, NotJudged, rank

Names = dict[EntityName, EntityName]
NODE = "node"
ONE_OF = ("cluster", "quorum", "ensemble")
"""Kinds of which a cluster has one, whatever it is called."""


@dataclass(slots=True, eq=False)
class ComparedSide:
    """One side of a comparison: its report, and its settings unless that was saved (`snapshots` is None).

    A `lone_file` is the other side's lone file of that kind, whatever both are called.
    """

    name: str
    report: Report
    lone_file: bool
    snapshots: Sequence[Snapshot] | None = None

    @property
    def findings(self) -> Sequence[Finding]:
        """The findings of the side."""
        return self.report.findings

    @property
    def unknown(self) -> int:
        """How many verdicts are unknown."""
        return len(self.report.unknown)

    @property
    def entities(self) -> dict[EntityName, Entity]:
        """Every entity of the side that has settings, by kind and name."""
        return {(entity.kind, entity.name): entity for snapshot in self.snapshots or () for entity in snapshot.entities}

    @property
    def subjects(self) -> list[EntityName]:
        """The names of all subjects that have settings or findings."""
        return list(dict.fromkeys([*self.entities, *(finding.entity for finding in self.findings)]))


@dataclass(slots=True, eq=False)
class ChangedSetting:
    """A key of a subject whose value differs; `unset` says of each side whether the value is a default.

    `appear` and `resolved` are the rules whose findings the change brings and resolves.
    """

    key: str
    old: str | None
    new: str | None
    unset: tuple[bool, bool]
    entity: EntityName = ("", "")
    appear: list[str] = field(default_factory=list)
    resolved: list[str] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class OddsOfSide:
    """One side's configuration as data, the failures until it loses data or stops serving, and its odds."""

    configuration: Mapping[str, object]
    failures_until: Mapping[str, str]
    odds: Mapping[str, float]


@dataclass(slots=True, eq=False)
class ChangedOdds:
    """The odds on both sides of what some topics (none: all files) add up to, and what is assumed."""

    about: list[str]
    old: OddsOfSide
    new: OddsOfSide
    assumed: list[str]


@dataclass(slots=True, eq=False)
class FulfilledStep:
    """A step of a plan for the old side, of whose findings the change resolves some."""

    id: str
    title: str
    resolved: int
    promised: int


class Difference:
    """The difference between two sides: subjects, settings and findings that appear, go or change."""

    def __init__(self, old: ComparedSide, new: ComparedSide) -> None:
        self.old = old
        self.new = new
        self.names = match_names(old, new)
        self.appeared: list[Finding] = []
        self.resolved: list[Finding] = []
        self.changed: list[tuple[Finding, Finding]] = []
        self.same = 0
        self._findings()
        self.added, self.removed = self._subjects()
        self.settings = self._settings() if old.snapshots is not None and new.snapshots is not None else None
        self.dangerous: list[Finding] = []
        """What change rules say, worst first."""
        self.unknown: list[NotJudged] = []
        """What change rules cannot tell of something that changes."""
        self.odds: list[ChangedOdds] = []
        self.steps: list[FulfilledStep] = []
        self.configuration: list[str] = []
        """What the files in use switch off."""

    def _findings(self) -> None:
        before, after = group_findings(self.old.findings, {}), group_findings(self.new.findings, self.names)
        for identity in dict.fromkeys([*after, *before]):
            was, now = before.get(identity, []), after.get(identity, [])
            for old, new in zip(was, now, strict=False):
                worse = (old.severity, old.refused) != (new.severity, new.refused)
                if worse:
                    self.changed.append((old, new))
                self.same += not worse
            self.appeared += now[len(was) :]
            self.resolved += was[len(now) :]
        self.appeared.sort(key=worst_first)
        self.resolved.sort(key=worst_first)

    def _subjects(self) -> tuple[list[EntityName], list[EntityName]]:
        if self.old.snapshots is None or self.new.snapshots is None:
            return [], []
        before, after = self.old.entities, self.new.entities
        old_names = {self.names.get(name, name) for name in after}
        return [name for name in after if self.names.get(name, name) not in before], [
            n for n in before if n not in old_names
        ]

    @property
    def holds_secrets(self) -> bool:
        """Whether both sides have a secret, whose values are not compared."""
        return all(
            any(setting.secret for entity in side.entities.values() for setting in entity.settings.values())
            for side in (self.old, self.new)
        )

    def _settings(self) -> list[ChangedSetting]:
        before, rows = self.old.entities, []
        appear, resolved = rules_by_setting(self.appeared), rules_by_setting(self.resolved)
        for name, new in self.new.entities.items():
            old = before.get(self.names.get(name, name))
            if old is not None and old.missing is None and new.missing is None:
                for row in changes(old, new):
                    row.entity = name
                    row.appear = [*appear.get((name, row.key), ())]
                    row.resolved = [*resolved.get(((old.kind, old.name), row.key), ())]
                    rows.append(row)
        return rows

    def fails(self, least: str) -> bool:
        """Whether a finding of that severity or above appears or becomes one, or the change itself is one."""
        risen = [new for old, new in self.changed if rank(old.severity) < rank(least)]
        return any(rank(row.severity) >= rank(least) for row in (*self.dangerous, *self.appeared, *risen))


def worst_first(row: Finding) -> tuple[object, ...]:
    """Sort key of findings: worst severity first."""
    return -rank(row.severity), row.rule, *row.entity, row.key or ""


def group_findings(rows: Iterable[Finding], names: Names) -> dict[object, list[Finding]]:
    """Findings by what identifies them on both sides: rule, subject and Kafka's key, never a line, a value or a spelling."""
    groups: dict[object, list[Finding]] = {}
    for row in rows:
        groups.setdefault((row.rule, names.get(row.entity, row.entity), row.kafka_key or row.key), []).append(row)
    return groups


def match_names(old: ComparedSide, new: ComparedSide) -> Names:
    """Match renamed subjects: the old name of every new one, where each side has exactly one of the kind."""
    alone = old.lone_file and new.lone_file
    before, after = unmatched_names(old.subjects, new.subjects), unmatched_names(new.subjects, old.subjects)
    return {
        after[kind][0]: before[kind][0]
        for kind in after
        if len(after[kind]) == 1 and len(before.get(kind, ())) == 1 and (alone or kind in ONE_OF)
    }


def unmatched_names(names: Sequence[EntityName], others: Sequence[EntityName]) -> dict[str, list[EntityName]]:
    """By kind, the subjects whose name the other side does not have."""
    unmatched: dict[str, list[EntityName]] = {}
    other_names = set(others)
    for name in names:
        if name not in other_names:
            unmatched.setdefault(NODE if name[0] in SERVER_KINDS else name[0], []).append(name)
    return unmatched


def rules_by_setting(rows: Iterable[Finding]) -> dict[tuple[EntityName, str | None], dict[str, None]]:
    """By subject and key, the rules with a finding at that setting or with it among their evidence."""
    rules: dict[tuple[EntityName, str | None], dict[str, None]] = {}
    for row in rows:
        own_settings = {(row.entity, row.key), (row.entity, row.kafka_key)}
        for setting in own_settings | {(each.entity, each.key) for each in row.evidence}:
            rules.setdefault(setting, {})[row.rule] = None
    return rules


def changes(old: Entity, new: Entity) -> list[ChangedSetting]:
    """The changed keys of a subject in the order of the files, then what changed of a topic's partitions."""
    keys = dict.fromkeys([*new.settings, *old.settings])
    changed = [
        key for key in keys if comparable_value(old.settings.get(key)) != comparable_value(new.settings.get(key))
    ]
    was, now = Config(old), Config(new)
    stand_ins = stand_ins_of(changed)
    rows = [
        ChangedSetting(key, value(was, key), value(now, key), (was.find(key)[0] is None, now.find(key)[0] is None))
        for key in changed
        if key not in stand_ins
    ]
    before, after = topic_shape(old), topic_shape(new)
    return rows + [
        ChangedSetting(key, before.get(key), after.get(key), (False, False))
        for key in dict.fromkeys([*before, *after])
        if before.get(key) != after.get(key)
    ]


def comparable_value(setting: Setting | None) -> tuple[str, str] | None:
    """The comparable part of a setting: of a secret only its shape."""
    return None if setting is None else (setting.value.strip(), setting.shape if setting.secret else "")


def stand_ins_of(changed: Iterable[str]) -> set[str]:
    """The keys that stand in for others which change beside them: log.retention.hours beside log.retention.ms."""
    return {other for primary in changed for other, factor in SYNONYMS.get(primary, ()) if factor != 1}


def value(config: Config, key: str) -> str | None:
    """A key's effective value: masked for a secret, None where neither the file nor Kafka has one."""
    setting, factor = config.find(key)
    if setting is not None:
        return f"{setting.shown} ({setting.shape})" if setting.secret else scaled(setting.shown, factor)
    return config.row(key).value


def topic_shape(entity: Entity) -> Mapping[str, str]:
    """A topic's number of partitions and replication factor."""
    if not isinstance(entity, Topic) or not getattr(entity, "partitions", None):
        return {}
    replicas = sorted({len(partition.replicas) for partition in entity.partitions or ()})
    return {
        "partitions": str(len(entity.partitions or ())),
        "replication factor": " to ".join(map(str, dict.fromkeys((replicas[0], replicas[-1])))),
    }
