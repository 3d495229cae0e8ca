"""The keys that may stand where one is typed, in the spelling of the place."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol.types import CompletionItem, CompletionItemKind, CompletionItemTag, TextEdit

from advisor.catalog import LIBRDKAFKA, Definition, all_keys, definitions, key_history, marked, role
from advisor.catalog.keys import definition as definition_of
from advisor.catalog.undocumented import COMPONENTS as UNDOCUMENTED
from advisor.config import Config
from advisor.edits.change import NotEdited
from advisor.edits.editor import entry_at
from advisor.lsp.entry_at_cursor import QUOTED, Typed, without_line
from advisor.lsp.hover import config_of
from advisor.lsp.positions import Text
from advisor.lsp.session import Session
from advisor.lsp.settings_at import Buffer, data_of
from advisor.lsp.unfinished import read, settings_of
from advisor.model import Entity, Setting
from advisor.reports.manual.key_pages import default_text
from collectors.files.detect import is_telling
from collectors.files.mentions import concerns_kafka
from collectors.files.operators import strimzi_fields
from collectors.files.syntax.recognition import JSON, PROPERTIES

NAMED = ("kafka", "producer", "consumer", "server.properties", "controller.properties", "connect-")
"""What is in the paths of files that are Kafka's before anything stands in them."""
MOST_PROBES = 6
"""Keys that are tried where a block has none."""
IMPORTANCE = {"high": "0", "medium": "1", "low": "2"}
PREFIXES = ("KAFKA_CFG_", "KAFKA_", "CONNECT_")
"""What variables of images begin with that become settings."""


def keys(session: Session, path: str, text: Text, typed: Typed) -> list[CompletionItem]:
    """The keys that may stand where one is typed: those of the subject that its neighbours are settings of.

    Where it is the first one of its block, that of a key put in its place.
    """
    buffer, snapshots = read(session, path, without_line(text, typed.line))
    lines = lines_of_block(buffer, typed)
    rows = [row for row in settings_of(path, snapshots) if is_beside(buffer, row[2], typed, lines)]
    rows.sort(key=lambda row: abs((row[2].origin.line or 0) - typed.line - 1))
    for snapshot, entity, setting in rows:
        form = form_of(buffer, entity, setting, text, typed)
        if form is not None:
            return form.items(config_of(snapshot, entity), text, typed)
    return first_keys(session, path, text, typed, buffer.file.syntax)


def first_keys(session: Session, path: str, text: Text, typed: Typed, syntax: str) -> list[CompletionItem]:
    """The keys that may stand where the first one of a block is typed."""
    others = without_line(text, typed.line).text
    is_kafkas = any(word in path.lower() for word in NAMED) or (
        others.strip() and concerns_kafka(path, data_of(others))
    )
    for line in probes(typed, syntax) if is_kafkas else ():
        start, end = text.bounds(typed.line)
        buffer, snapshots = read(session, path, text.replaced(text.text[:start] + line + text.text[end:]))
        for snapshot, entity, setting in settings_of(path, snapshots):
            form = form_of(buffer, entity, setting, text, typed) if setting.origin.line == typed.line + 1 else None
            if form is not None:
                del entity.settings[setting.key]
                return form.items(config_of(snapshot, entity), text, typed)
    return []


def probes(typed: Typed, syntax: str) -> Iterator[str]:
    """Lines with a key that begins as the one that is typed, in each spelling that it may have."""
    prefix = next((each for each in PREFIXES if typed.key.startswith(each)), "")
    word = typed.key.removeprefix(prefix).lower()
    start = word.replace("_", ".") if prefix else word.replace("-", ".")
    fitting = sorted(
        (each for each in all_keys() if each.startswith(start)), key=lambda each: (not is_telling(each), each)
    )
    spelled = [
        [prefix + key.upper().replace(".", "_")] if prefix else [key, key.replace(".", "-")]
        for key in fitting[:MOST_PROBES]
    ]
    joint = "=" if syntax == PROPERTIES or "-" in typed.lead else " = " if syntax in QUOTED else ": "
    quote = typed.lead[-1:] if typed.lead[-1:] in ("'", '"') and joint != "=" else ""
    value = '"1"' if syntax in QUOTED else "1"
    if syntax != JSON and typed.key:
        yield from (typed.lead + name + quote + joint + value for names in spelled for name in names)


def form_of(buffer: Buffer, entity: Entity, setting: Setting, text: Text, typed: Typed) -> KeyForm | None:
    """How a key is written that stands beside a setting; None where that is not written as key and value."""
    written = setting.written or setting.key
    try:
        entry = entry_at(buffer.file, setting.origin.line or 0, setting.origin.column, written, setting.span)
    except NotEdited:
        return None
    joint = buffer.file.text[entry.key[1] : entry.value[0]] if entry.key[1] < entry.value[0] else "="
    joint = ": " if "\n" in joint else joint.rstrip("\"'")
    is_free = not text.text[typed.offset : text.bounds(typed.line)[1]].strip()
    return KeyForm(entity, written.removesuffix(entry.name), joint if is_free else "")


def is_beside(buffer: Buffer, setting: Setting, typed: Typed, lines: range) -> bool:
    """Whether a setting stands in the block that is typed in: in the same column, in one of its lines."""
    if buffer.file.syntax == PROPERTIES:
        return True
    return (setting.origin.column or 0) == typed.column and (setting.origin.line or 1) - 1 in lines


def lines_of_block(buffer: Buffer, typed: Typed) -> range:
    """The lines around the one that is typed, up to the first one on either side that is less indented."""
    indent = len(typed.lead) - len(typed.lead.lstrip())
    last = len(buffer.text.starts) - 1

    def end(lines: range, otherwise: int) -> int:
        texts = ((number, buffer.text.line(number)) for number in lines)
        less = (number for number, line in texts if line.strip() and len(line) - len(line.lstrip()) < indent)
        return next(less, otherwise)

    return range(end(range(typed.line - 1, -1, -1), 0), end(range(typed.line + 1, last + 1), last) + 1)


class KeyForm:
    """How a new key is written: as its neighbour is, below the names that stand above that, with what joins a value."""

    def __init__(self, entity: Entity, above: str, joint: str) -> None:
        self.entity = entity
        self.above = above
        self.joint = joint

    def items(self, config: Config, text: Text, typed: Typed) -> list[CompletionItem]:
        """The keys that the subject knows in its release and does not set."""
        where = text.range(typed.start, typed.offset)
        rows = []
        for key, definition in known_keys(config).items():
            written = self.entity.spelling.spell(key) if self.entity.spelling else key
            is_offered = key not in self.entity.settings and not is_dropped_by_operator(key, self.entity)
            if is_offered and written.startswith(self.above):
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


def is_dropped_by_operator(key: str, entity: Entity) -> bool:
    """Whether an operator writes a key itself, and drops it from what its resource sets."""
    return entity.format == strimzi_fields.FORMAT_NAME and strimzi_fields.is_dropped(key, entity.kind)
