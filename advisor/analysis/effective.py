"""What a subject really uses: each value, the setting that decides it, and what that setting overrides."""

from __future__ import annotations

from advisor import catalog
from advisor.analysis.derived_values import derived
from advisor.analysis.unused_lines import losers
from advisor.catalog import sensitive, values
from advisor.catalog.keys import SYNONYMS
from advisor.model import DEFAULT, LITERAL, MASK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.catalog import Definition
    from advisor.config import Config
    from advisor.model import Setting

DERIVED = "DERIVED"
LISTENER = "listener.name."
DOUBLES_DROPPED = (4, 2)


class Row:
    """One key as it is used. `setting` is what decides it, None for a default; `note` says what Kafka makes of it."""

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


def effective_rows(config: Config, all: bool = False) -> list[Row]:
    """What is set or follows from what is set, in the order of keys; with `all` the defaults, too."""
    rows: dict[str, Row] = {}
    for key in wanted_keys(config, all):
        row = row_of(config, key)
        if row is not None:
            rows[row.key] = row
    for key, value, why in derived(config):
        found = rows.get(key)
        rows[key] = Row(key, value, DERIVED, found.setting if found else None, why)
        if found and found.setting is not None and found.setting.key == key and found.setting.value.strip() != value:
            rows[key].overrides = [found.setting, *found.overrides]
    return [rows[key] for key in sorted(rows)]


def wanted_keys(config: Config, all: bool) -> list[str]:
    """The keys to show: those of the file, those that they stand in for, and with `all` every one of the release."""
    found = dict.fromkeys(config.settings)
    for primary, others in SYNONYMS.items():
        if any(other in config.settings for other, _ in others) and config.definition(primary):
            found[primary] = None
    if all:
        for component in config.components:
            found |= dict.fromkeys(catalog.definitions(component, config.version))
    return list(found)


def row_of(config: Config, key: str) -> Row | None:
    """The row of a key; None where another key decides it, or this release does not know it."""
    definition = config.definition(key)
    if definition is None or stands_in(config, key):
        return None
    setting, factor = config.find(key)
    if setting is None:
        return default_row(config, key, definition)
    value, note = used(config, definition, setting, factor)
    row = Row(key, value, setting.source, setting, note)
    row.overrides = [*setting.shadowed, *losers(config, key, setting)]
    if key.startswith(LISTENER):
        row.note = row.note or f"for that listener only, in place of {config.resolve(key)[1]}"
    return row


def stands_in(config: Config, key: str) -> bool:
    """Whether the key only counts as another one, which has a row of its own."""
    for primary, others in SYNONYMS.items():
        own_row = primary in ("advertised.listeners", "metadata.log.dir", "broker.id")
        if not own_row and any(other == key for other, _ in others) and config.definition(primary):
            return True
    return False


def default_row(config: Config, key: str, definition: Definition) -> Row:
    """The row of a default."""
    try:
        text, factor = config.default(key)
    except LookupError:
        text, factor = definition.default, 1
    if text is not None and factor != 1:
        text = str(int(text) * factor)
    return Row(key, MASK if text and sensitive(definition) else text, DEFAULT)


def used(config: Config, definition: Definition, setting: Setting, factor: int) -> tuple[str, str]:
    """(value as Kafka reads it, what there is to say of it)."""
    if setting.secret:
        return setting.value, ""
    if setting.shape != LITERAL and setting.value.strip():
        return setting.value, "filled in later"
    refusal = values.refusal(config.definition(setting.key) or definition, setting.value, config.version)
    if refusal:
        return setting.value, f"refused: {refusal}"
    value = values.parse(config.definition(setting.key) or definition, setting.value)
    if isinstance(value, tuple):
        once = tuple(dict.fromkeys(value)) if config.version >= DOUBLES_DROPPED else value
        return ",".join(once), "doubles are dropped" if len(once) < len(value) else ""
    if isinstance(value, bool):
        return str(value).lower(), ""
    if isinstance(value, int):
        return str(value * factor), f"{setting.value.strip()} of {setting.key}" if factor != 1 else ""
    return str(value) if isinstance(value, str) else setting.value.strip(), ""
