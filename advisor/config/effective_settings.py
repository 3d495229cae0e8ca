"""Resolve a key of one subject: the setting that decides it, or the default."""

from __future__ import annotations

from advisor.catalog import Definition
from advisor.catalog.keys import (
    ALIASES,
    COMPONENTS,
    OPENERS,
    OWN_DEFAULTS,
    PREFIXES,
    SYNONYMS,
    component_of,
    first_definition,
    is_known,
    without_prefix,
)
from advisor.model import CLIENT_FILE, DEFAULT, DYNAMIC_TOPIC, SERVER_KINDS, STATIC_BROKER, Entity, Setting, Version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

RELEASE = "kafka-version"
"""Stands for the target release where a finding is about that."""


HIDDEN_DEFAULTS: dict[int, tuple[Mapping[str, str | None], tuple[Setting, ...]]] = {}
"""The hidden settings of defaults, by the identity of these: all brokers and topics of a cluster have the same table."""
TABLES = 64
"""Tables of defaults that are remembered."""


def _hidden_defaults(described: Mapping[str, str | None]) -> tuple[Setting, ...]:
    """The defaults that a running cluster described and outputs do not show as they are."""
    known = HIDDEN_DEFAULTS.get(id(described))
    if known is not None and known[0] is described:
        return known[1]
    from advisor.secrets.disclosure import described_setting, shown_value

    texts = ((key, text) for key, text in described.items() if text and shown_value(key, text) != text)
    hidden = tuple(described_setting(key, text, DEFAULT) for key, text in texts)
    if len(HIDDEN_DEFAULTS) >= TABLES:
        HIDDEN_DEFAULTS.clear()
    HIDDEN_DEFAULTS[id(described)] = described, hidden
    return hidden


class EffectiveSettings:
    """One subject's settings over the defaults of its version."""

    __slots__ = (
        "_hidden_values",
        "_undisclosed",
        "components",
        "definitions",
        "entity",
        "librdkafka",
        "settings",
        "template",
        "version",
    )

    entity: Entity
    settings: dict[str, Setting]
    version: Version

    def __init__(self, entity: Entity) -> None:
        self.entity = entity
        self.settings = entity.settings
        self.version = entity.target.version
        self.librdkafka = entity.family == "librdkafka"
        self.components = COMPONENTS[component_of(entity)]
        self.definitions: dict[str, Definition | None] = {}
        self._undisclosed: tuple[Setting, ...] | None = None
        self._hidden_values: tuple[tuple[str, str], ...] | None = None
        self.template = next((key for key in entity.settings if key[:1] in OPENERS), None)

    def definition(self, key: str) -> Definition | None:
        """Kafka's definition of the key in the target version, prefixes such as `listener.name.x.` taken off."""
        if key not in self.definitions:
            self.definitions[key] = first_definition(*self.resolve(key), self.version)
        return self.definitions[key]

    def resolve(self, key: str) -> tuple[tuple[str, ...], str]:
        """The components that may define the key, and the key without its prefix."""
        if self.entity.kind not in PREFIXES:
            return self.components, key
        return without_prefix(self.entity.kind, key, self.settings) or (self.components, key)

    def find(self, key: str) -> tuple[Setting | None, int]:
        """The setting that decides the key, and how many of the key's units one of its units is."""
        setting = self.settings.get(key)
        if setting is not None:
            return setting, 1
        if self.librdkafka and key in ALIASES:
            return self.settings.get(ALIASES[key]), 1
        for other, factor in SYNONYMS.get(key, ()):
            if other in self.settings:
                return self.settings[other], factor
        return (self.entity.target.stated if key == RELEASE else None), 1

    def hidden_settings(self) -> tuple[Setting, ...]:
        """The settings, replaced ones included, whose values outputs do not show as they are."""
        if self._undisclosed is None:
            written = (each for setting in self.settings.values() for each in (setting, *setting.shadowed))
            described = self.entity.described
            every = (*written, *(_hidden_defaults(described) if described else ()))
            self._undisclosed = tuple(setting for setting in every if setting.shown != setting.value)
        return self._undisclosed

    def hidden_values(self) -> tuple[tuple[str, str], ...]:
        """(value, what is shown of it) of the hidden settings."""
        if self._hidden_values is None:
            hidden = self.hidden_settings()
            self._hidden_values = tuple((setting.value.strip(), setting.shown.strip()) for setting in hidden)
        return self._hidden_values

    def setting(self, key: str) -> Setting | None:
        """The setting that decides the key, None where the default does."""
        return self.find(key)[0]

    def default(self, key: str) -> tuple[str | None, int]:
        """The version's default as text and its factor, that of a synonym where the key itself has none.

        Raises LookupError(why) where the version does not know the key, KeyError where no version does.
        """
        own = self._own_default(key)
        if own is not None:
            return own, 1
        for other, factor in SYNONYMS.get(key, ()):
            stand_in = self._own_default(other)
            if stand_in is not None:
                return stand_in, factor
        if self.definition(key) is None and not self._described(key):
            if not (key in self.settings or is_known(self.resolve(key)[1])):
                raise KeyError(f"no catalog knows {key}")
            raise LookupError(f"{key} is not a setting of {self.release}")
        return None, 1

    def _described(self, key: str) -> bool:
        return self.entity.described is not None and key in self.entity.described

    def _own_default(self, key: str) -> str | None:
        """The default as the cluster described it, else as the version's catalog has it."""
        if self.entity.described is not None and key in self.entity.described:
            return self.entity.described[key]
        definition = self.definition(key)
        own = OWN_DEFAULTS.get(self.entity.kind)
        if own is not None and definition is not None and (bare := self.resolve(key)[1]) in own:
            return own[bare]
        return None if definition is None else definition.default

    @property
    def release(self) -> str:
        """What the defaults are those of: Kafka 4.4, librdkafka."""
        return "librdkafka" if self.librdkafka else f"Kafka {self.version[0]}.{self.version[1]}"

    @property
    def source(self) -> str:
        """The source of a setting that stands in this subject's file."""
        kind = self.entity.kind
        if kind in SERVER_KINDS:
            return STATIC_BROKER
        return DYNAMIC_TOPIC if kind == "topic" else CLIENT_FILE
