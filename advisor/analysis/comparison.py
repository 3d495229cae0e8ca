"""Compare two sides (files, a snapshot or a report): subjects, settings and findings that differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from advisor.config import Config
from advisor.model import SERVER_KINDS, Entity, Setting, Snapshot, Topic
from advisor.model.finding import EntityName, rank

Row = dict[str, Any]
"""A finding as `--format json` has it."""
Names = dict[EntityName, EntityName]
NODE = "node"
ONE_OF = ("cluster", "quorum", "ensemble")
"""Kinds of which a cluster has one, whatever it is called."""


@dataclass(slots=True, eq=False)
class Side:
    """One side of a comparison: its findings, and its settings unless it is a report (`snapshots` is None).

    A `lone_file` is the other side's lone file of that kind, whatever both are called.
    """

    name: str
    findings: Sequence[Row]
    unknown: int
    lone_file: bool
    snapshots: Sequence[Snapshot] | None = None
    crashed: bool = False

    @property
    def entities(self) -> dict[EntityName, Entity]:
        """Every entity of the side that has settings, by kind and name."""
        return {(entity.kind, entity.name): entity for snapshot in self.snapshots or () for entity in snapshot.entities}

    @property
    def subjects(self) -> list[EntityName]:
        """The names of all subjects that have settings or findings."""
        return list(dict.fromkeys([*self.entities, *(subject(row["entity"]) for row in self.findings)]))


def subject(row: Row) -> EntityName:
    """The kind and name of a subject in a JSON report."""
    return str(row["kind"]), str(row["name"])


class Difference:
    """The difference between two sides: subjects, settings and findings that appear, go or change."""

    def __init__(self, old: Side, new: Side) -> None:
        self.old = old
        self.new = new
        self.names = match_names(old, new)
        self.appeared: list[Row] = []
        self.gone: list[Row] = []
        self.changed: list[tuple[Row, Row]] = []
        self.same = 0
        self._findings()
        self.added, self.removed = self._subjects()
        self.settings = self._settings() if old.snapshots is not None and new.snapshots is not None else None
        self.odds: list[Row] = []
        self.steps: list[Row] = []

    def _findings(self) -> None:
        before, after = group_findings(self.old.findings, {}), group_findings(self.new.findings, self.names)
        for identity in dict.fromkeys([*after, *before]):
            was, now = before.get(identity, []), after.get(identity, [])
            for old, new in zip(was, now, strict=False):
                worse = (old["severity"], old["refused_by_kafka"]) != (new["severity"], new["refused_by_kafka"])
                if worse:
                    self.changed.append((old, new))
                self.same += not worse
            self.appeared += now[len(was) :]
            self.gone += was[len(now) :]
        self.appeared.sort(key=worst_first)
        self.gone.sort(key=worst_first)

    def _subjects(self) -> tuple[list[EntityName], list[EntityName]]:
        if self.old.snapshots is None or self.new.snapshots is None:
            return [], []
        before, after = self.old.entities, self.new.entities
        old_names = {self.names.get(name, name) for name in after}
        return [name for name in after if self.names.get(name, name) not in before], [
            n for n in before if n not in old_names
        ]

    def _settings(self) -> list[Row]:
        before, rows = self.old.entities, []
        appear, go = rules_by_setting(self.appeared), rules_by_setting(self.gone)
        for name, new in self.new.entities.items():
            old = before.get(self.names.get(name, name))
            if old is not None and old.missing is None and new.missing is None:
                entity, own = {"kind": name[0], "name": name[1]}, (old.kind, old.name)
                for row in changes(old, new):
                    both = {"appear": [*appear.get((name, row["key"]), ())], "go": [*go.get((own, row["key"]), ())]}
                    rows.append({"entity": entity, **row, **both})
        return rows

    def fails(self, least: str) -> bool:
        """Whether a finding of that severity or above appears, or becomes one."""
        risen = [new for old, new in self.changed if rank(old["severity"]) < rank(least)]
        return any(rank(row["severity"]) >= rank(least) for row in (*self.appeared, *risen))


def worst_first(row: Row) -> tuple[object, ...]:
    """Sort key of findings: worst severity first."""
    return -rank(row["severity"]), row["rule"], row["entity"]["kind"], row["entity"]["name"], row["key"] or ""


def group_findings(rows: Iterable[Row], names: Names) -> dict[object, list[Row]]:
    """Findings by what identifies them on both sides: rule, subject and key, never a line or a value."""
    groups: dict[object, list[Row]] = {}
    for row in rows:
        name = subject(row["entity"])
        groups.setdefault((row["rule"], names.get(name, name), row["key"]), []).append(row)
    return groups


def match_names(old: Side, new: Side) -> Names:
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


def rules_by_setting(rows: Iterable[Row]) -> dict[tuple[EntityName, str], dict[str, None]]:
    """By subject and key, the rules with a finding at that setting or with it among their evidence."""
    rules: dict[tuple[EntityName, str], dict[str, None]] = {}
    for row in rows:
        own_settings = {(subject(row["entity"]), row["key"]), (subject(row["entity"]), row.get("kafka_key"))}
        for name, key in own_settings | {(subject(each["entity"]), each["key"]) for each in row["evidence"]}:
            rules.setdefault((name, key), {})[row["rule"]] = None
    return rules


def changes(old: Entity, new: Entity) -> list[Row]:
    """The changed keys of a subject in the order of the files, then what changed of a topic's partitions."""
    keys = dict.fromkeys([*new.settings, *old.settings])
    changed = [
        key for key in keys if comparable_value(old.settings.get(key)) != comparable_value(new.settings.get(key))
    ]
    rows = [
        {
            "key": key,
            "old": value(old, key),
            "new": value(new, key),
            "unset": [key not in e.settings for e in (old, new)],
        }
        for key in changed
    ]
    before, after = topic_shape(old), topic_shape(new)
    return rows + [
        {"key": key, "old": before.get(key), "new": after.get(key), "unset": [False, False]}
        for key in dict.fromkeys([*before, *after])
        if before.get(key) != after.get(key)
    ]


def comparable_value(setting: Setting | None) -> tuple[str, str] | None:
    """The comparable part of a setting: of a secret only its shape."""
    return None if setting is None else (setting.value.strip(), setting.shape if setting.secret else "")


def value(entity: Entity, key: str) -> str | None:
    """A key's effective value: masked for a secret, None where neither the file nor Kafka has one."""
    setting = entity.settings.get(key)
    if setting is not None:
        return f"{setting.shown} ({setting.shape})" if setting.secret else setting.shown
    return Config(entity).row(key).value


def topic_shape(entity: Entity) -> Mapping[str, str]:
    """A topic's number of partitions and replication factor."""
    if not isinstance(entity, Topic) or not getattr(entity, "partitions", None):
        return {}
    replicas = sorted({len(partition.replicas) for partition in entity.partitions or ()})
    return {
        "partitions": str(len(entity.partitions or ())),
        "replication factor": " to ".join(map(str, dict.fromkeys((replicas[0], replicas[-1])))),
    }
