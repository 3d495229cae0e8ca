"""Candidates of intermediate configurations: what is added first, what is switched then, what is taken away at last."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field

from advisor.analysis.rollout.cluster import RolloutCluster, RolloutNode
from advisor.analysis.rollout.node import NodeConfig, listed
from advisor.model import STATIC_BROKER, Entity, Origin, Setting

LISTENERS, ADVERTISED, MAP = "listeners", "advertised.listeners", "listener.security.protocol.map"
NAMES, VOTERS, SUPER_USERS = "controller.listener.names", "controller.quorum.voters", "super.users"
INTER_BROKER = ("inter.broker.listener.name", "security.inter.broker.protocol", "sasl.mechanism.inter.broker.protocol")
SWITCHED = (*INTER_BROKER, "sasl.mechanism.controller.protocol", VOTERS, NAMES)
HELD_BACK = ("authorizer.class.name", "allow.everyone.if.no.acl.found")
SESSION, HEARTBEAT = "broker.session.timeout.ms", "broker.heartbeat.interval.ms"
STAND_IN = "_NEXT"
"""What the name of a listener ends with that stands in while another one changes its protocol."""
IN_SYNC = "kafka-topics.sh --describe --under-replicated-partitions prints nothing"
CAUGHT_UP = "kafka-metadata-quorum.sh describe --replication shows a lag of 0 for every voter"
MOVED = "no connection is left on {} (kafka.server:type=socket-server-metrics,listener={} connection-count)"

NOWHERE = Origin(None, None, None)
"""Where a setting stands that no file has yet."""

Values = dict[str, str | Setting | None]


@dataclass(eq=False)
class Stage:
    """An intermediate configuration: the file of every node that changes, what to wait for after it, and the way back."""

    title: str
    entities: Mapping[int, Entity]
    wait: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    way_back: str = "put the files of the pass before back, in the opposite order of nodes: nothing is lost"


@dataclass(eq=False)
class Candidate:
    """Stages up to the new files."""

    stages: list[Stage] = field(default_factory=list)


def candidates(cluster: RolloutCluster) -> Iterator[Candidate]:
    """Sequences to try, the shortest first; the last stage of each is the new configuration."""
    nodes = [node for node in cluster.nodes.values() if node.old and node.new]
    last = Stage(
        switch_words(nodes),
        {node.id: node.new.entity for node in nodes if node.new},
        waits(cluster),
        handshakes(nodes),
    )
    session = of_timeouts(nodes)
    if session:
        yield Candidate([Stage("the session timeout that both heartbeats fit", session, waits(cluster)), last])
    union = {node.id: entity_with(node, union_values(node)) for node in nodes}
    switched = {node.id: entity_with(node, switched_values(node)) for node in nodes}
    add = Stage(f"add {added_words(nodes)}, which nothing uses yet", union, waits(cluster))
    switch = Stage(switch_words(nodes), switched, waits(cluster), handshakes(nodes))
    gone = removed_listeners(nodes)
    remove = Stage(
        f"take {', '.join(gone)} away" if gone else last.title,
        last.entities,
        last.wait,
        moved_from(gone) or last.before,
    )
    yield Candidate([add, remove])
    yield Candidate([switch, remove])
    yield Candidate([add, switch, remove])
    yield from by_stand_ins(cluster, nodes, last)


def added_words(nodes: list[RolloutNode]) -> str:
    """What the new files have beside the old ones."""
    names: dict[str, None] = {}
    for old, new in map(sides, nodes):
        names |= dict.fromkeys(f"the listener {name}" for name in new.listeners if name not in old.listeners)
        key = "sasl.enabled.mechanisms"
        names |= dict.fromkeys(name for name in listed(new.text(key)) if name not in listed(old.text(key)))
        names |= dict.fromkeys(sorted(new.super_users - old.super_users))
    return ", ".join(names) or "what is new"


def switch_words(nodes: list[RolloutNode]) -> str:
    """What nodes use among themselves from now on."""
    words: dict[str, None] = {}
    for old, new in map(sides, nodes):
        if new.is_broker and new.inter_broker != old.inter_broker and new.inter_broker:
            words[f"let brokers use {new.inter_broker} among themselves"] = None
        if new.controller_names[:1] != old.controller_names[:1] and new.controller_names:
            words[f"let nodes use {new.controller_names[0]} to reach the controllers"] = None
        mechanism = "sasl.mechanism.inter.broker.protocol"
        if new.is_broker and new.text(mechanism) != old.text(mechanism):
            words[f"let brokers log in by {new.text(mechanism)}"] = None
    return ", ".join(words) or "the new files"


def handshakes(nodes: list[RolloutNode]) -> tuple[str, ...]:
    """To try before brokers use TLS among themselves: no file says whose certificate is trusted by whom."""
    names: dict[str, None] = {}
    for old, new in map(sides, nodes):
        name = new.inter_broker
        if new.is_broker and name and new.protocols.get(name, "").endswith("SSL") and name != old.inter_broker:
            names[name] = None
    return tuple(
        f"openssl s_client -verify_return_error -CAfile CA -connect HOST:PORT succeeds from every broker to {name} of every "
        "other one"
        for name in names
    )


def waits(cluster: RolloutCluster) -> tuple[str, ...]:
    """What to wait for after each node."""
    return (IN_SYNC, CAUGHT_UP) if cluster.is_kraft and cluster.controllers else (IN_SYNC,)


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


def sides(node: RolloutNode) -> tuple[NodeConfig, NodeConfig]:
    """Both sides of a node that has both."""
    assert node.old and node.new
    return node.old, node.new


def union_of_lists(old: NodeConfig, new: NodeConfig, new_first: bool = False) -> Values:
    """The lists of both files together; an entry of one name is that of the old file unless the new one goes first."""
    first, second = (new, old) if new_first else (old, new)
    values: Values = {}
    listeners = entries(first, LISTENERS, "://") | {
        name: entry
        for name, entry in entries(second, LISTENERS, "://").items()
        if name not in entries(first, LISTENERS, "://")
    }
    for key, mark in ((LISTENERS, "://"), (ADVERTISED, "://"), (MAP, ":")):
        if key in old.config.settings or key in new.config.settings:
            own = entries(first, key, mark)
            if key == MAP:
                own = {
                    name: entry
                    for name, entry in own.items()
                    if name not in second.listeners or name in first.listeners
                }
            both = entries(first, key, mark) | entries(second, key, mark) | own
            order = [*entries(first, key, mark), *entries(second, key, mark)]
            chosen = [both[name] for name in dict.fromkeys(order) if key == MAP or name in listeners]
            values[key] = as_written(key, chosen, new)
    for key, mark in ((NAMES, ","), ("sasl.enabled.mechanisms", ","), (SUPER_USERS, ";")):
        if key in old.config.settings or key in new.config.settings:
            texts = [
                side.text(key) for side in (first, second) if key in side.config.settings or counts_unset(key, side)
            ]
            items = [item.strip() for text in texts for item in text.split(mark) if item.strip()]
            values[key] = (
                mark.join(dict.fromkeys(items)) if key == NAMES else as_written(key, dict.fromkeys(items), new, mark)
            )
    return values


def as_written(key: str, items: Collection[str], new: NodeConfig, mark: str = ",") -> str:
    """A list in the order of the new file, where that has the same items."""
    setting = new.config.settings.get(key)
    if setting is not None and {*items} == {item.strip() for item in setting.value.split(mark)}:
        return setting.value
    return mark.join(items)


def counts_unset(key: str, side: NodeConfig) -> bool:
    """Whether the default of a list counts: that of the mechanisms only where some listener asks for one."""
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


def by_stand_ins(cluster: RolloutCluster, nodes: list[RolloutNode], last: Stage) -> Iterator[Candidate]:
    """Listeners that change their protocol under their name, or take the port of another one: others stand in meanwhile."""
    clashing = sorted({name for node in nodes for name in clashing_listeners(*sides(node))})
    if not clashing:
        return
    names = ", ".join(f"{name}{STAND_IN}" for name in clashing)
    left = sorted({name for node in nodes for name in displaced(*sides(node))})
    stages = (
        (f"add {names} with the new protocol", False, False),
        (f"let the nodes use {names}", False, True),
        (f"{replacing(left, clashing)}, which nodes do not use meanwhile", True, True),
        (f"let the nodes use {', '.join(clashing)}", True, False),
    )
    made: list[Stage] = []
    for title, is_new, used in stages:
        entities = {node.id: entity_with(node, with_stand_ins(node, clashing, is_new, used)) for node in nodes}
        made.append(Stage(title, entities, waits(cluster)))
    made[2].before = moved_from(left)
    remove = Stage(f"take {names} away", last.entities, last.wait, moved_from(names.split(", ")))
    yield Candidate([*made, remove])


def moved_from(names: Iterable[str]) -> tuple[str, ...]:
    """To wait until no client uses some listeners."""
    return tuple(MOVED.format(name, name) for name in names)


def clashing_listeners(old: NodeConfig, new: NodeConfig) -> Iterator[str]:
    """The new listeners that cannot be opened beside the old ones: of the same name, or on the same port."""
    ports = {address.port: name for name, address in old.listeners.items()}
    for name, address in new.listeners.items():
        if name in old.listeners:
            if old.protocols.get(name) != new.protocols.get(name):
                yield name
        elif address.port in ports:
            yield name


def replacing(left: list[str], clashing: list[str]) -> str:
    """What becomes of listeners that others stand in for."""
    names = ", ".join(clashing)
    return f"change the protocol of {names}" if left == clashing else f"put {names} in the place of {', '.join(left)}"


def displaced(old: NodeConfig, new: NodeConfig) -> Iterator[str]:
    """The old listeners that give way to new ones of their name or on their port."""
    ports = {new.listeners[name].port for name in clashing_listeners(old, new)}
    yield from (name for name, address in old.listeners.items() if address.port in ports)


def with_stand_ins(node: RolloutNode, clashing: list[str], is_new: bool, used: bool) -> Values:
    """The old or the new file with a stand-in for each listener that clashes, used by the nodes or not."""
    old, new = sides(node)
    base, other = (new, old) if is_new else (old, new)
    values: Values = {key: base.config.settings.get(key) for key in {*old.config.settings, *new.config.settings}}
    values |= {key: row for key, row in other.config.settings.items() if is_security(key) and values[key] is None}
    values |= {
        key: value for key, value in union_of_lists(base, other).items() if key not in (LISTENERS, ADVERTISED, NAMES)
    }
    for name in clashing:
        if name in new.listeners:
            values |= opened(name, new, base, values)
        if name in new.controller_names:
            values |= of_controllers(name, new, base, values, used)
        elif new.inter_broker == name and name in new.listeners and used:
            values |= {key: new.config.settings.get(key) for key in INTER_BROKER}
            values |= {"inter.broker.listener.name": stand_in(name), "security.inter.broker.protocol": None}
    return values


def stand_in(name: str) -> str:
    """The name of the listener that stands in for another one."""
    return f"{name}{STAND_IN}"


def opened(name: str, new: NodeConfig, base: NodeConfig, values: Values) -> Values:
    """The keys that open a stand-in: where it listens, what it speaks, and the settings of the listener it stands in for."""
    changes: Values = {}
    for key in (LISTENERS, ADVERTISED):
        is_advertised = name not in new.controller_names and (
            ADVERTISED in base.config.settings or name in new.advertised
        )
        if key == LISTENERS or is_advertised:
            present = values.get(key)
            text = (
                present.value
                if isinstance(present, Setting)
                else present or ",".join(entries(base, key, "://").values())
            )
            changes[key] = join(text, renamed(entries(new, key, "://")[name], stand_in(name)))
    changes[MAP] = join(text_of(values.get(MAP)), f"{stand_in(name)}:{new.protocols.get(name)}")
    prefix = f"listener.name.{name.lower()}."
    for key, row in new.config.settings.items():
        if key.startswith(prefix):
            changes[f"listener.name.{stand_in(name).lower()}.{key.removeprefix(prefix)}"] = row
    return changes


def of_controllers(name: str, new: NodeConfig, base: NodeConfig, values: Values, used: bool) -> Values:
    """The controllers' listeners with a stand-in among them: the first one is used."""
    others = listed(base.text(NAMES))
    changes: Values = {NAMES: ",".join([stand_in(name), *others] if used else [*others, stand_in(name)])}
    if name not in new.listeners:
        changes[MAP] = join(text_of(values.get(MAP)), f"{stand_in(name)}:{new.protocols.get(name)}")
    if used:
        changes["sasl.mechanism.controller.protocol"] = new.config.settings.get("sasl.mechanism.controller.protocol")
        if new.voters:
            rows = (f"{id}@{address.host}:{other_port(address.port)}" for id, address in new.voters.items())
            changes[VOTERS] = ",".join(rows)
    return changes


STEP = 1000
"""How far the port of a stand-in is from that of its listener."""


def other_port(port: int | None) -> int:
    """A port for a stand-in."""
    number = port or 0
    return number + STEP if number + STEP < 65_536 else number - STEP


def renamed(entry: str, name: str) -> str:
    """The entry of a stand-in, made of that of its listener."""
    host, _, port = entry.partition("://")[2].rpartition(":")
    return f"{name}://{host}:{other_port(int(port) if port.isdigit() else None)}"


def text_of(value: str | Setting | None) -> str | None:
    """A value as text."""
    return value.value if isinstance(value, Setting) else value


def join(text: str | None, entry: str) -> str:
    """A list with one more entry."""
    return f"{text},{entry}" if text else entry
