"""The changes of a file that give a setting of an entity another value, another name, or take it away."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.catalog.keys import ALIASES
from advisor.edits.change import FileChange, Sibling
from advisor.model import Entity, Setting, Spelling


def changes_of(entity: Entity, key: str, value: str | None) -> Iterator[FileChange]:
    """The lines to change for a key; to remove it takes every line that sets it, or an earlier one counts.

    None where the file has no such key to remove, says it by something else, such as the number of its nodes or an item of a
    list, or keeps it secret.
    """
    alias = ALIASES.get(key, key) if entity.family != "java" else key
    key = alias if key not in entity.settings and alias in entity.settings else key
    setting, file = entity.settings.get(key), entity.file or ""
    if (setting is None and value is None) or (setting is not None and setting.secret):
        return
    if setting is None:
        written = entity.spelling.spell(key) if entity.spelling else key
        if entity.spelling and "[" in written.removeprefix(entity.spelling.prefix):
            return
        yield FileChange(file, None, key, written, None, value, entity.name, siblings_of(entity, written))
        return
    for line in (setting, *(setting.shadowed if value is None else ())):
        if line.origin.file == file and names_key(line.written or key, key):
            yield change_of(entity, key, line, value)


def change_of(entity: Entity, key: str, setting: Setting, value: str | None, renamed: str | None = None) -> FileChange:
    """The change of one setting where it stands."""
    origin, written = setting.origin, setting.written or key
    file = origin.file or entity.file or ""
    return FileChange(file, origin.line, key, written, setting.shown, value, entity.name,
                      span=setting.span, column=origin.column, renamed=renamed)  # fmt: skip


def siblings_of(entity: Entity, written: str) -> tuple[Sibling, ...]:
    """The settings of the block that a key belongs to, as its file spells both, the last one first; no secrets."""
    spelling = entity.spelling or Spelling()
    rows = [
        Sibling(row.origin.line, row.written or row.key, row.shown, row.span, row.origin.column)
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
