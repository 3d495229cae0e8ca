"""Controllers of a static quorum that move to other ports: they listen on both while the lists of voters change."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.rollout.cluster import RolloutNode
from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.passes.stages import Candidate, Stage, sides
from advisor.analysis.rollout.passes.stand_ins import stand_in
from advisor.analysis.rollout.passes.unions import LISTENERS, MAP, NAMES, VOTERS, Values, entity_with, entries, join
from advisor.model import Entity

Moved = dict[str, str]
"""The new entries of listeners, by name."""


def by_second_ports(nodes: list[RolloutNode], last: Stage) -> Iterator[Candidate]:
    """A second listener on each new port first, the new lists of voters then, and the old ports away at last."""
    moved = {node.id: moved_listeners(*sides(node)) for node in nodes}
    if not any(moved.values()):
        return
    opened = {node.id: second_listeners(sides(node)[0], moved[node.id]) for node in nodes}
    listed = {node.id: opened[node.id] | {VOTERS: sides(node)[1].config.settings.get(VOTERS)} for node in nodes}
    stages = (
        Stage("let controllers listen on their new ports as well", of_values(nodes, opened), last.wait),
        Stage("name the new ports in controller.quorum.voters", of_values(nodes, listed), last.wait),
    )
    yield Candidate([*stages, last])


def of_values(nodes: list[RolloutNode], values: dict[int, Values]) -> dict[int, Entity]:
    """The old files with other values."""
    return {node.id: entity_with(node, values[node.id]) for node in nodes}


def moved_listeners(old: NodeConfig, new: NodeConfig) -> Moved:
    """The controllers' listeners that keep their name and protocol and get another port."""
    if not (old.is_controller and new.is_controller and old.voters and old.voters.keys() == new.voters.keys()):
        return {}
    rows = entries(new, LISTENERS, "://")
    return {
        name: rows[name]
        for name in new.controller_names
        if name in old.listeners
        and name in new.listeners
        and old.listeners[name].port != new.listeners[name].port
        and old.protocols.get(name) == new.protocols.get(name)
    }


def second_listeners(old: NodeConfig, moved: Moved) -> Values:
    """The keys that open a stand-in of each listener on its new port; none where none moves."""
    values: Values = {}
    listeners, names = ",".join(entries(old, LISTENERS, "://").values()), old.text(NAMES)
    protocols = ",".join(entries(old, MAP, ":").values())
    for name, entry in moved.items():
        listeners = join(listeners, f"{stand_in(name)}://{entry.partition('://')[2]}")
        names, protocols = join(names, stand_in(name)), join(protocols, f"{stand_in(name)}:{old.protocols.get(name)}")
        prefix = f"listener.name.{name.lower()}."
        for key, row in old.config.settings.items():
            if key.startswith(prefix):
                values[f"listener.name.{stand_in(name).lower()}.{key.removeprefix(prefix)}"] = row
    return values | {LISTENERS: listeners, NAMES: names, MAP: protocols} if moved else values
