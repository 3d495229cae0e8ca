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
    join,
    text_of,
    union_of_lists,
)
from advisor.model import Setting, is_whole_number

STAND_IN = "_NEXT"
"""What the name of a listener ends with that stands in while another one changes its protocol."""


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
    return f"{name}://{host}:{other_port(int(port) if is_whole_number(port) else None)}"
