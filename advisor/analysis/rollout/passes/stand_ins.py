"""Listeners that change their protocol under their name, or take the port of another one: others stand in meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.rollout.cluster import RolloutCluster, RolloutNode
from advisor.analysis.rollout.node import NodeConfig, listed
from advisor.analysis.rollout.passes.stages import Candidate, Stage, moved_from, sides, waits
from advisor.analysis.rollout.passes.unions import (
    ADVERTISED,
    INTER_BROKER,
    LISTENERS,
    MAP,
    NAMES,
    VOTERS,
    Values,
    entity_with,
    entries,
    is_security,
    text_of,
    union_of_lists,
)
from advisor.analysis.rollout.peers.clients import STAND_IN
from advisor.model import Setting, is_whole_number

LISTENER = "listener.name."


def by_stand_ins(cluster: RolloutCluster, nodes: list[RolloutNode], last: Stage) -> Iterator[Candidate]:
    """Listeners that change their protocol under their name, or take the port of another one: others stand in meanwhile."""
    clashing = sorted({name for node in nodes for name in clashing_listeners(*sides(node))})
    if not clashing:
        return
    names = ", ".join(f"{name}{STAND_IN}" for name in clashing)
    left = sorted({name for node in nodes for name in displaced(*sides(node))})
    stages = (
        (f"add {names} with {what_is_new(nodes, clashing)}", False, False),
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


def what_is_new(nodes: list[RolloutNode], names: list[str]) -> str:
    """What stand-ins have that the listeners in whose place they stand did not."""
    pairs = [(node.old, node.new) for node in nodes if node.old and node.new]
    changes = any(
        old.protocols.get(name) not in (None, new.protocols.get(name)) for old, new in pairs for name in names
    )
    return "the new protocol" if changes else "ports of their own"


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
    opened = Opened(new, base, values)
    for name in clashing:
        if name in new.listeners:
            opened.open(name)
        elif name in new.controller_names:
            opened.map(name)
        if name in new.controller_names:
            values |= of_controllers(name, new, base, used)
        elif new.inter_broker == name and name in new.listeners and used:
            values |= {key: new.config.settings.get(key) for key in INTER_BROKER}
            values |= {"inter.broker.listener.name": stand_in(name), "security.inter.broker.protocol": None}
    opened.close()
    return values


def stand_in(name: str) -> str:
    """The name of the listener that stands in for another one."""
    return f"{name}{STAND_IN}"


class Opened:
    """The keys that open stand-ins: where they listen, what they speak, the settings of the listeners they stand in for."""

    def __init__(self, new: NodeConfig, base: NodeConfig, values: Values) -> None:
        self.new, self.base, self.values = new, base, values
        self.entries = {key: entries(new, key, "://") for key in (LISTENERS, ADVERTISED)}
        self.added: dict[str, list[str]] = {}
        self.settings: dict[str, list[tuple[str, Setting]]] = {}
        for key, row in new.config.settings.items():
            if key.startswith(LISTENER):
                self.settings.setdefault(key.split(".", 3)[2], []).append((key, row))

    def open(self, name: str) -> None:
        """Add the stand-in of a listener."""
        is_advertised = name not in self.new.controller_names and (
            ADVERTISED in self.base.config.settings or name in self.new.advertised
        )
        for key in (LISTENERS, ADVERTISED) if is_advertised else (LISTENERS,):
            self.add(key, renamed(self.entries[key][name], stand_in(name)))
        self.map(name)
        prefix = f"{LISTENER}{name.lower()}."
        for key, row in self.settings.get(name.lower().partition(".")[0], ()):
            if key.startswith(prefix):
                self.values[f"{LISTENER}{stand_in(name).lower()}.{key.removeprefix(prefix)}"] = row

    def map(self, name: str) -> None:
        """Add the protocol of a stand-in."""
        self.add(MAP, f"{stand_in(name)}:{self.new.protocols.get(name)}")

    def add(self, key: str, entry: str) -> None:
        """Add an entry to a list, which is written at the end."""
        self.values.setdefault(key, None)
        self.added.setdefault(key, []).append(entry)

    def close(self) -> None:
        """Write the lists."""
        for key, added in self.added.items():
            text = text_of(self.values[key])
            if key != MAP and not text and not isinstance(self.values[key], Setting):
                text = ",".join(entries(self.base, key, "://").values())
            self.values[key] = ",".join([text, *added] if text else added)


def of_controllers(name: str, new: NodeConfig, base: NodeConfig, used: bool) -> Values:
    """The controllers' listeners with a stand-in among them: the first one is used."""
    others = listed(base.text(NAMES))
    changes: Values = {NAMES: ",".join([stand_in(name), *others] if used else [*others, stand_in(name)])}
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
    return f"{name}://{host}:{other_port(int(port) if is_whole_number(port) else None)}"
