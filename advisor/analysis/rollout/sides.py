"""The cluster of a rollout, made of two sides: nodes paired by file or id, or files against a running cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import islice

from advisor import limits
from advisor.analysis.rollout.changes import changes_node
from advisor.analysis.rollout.cluster import RolloutCluster, RolloutNode, by_id
from advisor.analysis.rollout.layers import dropped_layers, faults_of_layers, file_settings, layers_of, restarted
from advisor.analysis.rollout.node import SECURITY, WIRE, NodeConfig, name_of_file
from advisor.analysis.rollout.outcome import UnknownFact, differing
from advisor.analysis.rollout.passes.changed_secrets import note_changed_secrets
from advisor.analysis.rollout.peers.rights import SUPER_USERS, open_to_all, own_right
from advisor.analysis.rollout.readers import CONTROLLERS
from advisor.engine.former_side import FormerSide, Pairs
from advisor.errors import UnreadableInput
from advisor.model import SERVER_KINDS, STATIC_BROKER, Broker, Entity, Origin, Setting, Snapshot
from advisor.model.cluster import ALIVE, UNKNOWN

ALIKE = 3
"""As how many nodes one file for all of them counts, unless it names more voters."""
MOST_ALIKE = 7
"""Nodes of one configuration that are looked at: more of them behave alike."""
Sides = tuple[NodeConfig | None, NodeConfig | None]


def cluster_of(
    old: Sequence[Snapshot],
    new: Sequence[Snapshot],
    renamed: Mapping[str, str],
    texts: tuple[Mapping[str, bytes], Mapping[str, bytes]] = ({}, {}),
) -> RolloutCluster:
    """The cluster of two sides of files; `renamed` maps the file of a node to the one that it had before.

    `texts` are the files of sides that are those of a commit.
    """
    pairs = Pairs(FormerSide(old, renamed=renamed), new)
    nodes: list[Sides] = []
    others: list[tuple[Entity | None, Entity | None]] = []
    for entity in (each for snapshot in new for each in snapshot.entities):
        before = pairs.entity_before.get(id(entity))
        if entity.kind in SERVER_KINDS:
            nodes.append((NodeConfig(before) if before else None, NodeConfig(entity)))
        else:
            others.append((before, entity))
    unknown = []
    for entity in pairs.removed:
        if entity.kind in SERVER_KINDS:
            side = NodeConfig(entity)
            nodes.append((side, side))
            unknown.append(UnknownFact(name_of_file(side), None, "its new file is not here: it is taken to stay"))
        else:
            others.append((entity, None))
    check_voters(nodes)
    cluster = RolloutCluster(by_id(numbered(alike(nodes, unknown))), others=others)
    for node in cluster.nodes.values():
        note_both_files(node)
    cluster.old_texts, cluster.new_texts = texts
    note_changed_secrets(cluster)
    cluster.unknown += [*unknown, *missing_nodes(cluster), *other_releases(cluster), *other_changes(cluster)]
    return cluster


def check_voters(nodes: Iterable[Sides]) -> None:
    """Raise UnreadableInput for a configuration that names more voters than are judged."""
    for side in (side for pair in nodes for side in pair if side):
        if len(side.voters) > limits.MOST_VOTERS:
            raise UnreadableInput(f"{side.entity.file}: over {limits.MOST_VOTERS} voters; rollout judges as many")


def note_both_files(node: RolloutNode) -> None:
    """Let each side of a node know the other one."""
    if node.old is not None and node.new is not None:
        node.old.both_files = node.new.both_files = (node.old, node.new)


def other_releases(cluster: RolloutCluster) -> Iterator[UnknownFact]:
    """Nodes that get another release of Kafka as well, where both files say theirs."""
    for node in cluster.nodes.values():
        targets = [side.entity.target for side in (node.old, node.new) if side]
        if len({target.version for target in targets}) > 1 and all(target.given for target in targets):
            was, is_now = (target.text for target in targets)
            is_newer = targets[0].version < targets[1].version
            step = "an upgrade (kafka-advisor upgrade)" if is_newer else "a downgrade, which few releases support"
            reason = f"what the other release does: from {was} to {is_now} is {step}"
            yield UnknownFact(node.name, None, reason)


def other_changes(cluster: RolloutCluster) -> Iterator[UnknownFact]:
    """Topics and clients that change as well."""
    changed = [new or old for old, new in cluster.others if differs(old, new)]
    if changed:
        reason = f"{len(changed)} of the files' topics, clients and other things change, too: `kafka-advisor diff` judges those"
        yield UnknownFact(None, None, reason, decides=False)


def differs(old: Entity | None, new: Entity | None) -> bool:
    """Whether something is not as it was."""
    return old is None or new is None or next(differing(old, new), None) is not None


def alike(nodes: list[Sides], unknown: list[UnknownFact]) -> list[Sides]:
    """The nodes; one configuration of brokers stands for all of them, unless its cluster has one broker alone."""
    if any(side.entity.replicas is not None for pair in nodes for side in pair if side):
        return list(of_pools(nodes, unknown))
    brokers = [(old, new) for old, new in nodes if old and new and old.is_broker]
    if len(brokers) != 1 or len([pair for pair in nodes if any(side and side.is_broker for side in pair)]) != 1:
        return nodes
    old, new = brokers[0]
    size = new.entity.cluster_size or ALIKE
    if size == 1 or (len(old.voters) == 1 and old.id in old.voters):
        return nodes
    others = [each for pair in nodes if pair != (old, new) for each in every_voter(*pair)]
    taken = {side.id for pair in others for side in pair if side}
    first = 1 if old.id is None else old.id
    free = (id for id in range(first, first + size + len(taken) + 1) if id not in taken)
    ids = list(old.voters) if old.is_controller and old.voters else list(islice(free, min(size, MOST_ALIKE)))
    why = f"one configuration stands for every broker: {len(ids)} of them are taken to change alike"
    unknown.append(UnknownFact(None, None, why, decides=False))
    return [*others, *((of_id(old, id), of_id(new, id)) for id in ids)]


def of_pools(nodes: Sequence[Sides], unknown: list[UnknownFact]) -> Iterator[Sides]:
    """The nodes of every pool of an operator's, which leaves each the id that it has; of a smaller pool the last ones stay as they were."""
    for old, new in nodes:
        side = old or new
        assert side is not None
        if side.entity.replicas is None:
            yield old, new
            continue
        size = min(side.entity.replicas or ALIKE, MOST_ALIKE)
        if size > 1:
            why = f"{side.entity.name}: one configuration stands for {size} nodes, which are taken to change alike"
            unknown.append(UnknownFact(None, None, why, decides=False))
        total = side.entity.replicas or size
        going = min(max(total - new.entity.replicas, 0), size - 1) if old and new and new.entity.replicas else 0
        for number in range(size - going):
            yield old and of_pool(old, side, number), new and of_pool(new, side, number)
        for number in range(total - going, total):
            last = of_pool(side, side, number)
            yield last, last


def of_pool(config: NodeConfig, pool: NodeConfig, number: int) -> NodeConfig:
    """One node of a pool, by its number from 0 on."""
    entity = copy(of_id(config, (pool.id or 0) + number).entity)
    entity.known_as = f"{entity.name.rpartition('/')[2]} ({number + 1} of {entity.replicas or ALIKE})"
    return NodeConfig(entity)


def name_in_pool(side: NodeConfig | None) -> str | None:
    """What a node is called whose id an operator gives out; None for another one."""
    return side.entity.known_as if side else None


def every_voter(old: NodeConfig | None, new: NodeConfig | None) -> Sequence[Sides]:
    """The controllers that an operator makes of one configuration; other nodes are themselves."""
    if old is None or new is None or new.is_broker or new.entity.cluster_size is None or old.id not in old.voters:
        return [(old, new)]
    return [(of_id(old, id), of_id(new, id)) for id in old.voters]


def of_id(side: NodeConfig, id: int) -> NodeConfig:
    """The same configuration of a node of another id."""
    if side.id == id:
        return side
    entity = copy(side.entity)
    key = "node.id" if side.is_kraft else "broker.id"
    entity.settings = {**entity.settings, key: Setting(key, str(id), STATIC_BROKER, Origin(None, None, None))}
    return NodeConfig(entity)


def numbered(pairs: Iterable[Sides]) -> list[RolloutNode]:
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
        nodes.append(RolloutNode(known, next(filter(None, map(name_in_pool, (old, new))), f"node {known}"), old, new))
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
        yield UnknownFact(f"node {id}", None, "it is a voter, and its file is not here", decides=concerns_all(cluster))


def concerns_all(cluster: RolloutCluster) -> bool:
    """Whether some change is one that a controller without a file may have a part in."""
    return any(
        old.text(key) != new.text(key) and not old.is_hidden(key)
        for node in cluster.nodes.values()
        if node.changed and (old := node.old) and (new := node.new)
        for key in {*old.config.settings, *new.config.settings}
        if concerns_controllers(key, old, new)
    )


def concerns_controllers(key: str, old: NodeConfig, new: NodeConfig) -> bool:
    """Whether a key that differs decides who reaches the controllers: of listeners' protocols and logins those of theirs."""
    names = {*old.controller_names, *new.controller_names}
    protocols = [{name: side.protocols.get(name) for name in names} for side in (old, new)]
    if key == "listener.security.protocol.map":
        return protocols[0] != protocols[1]
    bare = old.bare(key)
    if not bare.startswith(SECURITY):
        return bare in WIRE_OF_ALL
    if bare != key:
        return any(key.startswith(f"listener.name.{name.lower()}.") for name in names)
    kind = "SASL" if bare.startswith("sasl.") else "SSL"
    return any(protocol is None or kind in protocol for side in protocols for protocol in side.values())


WIRE_OF_ALL = frozenset({*WIRE, *CONTROLLERS} - {"listeners", "advertised.listeners", "inter.broker.listener.name"})
"""Keys that concern controllers as well as brokers."""


def running_cluster(snapshot: Snapshot, new: Sequence[Snapshot]) -> RolloutCluster:
    """The cluster of a running one and the files that its nodes get; what is dynamic there stays over them."""
    assert snapshot.live is not None
    running = {int(each.name): each for each in snapshot.entities if isinstance(each, Broker)}
    files = {}
    for entity in (each for side in new for each in side.entities if each.kind in SERVER_KINDS):
        side = NodeConfig(entity)
        files[side.id if side.id is not None else -1] = side
    only = files.get(-1) or next(iter(files.values())) if len(files) == 1 else None
    cluster = RolloutCluster({}, snapshot)
    up = {node.id for node in snapshot.live.nodes if node.state in (ALIVE, UNKNOWN)}
    nodes = []
    for id, broker in sorted(running.items()):
        file = files.get(id) or (of_id(only, id) if only is not None and only.is_broker else None)
        if id not in up or broker.missing:
            cluster.unknown.append(UnknownFact(f"node {id}", None, broker.missing or "it is down"))
        elif file is None:
            cluster.unknown.append(UnknownFact(f"node {id}", None, "its new file is not here: it is taken to stay"))
            nodes.append(unchanged(id, NodeConfig(broker)))
        else:
            nodes.append(running_node(id, broker, file, cluster))
    nodes += [unchanged(id, file) for id, file in files.items() if id not in running and file.is_controller]
    cluster.nodes = by_id(nodes)
    cluster.unknown += unseen_controllers(cluster, files)
    return cluster


def unchanged(id: int, side: NodeConfig) -> RolloutNode:
    """A node that stays as it is."""
    return RolloutNode(id, f"node {id}", side, side)


def running_node(id: int, broker: Broker, file: NodeConfig, cluster: RolloutCluster) -> RolloutNode:
    """A running broker and what it will run with once it is restarted with its new file."""
    layers = layers_of(broker)
    dropped = dropped_layers(file, layers)
    old, new = NodeConfig(broker), NodeConfig(restarted(file.entity, layers, dropped))
    old.file_settings, new.file_settings = file_settings(broker), file.entity.settings
    new.granted = acting_principals(cluster)
    node = RolloutNode(id, f"node {id}", old, new)
    node.changed = changes_node(node) or may_lose_rights(old, new)
    if node.changed:
        cluster.faults += faults_of_layers(node.name, dropped, old, new)
    return node


def may_lose_rights(old: NodeConfig, new: NodeConfig) -> bool:
    """Whether the new file's super users leave out the brokers, where a running broker hides those that it has."""
    if not (old.is_hidden(SUPER_USERS) and new.text("authorizer.class.name") and new.inter_broker) or open_to_all(new):
        return False
    return own_right(new, new.inter_broker) is False


def acting_principals(cluster: RolloutCluster) -> frozenset[str]:
    """The principals that ACLs of a running cluster let do what brokers do."""
    acls = (cluster.live.acls if cluster.live else None) or ()
    return frozenset(
        row.principal
        for row in acls
        if row.resource.upper() in ("CLUSTER", "BROKER")
        and row.permission.upper() == "ALLOW"
        and row.operation.upper() in ("ALL", "CLUSTER_ACTION")
    )


def unseen_controllers(cluster: RolloutCluster, files: Mapping[int, NodeConfig]) -> Iterator[UnknownFact]:
    """Controllers: a running cluster does not show their files."""
    quorum = cluster.live.quorum if cluster.live else None
    voters = {member.id for member in quorum.members if member.voter} if quorum else set()
    for id in sorted(voters):
        if cluster.nodes.get(id) is None or not cluster.nodes[id].changed:
            here = "its new file is not here" if id not in files else "a running cluster does not show its present file"
            yield UnknownFact(f"node {id}", None, f"it is a controller, and {here}", decides=concerns_all(cluster))
