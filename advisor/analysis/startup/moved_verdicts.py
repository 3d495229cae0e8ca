"""Verdicts on an entity that stand for another one, too: what they name stands at the lines of that one."""

from __future__ import annotations

from copy import copy

from advisor.config import Config
from advisor.engine.policy import Policy
from advisor.engine.report import place_of, source_line, source_of
from advisor.model.finding import Evidence, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.analysis.startup.equal_entities import Verdicts
    from advisor.analysis.startup.verdict import Row
    from advisor.model import Entity, Setting


def at_lines_of(entity: Entity, verdicts: Verdicts, judged: Entity) -> Verdicts:
    """The verdicts on the entity that was judged as those on an equal one."""
    if entity is judged:
        return verdicts
    lines = {
        id(row): other for key, row in judged.settings.items() for row, other in with_parts(row, entity.settings[key])
    }
    of_entity = place_of(Config(entity), Policy(()))
    moved = []
    for verdict in verdicts:
        other = copy(verdict)
        other.reasons = [at_lines(row, entity, judged, lines, of_entity) for row in verdict.reasons]
        other.changed = [at_lines(row, entity, judged, lines, of_entity) for row in verdict.changed]
        other.unknown = [at_lines(row, entity, judged, lines, of_entity) for row in verdict.unknown]
        moved.append(other)
    return moved


def with_parts(setting: Setting, other: Setting) -> Iterator[tuple[Setting, Setting]]:
    """A setting and its parts, each with that of an equal entity."""
    yield setting, other
    yield from ((row, (other.parts or {})[name]) for name, row in (setting.parts or {}).items())


def at_lines(row: Row, entity: Entity, judged: Entity, lines: dict[int, Setting], of_entity: str) -> Row:
    """A row as it is of an equal entity."""
    other = copy(row)
    other.entity = (entity.kind, entity.name)
    if isinstance(row, Finding) and isinstance(other, Finding):
        other.file, other.place = entity.file, of_entity
        setting = setting_of(row, judged)
        if setting is not None:
            place(other, lines[id(setting)])
        elif row.line is not None and entity.places is not None:
            origin = entity.places[row.kafka_key or row.key or ""]
            other.line, other.column = origin.line, origin.column
        other._evidence = lambda: tuple(evidence_of(each, entity) for each in row.evidence)
    return other


def setting_of(finding: Finding, entity: Entity) -> Setting | None:
    """The setting at whose line a finding stands."""
    place = (finding.file, finding.line, finding.column)
    rows = (row for setting in entity.settings.values() for row in (setting, *(setting.parts or {}).values()))
    at_line = [row for row in rows if (row.origin.file, row.origin.line, row.origin.column) == place]
    named = (row for row in at_line if (finding.kafka_key or finding.key) in (row.key, row.written))
    return next(named, at_line[0] if at_line else None)


def place(finding: Finding, setting: Setting) -> None:
    """Put a finding where a setting stands."""
    origin = setting.origin
    finding.file, finding.line, finding.column = origin.file, origin.line, origin.column
    finding._source_line = lambda: source_line(setting)
    finding.derived = source_of(setting)
    finding.label = finding.label and setting.lead.rstrip(":= ")


def evidence_of(row: Evidence, entity: Entity) -> Evidence:
    """A row of evidence as it is of an equal entity."""
    setting = entity.settings.get(row.key) if row.file is not None else None
    if setting is None:
        return Evidence((entity.kind, entity.name), row.key, row.value, row.source, row.file, row.line)
    origin = setting.origin
    return Evidence((entity.kind, entity.name), row.key, setting.shown, row.source, origin.file, origin.line)
