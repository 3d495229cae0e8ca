"""The values that a key may have, as far as Kafka's definitions or the file itself name them."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.catalog import Definition
from advisor.catalog.classes import CLASSES, ROLES, fits
from advisor.catalog.value_meanings import meanings
from advisor.config import Config

BOOLEANS = ("true", "false")
OF_CHOICES = ("in", "in_ci", "in_nonempty", "in_ci_nonempty", "in_or_duration", "one_or_some")
"""The checks that take one or some of a set."""
PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
PROTOCOL_MAP = "listener.security.protocol.map"
OF_LISTENERS = ("inter.broker.listener.name", "controller.listener.names", "control.plane.listener.name",
                "early.start.listeners", PROTOCOL_MAP)  # fmt: skip
"""The keys whose values are names of listeners."""
LISTENERS = ("listeners", "advertised.listeners")


def possible_values(config: Config, definition: Definition, key: str, part: str) -> tuple[str, list[str]]:
    """(what of a part stays, the values that go on from there); `key` is Kafka's own, without a prefix."""
    if key == PROTOCOL_MAP and ":" in part:
        return f"{part.partition(':')[0]}:", list(PROTOCOLS)
    return "", list(dict.fromkeys(_values(config, definition, key)))


def _values(config: Config, definition: Definition, key: str) -> Iterable[str]:
    if key in OF_LISTENERS:
        return listener_names(config)
    if definition.type == "boolean":
        return BOOLEANS
    if key in ROLES:
        role = ROLES[key]
        return [name for name in CLASSES[role] if fits(role, name, config.version) is not False]
    return (*choices(definition), *(value for value in meanings(key) if value))


def choices(definition: Definition) -> list[str]:
    """The values of the set that a key takes."""
    if definition.valid is None or definition.valid[0] not in OF_CHOICES:
        return []
    groups = (group for group in definition.valid[1:] if isinstance(group, tuple))
    return [str(value) for group in groups for value in group if value not in (None, "")]


def listener_names(config: Config) -> list[str]:
    """The names of the listeners of the file."""
    settings = (config.settings[key] for key in LISTENERS if key in config.settings)
    addresses = (address for setting in settings for address in setting.value.split(","))
    names = (address.strip().partition("://") for address in addresses)
    return list(dict.fromkeys(name for name, separator, _ in names if separator and name))
