"""Candidates of intermediate configurations: what is added first, what is switched then, what is taken away at last."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.rollout.cluster import RolloutCluster
from advisor.analysis.rollout.passes.controller_ports import by_second_ports
from advisor.analysis.rollout.passes.second_users import by_second_users
from advisor.analysis.rollout.passes.stages import (
    Candidate,
    Stage,
    added_words,
    certificates,
    handshakes,
    moved_from,
    removed_words,
    switch_words,
    waits,
)
from advisor.analysis.rollout.passes.stand_ins import by_stand_ins
from advisor.analysis.rollout.passes.unions import (
    entity_with,
    of_timeouts,
    removed_listeners,
    switched_values,
    union_values,
)


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
    away = removed_words(nodes, gone)
    before = (*(moved_from(gone) or last.before), *certificates(nodes))
    remove = Stage(away or "the new files", last.entities, last.wait, before)
    title = f"{last.title}, and {away}" if away and last.title != "the new files" else away or last.title
    yield Candidate([add, Stage(title, last.entities, last.wait, before)])
    yield from by_second_ports(nodes, last)
    yield Candidate([switch, remove])
    yield Candidate([add, switch, remove])
    yield from by_stand_ins(cluster, nodes, last)
    yield from by_second_users(cluster, nodes, last)
