"""Effective settings: each value in use, the setting that decides it, and what that setting overrides."""

from __future__ import annotations

from copy import copy

from advisor import catalog
from advisor.analysis.derived_values import derived_settings
from advisor.analysis.unused_lines import overridden_settings
from advisor.catalog import Definition, sensitive, values
from advisor.catalog.keys import SYNONYMS
from advisor.config import Config, scaled
from advisor.engine.report import shown_text_of
from advisor.model import CLIENT_KINDS, DEFAULT, LITERAL, MASK, Setting
from advisor.secrets.disclosure import shown_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from advisor.analysis.derived_values import Derived

DERIVED = "DERIVED"
LISTENER = "listener.name."
DOUBLES_DROPPED = (4, 2)
WITH_OWN_ROW = ("advertised.listeners", "metadata.log.dir", "broker.id")
"""Keys beside whose synonyms, which mean more, a row of their own stands."""
PRIMARY_KEYS: dict[str, list[str]] = {}
"""By synonym the keys that it stands in for."""
for _primary, _others in SYNONYMS.items():
    for _other, _ in _others if _primary not in WITH_OWN_ROW else ():
        PRIMARY_KEYS.setdefault(_other, []).append(_primary)


class EffectiveValue:
    """One key's effective value. `setting` decides it, None for a default; `note` says how Kafka reads it."""

    __slots__ = ("key", "note", "overrides", "setting", "source", "value")

    def __init__(
        self, key: str, value: str | None, source: str, setting: Setting | None = None, note: str = ""
    ) -> None:
        self.key = key
        self.value = value
        self.source = source
        self.setting = setting
        self.note = note
        self.overrides: list[Setting] = []


class Defaults:
    """The defaults of subjects: equal ones are the same row; those of clients, of which each key has one whatever else is set, are worked out once."""

    def __init__(self) -> None:
        self._known: dict[Hashable, dict[str, EffectiveValue]] = {}
        self._shared: dict[tuple[str, str | None], EffectiveValue] = {}

    def rows(self, config: Config) -> dict[str, EffectiveValue]:
        """The rows of the keys that the file does not have, which defaults or keys of other names decide."""
        entity = config.entity
        if entity.kind not in CLIENT_KINDS:
            return {key: self._same(row) for key, row in default_rows(config).items()}
        described = None if entity.described is None else tuple(entity.described.items())
        frame = (entity.kind, entity.family, config.version, bool(entity.fragment), entity.cluster is None, described)
        if frame not in self._known:
            bare = copy(entity)
            bare.settings = {}
            self._known[frame] = default_rows(Config(bare))
        known = self._known[frame].items()
        rows = ((key, row if config.find(key)[0] is None else row_of(config, key)) for key, row in known)
        return {key: row for key, row in rows if row is not None}

    def _same(self, row: EffectiveValue) -> EffectiveValue:
        """The first row that says the same of a key that nothing sets."""
        return row if row.setting or row.note else self._shared.setdefault((row.key, row.value), row)


def effective_rows(
    config: Config, defaults: Defaults | None = None, keys: Sequence[str] | None = None
) -> list[EffectiveValue]:
    """The effective settings, sorted by key: what is set (some `keys` alone) or derived, and the defaults where asked for."""
    rows = {} if defaults is None else defaults.rows(config)
    derived = list(derived_settings(config))
    for key in keys_to_show(config, all=False) if keys is None else written_keys(config, keys, derived):
        row = row_of(config, key)
        if row is not None:
            rows[row.key] = row
    for key, value, why in derived:
        set_row = rows.get(key)
        shown = shown_text_of(value, (config,))
        rows[key] = EffectiveValue(
            key, shown, DERIVED, set_row.setting if set_row else None, shown_text_of(why, (config,))
        )
        if (
            set_row
            and set_row.setting is not None
            and set_row.setting.key == key
            and set_row.setting.value.strip() != value
        ):
            rows[key].overrides = [set_row.setting, *set_row.overrides]
    return [rows[key] for key in sorted(rows)]


def written_keys(config: Config, keys: Sequence[str], derived: Sequence[Derived]) -> Iterator[str]:
    """Some keys and those of derived values that a setting decides, too."""
    wanted = dict.fromkeys([*keys, *(key for key, _, _ in derived)])
    return (key for key in wanted if config.setting(key) is not None)


def default_rows(config: Config) -> dict[str, EffectiveValue]:
    """The rows of the keys that the file does not have: subjects with the same keys have the same."""
    written = set(keys_to_show(config, all=False))
    unwritten = (key for key in keys_to_show(config, all=True) if key not in written)
    return {key: row for key in unwritten if (row := row_of(config, key)) is not None}


def keys_to_show(config: Config, all: bool) -> list[str]:
    """The keys to list: those of the file, their primary keys, and with `all` every key of the release."""
    keys = dict.fromkeys(config.settings)
    for primary, others in SYNONYMS.items():
        if any(other in config.settings for other, _ in others) and config.definition(primary):
            keys[primary] = None
    if all:
        for component in config.components:
            keys |= dict.fromkeys(catalog.definitions(component, config.version))
    return list(keys)


def row_of(config: Config, key: str) -> EffectiveValue | None:
    """A key's row; None where another key decides it, or this release does not know it."""
    definition = config.definition(key)
    if definition is None or stands_in(config, key):
        return None
    setting, factor = config.find(key)
    if setting is None:
        return default_row(config, key, definition)
    value, note = value_as_read(config, definition, setting, factor)
    if setting.variable and not note:
        note = f"unless {setting.variable} is set"
    row = EffectiveValue(key, value, setting.source, setting, note)
    row.overrides = [*setting.shadowed, *overridden_settings(config, key, setting)]
    if key.startswith(LISTENER):
        row.note = row.note or f"for that listener only, in place of {config.resolve(key)[1]}"
    return row


def stands_in(config: Config, key: str) -> bool:
    """Whether the key is only a synonym of another one, which has a row of its own."""
    return any(config.definition(primary) for primary in PRIMARY_KEYS.get(key, ()))


def default_row(config: Config, key: str, definition: Definition) -> EffectiveValue:
    """The row of a key that is not set: its default."""
    try:
        text, factor = config.default(key)
    except LookupError:
        text, factor = None if config.entity.fragment else definition.default, 1
    if text is not None and factor != 1:
        text = scaled(text, factor)
    if text and config.entity.described is not None:
        text = shown_value(key, text)
    return EffectiveValue(key, MASK if text and sensitive(definition) else text, DEFAULT)


def value_as_read(config: Config, definition: Definition, setting: Setting, factor: int) -> tuple[str, str]:
    """(value as Kafka parses it, a note about it)."""
    if setting.secret:
        return setting.shown, ""
    if setting.shape != LITERAL and setting.value.strip():
        return setting.shown, "filled in later"
    refusal = values.refusal(config.definition(setting.key) or definition, setting.value)
    if refusal:
        return setting.shown, f"refused: {shown_text_of(refusal, (config,))}"
    if setting.shown != setting.value:
        return setting.shown, ""
    value = values.parse(config.definition(setting.key) or definition, setting.value)
    if isinstance(value, tuple):
        once = tuple(dict.fromkeys(value)) if config.version >= DOUBLES_DROPPED else value
        return ",".join(once), "doubles are dropped" if len(once) < len(value) else ""
    if isinstance(value, bool):
        return str(value).lower(), ""
    if isinstance(value, int):
        return str(value * factor), f"{setting.value.strip()} of {setting.key}" if factor != 1 else ""
    return str(value) if isinstance(value, str) else setting.value.strip(), ""
