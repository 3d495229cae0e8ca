"""What a plan says of each subject by itself: subjects of files that are alike are planned once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from advisor.analysis.startup.verdict import StartupVerdict, with_key
from advisor.analysis.upgrade.ends import merge_ends
from advisor.analysis.upgrade.new_keys import new_key_rows
from advisor.analysis.upgrade.paths import client_path
from advisor.analysis.upgrade.plan import MUST, UNKNOWN, Path, Present, UpgradeRow, row_subject_of
from advisor.analysis.upgrade.releases import PROTOCOL
from advisor.analysis.upgrade.removed_keys import removed_key_rows
from advisor.analysis.upgrade.requirements import CONNECTING_KINDS, is_on_msk, requirement_rows
from advisor.analysis.upgrade.silent_changes import silent_rows
from advisor.analysis.upgrade.subject_upgrade import SubjectUpgrade, lines_by_key
from advisor.analysis.upgrade.verdicts import Verdicts
from advisor.analysis.upgrade.zookeeper_protocol import protocol_rows
from advisor.engine.subjects.alike import AlikeEntities, frame_of_entity, key_of
from advisor.model import Entity, Version
from advisor.model.finding import Finding

Subjects = Sequence[SubjectUpgrade]
"""A subject under each release that it may run."""


def refusal_rows(subject: SubjectUpgrade) -> Iterator[UpgradeRow]:
    """A row for each reason why `starts` refuses a subject at the target, and for each why it cannot tell."""
    today, then = (subject.verdicts.start(subject.entity, release) for release in (subject.present, subject.to))
    refused = {identity(reason) for reason in today.reasons}
    for reason in then.reasons:
        yield subject.judged(MUST, reason, identity(reason) in refused)
    for row in then.unknown:
        yield subject.judged(UNKNOWN, row)


def identity(reason: Finding) -> tuple[str | None, str]:
    """What makes two releases' reasons the same: a message may name other values in each."""
    return reason.key, reason.rule


MAKERS = (refusal_rows, removed_key_rows, requirement_rows, protocol_rows, new_key_rows)
OF_THE_RELEASE = frozenset((PROTOCOL, "log.dirs", "process.roles"))
"""Settings of a node that say which release it runs, and who keeps its metadata."""


class PlannedSubject(NamedTuple):
    """What a plan says of a subject: rows, the path of what is no node, and the startup verdicts that were asked for."""

    rows: Sequence[UpgradeRow]
    path: Path | None = None
    starts: Mapping[Version, StartupVerdict] = {}


class SubjectPlanner:
    """Plans subjects, and knows those that it planned. What changes silently rests on more of their values than all else."""

    def __init__(self, verdicts: Verdicts, to: Version, java: int | None) -> None:
        self._to = to
        self._java = java
        self._verdicts = verdicts
        self._all_else = PlannedSubjects(verdicts, plan_all_else)
        self._changes = PlannedSubjects(verdicts, plan_changes)

    def planned(self, entity: Entity, cluster: str, present: Present, mode: str | None) -> PlannedSubject:
        """What is to be said of an entity, by the releases that it may run and who keeps its metadata."""
        frame = entity.file and (frame_of_entity(entity), present.releases, mode, is_on_msk(entity))
        plan = self._all_else.planned(list(self._subjects(entity, cluster, present, mode)), frame)
        changes = self._changes.planned(list(self._subjects(entity, cluster, present, mode)), frame)
        return plan._replace(rows=(*plan.rows, *changes.rows))

    def _subjects(self, entity: Entity, cluster: str, present: Present, mode: str | None) -> Iterator[SubjectUpgrade]:
        for release in present.releases:
            yield SubjectUpgrade(entity, cluster, mode, release, self._to, self._verdicts, self._java)


class PlannedSubjects:
    """Subjects that were planned in one way."""

    def __init__(self, verdicts: Verdicts, plan: Callable[[Subjects], PlannedSubject]) -> None:
        self._verdicts = verdicts
        self._plan = plan
        self._alike = AlikeEntities(OF_THE_RELEASE, shows_values=False)
        self._planned: dict[int, PlannedSubject] = {}

    def planned(self, subjects: Subjects, frame: Hashable) -> PlannedSubject:
        """What is to be said of a subject, or was of one that is alike in its `frame`; without one it is like itself alone."""
        entity, cluster = subjects[0].entity, subjects[0].cluster
        if not frame:
            return self._plan(subjects)
        alike = self._alike.find(entity, frame, lambda steps: self._verdicts.are_quiet(steps, entity))
        if alike is not None:
            self._verdicts.take_over(entity, self._planned[id(alike)].starts)
            return at_lines_of(self._planned[id(alike)], entity, cluster)
        notes = self._alike.notes(frame, self._verdicts.tree)
        planned = self._planned[id(entity)] = self._verdicts.noted(notes, partial(self._plan, subjects))
        self._alike.add(entity, frame, notes, [row.finding for row in planned.rows], keys_in_texts(planned))
        return planned


def plan_all_else(subjects: Subjects) -> PlannedSubject:
    """All but what changes silently of a subject."""
    rows = merge_ends({each.present: [row for make in MAKERS for row in make(each)] for each in subjects})
    subject, path = subjects[0], None
    if subject.entity.kind in CONNECTING_KINDS:
        releases = [each.present for each in subjects]
        path = client_path(subject.entity, subject.cluster, releases, subject.to, subject.verdicts)
    return PlannedSubject(rows, path, subject.verdicts.starts_of(subject.entity))


def plan_changes(subjects: Subjects) -> PlannedSubject:
    """What changes silently of a subject."""
    return PlannedSubject(merge_ends({each.present: list(silent_rows(each)) for each in subjects}))


def keys_in_texts(planned: PlannedSubject) -> set[str]:
    """Kafka's keys that are named in the reasons of a path's stages."""
    reasons = (reason for verdict in planned.starts.values() for reason in verdict.reasons)
    return {key for reason in reasons for key in (reason.kafka_key or reason.key,) if key}


def at_lines_of(planned: PlannedSubject, entity: Entity, cluster: str) -> PlannedSubject:
    """What is said of a subject as it is said of another one that is alike."""
    rows = [spelled(row, entity) for row in planned.rows]
    lines = lines_by_key(entity) if rows else {}
    rows = [row.at(row_subject_of(entity, cluster, lines.get(row.finding.key))) for row in rows]
    path = planned.path and Path((row_subject_of(entity, cluster),), planned.path.stages)
    return PlannedSubject(rows, path, planned.starts)


def spelled(row: UpgradeRow, entity: Entity) -> UpgradeRow:
    """A row whose key is spelled as in the file of an entity."""
    if not isinstance(row.finding, Finding):
        return row
    key = key_of(row.finding, entity)
    return row if key == row.finding.key else row._replace(finding=with_key(row.finding, key))
