"""Keys and values that may stand at a position."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from lsprotocol.types import CompletionItem, CompletionItemKind, CompletionItemTag, CompletionList, Position, TextEdit

from advisor.catalog import LIBRDKAFKA, Definition, definitions, key_history, marked, role
from advisor.catalog.keys import definition as definition_of
from advisor.catalog.undocumented import COMPONENTS as UNDOCUMENTED
from advisor.catalog.value_meanings import meaning
from advisor.config import Config
from advisor.edits.change import NotEdited
from advisor.edits.editor import entry_at
from advisor.edits.lines import BARE
from advisor.edits.scalars import yaml_scalar
from advisor.lsp.entry_at_cursor import QUOTED, Typed, typed_at, with_probe, without_line
from advisor.lsp.hover import config_of
from advisor.lsp.positions import Text
from advisor.lsp.possible_values import possible_values
from advisor.lsp.session import Session
from advisor.lsp.settings_at import Buffer, data_of
from advisor.model import DEPLOYMENT, Entity, Setting, Snapshot
from advisor.reports.manual.key_pages import default_text
from collectors.files.syntax.recognition import PROPERTIES, YAML

TRIGGERS = ("=", ":", ",")
IMPORTANCE = {"high": "0", "medium": "1", "low": "2"}
Neighbour = tuple[Snapshot, Entity, Setting]


def completion(session: Session, path: str, text: Text, position: Position) -> CompletionList | None:
    """What may stand at a position; None where nothing is known."""
    typed = typed_at(text, position)
    if typed is None:
        return None
    items = keys(session, path, text, typed) if typed.joint is None else values(session, path, text, typed)
    return CompletionList(is_incomplete=False, items=items)


def read(session: Session, path: str, text: Text) -> tuple[Buffer, Sequence[Snapshot]]:
    """What a buffer would describe with another text."""
    document = session.documents.get(path)
    together = (document.together if document else None) or (path,)
    texts = {os.path.realpath(each.path): data_of(each.text.text) for each in session.documents.values()}
    texts[os.path.realpath(path)] = data_of(text.text)
    return Buffer(path, text), session.judge.read(together, texts, session.client)


def settings_of(path: str, snapshots: Iterable[Snapshot]) -> list[Neighbour]:
    """The settings that stand in a file and are its own words."""
    return [
        (snapshot, entity, setting)
        for snapshot in snapshots
        for entity in snapshot.entities
        if entity.kind != DEPLOYMENT
        for setting in entity.settings.values()
        if setting.origin.file == path and setting.origin.line and not setting.derived
    ]


def keys(session: Session, path: str, text: Text, typed: Typed) -> list[CompletionItem]:
    """The keys that may stand where one is typed: those of the subject that its neighbours are settings of."""
    buffer, snapshots = read(session, path, without_line(text, typed.line))
    rows = [row for row in settings_of(path, snapshots) if is_beside(buffer, row[2], typed)]
    rows.sort(key=lambda row: abs((row[2].origin.line or 0) - typed.line - 1))
    for snapshot, entity, setting in rows:
        try:
            entry = entry_at(buffer.file, setting.origin.line or 0, setting.origin.column, setting.written or setting.key, setting.span)  # fmt: skip
        except NotEdited:
            continue
        above = (setting.written or setting.key).removesuffix(entry.name)
        joint = buffer.file.text[entry.key[1] : entry.value[0]] if entry.key[1] < entry.value[0] else "="
        form = KeyForm(entity, above, joint.rstrip("\"'") if "\n" not in joint else ": ", is_free(text, typed))
        return form.items(config_of(snapshot, entity), text, typed)
    return []


def is_beside(buffer: Buffer, setting: Setting, typed: Typed) -> bool:
    """Whether a setting stands in the block that is typed in: in the same column, with nothing less indented between."""
    if buffer.file.syntax == PROPERTIES:
        return True
    column = setting.origin.column or 0
    if column != typed.column:
        return False
    first, last = sorted((typed.line, (setting.origin.line or 1) - 1))
    between = [line for number in range(first + 1, last) if (line := buffer.text.line(number)).strip()]
    indent = len(typed.lead) - len(typed.lead.lstrip())
    return all(len(line) - len(line.lstrip()) >= indent for line in between)


def is_free(text: Text, typed: Typed) -> bool:
    """Whether nothing follows the cursor in its line."""
    return not text.text[typed.offset : text.bounds(typed.line)[1]].strip()


class KeyForm:
    """How a new key is written: as its neighbour is, below the names that stand above that, with what joins a value."""

    def __init__(self, entity: Entity, above: str, joint: str, with_joint: bool) -> None:
        self.entity = entity
        self.above = above
        self.joint = joint if with_joint else ""

    def items(self, config: Config, text: Text, typed: Typed) -> list[CompletionItem]:
        """The keys that the subject knows in its release and does not set."""
        where = text.range(typed.start, typed.offset)
        rows = []
        for key, definition in known_keys(config).items():
            written = self.entity.spelling.spell(key) if self.entity.spelling else key
            if key not in self.entity.settings and written.startswith(self.above):
                name = written.removeprefix(self.above)
                item = key_item(name, key, definition, config)
                item.text_edit = TextEdit(where, name + self.joint)
                rows.append(item)
        return rows


def known_keys(config: Config) -> dict[str, Definition]:
    """The keys that a subject knows in its release, with their definitions; a client of librdkafka those of its kind."""
    rows: dict[str, Definition] = {}
    for component in config.components:
        for key in (*definitions(component, config.version), *UNDOCUMENTED.get(component, ())):
            definition = definition_of(component, config.version, key)
            if definition is not None and is_of_kind(component, key, config.entity.kind):
                rows.setdefault(key, definition)
    return rows


def is_of_kind(component: str, key: str, kind: str) -> bool:
    """Whether a client of a kind reads a key of librdkafka."""
    return component != LIBRDKAFKA or role(key) in ("*", {"producer": "P", "consumer": "C"}.get(kind, role(key)))


def key_item(name: str, key: str, definition: Definition, config: Config) -> CompletionItem:
    """A key with its default and type."""
    default = "required" if definition.required else f"default {default_text(definition)}"
    return CompletionItem(
        label=name,
        kind=CompletionItemKind.Property,
        detail=f"{definition.type}, {default}",
        tags=[CompletionItemTag.Deprecated] if is_deprecated(key, config) else None,
        sort_text=IMPORTANCE.get(definition.importance or "", "3") + name,
    )


def is_deprecated(key: str, config: Config) -> bool:
    """Whether the target release calls a key deprecated."""
    if not marked(key):
        return False
    since = [key_history(component, key).deprecated for component in config.components]
    return any(version is not None and version <= config.version for version in since)


def values(session: Session, path: str, text: Text, typed: Typed) -> list[CompletionItem]:
    """The values that may stand where one is typed."""
    syntax = Buffer(path, text).file.syntax
    for candidate in (text, with_probe(text, typed, syntax)):
        _, snapshots = read(session, path, candidate)
        for snapshot, entity, setting in settings_of(path, snapshots):
            is_typed = setting.origin.line == typed.line + 1 and (setting.written or setting.key).endswith(typed.key)
            if is_typed and not setting.secret:
                config = config_of(snapshot, entity)
                return value_items(config, setting, text, typed, syntax)
    return []


def value_items(config: Config, setting: Setting, text: Text, typed: Typed, syntax: str) -> list[CompletionItem]:
    """The values of a key, written as the place needs them; of a list the entries that are not there yet."""
    definition = config.definition(setting.key)
    if definition is None:
        return []
    bare = config.resolve(setting.key)[1]
    before = text.text[typed.start : typed.offset]
    part = before.rpartition(",")[2] if definition.type == "list" else before
    there = {each.strip() for each in before.split(",")[:-1]} if definition.type == "list" else set()
    prefix, choices = possible_values(config, definition, bare, part.strip())
    start = typed.offset - len(part.lstrip()) + len(prefix)
    where = text.range(start, typed.offset)
    is_whole = start == typed.start
    return [
        CompletionItem(
            label=value,
            kind=CompletionItemKind.Value,
            detail=meaning(bare, value) or None,
            sort_text=f"{number:04}",
            text_edit=TextEdit(where, written(value, setting, typed, syntax) if is_whole else value),
        )
        for number, value in enumerate(choices)
        if value not in there and (definition.type != "list" or "," not in value)
    ]


def written(value: str, setting: Setting, typed: Typed, syntax: str) -> str:
    """A whole value as its syntax needs it: in quotes where they are not there and it would be read as something else."""
    if syntax in QUOTED and not typed.quote and not BARE.fullmatch(value):
        return f'"{value}"'
    if syntax != YAML or typed.quote or "=" in (typed.joint or ""):
        return value
    name = setting.written or setting.key
    text = yaml_scalar(value, "", text_only=name.isupper() and name.isidentifier())
    return f" {text}" if typed.joint == ":" else text
