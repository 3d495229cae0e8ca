"""The nodes of a cluster with their files before and after a change, and the order in which they are restarted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.outcome import Fault, UnknownFact
from advisor.model import Entity, Snapshot, Topic, Version
from advisor.model.cluster import Live

ELR_BY_DEFAULT = (4, 1)
"""The release from which on a cluster that is formatted anew has eligible leader replicas."""
KRAFT_VERSION = "kraft.version"
ELR = "eligible.leader.replicas.version"


@dataclass(eq=False)
class PartitionClass:
    """Partitions with the same replicas, ISR and rule: `min_isr` is None where the file of the leader decides."""

    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    leader: int | None
    min_isr: int | None
    names: list[str] = field(default_factory=list)


@dataclass(eq=False)
class RolloutNode:
    """A node: its file on each side, None where there is none; `id` is what it was before, else what it becomes."""

    id: int
    name: str
    old: NodeConfig | None
    new: NodeConfig | None
    changed: bool = False

    @property
    def either(self) -> NodeConfig:
        """The side that there is, the new one first."""
        side = self.new or self.old
        assert side is not None
        return side

    @property
    def goes(self) -> bool:
        """Whether the node is one that a smaller pool has no more."""
        return self.old is not None and self.old is self.new and self.old.entity.replicas is not None

    @property
    def is_broker(self) -> bool:
        """Whether the node is a broker on a side."""
        return any(side.is_broker for side in (self.old, self.new) if side)

    @property
    def is_controller(self) -> bool:
        """Whether the node is a controller on a side."""
        return any(side.is_controller for side in (self.old, self.new) if side)


@dataclass(eq=False)
class RolloutCluster:
    """All nodes by id; what the running cluster says, if it was read; what is not known."""

    nodes: Mapping[int, RolloutNode]
    snapshot: Snapshot | None = None
    unknown: list[UnknownFact] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    """What the dynamic values of the running cluster come to."""
    of_deployments: list[Fault] = field(default_factory=list)
    """What other volumes, ids and resources come to, which no intermediate file of a node changes."""
    applied: list[str] = field(default_factory=list)
    """What else the tool that applies the files does with them."""
    others: Sequence[tuple[Entity | None, Entity | None]] = ()
    """Topics and clients before and after."""
    levels: Mapping[str, int] = field(default_factory=dict)
    """Levels of features that are finalized before the files change."""
    old_texts: Mapping[str, bytes] = field(default_factory=dict)
    new_texts: Mapping[str, bytes] = field(default_factory=dict)
    """The files of a side that is a commit's, which cannot be read again."""
    name: str = ""
    """What the cluster is called, where the files are those of several."""
    clients_move: bool = False
    """Whether clients are moved before what they use is taken away, as passes say."""

    partitions: Sequence[PartitionClass] | None = None
    """The partitions that are looked at, once they are known."""

    @property
    def changes(self) -> bool:
        """Whether anything of the cluster changes that runs already."""
        runs = any(node.old for node in self.nodes.values())
        return bool(self.of_deployments or self.applied or self.faults) or (
            runs and any(node.changed or node.old is node.new for node in self.nodes.values())
        )

    @property
    def version(self) -> Version:
        """The release of the nodes."""
        return next(node.either.version for node in self.nodes.values())

    @property
    def live(self) -> Live | None:
        """What the running cluster says of itself."""
        return self.snapshot.live if self.snapshot else None

    @property
    def brokers(self) -> list[RolloutNode]:
        """The nodes that are brokers."""
        return [node for node in self.nodes.values() if node.is_broker]

    @property
    def going(self) -> list[RolloutNode]:
        """The nodes that smaller pools have no more."""
        return [node for node in self.nodes.values() if node.goes]

    @property
    def controllers(self) -> list[RolloutNode]:
        """The nodes that are controllers."""
        return [node for node in self.nodes.values() if node.is_controller]

    @cached_property
    def is_kraft(self) -> bool:
        """Whether it is a KRaft cluster."""
        return all(node.either.is_kraft for node in self.nodes.values())

    @cached_property
    def has_elr(self) -> bool:
        """Whether it has eligible leader replicas: what it says, else what its release has when it is formatted anew."""
        if not self.is_kraft:
            return False
        level = self.level(ELR)
        if level is not None:
            return level > 0
        return all(node.either.version >= ELR_BY_DEFAULT for node in self.nodes.values())

    @cached_property
    def bytes_by_broker(self) -> Mapping[int, int]:
        """The bytes of each broker's replicas, as far as it says them."""
        held: dict[int, int] = {}
        for topic in (each for each in self.snapshot.entities if isinstance(each, Topic)) if self.snapshot else ():
            for partition in topic.partitions or ():
                for id, size in zip(partition.replicas, partition.sizes or (), strict=False):
                    held[id] = held.get(id, 0) + (size or 0)
        return held

    def level(self, feature: str) -> int | None:
        """The finalized level of a feature; None where nothing says it."""
        if feature in self.levels:
            return self.levels[feature]
        features = self.live.features if self.live else None
        return None if features is None else features.get(feature, 0)

    @cached_property
    def active(self) -> int | None:
        """The active controller before the change: as the cluster says, else the last one that is restarted."""
        if self.live is not None and self.live.zookeeper is not None:
            return self.live.zookeeper.controller
        if self.live is not None and self.live.quorum is not None:
            return self.live.quorum.leader
        ids = [node.id for node in self.controllers if node.old is not None and node.old.is_controller]
        return max(ids, default=None)

    def order(self) -> list[RolloutNode]:
        """The nodes that change: controllers alone, the active one last, then brokers; of both roles the active one last."""
        changed = [node for node in self.nodes.values() if node.changed]
        racks = {node.id: node.either.text("broker.rack") for node in changed if node.is_broker}
        return sorted(
            changed, key=lambda node: (node.is_broker, node.id == self.active, racks.get(node.id, ""), node.id)
        )


def by_id(nodes: Iterable[RolloutNode]) -> dict[int, RolloutNode]:
    """Nodes by their id."""
    return {node.id: node for node in nodes}
