"""The splices that mend a finding, and why one is not mended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.catalog.keys import SYNONYMS
from advisor.edits.change import FileChange, NotEdited
from advisor.edits.comments import comment_above, comment_away
from advisor.edits.diff import lines_of
from advisor.edits.editor import splices_of
from advisor.edits.setting_changes import change_of, changes_of, names_key
from advisor.edits.text import FileText, Splice
from advisor.model import PLACEHOLDER, Entity, Setting, Snapshot
from advisor.model.finding import EntityName, Finding

DROP, REMOVE, SET, RENAME = "drop", "remove", "set", "rename"
EARLIER, MOVE_COMMENT, REMOVE_COMMENT = "remove earlier", "move comment", "remove comment"
EDITS = (DROP, REMOVE, EARLIER, MOVE_COMMENT, REMOVE_COMMENT)
"""The edits that need no argument."""


class Subjects:
    """What findings are about, by their names, and the lines that reports do not show."""

    def __init__(self, snapshots: Sequence[Snapshot]) -> None:
        self._by_name: dict[EntityName, list[Entity]] = {}
        self._hidden: set[tuple[str | None, int | None]] = set()
        for entity in (entity for snapshot in snapshots for entity in snapshot.entities):
            if entity.file is not None:
                self._by_name.setdefault((entity.kind, entity.name), []).append(entity)
            for setting in entity.settings.values():
                for each in (setting, *setting.shadowed):
                    if each.secret or each.shown != each.value:
                        self._hidden.add((each.origin.file, each.origin.line))

    def of(self, finding: Finding) -> Entity:
        """The entity that a finding is about. Raises NotEdited."""
        for entity in self._by_name.get(finding.entity, ()):
            setting = entity.settings.get(finding.kafka_key or finding.key or "")
            if entity.file == finding.file or (setting is not None and setting.origin.file == finding.file):
                return entity
        raise NotEdited("it is about several files, or about none")

    def is_hidden(self, file: str, line: int) -> bool:
        """Whether a line holds a value that reports mask."""
        return (file, line) in self._hidden


def splices_for(finding: Finding, subjects: Subjects, text: FileText, shown: bool = False) -> list[Splice]:
    """The splices of a finding's file that its edit is; `shown` are none that move what reports mask. Raises NotEdited."""
    if finding.edit == REMOVE_COMMENT:
        return [comment_away(text, finding.line or 0)]
    entity = subjects.of(finding)
    key = key_of(finding, entity)
    for setting in settings_of(finding, entity, key):
        check(setting, text)
    if finding.edit == MOVE_COMMENT:
        setting = entity.settings[key]
        if shown and setting.shown != setting.value:
            raise NotEdited(HIDDEN)
        return comment_above(text, setting, finding.required or "")
    changes = list(changes_for(finding.edit, entity, key))
    if not changes:
        raise NotEdited("the file says it by something else than a setting of its own")
    if any(change.file != entity.file for change in changes):
        raise NotEdited("it stands in another file")
    return splices_of(text, changes)


HIDDEN = "its line holds a secret, or what may be one, which a diff would show"


def check_lines(text: FileText, splices: Sequence[Splice], subjects: Subjects) -> None:
    """Raise NotEdited where a line that changes holds what reports mask."""
    from advisor.edits.shown_lines import changes_are_shown

    for start, end in (lines_of(text, splice) for splice in splices):
        for line in range(text.line_of(start), text.line_of(max(start, end - 1)) + 1) if end > start else ():
            if subjects.is_hidden(text.shown, line):
                raise NotEdited(HIDDEN)
    if not changes_are_shown(text, splices):
        raise NotEdited(HIDDEN)


def key_of(finding: Finding, entity: Entity) -> str:
    """Kafka's name of the key that a finding's edit is about."""
    key_reported = finding.kafka_key or finding.key or ""
    if key_reported not in entity.settings:
        key_reported = next((row.key for row in entity.settings.values() if row.written == key_reported), key_reported)
    verb, _, argument = finding.edit.partition(" ")
    if finding.edit in EDITS or verb == RENAME:
        return key_reported
    key = argument.partition("=")[0]
    is_synonym = key not in entity.settings and any(key_reported == other for other, _ in SYNONYMS.get(key, ()))
    return key_reported if is_synonym and key_reported in entity.settings else key


def settings_of(finding: Finding, entity: Entity, key: str) -> Iterator[Setting]:
    """The settings that an edit touches."""
    setting = entity.settings.get(key)
    if setting is not None:
        yield from setting.shadowed if finding.edit == EARLIER else (setting, *setting.shadowed)


def check(setting: Setting, text: FileText) -> None:
    """Raise NotEdited for a setting that is none of the file's own words."""
    if setting.secret:
        raise NotEdited("a secret is not edited")
    if setting.shape == PLACEHOLDER:
        raise NotEdited("its value is filled in later")
    if setting.conditional:
        raise NotEdited("it stands in a branch of a template")
    if setting.derived:
        raise NotEdited("it is made of something else in the file")
    line = setting.origin.line or 0
    if setting.origin.file == text.shown and setting.quoted is not None and line <= len(text.starts):
        written = text.line(line).rstrip("\r")
        if setting.quoted.rstrip("\r") != written:
            raise NotEdited("a variable of the command line is filled in")


def changes_for(edit: str, entity: Entity, key: str) -> Iterator[FileChange]:
    """The changes of an entity's settings that an edit is. Raises NotEdited."""
    verb, _, argument = edit.partition(" ")
    setting = entity.settings.get(key)
    if edit == EARLIER and setting is not None:
        for earlier in setting.shadowed:
            yield change_of(entity, key, earlier, None)
    elif edit == DROP or verb == REMOVE:
        yield from changes_of(entity, key, None)
    elif verb == SET:
        value = argument.partition("=")[2]
        yield from changes_of(entity, key, value.replace("$", "$$") if entity.format == COMPOSE else value)
    elif verb == RENAME and setting is not None:
        yield renaming(entity, key, setting, argument)


def renaming(entity: Entity, key: str, setting: Setting, new: str) -> FileChange:
    """The change of a key's name. Raises NotEdited where the new one is set already."""
    if new in entity.settings:
        raise NotEdited(f"{new} is set, too")
    if setting.shadowed:
        raise NotEdited("the key is set several times")
    written = setting.written or key
    if written.endswith(key):
        spelled = written.removesuffix(key) + new
    elif entity.spelling is not None and entity.spelling.spell(key) == written:
        spelled = entity.spelling.spell(new)
    elif key.startswith(UNBOUND) and written.endswith(new.removeprefix("properties.").replace(".", "-")):
        spelled = written.removesuffix(new.removeprefix("properties.").replace(".", "-")) + new
    elif names_key(written, key):
        raise NotEdited("the file has a spelling of its own")
    else:
        raise NotEdited("the file says it by something else")
    return change_of(entity, key, setting, None, spelled)


COMPOSE = "compose"
"""The format in which a dollar sign is written twice."""
UNBOUND = "unbound."
"""What the keys of properties begin with that a framework does not bind."""
