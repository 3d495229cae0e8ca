"""The values that may stand where one is typed."""

from __future__ import annotations

from lsprotocol.types import CompletionItem, CompletionItemKind, TextEdit

from advisor.catalog.value_meanings import meaning
from advisor.config import Config
from advisor.edits.lines import BARE
from advisor.edits.scalars import yaml_scalar
from advisor.lsp.entry_at_cursor import QUOTED, Typed, with_probe
from advisor.lsp.hover import config_of
from advisor.lsp.positions import Text
from advisor.lsp.possible_values import possible_values
from advisor.lsp.session import Session
from advisor.lsp.settings_at import Buffer
from advisor.lsp.unfinished import read, settings_of
from advisor.model import Setting
from collectors.files.syntax.recognition import YAML


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
