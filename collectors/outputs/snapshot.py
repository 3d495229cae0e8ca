"""A snapshot of the cluster that outputs show; what they leave open is unknown, never assumed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from advisor.model import (
    DEPLOYMENT,
    SERVER_KINDS,
    Entity,
    Snapshot,
    Target,
)
from advisor.model.cluster import DEAD, KRAFT, ZOOKEEPER, Live
from collectors.kafka.entities import release_of
from collectors.outputs.entities import broker_of, group_of, mark_cut_off, topics_of
from collectors.outputs.facts import Facts
from collectors.outputs.numbers import broker_id
from collectors.outputs.reader import read

NOT_ALL_TOPICS = "outputs of tools may show a part of the topics"
UNREAD = {
    "quorum": "no output of kafka-metadata-quorum",
    "features": "no output of kafka-features",
    "log dirs": "no output of kafka-log-dirs",
    "acls": "no output shows the access rules",
}


def snapshot_of(facts: Facts, name: str, target: Target | None, nodes: Iterable[Entity] = ()) -> Snapshot | None:
    """The cluster of some facts, with nodes whose files were read; None where nothing in it can be judged."""
    files = {int(node.name): node for node in nodes if is_numbered_node(node)}
    for id in files:
        facts.node(id)
    facts.settle_states()
    live = _live(facts, name, files)
    mark_cut_off(facts)
    target = target or _target(facts, live)
    brokers = [files.get(id) or broker_of(id, facts, target, live) for id in _broker_ids(facts, files)]
    entities = [*brokers, *topics_of(facts, target, live)]
    if not entities and (facts.groups or facts.quorum or facts.features):
        entities = [Entity(DEPLOYMENT, live.name, None, {}, target, cluster=live.name)]
    return Snapshot(live.name, entities, live=live) if entities else None


def cluster_of(path: str, text: str, target: Target | None) -> Snapshot | None:
    """The cluster that a file of outputs shows."""
    return snapshot_of(read([text]), path, target)


def cluster_of_all(
    outputs: Sequence[tuple[str, str, Target | None]], nodes: Sequence[Entity]
) -> tuple[str, Snapshot | None]:
    """(name, cluster) of all (path, text, target) together with some nodes whose files were read."""
    others = len(outputs) - 1
    names = outputs[0][0] + (f" and {others} more" if others else "")
    return names, snapshot_of(read(text for _, text, _ in outputs), names, outputs[0][2], nodes)


def is_numbered_node(entity: Entity) -> bool:
    """Whether an entity is a node that can be told by its id."""
    return entity.kind in SERVER_KINDS and broker_id(entity.name) is not None


def _broker_ids(facts: Facts, files: Mapping[int, Entity]) -> list[int]:
    """The brokers of which more is known than their name."""
    dead = {id for id, node in facts.nodes.items() if node.state == DEAD}
    shared = set(facts.nodes) if facts.cluster_wide is not None else set()
    return sorted({*facts.brokers, *facts.log_dirs, *files, *dead, *shared})


def _live(facts: Facts, name: str, files: Mapping[int, Entity]) -> Live:
    live = Live(name, facts.cluster_id, "", _mode(facts, files))
    live.nodes = tuple(facts.nodes[id] for id in sorted(facts.nodes))
    live.quorum, live.features, live.supported = facts.quorum, facts.features or None, facts.supported or None
    live.log_dirs = facts.log_dirs
    live.groups = tuple(group_of(name, facts.groups[name]) for name in sorted(facts.groups))
    live.reassignments = tuple(sorted(facts.reassignments)) if facts.topics and not facts.partial else None
    shown = {"quorum": facts.quorum, "features": facts.features, "log dirs": facts.log_dirs, "acls": None}
    live.unread = {part: why for part, why in UNREAD.items() if not shown[part]}
    live.unread["all topics"] = NOT_ALL_TOPICS
    return live


def _mode(facts: Facts, files: Mapping[int, Entity]) -> str | None:
    described = [broker.values for broker in facts.brokers.values() if broker.whole]
    settings: list[Mapping[str, object]] = [*described, *(file.settings for file in files.values())]
    if facts.quorum is not None or "metadata.version" in facts.features:
        return KRAFT
    if any(values.get("process.roles") for values in settings) or _has_elr(facts):
        return KRAFT
    return ZOOKEEPER if any(values.get("zookeeper.connect") for values in settings) else None


def _has_elr(facts: Facts) -> bool:
    return any(row.elr is not None for topic in facts.topics.values() for row in topic.partitions.values())


def _target(facts: Facts, live: Live) -> Target:
    return release_of({id: broker.values for id, broker in facts.brokers.items() if broker.whole}, live)
