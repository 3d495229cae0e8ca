"""The facts of one cluster that outputs of tools show."""

from __future__ import annotations

from dataclasses import dataclass, field

from advisor.model.cluster import ALIVE, DEAD, NOBODY, UNKNOWN, LogDir, Node, Partition, Quorum

Offsets = dict[tuple[str, int], int]
"""Numbers by topic and partition."""
Level = tuple[str, str | None]
"""(source, value) at one level of a setting."""


@dataclass(slots=True)
class Described:
    """The settings of one broker or topic: key to its levels, the one that counts first; none for a value that is not set.

    `values` are what is in force (None: not set, or kept to itself), `hidden` the sensitive keys, `whole` says whether
    all settings were printed, `own_only` whether a release printed those of the topic alone.
    """

    values: dict[str, str | None] = field(default_factory=dict)
    levels: dict[str, tuple[Level, ...]] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    whole: bool = False
    own_only: bool = False


@dataclass(slots=True)
class TopicOutput:
    """What outputs show of a topic: partitions by id; settings and factor are None where no line says them."""

    partitions: dict[int, Partition] = field(default_factory=dict)
    settings: Described | None = None
    replication_factor: int | None = None


@dataclass(slots=True)
class GroupOutput:
    """What outputs show of a consumer group: offsets and lags by topic and partition, empty where no line says them."""

    state: str | None = None
    members: int | None = None
    coordinator: int | None = None
    committed: Offsets = field(default_factory=dict)
    lag: Offsets = field(default_factory=dict)


@dataclass(slots=True)
class Facts:
    """All that the outputs of one run show of a cluster; None is what no output says."""

    topics: dict[str, TopicOutput] = field(default_factory=dict)
    brokers: dict[int, Described] = field(default_factory=dict)
    cluster_wide: Described | None = None
    nodes: dict[int, Node] = field(default_factory=dict)
    log_dirs: dict[int, tuple[LogDir, ...]] = field(default_factory=dict)
    groups: dict[str, GroupOutput] = field(default_factory=dict)
    quorum: Quorum | None = None
    cluster_id: str | None = None
    features: dict[str, int] = field(default_factory=dict)
    supported: dict[str, int] = field(default_factory=dict)
    reassignments: set[tuple[str, int]] = field(default_factory=set)
    answering: set[int] = field(default_factory=set)
    listed: set[int] | None = None
    """The brokers that are alive, where an output names them all."""
    partial: bool = False
    """Whether some output was filtered: it shows a part of the topics."""

    def topic(self, name: str) -> TopicOutput:
        """The topic of a name, new where nothing was printed of it."""
        return self.topics.setdefault(name, TopicOutput())

    def group(self, name: str) -> GroupOutput:
        """The consumer group of a name, new where nothing was printed of it."""
        return self.groups.setdefault(name, GroupOutput())

    def node(self, id: int) -> Node:
        """The broker of an id, new where nothing was printed of it."""
        return self.nodes.setdefault(id, Node(id))

    def answered(self, id: int) -> None:
        """Note that a broker answered the tool."""
        self.node(id)
        self.answering.add(id)

    def settle_states(self) -> None:
        """Decide which brokers are alive: who leads or is in sync is; who could lead and does not, is not; else who answered.

        Without a leader, a replica in the ISR or the ELR would be elected if its broker were active.
        """
        active, idle = set[int](), set[int]()
        for topic in self.topics.values():
            for partition in topic.partitions.values():
                for id in partition.replicas:
                    self.node(id)
                if partition.leader != NOBODY:
                    active.update((partition.leader, *partition.isr))
                else:
                    idle.update(partition.isr, partition.elr or ())
        for id in active:
            self.node(id)
        for id, node in self.nodes.items():
            node.state = self._state(id, active, idle)

    def _state(self, id: int, active: set[int], idle: set[int]) -> str:
        if id in active or id in (self.listed or ()):
            return ALIVE
        if id in idle or self.listed is not None:
            return DEAD
        return ALIVE if id in self.answering else UNKNOWN
