"""The data model of a running cluster, as reported by its brokers and its ZooKeeper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

NOBODY = -1
"""The leader of a partition that has none."""
ALIVE, FENCED, DEAD, UNKNOWN = "alive", "fenced", "dead", "unknown"
"""A broker that answers for itself; one that is registered and may not lead; one that only replica lists name, where all
brokers that are alive are known, and where they are not."""
KRAFT, ZOOKEEPER = "kraft", "zookeeper"


@dataclass(slots=True, eq=False)
class Node:
    """A broker as the cluster sees it."""

    id: int
    host: str | None = None
    port: int | None = None
    rack: str | None = None
    state: str = ALIVE


@dataclass(slots=True, eq=False)
class Partition:
    """One partition: assignment order, the preferred leader first; `elr` and `offline` are None if unknown.

    `sizes` are the bytes of each replica's log, in the order of `replicas`; None where its broker did not say.
    """

    id: int
    leader: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    elr: tuple[int, ...] | None = None
    last_elr: tuple[int, ...] | None = None
    offline: tuple[int, ...] | None = None
    sizes: tuple[int | None, ...] | None = None


@dataclass(slots=True, eq=False)
class Group:
    """A consumer group: committed maps (topic, partition) to the offset, None where it could not be read.

    `lag` counts records per (topic, partition), for those whose end offset was asked for.
    """

    name: str
    state: str | None
    protocol: str | None = None
    members: int | None = None
    topics: tuple[str, ...] | None = None
    coordinator: int | None = None
    committed: Mapping[tuple[str, int], int] | None = None
    lag: Mapping[tuple[str, int], int] | None = None
    unread: str | None = None


@dataclass(slots=True, eq=False)
class QuorumMember:
    """A voter or an observer of the metadata quorum; `lag` counts metadata records behind the leader."""

    id: int
    voter: bool
    lag: int | None
    silent_ms: int | None


@dataclass(slots=True, eq=False)
class Quorum:
    """The metadata quorum of a KRaft cluster. Source: DescribeQuorum (KIP-836)."""

    leader: int
    epoch: int
    members: Sequence[QuorumMember]

    def __post_init__(self) -> None:
        self.members = tuple(self.members)


@dataclass(slots=True, eq=False)
class LogDir:
    """A log directory of one broker: bytes in all and free where the release says so; `error` where it is offline."""

    path: str
    error: str | None = None
    total: int | None = None
    free: int | None = None
    partitions: int | None = None


@dataclass(slots=True, eq=False)
class Acl:
    """One access control entry."""

    resource: str
    name: str
    pattern: str
    principal: str
    host: str
    operation: str
    permission: str


@dataclass(slots=True, eq=False)
class ZooKeeperServer:
    """One server of the ensemble as it answered: mode is leader, follower, standalone or observer.

    `conf` and `stats` are what it says to `conf` and `mntr`; a word that it does not answer is in `unanswered`, with
    the reason. `unread` says why it does not serve at all.
    """

    address: str
    mode: str | None = None
    version: str | None = None
    unread: str | None = None
    conf: dict[str, str] = field(default_factory=dict)
    stats: dict[str, str] = field(default_factory=dict)
    unanswered: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class ZooKeeperFacts:
    """What ZooKeeper holds of a cluster (Kafka up to 3.9), and the ensemble itself.

    `ensemble` is the number of voting servers, `overrides` maps a path below /config to its keys (never their values),
    `open_nodes` are the paths that anybody may change, `endpoints` the listeners of each broker. What could not be read
    is in `unread`, by name.
    """

    chroot: str = ""
    cluster_id: str | None = None
    brokers: tuple[Node, ...] = ()
    endpoints: dict[int, tuple[str, ...]] = field(default_factory=dict)
    controller: int | None = None
    controller_epoch: int | None = None
    ensemble: int | None = None
    servers: tuple[ZooKeeperServer, ...] = ()
    deletions: tuple[str, ...] = ()
    isr_changes: int = 0
    log_dir_events: tuple[int, ...] = ()
    migration: bool = False
    old_consumers: tuple[str, ...] = ()
    open_nodes: tuple[str, ...] = ()
    overrides: dict[str, tuple[str, ...]] = field(default_factory=dict)
    reassignments: tuple[tuple[str, int], ...] = ()
    unread: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Live:
    """What was read of a running cluster beside its settings, when, and what could not be read and why.

    `features` are the finalized levels, `supported` the highest ones that the brokers could have.
    `unread` maps a kind of fact (topics, groups, acls, quorum, features, log dirs, …) to the reason.
    """

    address: str
    cluster_id: str | None
    collected: str
    metadata: str | None
    nodes: tuple[Node, ...] = field(default=(), init=False)
    quorum: Quorum | None = field(default=None, init=False)
    features: dict[str, int] | None = field(default=None, init=False)
    supported: dict[str, int] | None = field(default=None, init=False)
    log_dirs: dict[int, tuple[LogDir, ...]] = field(default_factory=dict, init=False)
    groups: tuple[Group, ...] | None = field(default=None, init=False)
    acls: tuple[Acl, ...] | None = field(default=None, init=False)
    reassignments: tuple[tuple[str, int], ...] | None = field(default=None, init=False)
    zookeeper: ZooKeeperFacts | None = field(default=None, init=False)
    unread: dict[str, str] = field(default_factory=dict, init=False)

    @property
    def name(self) -> str:
        """The cluster's name in reports: its id, else the address it was reached at."""
        return self.cluster_id or self.address
