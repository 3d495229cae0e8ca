"""Entities that say the same: they are judged once, and what is found stands at the lines of each."""

from __future__ import annotations

from copy import copy

from advisor.config import Config
from advisor.engine.report import source_line
from advisor.engine.subjects.similar import content_of, frame_of
from advisor.model.finding import Evidence, Finding, NotJudged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from advisor.analysis.startup.judge import StartupJudge
    from advisor.analysis.startup.verdict import Row, StartupVerdict
    from advisor.engine.verdicts import VerdictTree
    from advisor.model import Entity, Setting, Version

    Verdicts = Sequence[StartupVerdict]
    Judged = tuple[Entity, Verdicts, Entity]
    """An entity, the verdicts on it, and the one equal to it that was judged."""


def judge_entities(
    judge: StartupJudge, entities: Iterable[Entity], releases: Callable[[Entity], Sequence[Version]], tree: VerdictTree
) -> list[Judged]:
    """The verdicts of releases on entities; equal ones have the same."""
    first: dict[Hashable, Judged] = {}
    judged = []
    for entity in entities:
        asked = releases(entity)
        content = (content_of_entity(entity), tuple(asked))
        equal = first.get(content)
        if equal is None or not are_spelled_alike(entity, equal):
            equal = first[content] = (entity, judge.judge_releases(entity, asked, tree), entity)
        entity.target = equal[0].target
        judged.append((entity, *equal[1:]))
    return judged


def content_of_entity(entity: Entity) -> Hashable:
    """All that a verdict says of an entity but its name and lines; an entity with places of its own is like no other."""
    rows = tuple(
        (content_of(row), row.shown, row.written, row.lead, row.derived, row.conditional)
        for row in entity.settings.values()
    )
    has_places = entity.places is not None or any(row.parts is not None for row in entity.settings.values())
    return (
        frame_of(Config(entity)),
        rows,
        entity.format,
        entity.platform,
        entity.file,
        id(entity) if has_places else 0,
    )


def are_spelled_alike(entity: Entity, equal: Judged) -> bool:
    """Whether the keys that verdicts name are spelled as in the file of the equal entity."""
    one, other = entity.spelling, equal[2].spelling
    if one is None or other is None:
        return one is other
    rows = (row for verdict in equal[1] for row in rows_of(verdict))
    keys = {key for row in rows for key in (row.key, getattr(row, "kafka_key", None)) if key}
    return all(one.spell(key) == other.spell(key) for key in keys)


def rows_of(verdict: StartupVerdict) -> list[Finding | NotJudged]:
    """All that a verdict names."""
    return [*verdict.reasons, *verdict.changed, *verdict.unknown]


def at_lines_of(entity: Entity, verdicts: Verdicts, judged: Entity) -> Verdicts:
    """The verdicts on the entity that was judged as those on an equal one."""
    if entity is judged:
        return verdicts
    lines = {id(row): entity.settings[key] for key, row in judged.settings.items()}
    moved = []
    for verdict in verdicts:
        other = copy(verdict)
        other.reasons = [at_lines(row, entity, judged, lines) for row in verdict.reasons]
        other.changed = [at_lines(row, entity, judged, lines) for row in verdict.changed]
        other.unknown = [at_lines(row, entity, judged, lines) for row in verdict.unknown]
        moved.append(other)
    return moved


def at_lines(row: Row, entity: Entity, judged: Entity, lines: dict[int, Setting]) -> Row:
    """A row as it is of an equal entity."""
    other = copy(row)
    other.entity = (entity.kind, entity.name)
    if isinstance(row, Finding) and isinstance(other, Finding):
        setting = setting_of(row, judged)
        if setting is not None:
            place(other, lines[id(setting)])
        other._evidence = lambda: tuple(evidence_of(each, entity) for each in row.evidence)
    return other


def setting_of(finding: Finding, entity: Entity) -> Setting | None:
    """The setting at whose line a finding stands."""
    place = (finding.file, finding.line, finding.column)
    at_line = [
        row for row in entity.settings.values() if (row.origin.file, row.origin.line, row.origin.column) == place
    ]
    named = (row for row in at_line if finding.key in (row.key, row.written))
    return next(named, at_line[0] if at_line else None)


def place(finding: Finding, setting: Setting) -> None:
    """Put a finding where a setting stands."""
    origin = setting.origin
    finding.file, finding.line, finding.column = origin.file, origin.line, origin.column
    finding._source_line = lambda: source_line(setting)


def evidence_of(row: Evidence, entity: Entity) -> Evidence:
    """A row of evidence as it is of an equal entity."""
    setting = entity.settings.get(row.key) if row.line is not None else None
    file, line = (setting.origin.file, setting.origin.line) if setting else (row.file, row.line)
    return Evidence((entity.kind, entity.name), row.key, row.value, row.source, file, line)
