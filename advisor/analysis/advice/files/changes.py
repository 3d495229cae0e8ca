"""Lines of configuration files to change, and the entities as they would be read from the changed files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

from advisor import catalog
from advisor.analysis.advice.aims import REMOVE, SET, Aim
from advisor.analysis.advice.changes import FileChange, Sibling
from advisor.analysis.advice.files.edits import edit_of
from advisor.catalog.keys import ALIASES
from advisor.model import Entity, Origin, Setting, Snapshot, Spelling
from advisor.model.finding import Finding

ByPlace = dict[tuple[str, int | str | None], list[FileChange]]


def ways_of(finding: Finding, aim: Aim, entity: Entity, lines: Sequence[str]) -> Iterator[list[FileChange]]:
    """The changes of the lines of an entity's file that reach an aim, in one way or another; none where a line cannot be edited.

    Where a platform's own default is no better than what a key has, Kafka's default is written in its place.
    """
    key = aim.key or (finding.kafka_key or finding.key or "")
    if aim.what not in (SET, REMOVE) or entity.places is not None:
        return
    values = [aim.value] if aim.what == SET else [None, default_of(entity, key)]
    for value in dict.fromkeys(values):
        changes = list(changes_of(entity, key, value))
        if changes and all(edit_of(lines, change) for change in changes):
            yield changes


def default_of(entity: Entity, key: str) -> str | None:
    """Kafka's default of a key."""
    definition = catalog.lookup(entity.kind, entity.target.version, key)
    return definition.default if definition else None


def changes_of(entity: Entity, key: str, value: str | None) -> Iterator[FileChange]:
    """The lines to change for a key; to remove it takes every line that sets it, or an earlier one counts.

    None where the file has no such key to remove, says it by something else, such as the number of its nodes, or keeps it secret.
    """
    alias = ALIASES.get(key, key) if entity.family != "java" else key
    key = alias if key not in entity.settings and alias in entity.settings else key
    setting, file = entity.settings.get(key), entity.file or ""
    if (setting is None and value is None) or (setting is not None and setting.secret):
        return
    if setting is None:
        written = entity.spelling.spell(key) if entity.spelling else key
        yield FileChange(file, None, key, written, None, value, entity.name, siblings_of(entity, written))
        return
    for line in (setting, *(setting.shadowed if value is None else ())):
        if line.origin.file == file and names_key(line.written or key, key):
            written, old = line.written or key, line.shown
            yield FileChange(file, line.origin.line, key, written, old, value, entity.name, span=line.span)


def siblings_of(entity: Entity, written: str) -> tuple[Sibling, ...]:
    """The settings of the block that a key belongs to, as its file spells both, the last one first; no secrets."""
    spelling = entity.spelling or Spelling()
    rows = [
        Sibling(row.origin.line, row.written or row.key, row.shown, row.span)
        for row in entity.settings.values()
        if row.origin.file == entity.file
        and row.origin.line
        and not row.secret
        and (row.written or row.key) == spelling.spell(row.key)
    ]
    block = block_of(written, spelling)
    in_block = (row for row in rows if block_of(row.written, spelling) == block)
    return tuple(sorted(in_block, key=lambda row: row.line, reverse=True))


def block_of(written: str, spelling: Spelling) -> str:
    """What stands before a key: the prefix of all, or for one with a name of its own the name without its last part."""
    return spelling.prefix if written.startswith(spelling.prefix) else written.rpartition(".")[0]


def names_key(written: str, key: str) -> bool:
    """Whether a file's own name of a setting is that key in another form, not a fact that the key was concluded from."""
    words, name = (letters(text) for text in (written, key))
    return words.endswith(name) or name.startswith(letters(written.rpartition(".")[2]))


def letters(text: str) -> str:
    """A name's letters and digits, as all spellings have them."""
    return "".join(filter(str.isalnum, text)).lower()


def applied(changes: Sequence[FileChange], snapshots: Sequence[Snapshot]) -> list[Snapshot]:
    """The snapshots as they would be read from the changed files."""
    by_place = changes_by_place(changes)
    return [
        Snapshot(
            snapshot.name,
            [changed(entity, by_place) for entity in snapshot.entities],
            snapshot.suppressions,
            snapshot.live,
            snapshot.joined,
        )
        for snapshot in snapshots
    ]


def changes_by_place(changes: Sequence[FileChange]) -> ByPlace:
    """Changes by their file and line; new lines by that of the block's first sibling, if any, and by their entity."""
    by_place: ByPlace = {}
    for change in changes:
        first = change.siblings[0].line if change.siblings else None
        for place in (change.line,) if change.line else (first, change.entity):
            by_place.setdefault((change.file, place), []).append(change)
    return by_place


def own_changes(entity: Entity, by_place: ByPlace) -> list[FileChange]:
    """The changes of an entity's own lines, and the new lines below them, in the order of its lines."""
    lines = dict.fromkeys(row.origin.line for row in entity.settings.values())
    places = (*lines, None, entity.name)
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
