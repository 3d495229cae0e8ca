"""Plain facts about one running cluster, as its brokers and its ZooKeeper told them. Nothing here judges."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NOBODY = -1
"""The leader of a partition that has none."""
ALIVE, FENCED, DEAD = "alive", "fenced", "dead"
"""A broker that answers for itself; one that is registered and may not lead; one that only replica lists name."""
KRAFT, ZOOKEEPER = "kraft", "zookeeper"


class Node:
    """A broker as the cluster sees it."""

    __slots__ = ("host", "id", "port", "rack", "state")

    def __init__(
        self, id: int, host: str | None = None, port: int | None = None, rack: str | None = None, state: str = ALIVE
    ) -> None:
        self.id = id
        self.host = host
        self.port = port
        self.rack = rack
        self.state = state


class Partition:
    """One partition: assignment order, the preferred leader first; `elr` and `offline` are None where nobody said."""

    __slots__ = ("elr", "id", "isr", "last_elr", "leader", "offline", "replicas")

    def __init__(
        self,
        id: int,
        leader: int,
        replicas: tuple[int, ...],
        isr: tuple[int, ...],
        elr: tuple[int, ...] | None = None,
        last_elr: tuple[int, ...] | None = None,
        offline: tuple[int, ...] | None = None,
    ) -> None:
        self.id = id
        self.leader = leader
        self.replicas = replicas
        self.isr = isr
        self.elr = elr
        self.last_elr = last_elr
        self.offline = offline


class Group:
    """A consumer group: committed maps (topic, partition) to the offset, None where it could not be read.

    `lag` counts records per (topic, partition), for those whose end offset was asked for.
    """

    __slots__ = ("committed", "coordinator", "lag", "members", "name", "protocol", "state", "topics", "unread")

    def __init__(
        self,
        name: str,
        state: str | None,
        protocol: str | None = None,
        members: int | None = None,
        topics: tuple[str, ...] | None = None,
        coordinator: int | None = None,
        committed: Mapping[tuple[str, int], int] | None = None,
        lag: Mapping[tuple[str, int], int] | None = None,
        unread: str | None = None,
    ) -> None:
        self.name = name
        self.state = state
        self.protocol = protocol
        self.members = members
        self.topics = topics
        self.coordinator = coordinator
        self.committed = committed
        self.lag = lag
        self.unread = unread


class QuorumMember:
    """A voter or an observer of the metadata quorum; `lag` counts metadata records behind the leader."""

    __slots__ = ("id", "lag", "silent_ms", "voter")

    def __init__(self, id: int, voter: bool, lag: int | None, silent_ms: int | None) -> None:
        self.id = id
        self.voter = voter
        self.lag = lag
        self.silent_ms = silent_ms


class Quorum:
    """The metadata quorum of a KRaft cluster. Source: DescribeQuorum (KIP-836)."""

    __slots__ = ("epoch", "leader", "members")

    def __init__(self, leader: int, epoch: int, members: Sequence[QuorumMember]) -> None:
        self.leader = leader
        self.epoch = epoch
        self.members = tuple(members)


class LogDir:
    """A log directory of one broker: bytes in all and free where the release says so; `error` where it is offline."""

    __slots__ = ("error", "free", "partitions", "path", "total")

    def __init__(
        self,
        path: str,
        error: str | None = None,
        total: int | None = None,
        free: int | None = None,
        partitions: int | None = None,
    ) -> None:
        self.path = path
        self.error = error
        self.total = total
        self.free = free
        self.partitions = partitions


class Acl:
    """One access control entry."""

    __slots__ = ("host", "name", "operation", "pattern", "permission", "principal", "resource")

    def __init__(
        self, resource: str, name: str, pattern: str, principal: str, host: str, operation: str, permission: str
    ) -> None:
        self.resource = resource
        self.name = name
        self.pattern = pattern
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission = permission


class ZooKeeperServer:
    """One server of the ensemble as it answered: mode is leader, follower, standalone or observer.

    `conf` and `stats` are what it says to `conf` and `mntr`; a word that it does not answer is in `unanswered`, with
    the reason. `unread` says why it does not serve at all.
    """

    __slots__ = ("address", "conf", "mode", "stats", "unanswered", "unread", "version")

    def __init__(
        self, address: str, mode: str | None = None, version: str | None = None, unread: str | None = None
    ) -> None:
        self.address = address
        self.mode = mode
        self.version = version
        self.unread = unread
        self.conf: dict[str, str] = {}
        self.stats: dict[str, str] = {}
        self.unanswered: dict[str, str] = {}


class ZooKeeperFacts:
    """What ZooKeeper holds of a cluster (Kafka up to 3.9), and the ensemble itself.

    `ensemble` is the number of voting servers, `overrides` maps a path below /config to its keys (never their values),
    `open_nodes` are the paths that anybody may change, `endpoints` the listeners of each broker. What could not be read
    is in `unread`, by name.
    """

    __slots__ = (
        "brokers",
        "chroot",
        "cluster_id",
        "controller",
        "controller_epoch",
        "deletions",
        "endpoints",
        "ensemble",
        "isr_changes",
        "log_dir_events",
        "migration",
        "old_consumers",
        "open_nodes",
        "overrides",
        "reassignments",
        "servers",
        "unread",
    )

    def __init__(self) -> None:
        self.chroot = ""
        self.cluster_id: str | None = None
        self.brokers: tuple[Node, ...] = ()
        self.endpoints: dict[int, tuple[str, ...]] = {}
        self.controller: int | None = None
        self.controller_epoch: int | None = None
        self.ensemble: int | None = None
        self.servers: tuple[ZooKeeperServer, ...] = ()
        self.deletions: tuple[str, ...] = ()
        self.isr_changes = 0
        self.log_dir_events: tuple[int, ...] = ()
        self.migration = False
        self.old_consumers: tuple[str, ...] = ()
        self.open_nodes: tuple[str, ...] = ()
        self.overrides: dict[str, tuple[str, ...]] = {}
        self.reassignments: tuple[tuple[str, int], ...] = ()
        self.unread: dict[str, str] = {}


class Live:
    """What was read of a running cluster beside its settings, when, and what could not be read and why.

    `features` are the finalized levels, `supported` the highest ones that the brokers could have.
    `unread` maps a kind of fact (topics, groups, acls, quorum, features, log dirs, …) to the reason.
    """

    __slots__ = (
        "acls",
        "address",
        "cluster_id",
        "collected",
        "features",
        "groups",
        "log_dirs",
        "metadata",
        "nodes",
        "quorum",
        "reassignments",
        "supported",
        "unread",
        "zookeeper",
    )

    def __init__(self, address: str, cluster_id: str | None, collected: str, metadata: str | None) -> None:
        self.address = address
        self.cluster_id = cluster_id
        self.collected = collected
        self.metadata = metadata
        self.nodes: tuple[Node, ...] = ()
        self.quorum: Quorum | None = None
        self.features: dict[str, int] | None = None
        self.supported: dict[str, int] | None = None
        self.log_dirs: dict[int, tuple[LogDir, ...]] = {}
        self.groups: tuple[Group, ...] | None = None
        self.acls: tuple[Acl, ...] | None = None
        self.reassignments: tuple[tuple[str, int], ...] | None = None
        self.zookeeper: ZooKeeperFacts | None = None
        self.unread: dict[str, str] = {}

    @property
    def name(self) -> str:
        """What the cluster is called wherever it is named: its id, else the address that was asked."""
        return self.cluster_id or self.address
