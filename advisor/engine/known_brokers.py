"""How many brokers a cluster has, as far as files or its state say it: fewer than three cannot hold three replicas."""

from __future__ import annotations

from advisor.model import OVERLAY, SERVER_KINDS, Topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.model import Entity, Snapshot

ENOUGH = 3
ALIVE = "alive"
REPLICATION = ("replication.factor", "min.isr", "min.insync.replicas")
"""What the keys end on whose recommended values take three brokers, or a topic's three replicas."""
VOTERS = ("controller.quorum.voters", "controller.quorum.bootstrap.servers")
HERE = ("localhost", "127.0.0.1", "[::1]")
"""Hosts that no other machine can mean."""


def obstacle_of(key: str, entity: Entity, snapshots: Sequence[Snapshot]) -> str | None:
    """Why a key is not set to what three replicas take; None where nothing speaks against it."""
    if not key.endswith(REPLICATION):
        return None
    if isinstance(entity, Topic):
        replicas = entity.settings.get("replication.factor")
        if replicas is not None and replicas.value.isdigit() and int(replicas.value) >= ENOUGH:
            return None
        count = "an unknown number of" if replicas is None else replicas.value
        return f"{entity.title}: min.insync.replicas=2 requires three replicas, and the topic has {count}"
    brokers = known_brokers(entity, snapshots)
    if brokers is None or brokers >= ENOUGH:
        return None
    return f"{entity.title}: three replicas require three brokers, and the cluster has {brokers}"


def known_brokers(entity: Entity, snapshots: Sequence[Snapshot]) -> int | None:
    """The number of brokers of an entity's cluster, as far as files say it; None where nothing does."""
    own = next((snapshot for snapshot in snapshots if any(row is entity for row in snapshot.entities)), None)
    if own is not None and own.live is not None:
        return sum(node.state == ALIVE for node in own.live.nodes)
    entities = own.entities if own else (entity,)
    described = sum(row.kind in SERVER_KINDS and row.kind not in ("controller", OVERLAY) for row in entities)
    sizes = [*said_of(entities), *deployed_in(entity.file, snapshots), *concluded_from(entity)]
    return max(described, min(sizes)) if sizes else None


def said_of(entities: Sequence[Entity]) -> Iterator[int]:
    """The sizes of the cluster that a file counts its nodes among."""
    yield from {row.cluster_size for row in entities if row.cluster_size is not None}


def deployed_in(file: str | None, snapshots: Sequence[Snapshot]) -> Iterator[int]:
    """The brokers of the deployments in a file."""
    for snapshot in snapshots:
        for row in snapshot.entities:
            brokers = row.settings.get("brokers") if row.kind == "deployment" and row.file == file else None
            if brokers is not None and brokers.value.isdigit() and int(brokers.value):
                yield int(brokers.value)


def concluded_from(entity: Entity) -> Iterator[int]:
    """What addresses say: voters that are brokers as well, a quorum or a ZooKeeper that only this machine reaches."""
    for key in (*VOTERS, "zookeeper.connect"):
        setting = entity.settings.get(key)
        hosts = [each.rpartition("@")[2].strip() for each in setting.value.split(",")] if setting else []
        if hosts and all(host.rpartition(":")[0] in HERE for host in hosts):
            yield 1
        elif key in VOTERS and hosts and entity.kind == "combined" and len(hosts) < ENOUGH:
            yield len(hosts)
