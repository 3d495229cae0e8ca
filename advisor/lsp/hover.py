"""What is known of a setting: its definition in the target release, its history, its value here, the rules that read it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from lsprotocol.types import Hover, MarkupContent, MarkupKind, Position

from advisor.analysis.effective import EffectiveValue, effective_rows
from advisor.catalog import LIBRDKAFKA, Definition, KeyHistory, key_history
from advisor.catalog.support_dates import APACHE, AS_OF, END_OF_SUPPORT
from advisor.catalog.value_meanings import meaning
from advisor.config import Config
from advisor.engine import inputs_of
from advisor.errors import printable
from advisor.lsp.session import Document, State
from advisor.lsp.settings_at import SettingPlace
from advisor.lsp.units import in_words
from advisor.model import DEPLOYMENT, Entity, Snapshot, Target, Version
from advisor.reports.effective import origin, overrides
from advisor.reports.links import rule_url
from advisor.reports.manual.key_pages import UPDATE_MODES, default_text, valid_text
from advisor.reports.manual.key_sentences import SENTENCES
from advisor.rule.keys import keys_of
from rules import all_rules

ANCHORS = {
    "broker": "brokerconfigs",
    "topic": "topicconfigs",
    "producer": "producerconfigs",
    "consumer": "consumerconfigs",
    "admin": "adminclientconfigs",
    "streams": "streamsconfigs",
    "connect": "connectconfigs",
    "connect-standalone": "connectconfigs",
    "connect-source": "sourceconnectconfigs",
    "connect-sink": "sinkconnectconfigs",
    "remote-log-manager": "remote_log_manager",
}
"""The parts of Kafka's documentation by component."""
KAFKAS_PAGE = "https://kafka.apache.org/documentation/#{}_{}"
LIBRDKAFKAS_PAGE = "https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md"
FIRST = (2, 0)
"""The oldest release of the catalogs: since then or longer."""
MOST_RULES = 12


def hover(document: Document, state: State, position: Position) -> Hover | None:
    """What to show of the setting at a position; None where there is none."""
    buffer = state.buffers[document.path]
    offset = buffer.text.offset(position)
    place = buffer.place_at(state.judged.side.snapshots, offset)
    if place is None:
        return None
    lines = list(lines_of(place, offset >= place.value[0]))
    where = buffer.text.range(place.key[0], place.value[1])
    return Hover(MarkupContent(MarkupKind.Markdown, "\n".join(lines)), where) if lines else None


def lines_of(place: SettingPlace, on_value: bool) -> Iterator[str]:
    """The page of a setting; on its value what that means comes first."""
    target = stated_target(place)
    if target is not None:
        yield from lines_of_release(target)
        return
    if place.entity.kind == DEPLOYMENT:
        return
    config = config_of(place.snapshot, place.entity)
    key = place.setting.key
    bare = config.resolve(key)[1]
    if on_value and not place.setting.secret and (text := meaning(bare, place.setting.value)):
        yield f"`{code(place.setting.shown)}`: {text}"
        yield ""
    definition = config.definition(key)
    yield f"**{code(key)}**" + (f" ({config.release})" if definition else f": not a setting of {config.release}")
    yield ""
    if bare in SENTENCES:
        yield SENTENCES[bare]
        yield ""
    yield from (f"- {line}" for line in facts(config, key, bare, definition))


def facts(config: Config, key: str, bare: str, definition: Definition | None) -> Iterator[str]:
    """What is known of a key, a line each."""
    if definition is not None:
        yield from of_definition(definition, of_librdkafka=config.librdkafka)
    components = config.resolve(key)[0]
    component = next((each for each in components if key_history(each, bare).since), components[0])
    yield from of_history(key_history(component, bare))
    row = next((row for row in effective_rows(config) if row.key == key or decides(row, key)), None)
    if row is not None:
        yield from of_value(config, row, "" if row.key == key else row.key)
    named = rules_about().get(bare, [])
    if named:
        more = f" and {len(named) - MOST_RULES} more" if len(named) > MOST_RULES else ""
        yield f"rules: {', '.join(named[:MOST_RULES])}{more}"
    url = page_of(component, bare)
    if url:
        yield f"[documentation]({url})"


def of_definition(definition: Definition, of_librdkafka: bool) -> Iterator[str]:
    """Type, default and valid values in the target release, and whether it changes while Kafka runs."""
    yield f"type: {definition.type}{', required' if definition.required else ''}"
    if not definition.required:
        words = in_words(definition.name, definition.default)
        yield f"default: {words or f'`{code(default_text(definition))}`'}"
    if definition.valid is not None:
        yield f"valid: {printable(valid_text(definition.valid))}"
    if definition.update_mode is not None and not of_librdkafka:
        yield f"changes: {UPDATE_MODES.get(definition.update_mode, definition.update_mode)}"


def of_history(history: KeyHistory) -> Iterator[str]:
    """Since when there is the key, and what became of it."""
    if history.since is not None:
        yield f"since {text_of(history.since)}{' or earlier' if history.since == FIRST else ''}"
    if history.deprecated is not None:
        instead = f"; use `{history.deprecated_replacement}`" if history.deprecated_replacement else ""
        planned = f", to be removed in {text_of(history.removed_in)}" if history.removed_in else ""
        yield f"deprecated from {text_of(history.deprecated)} on{planned}{instead}"
    if history.removed is not None:
        yield f"removed in {text_of(history.removed)}" + (f"; use `{history.replacement}`" if history.replacement else "")  # fmt: skip
    if history.renamed is not None:
        yield f"renamed in {text_of(history.renamed)}: `{history.renamed_to}`"


def of_value(config: Config, row: EffectiveValue, other: str) -> Iterator[str]:
    """The effective value here, and what decides it; `other` is the key that it is the value of, where it is another one."""
    words = in_words(row.key, row.value)
    value = "null" if row.value is None else code(row.value)
    yield (
        "here: "
        + (f"{code(other)} = " if other else "")
        + f"`{value}`"
        + (f" ({words})" if words else "")
        + f", {printable(origin(row, config.entity.file))}"
    )
    yield from (printable(text) for text in overrides(row, config.entity.file))


def decides(row: EffectiveValue, key: str) -> bool:
    """Whether a row's value is decided by a key of another name, or overrides it."""
    return any(setting.key == key for setting in (row.setting, *row.overrides) if setting is not None)


def config_of(snapshot: Snapshot, entity: Entity) -> Config:
    """The effective settings of an entity, with what the files of its cluster say together."""
    configs = (config for group in inputs_of(snapshot).values() for config in group)
    return next((config for config in configs if config.entity is entity), Config(entity))


@cache
def rules_about() -> dict[str, list[str]]:
    """The rules that read a key, each linked to its page where it has one, by key."""
    by_key: dict[str, list[str]] = {}
    for rule in all_rules():
        words, url = f"{rule.id} {rule.name}", rule_url(rule.id, rule.name)
        for key in sorted(keys_of(rule)):
            by_key.setdefault(key, []).append(f"[{words}]({url})" if url else words)
    return by_key


def page_of(component: str, key: str) -> str:
    """Where a key is documented; empty where no page has it."""
    if component == LIBRDKAFKA:
        return LIBRDKAFKAS_PAGE
    return KAFKAS_PAGE.format(ANCHORS[component], key) if component in ANCHORS else ""


def stated_target(place: SettingPlace) -> Target | None:
    """The release that an image or a version of a file means, where the setting is that."""
    origin = place.setting.origin
    for entity in place.snapshot.entities:
        stated = entity.target.stated
        if stated is not None and (stated.origin.file, stated.origin.line) == (origin.file, origin.line):
            return entity.target
    return None


def lines_of_release(target: Target) -> Iterator[str]:
    """A release, and until when it is supported."""
    yield f"**Kafka {target.text}**" + (f" ({target.vendor[0]} {text_of(target.vendor[1])})" if target.vendor else "")
    yield ""
    yield f"- {printable(target.reason)}"
    if target.vendor is not None and target.vendor[0] in END_OF_SUPPORT:
        day = END_OF_SUPPORT[target.vendor[0]].get(target.vendor[1])
        yield f"- {target.vendor[0]} {text_of(target.vendor[1])}: " + (f"supported until {day}" if day else f"no end of support was published by {AS_OF}")  # fmt: skip
    else:
        supported = ", ".join(map(text_of, APACHE))
        has_fixes = target.version in APACHE
        yield f"- Apache fixes {supported} (as of {AS_OF})" + ("" if has_fixes else ", and not this release any more")


def text_of(version: Version) -> str:
    """A version as Kafka writes it."""
    return f"{version[0]}.{version[1]}"


def code(text: str) -> str:
    """A text that Markdown shows as it is."""
    return printable(text).replace("`", "'")
