"""Lines of configuration files to change, and the entities as they would be read from the changed files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

from advisor.analysis.advice.aims import REMOVE, SET, Aim
from advisor.cache import cached_if_long
from advisor.catalog.keys import COMPONENTS, component_of, first_definition
from advisor.edits.change import FileChange, NotEdited
from advisor.edits.editor import splice_of
from advisor.edits.fixes import DROP
from advisor.edits.setting_changes import changes_of
from advisor.edits.shown_lines import changes_are_shown
from advisor.edits.text import FileText, Splice
from advisor.model import SERVER_KINDS, Entity, Origin, Setting, Snapshot, Spelling
from advisor.model.finding import Finding
from advisor.secrets.masking import mask_prose

Place = tuple[int | None, int | None] | str | None
"""A line and a column, or an entity."""
ByPlace = dict[tuple[str, Place], list[FileChange]]


def ways_of(
    finding: Finding, aim: Aim, entity: Entity, text: FileText | None, splices: dict[FileChange, Splice]
) -> Iterator[list[FileChange]]:
    """The changes of the lines of an entity's file that reach an aim, in one way or another; none where a line cannot be edited.

    A line that has no effect is dropped, as a fix of lint is. Where a platform's own default is no better than what a key has, or is not known, Kafka's default is written in its place. `splices` keeps what the changes are.
    """
    key = aim.key or (finding.kafka_key or finding.key or "")
    if aim.what not in (SET, REMOVE) or entity.places is not None:
        return
    for value in [None] if finding.edit == DROP else dict.fromkeys(_values_of(aim, key, entity)):
        changes = list(changes_of(entity, key, value))
        if text is not None and changes and all(_is_made(text, each, entity, splices) for each in changes):
            yield changes


def _values_of(aim: Aim, key: str, entity: Entity) -> list[str | None]:
    """What a key may become, None for removed: a piece of a node's configuration does not decide what it leaves out."""
    if aim.what == SET:
        return [aim.value]
    default = default_of(entity, key)
    is_piece = entity.kind in SERVER_KINDS and entity.fragment and default is not None
    return [default] if is_piece else [None, default]


def _is_made(text: FileText, change: FileChange, entity: Entity, splices: dict[FileChange, Splice]) -> bool:
    """Whether a change can be made, and its line holds no secret of another setting, this entity's or not, which a diff would show."""
    try:
        splices[change] = splice = splice_of(text, change)
    except NotEdited:
        return False
    line = change.line or next((row.line for row in change.siblings), None)
    in_line = [row for row in entity.settings.values() if row.origin.line == line]
    if line is None or (len(in_line) == 1 and in_line[0].secret):
        return True
    return not _hides(text.line(line)) and changes_are_shown(text, [splice])


@cached_if_long
def _hides(line: str) -> bool:
    """Whether something in a line would be masked in prose."""
    return mask_prose(line) != line


def default_of(entity: Entity, key: str) -> str | None:
    """Kafka's default of a key."""
    definition = first_definition(COMPONENTS[component_of(entity)], key, entity.target.version)
    return definition.default if definition else None


def changed_at(by_place: ByPlace, snapshot: Snapshot) -> Snapshot:
    """The snapshot as it would be read from the changed files."""
    entities = [changed(entity, by_place) for entity in snapshot.entities]
    return Snapshot(snapshot.name, entities, snapshot.suppressions, snapshot.live, snapshot.joined)


def changes_by_place(changes: Sequence[FileChange]) -> ByPlace:
    """Changes by their file and place; new lines by that of the block's first sibling, if any, and by their entity."""
    by_place: ByPlace = {}
    for change in changes:
        first = change.siblings[0] if change.siblings else None
        below: tuple[Place, ...] = ((first.line, first.column) if first else None, change.entity)
        for place in ((change.line, change.column),) if change.line else below:
            by_place.setdefault((change.file, place), []).append(change)
    return by_place


def own_changes(entity: Entity, by_place: ByPlace) -> list[FileChange]:
    """The changes of an entity's own lines, and the new lines below them, in the order of its lines."""
    lines = dict.fromkeys((row.origin.line, row.origin.column) for row in entity.settings.values())
    places: tuple[Place, ...] = (*lines, None, entity.name)
    at_lines = [change for place in places for change in by_place.get((entity.file or "", place), ())]
    return [change for change in dict.fromkeys(at_lines) if sets_on(change, entity)]


def changed(entity: Entity, by_place: ByPlace) -> Entity:
    """An entity with the lines of its own that change; the same object where none does."""
    own = own_changes(entity, by_place)
    if not own:
        return entity
    after = copy(entity)
    after.settings = dict(entity.settings)
    for change in own:
        present = after.settings.pop(change.key, None)
        if change.value is not None:
            source = present.source if present else next((row.source for row in entity.settings.values()), "")
            origin = present.origin if present else Origin(change.file, None, None)
            shadowed = present.shadowed if present else ()
            after.settings[change.key] = Setting(change.key, change.value, source, origin, shadowed=shadowed)
    return after


def sets_on(change: FileChange, entity: Entity) -> bool:
    """Whether a changed line that stands among an entity's sets its key, as lines above all profiles do."""
    if change.line is not None:
        present = entity.settings.get(change.key)
        return present is not None and present.origin.line == change.line
    return (entity.spelling or Spelling()).spell(change.key) == change.written
