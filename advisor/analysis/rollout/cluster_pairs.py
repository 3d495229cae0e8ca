"""Which clusters of two sides are the same one, where the files of a side are those of several."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from advisor.engine.former_side import QUORUM, FormerSide, Pairs, node_id
from advisor.model import LITERAL, SERVER_KINDS, Entity, Snapshot

OF_RESOURCES = ("strimzi", "cfk", "koperator", "helm-values")
"""Formats in which a resource or a release has a name of its own."""


@dataclass(eq=False)
class ClusterPair:
    """The snapshots of one cluster on both sides; none on a side that does not have it."""

    old: list[Snapshot] = field(default_factory=list)
    new: list[Snapshot] = field(default_factory=list)

    @property
    def nodes(self) -> list[Entity]:
        """The nodes of both sides, those of the new one first."""
        entities = [entity for snapshot in (*self.new, *self.old) for entity in snapshot.entities]
        return [entity for entity in entities if entity.kind in SERVER_KINDS]


def are_of_several(entities: Sequence[Entity]) -> bool:
    """Whether nodes are of several clusters: their operators' resources say so, they name other servers, or two files give one id."""
    nodes = [entity for entity in entities if entity.kind in SERVER_KINDS]
    if len({entity.member_of for entity in nodes if entity.member_of}) > 1:
        return True
    if name_other_servers(nodes):
        return True
    ids = [(id, entity.name if entity.member_of else "") for entity in nodes if (id := node_id(entity))]
    return len(set(ids)) < len(ids)


def name_other_servers(nodes: Sequence[Entity]) -> bool:
    """Whether two nodes find their cluster under the same key by servers none of which is the same."""
    last: dict[str, frozenset[str]] = {}
    for key, servers in filter(None, map(servers_of, nodes)):
        if key in last and last[key].isdisjoint(servers):
            return True
        last[key] = servers
    return False


def servers_of(node: Entity) -> tuple[str, frozenset[str]] | None:
    """(key, servers) by which a node finds its cluster."""
    for key in QUORUM:
        setting = node.settings.get(key)
        if setting is not None and setting.shape == LITERAL and setting.value.strip():
            servers = setting.value.partition("/")[0].split(",")
            return key, frozenset(server.strip().lower() for server in servers)
    return None


def cluster_pairs(
    old: Sequence[Snapshot], new: Sequence[Snapshot], renamed: Mapping[str, str]
) -> Sequence[ClusterPair]:
    """The clusters with nodes, each with the snapshots of both sides; what no node is part of goes with the first one."""
    pairs = Pairs(FormerSide(old, renamed=renamed), new)
    home = {id(entity): snapshot for snapshot in old for entity in snapshot.entities}
    owners: dict[int, ClusterPair] = {}
    clusters: list[ClusterPair] = []
    for snapshot in new:
        nodes = [entity for entity in snapshot.entities if entity.kind in SERVER_KINDS]
        befores = [each for entity in nodes or snapshot.entities if (each := pairs.entity_before.get(id(entity)))]
        former = {id(home[id(before)]): home[id(before)] for before in befores if id(before) in home}
        owner = next((owners[each] for each in former if each in owners), None)
        if owner is None:
            owner = ClusterPair()
            clusters.append(owner)
        owner.new.append(snapshot)
        owner.old += [each for key, each in former.items() if key not in owners]
        owners |= {key: owners.get(key, owner) for key in former}
    clusters += [ClusterPair([snapshot]) for snapshot in old if id(snapshot) not in owners]
    return with_nodes(clusters)


def with_nodes(clusters: Sequence[ClusterPair]) -> Sequence[ClusterPair]:
    """The clusters that have nodes, with what is said of their nodes elsewhere, the first one with all else; as they are where none has."""
    first, *others = sorted(clusters, key=lambda each: not each.nodes) or [ClusterPair()]
    owners = {(node.file, node.name): each for each in (first, *others) for node in each.nodes}
    for pair in (each for each in others if not each.nodes):
        for old, new in ((pair.old, []), ([], pair.new)):
            owner = next((owners[name] for name in names_in((*old, *new)) if name in owners), first)
            owner.old += old
            owner.new += new
    return [first, *(each for each in others if each.nodes)]


def names_in(snapshots: Sequence[Snapshot]) -> Iterator[tuple[str | None, str]]:
    """(file, name) of what snapshots describe."""
    return ((entity.file, entity.name) for snapshot in snapshots for entity in snapshot.entities)


def names_of(clusters: Sequence[ClusterPair], names: Mapping[str, str]) -> list[str]:
    """What each cluster is called: as its operator's resource, else as the folder or the file of its nodes; `names` are shorter paths of files.

    Of several in one place the first node is named, too.
    """
    short = [name_of(each, names) for each in clusters]
    longer = [
        name if short.count(name) == 1 else f"{name} {first_node(each)}"
        for name, each in zip(short, clusters, strict=True)
    ]
    return [name if longer.count(name) == 1 else f"{name} ({number})" for number, name in enumerate(longer, 1)]


def name_of(pair: ClusterPair, names: Mapping[str, str]) -> str:
    """The name of the resource that makes the nodes, else their folder below the side, else their first file."""
    for entity in pair.nodes:
        if entity.member_of is not None and entity.format in OF_RESOURCES:
            return entity.member_of[1].rpartition(" ")[2]
    files = sorted(names.get(entity.file or "", entity.file or "") for entity in pair.nodes)
    folder = os.path.commonpath([os.path.dirname(file) for file in files]) if files else ""
    return folder or next(iter(files), "")


def first_node(pair: ClusterPair) -> str:
    """The name of a cluster's first node in its file."""
    return min((entity.name for entity in pair.nodes), default="")
