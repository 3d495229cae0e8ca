"""The cluster of a rollout, made of the entities of two sides: nodes paired by id, else by file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from advisor.analysis.rollout.changes import changes_node
from advisor.analysis.rollout.cluster import RolloutCluster, RolloutNode, by_id
from advisor.analysis.rollout.node import NodeConfig, name_of_file
from advisor.analysis.rollout.outcome import UnknownFact
from advisor.engine.former_side import FormerSide, Pairs
from advisor.model import SERVER_KINDS, Entity, Snapshot

NODES = 3
"""As how many nodes one file for all of them counts."""


def cluster_of(old: Sequence[Snapshot], new: Sequence[Snapshot], renamed: Mapping[str, str]) -> RolloutCluster:
    """The cluster of two sides of files; `renamed` maps the file of a node to the one that it had before."""
    pairs = Pairs(FormerSide(old, renamed=renamed), new)
    nodes: list[tuple[NodeConfig | None, NodeConfig | None]] = []
    others: list[tuple[Entity | None, Entity | None]] = []
    for entity in (each for snapshot in new for each in snapshot.entities):
        before = pairs.entity_before.get(id(entity))
        if entity.kind not in SERVER_KINDS:
            others.append((before, entity))
            continue
        nodes.append((NodeConfig(before) if before else None, NodeConfig(entity)))
    for entity in pairs.removed:
        if entity.kind in SERVER_KINDS:
            nodes.append((NodeConfig(entity), None))
        else:
            others.append((entity, None))
    cluster = RolloutCluster(by_id(numbered(nodes)), others=others)
    cluster.unknown += missing_nodes(cluster)
    return cluster


def numbered(pairs: Iterable[tuple[NodeConfig | None, NodeConfig | None]]) -> list[RolloutNode]:
    """The nodes with their ids; those that have none get the next ones."""
    nodes: list[RolloutNode] = []
    taken: set[int] = set()
    unnumbered = []
    for old, new in pairs:
        known = next((side.id for side in (old, new) if side and side.id is not None), None)
        if known is None or known in taken:
            unnumbered.append((old, new))
            continue
        taken.add(known)
        nodes.append(RolloutNode(known, f"node {known}", old, new))
    for old, new in unnumbered:
        id = next(number for number in range(len(taken) + 1) if number not in taken)
        taken.add(id)
        nodes.append(RolloutNode(id, name_of_file(new or old), old, new))
    for node in nodes:
        node.changed = changes_node(node)
    return sorted(nodes, key=lambda node: node.id)


def missing_nodes(cluster: RolloutCluster) -> Iterable[UnknownFact]:
    """Voters whose files are not there."""
    voters = {id for node in cluster.nodes.values() for side in (node.old, node.new) if side for id in side.voters}
    for id in sorted(voters - cluster.nodes.keys()):
        yield UnknownFact(f"node {id}", None, "it is a voter, and its file is not here", decides=False)
