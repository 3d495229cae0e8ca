"""Candidates of intermediate configurations: what is added first, what is switched then, what is taken away at last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
TEMPORARY = "_NEXT"
"""What the name of a listener ends with that stands in while another one changes its protocol."""
IN_SYNC = "kafka-topics.sh --describe --under-replicated-partitions prints nothing"
CAUGHT_UP = "kafka-metadata-quorum.sh describe --replication shows a lag of 0 for every voter"
MOVED = "no connection is left on {} (kafka.server:type=socket-server-metrics,listener={} connection-count)"

Values = dict[str, str | None]


@dataclass(eq=False)
class Stage:
    """An intermediate configuration: the file of every node that changes, what to wait for after it, and the way back."""

    title: str
    entities: Mapping[int, Entity]
    wait: tuple[str, ...] = ()
    way_back: str = "put the files of the pass before back, in the opposite order of nodes: nothing is lost"


@dataclass(eq=False)
class Candidate:
    """Stages up to the new files."""

    stages: list[Stage] = field(default_factory=list)


def candidates(cluster: RolloutCluster) -> Iterator[Candidate]:
    """Sequences to try, the shortest first; the last stage of each is the new configuration."""
    nodes = [node for node in cluster.nodes.values() if node.old and node.new]
    last = Stage("the new files", {node.id: node.new.entity for node in nodes if node.new}, waits(cluster))
    session = of_timeouts(nodes)
    if session:
        yield Candidate([Stage("the session timeout that both heartbeats fit", session, waits(cluster)), last])
    union = {node.id: entity_with(node, union_values(node)) for node in nodes}
    switched = {node.id: entity_with(node, switched_values(node)) for node in nodes}
    add = Stage("add what is new: listeners, protocols, mechanisms, principals", union, waits(cluster))
    switch = Stage("switch to it", switched, waits(cluster))
    gone = removed_listeners(nodes)
    moved = tuple(f"before it, {MOVED.format(name, name)}" for name in gone)
    remove = Stage("take away what is no longer used" if gone else last.title, last.entities, (*moved, *last.wait))
    yield Candidate([add, remove])
    yield Candidate([switch, remove])
    yield Candidate([add, switch, remove])
    yield from by_temporary(cluster, nodes, last)


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
        key: setting.value
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
    every = dict.fromkeys([*old.config.settings, *new.config.settings])
    values: Values = {key: value_of(new, key) for key in every}
    values |= {key: value_of(old, key) for key in old.config.settings if is_security(key) and values[key] is None}
    values |= union_of_lists(old, new, new_first=True)
    return values


def is_security(key: str) -> bool:
    """Whether a key is about how listeners log in and encrypt."""
    return key.startswith(("listener.name.", "sasl.", "ssl.")) and key not in SWITCHED


def sides(node: RolloutNode) -> tuple[NodeConfig, NodeConfig]:
    """Both sides of a node that has both."""
    assert node.old and node.new
    return node.old, node.new


def value_of(side: NodeConfig, key: str) -> str | None:
    """A value as it is written; None where it is not."""
    setting = side.config.settings.get(key)
    return None if setting is None else setting.value


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
            both = entries(second, key, mark) | entries(first, key, mark)
            order = [*entries(first, key, mark), *entries(second, key, mark)]
            values[key] = ",".join(both[name] for name in dict.fromkeys(order) if key == MAP or name in listeners)
    for key, mark in ((NAMES, ","), ("sasl.enabled.mechanisms", ","), (SUPER_USERS, ";")):
        if key in old.config.settings or key in new.config.settings:
            items = [item.strip() for side in (first, second) for item in side.text(key).split(mark) if item.strip()]
            values[key] = mark.join(dict.fromkeys(items))
    return values


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
        other = source.settings.get(key) if source else None
        own = entity.settings.get(key)
        if value is None:
            after.settings.pop(key, None)
        elif own is not None and own.value == value and not (other and other.secret):
            continue
        elif other is not None and other.value == value:
            after.settings[key] = other
        else:
            after.settings[key] = Setting(key, value, STATIC_BROKER, Origin(None, None, None))
    return after


def by_temporary(cluster: RolloutCluster, nodes: list[RolloutNode], last: Stage) -> Iterator[Candidate]:
    """Listeners that keep their names, or their ports, and change their protocols: others stand in meanwhile."""
    clashing = sorted({name for node in nodes for name in clashing_listeners(*sides(node))})
    if not clashing:
        return
    stages = (
        ("add a second listener with the new protocol", False, False),
        ("let the nodes use it", False, True),
        ("change the protocol of the first one", True, True),
        ("let the nodes use the first one again", True, False),
    )
    made: list[Stage] = []
    for title, is_new, used in stages:
        entities = {node.id: entity_with(node, with_stand_in(node, clashing, is_new, used)) for node in nodes}
        made.append(Stage(title, entities, waits(cluster)))
    moved = tuple(f"before it, {MOVED.format(name, name)}" for name in clashing)
    made[2].wait = (*moved, *made[2].wait)
    yield Candidate([*made, Stage("take the second listener away", last.entities, last.wait)])


def clashing_listeners(old: NodeConfig, new: NodeConfig) -> Iterator[str]:
    """The listeners that have another protocol under the same name."""
    for name in old.listeners:
        if name in new.listeners and old.protocols.get(name) != new.protocols.get(name):
            yield name


def with_stand_in(node: RolloutNode, clashing: list[str], is_new: bool, used: bool) -> Values:
    """A file with a stand-in for each listener that changes: beside the old or the new one, used or not."""
    old, new = sides(node)
    base = new if is_new else old
    values: Values = {key: value_of(base, key) for key in {*old.config.settings, *new.config.settings}}
    if base is old:
        values |= {
            key: value_of(new, key)
            for key in new.config.settings
            if is_security(key) and key not in old.config.settings
        }
    for name in (each for each in clashing if each in new.listeners):
        stand_in, address = f"{name}{TEMPORARY}", new.listeners[name]
        port = free_port(node, address.port or 0)
        rename = renamer(name, stand_in, port)
        values[LISTENERS] = join(values.get(LISTENERS), rename(entries(new, LISTENERS, "://")[name]))
        if name in new.advertised or (name not in new.controller_names and values.get(ADVERTISED)):
            values[ADVERTISED] = join(values.get(ADVERTISED), rename(entries(new, ADVERTISED, "://")[name]))
        values[MAP] = join(",".join(entries(base, MAP, ":").values()), f"{stand_in}:{new.protocols.get(name)}")
        use(values, name, stand_in, port, base, used)
    if any(name not in new.listeners for name in clashing):
        controllers = [name for name in clashing if name in new.controller_names and name not in new.listeners]
        for name in controllers:
            values[MAP] = join(
                ",".join(entries(base, MAP, ":").values()), f"{name}{TEMPORARY}:{new.protocols.get(name)}"
            )
            use(values, name, f"{name}{TEMPORARY}", 0, base, used)
    values |= stand_in_voters(node, clashing, base, used)
    return values


def use(values: Values, name: str, stand_in: str, port: int, base: NodeConfig, used: bool) -> None:
    """Let nodes use a stand-in, or only know it."""
    if name in base.controller_names:
        others = [each for each in listed(base.text(NAMES)) if each.upper() != stand_in]
        values[NAMES] = ",".join([stand_in, *others] if used else [*others, stand_in])
    elif base.inter_broker == name:
        values["inter.broker.listener.name"] = stand_in if used else name
        values.pop("security.inter.broker.protocol", None)
        values["security.inter.broker.protocol"] = None


def stand_in_voters(node: RolloutNode, clashing: list[str], base: NodeConfig, used: bool) -> Values:
    """The voters at their stand-in's ports, where those are used."""
    if not used or not base.voters or not any(name in base.controller_names for name in clashing):
        return {}
    rows = (f"{id}@{address.host}:{(address.port or 0) + STEP}" for id, address in base.voters.items())
    return {VOTERS: ",".join(rows)}


STEP = 1000
"""How far the port of a stand-in is from that of its listener."""


def free_port(node: RolloutNode, port: int) -> int:
    """A port for a stand-in."""
    return port + STEP if port + STEP < 65_536 else port - STEP


def renamer(name: str, stand_in: str, port: int) -> Callable[[str], str]:
    """Makes the entry of a stand-in of that of a listener."""

    def rename(entry: str) -> str:
        host, _, _ = entry.partition("://")[2].rpartition(":")
        return f"{stand_in}://{host}:{port}"

    return rename


def join(text: str | None, entry: str) -> str:
    """A list with one more entry."""
    return f"{text},{entry}" if text else entry
