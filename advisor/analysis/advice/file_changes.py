"""Lines of configuration files to change, and the entities as they would be read from the changed files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

from advisor.analysis.advice.aims import REMOVE, SET, Aim
from advisor.analysis.advice.changes import FileChange, Sibling
from advisor.model import SERVER_KINDS, Entity, Origin, Setting, Snapshot, Spelling
from advisor.model.finding import Finding

REPLICATION = ("replication.factor", "min.isr", "min.insync.replicas")
"""What the keys end on whose recommended values take three brokers."""
ENOUGH_BROKERS = 3


def changes_of(finding: Finding, aim: Aim, entity: Entity) -> Iterator[FileChange]:
    """The lines that a finding asks to change; to remove a key takes every line that sets it, or an earlier one counts.

    None where the file has no such key to remove, says it by something else, such as the number of its nodes, or is a log.
    """
    if entity.places is not None:
        return
    key = aim.key or (finding.kafka_key or finding.key or "")
    setting = entity.settings.get(key)
    value = aim.value if aim.what == SET else None
    if aim.what not in (SET, REMOVE) or (setting is None and value is None) or (setting is not None and setting.secret):
        return
    if setting is None:
        written = entity.spelling.spell(key) if entity.spelling else key
        siblings = siblings_of(entity, written)
        yield FileChange(entity.file or "", None, key, written, None, value, entity.name, siblings)
        return
    for line in (setting, *(setting.shadowed if value is None else ())):
        if line.origin.file == entity.file and names_key(line.written or key, key):
            written, old = line.written or key, line.shown
            yield FileChange(entity.file or "", line.origin.line, key, written, old, value, entity.name)


def siblings_of(entity: Entity, written: str) -> tuple[Sibling, ...]:
    """The settings of the block that a key belongs to, as its file spells both, the last one first."""
    spelling = entity.spelling or Spelling()
    rows = [
        Sibling(row.origin.line, row.written or row.key, row.shown)
        for row in entity.settings.values()
        if row.origin.file == entity.file and row.origin.line and (row.written or row.key) == spelling.spell(row.key)
    ]
    block = block_of(written, spelling)
    return tuple(sorted((row for row in rows if block_of(row.written, spelling) == block), reverse=True))


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


def takes_more_brokers(key: str, snapshots: Sequence[Snapshot], entity: Entity) -> int | None:
    """The number of brokers where the files say it, and a key's recommended value takes more; else None."""
    if not key.endswith(REPLICATION):
        return None
    (own,) = [snapshot for snapshot in snapshots if any(row is entity for row in snapshot.entities)]
    sizes = [row.cluster_size for row in own.entities if row.kind in SERVER_KINDS and row.cluster_size is not None]
    return max(sizes) if sizes and max(sizes) < ENOUGH_BROKERS else None


def applied(changes: Sequence[FileChange], snapshots: Sequence[Snapshot]) -> list[Snapshot]:
    """The snapshots as they would be read from the changed files."""
    return [
        Snapshot(
            snapshot.name,
            [changed(entity, changes) for entity in snapshot.entities],
            snapshot.suppressions,
            snapshot.live,
            snapshot.joined,
        )
        for snapshot in snapshots
    ]


def changed(entity: Entity, changes: Sequence[FileChange]) -> Entity:
    """An entity with the lines of its own that change; the same object where none does."""
    own = [change for change in changes if change.file == entity.file and sets_on(change, entity)]
    if not own:
        return entity
    after = copy(entity)
    after.settings = dict(entity.settings)
    for change in own:
        present = after.settings.pop(change.key, None)
        if change.value is not None:
            source = present.source if present else next((row.source for row in entity.settings.values()), "")
            origin = present.origin if present else Origin(change.file, None, None)
            after.settings[change.key] = Setting(change.key, change.value, source, origin)
    return after


def sets_on(change: FileChange, entity: Entity) -> bool:
    """Whether a changed line is one of an entity, as lines above all profiles are; so is a new one below such a line."""
    if change.line is not None:
        present = entity.settings.get(change.key)
        return present is not None and present.origin.line == change.line
    if (entity.spelling or Spelling()).spell(change.key) != change.written:
        return False
    lines = {row.origin.line for row in entity.settings.values()}
    return change.entity == entity.name or not change.siblings or change.siblings[0].line in lines
