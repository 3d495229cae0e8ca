"""Files between the old and the new ones: what both have together, and the new one with what the old one has."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy

from advisor.analysis.rollout.cluster import RolloutNode
from advisor.analysis.rollout.node import TLS_CHOICES, NodeConfig, listed
from advisor.analysis.rollout.passes.stages import sides
from advisor.model import STATIC_BROKER, Entity, Jaas, Origin, Setting

LISTENERS, ADVERTISED, MAP = "listeners", "advertised.listeners", "listener.security.protocol.map"

NAMES, VOTERS, SUPER_USERS = "controller.listener.names", "controller.quorum.voters", "super.users"

INTER_BROKER = ("inter.broker.listener.name", "security.inter.broker.protocol", "sasl.mechanism.inter.broker.protocol")

SWITCHED = (*INTER_BROKER, "sasl.mechanism.controller.protocol", VOTERS, NAMES)

SESSION, HEARTBEAT = "broker.session.timeout.ms", "broker.heartbeat.interval.ms"

NOWHERE = Origin(None, None, None)
"""Where a setting stands that no file has yet."""

BOTH_USERS = "<the value that the {} file has, with the user_ entries of both files>"

Values = dict[str, str | Setting | None]


def of_timeouts(nodes: list[RolloutNode]) -> dict[int, Entity]:
    """The old files with the longer session timeout, or with the shorter heartbeat."""
    entities = {}
    for node in nodes:
        assert node.old and node.new
        values: Values = {}
        for key, better in ((SESSION, max), (HEARTBEAT, min)):
            was, is_now = node.old.number(key), node.new.number(key)
            if was is not None and is_now is not None and was != is_now and better(was, is_now) == is_now:
                values[key] = str(is_now)
        if values:
            entities[node.id] = changed(node.old.entity, values)
    return entities


def union_values(node: RolloutNode) -> Values:
    """The old file with everything that the new one adds, and nothing taken away or switched."""
    old, new = sides(node)
    values: Values = dict(union_of_lists(old, new))
    values |= {
        key: setting
        for key, setting in new.config.settings.items()
        if is_security(key) and key not in old.config.settings
    }
    if (
        "inter.broker.listener.name" not in old.config.settings
        and old.inter_broker
        and new.inter_broker != old.inter_broker
    ):
        values |= {"inter.broker.listener.name": None}
    return values


def switched_values(node: RolloutNode) -> Values:
    """The new file, still with everything that the old one has."""
    old, new = sides(node)
    values: Values = {key: new.config.settings.get(key) for key in {*old.config.settings, *new.config.settings}}
    values |= {key: row for key, row in old.config.settings.items() if is_security(key) and values[key] is None}
    return values | union_of_lists(old, new, new_first=True)


def is_security(key: str) -> bool:
    """Whether a key is about how listeners log in and encrypt."""
    return key.startswith(("listener.name.", "sasl.", "ssl.")) and key not in SWITCHED


def union_of_lists(old: NodeConfig, new: NodeConfig, new_first: bool = False) -> Values:
    """The lists of both files together; an entry of one name is that of the old file unless the new one goes first."""
    first, second = (new, old) if new_first else (old, new)
    values: Values = {}
    listeners = {*entries(first, LISTENERS, "://"), *entries(second, LISTENERS, "://")}
    for key, mark in ((LISTENERS, "://"), (ADVERTISED, "://"), (MAP, ":")):
        if key in old.config.settings or key in new.config.settings:
            entries_of_mark = entries(first, key, mark)
            if key == MAP:
                entries_of_mark = {
                    name: entry
                    for name, entry in entries_of_mark.items()
                    if name not in second.listeners or name in first.listeners
                }
            both = entries(first, key, mark) | entries(second, key, mark) | entries_of_mark
            in_order = in_one_order(key, first, second) if key == MAP else (first, second)
            order = [name for side in in_order for name in entries(side, key, mark)]
            chosen = [both[name] for name in dict.fromkeys(order) if key == MAP or name in listeners]
            values[key] = as_written(key, chosen, new)
    choices = {key for side in (old, new) for key in side.config.settings if side.bare(key) in TLS_CHOICES}
    tls = sorted(key for key in choices if old.text(key) and new.text(key))
    for key, mark in ((NAMES, ","), ("sasl.enabled.mechanisms", ","), (SUPER_USERS, ";"), *((key, ",") for key in tls)):
        if key in old.config.settings or key in new.config.settings:
            texts = [
                side.text(key)
                for side in ((first, second) if key in (NAMES, *tls) else in_one_order(key, first, second))
                if key in side.config.settings or counts_unset(key, side)
            ]
            items = [item.strip() for text in texts for item in text.split(mark) if item.strip()]
            values[key] = (
                mark.join(dict.fromkeys(items)) if key == NAMES else as_written(key, dict.fromkeys(items), new, mark)
            )
    return values | union_of_users(first, second)


def in_one_order(key: str, one: NodeConfig, other: NodeConfig) -> list[NodeConfig]:
    """Both sides, in an order that is the same in every pass: first one that writes the list."""
    return sorted((one, other), key=lambda side: (key not in side.config.settings, side.text(key)))


def union_of_users(first: NodeConfig, second: NodeConfig) -> Values:
    """The JAAS lines of one file that lets in by PLAIN whom the other one lets in as well."""
    values: Values = {}
    for key in {*first.changed_secrets, *second.changed_secrets}:
        setting = first.config.settings[key]
        own, other = setting.jaas, second.config.settings[key].jaas
        added = {*other.users} - {*own.users} if own and other else set()
        if own and own.users and added:
            both = copy(setting)
            both.value = both.shown = BOTH_USERS.format("old" if second.changed_secrets else "new")
            both.origin, both.jaas = NOWHERE, Jaas(own.modules, None, own.login, (*own.users, *added))
            values[key] = both
    return values


def as_written(key: str, items: Collection[str], new: NodeConfig, mark: str = ",") -> str:
    """A list in the order of the new file, where that has the same items."""
    setting = new.config.settings.get(key)
    if setting is not None and {*items} == {item.strip() for item in setting.value.split(mark)}:
        return setting.value
    return mark.join(items)


def counts_unset(key: str, side: NodeConfig) -> bool:
    """Whether the default of a list counts: that of the mechanisms only where some listener asks for one."""
    if side.bare(key) in TLS_CHOICES:
        return True
    names = (*side.listeners, *side.controller_names)
    return key == NAMES or any(side.protocols.get(name, "").startswith("SASL") for name in names)


def entries(side: NodeConfig, key: str, mark: str) -> dict[str, str]:
    """The entries of a list by the name before the mark; of the default map too, which a written one replaces."""
    text = side.text(key)
    if key == ADVERTISED and key not in side.config.settings:
        text = ",".join(
            entry for name, entry in entries(side, LISTENERS, mark).items() if name not in side.controller_names
        )
    if key == MAP and key not in side.config.settings:
        return {name: f"{name}:{protocol}" for name, protocol in side.protocols.items()}
    return {entry.partition(mark)[0].strip().upper(): entry for entry in listed(text)}


def removed_listeners(nodes: list[RolloutNode]) -> list[str]:
    """The listeners that go on some node."""
    names: dict[str, None] = {}
    for node in nodes:
        old, new = sides(node)
        names |= dict.fromkeys(name for name in old.advertised or old.listeners if name not in new.listeners)
    return list(names)


def entity_with(node: RolloutNode, values: Values) -> Entity:
    """The old entity with other values; settings of the new file keep what is known of them."""
    old, new = sides(node)
    return changed(old.entity, values, new.entity)


def changed(entity: Entity, values: Values, source: Entity | None = None) -> Entity:
    """An entity with other values; a value of the other side is that side's setting."""
    after = copy(entity)
    after.settings = dict(entity.settings)
    for key, value in values.items():
        if value is None:
            after.settings.pop(key, None)
        elif isinstance(value, Setting):
            after.settings[key] = value if value.key == key else with_key(value, key)
        elif key not in entity.settings or entity.settings[key].value != value:
            other = source.settings.get(key) if source else None
            is_other = other is not None and other.value == value
            after.settings[key] = other if other and is_other else Setting(key, value, STATIC_BROKER, NOWHERE)
    return after


def with_key(setting: Setting, key: str) -> Setting:
    """A setting under another key."""
    other = copy(setting)
    other.key, other.written, other.lead, other.origin = key, None, f"{key}=", NOWHERE
    return other


def text_of(value: str | Setting | None) -> str | None:
    """A value as text."""
    return value.value if isinstance(value, Setting) else value


def join(text: str | None, entry: str) -> str:
    """A list with one more entry."""
    return f"{text},{entry}" if text else entry
