"""Collect a snapshot: brokers, topics, partitions, quorum, features, groups, access rules.

Everything is read that can be; what cannot stands in `Live.unread` with its reason, and an answer that is empty
because a right is missing is one of those. Nothing is written, and no topic is created by looking.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from advisor.model import Snapshot
from advisor.model.cluster import KRAFT, ZOOKEEPER, Acl, Live, LogDir, Node, Partition, Quorum
from collectors.kafka.confluent import Confluent
from collectors.kafka.deadline import Deadline, Unread, readable
from collectors.kafka.entities import OVERRIDDEN, InternedTopics, brokers_of, has_authorizer, release_of, topics_of
from collectors.kafka.groups import groups_of
from collectors.kafka.kafka_python import KafkaPython, Sizes
from collectors.kafka.options import CollectOptions
from collectors.kafka.topics import add_sizes, alive_ids, hidden_topics, nodes_of, partitions_of

if TYPE_CHECKING:
    from collectors.client.target import Connection

    T = TypeVar("T")

PARTS = ("features", "registrations", "quorum", "partitions", "log dirs", "reassignments")
"""What kafka-python reads."""
NAMES_FENCED = 25
"""The metadata.version of Kafka 4.0, the first release that names fenced brokers (KIP-1073)."""


class BackgroundReads(Thread):
    """A thread that reads with kafka-python meanwhile; for each part it has the result, or the reason why not."""

    def __init__(self, connection: Connection, deadline: Deadline) -> None:
        super().__init__(name="kafka-python", daemon=True)
        self.connection = connection
        self.deadline = deadline
        self.client: KafkaPython | None = None
        self.unread: dict[str, str] = {}
        self.features: tuple[dict[str, int], dict[str, int]] | None = None
        self.quorum: Quorum | None = None
        self.registrations: tuple[Node, ...] | None = None
        self.partitions: dict[str, tuple[Partition, ...]] | None = None
        self.log_dirs: tuple[dict[int, tuple[LogDir, ...]], Sizes] | None = None
        self.reassignments: tuple[tuple[str, int], ...] | None = None

    def run(self) -> None:
        """Read each part in turn; one failure does not stop the others."""
        client = self.client = self.part("kafka-python", lambda: KafkaPython(self.connection, self.deadline))
        if client is None:
            self.unread = dict.fromkeys(PARTS, self.unread["kafka-python"])
            return
        self.features = self.part("features", client.features)
        self.registrations = self.part("registrations", client.fenced)
        self.partitions = self.part("partitions", client.partitions)
        self.quorum = self.part("quorum", client.quorum)
        self.log_dirs = self.part("log dirs", client.log_dirs)
        self.reassignments = self.part("reassignments", client.reassignments)

    def part(self, name: str, read: Callable[[], T]) -> T | None:
        """Read one part; None where it could not be read."""
        try:
            return readable(name, read)
        except Unread as unread:
            self.unread[name] = str(unread)
            return None


def collect(connection: Connection, wanted: CollectOptions) -> Snapshot:
    """Collect a snapshot of a cluster. Raises UnreachableCluster."""
    deadline = Deadline(wanted.timeout)
    confluent = Confluent(connection, deadline)
    wanted.progress("connecting", 0, 0)
    described = confluent.reach()
    live = Live(connection.bootstrap, described.cluster_id, datetime.now(UTC).isoformat(timespec="seconds"), None)
    beside = BackgroundReads(connection, deadline)
    beside.start()
    try:
        return _read(confluent, beside, described, live, wanted)
    finally:
        if beside.client is not None and not beside.is_alive():
            beside.client.close()


def _read(
    confluent: Confluent, beside: BackgroundReads, described: Any, live: Live, wanted: CollectOptions
) -> Snapshot:
    rights = {operation.name for operation in described.authorized_operations or ()}
    ids = alive_ids(described)
    wanted.progress("broker settings", 0, len(ids))
    configs = confluent.broker_configs(ids)
    authorizer = has_authorizer(configs)
    metadata = attempt(live, "topics", confluent.metadata)
    names = sorted(metadata.topics) if metadata else []
    wanted.progress("topic settings", 0, len(names))
    topic_configs = confluent.topic_configs(names, wanted.progress) if names else {}
    _access(confluent, live, authorizer, "DESCRIBE" in rights)
    groups = attempt(live, "groups", lambda: groups_of(confluent, live, authorizer, "DESCRIBE" in rights, wanted))
    wanted.progress("partitions", 0, 0)
    beside.join(timeout=max(0.0, confluent.deadline.remaining()))
    _add_background_reads(live, beside, configs)
    live.nodes = nodes_of(described, metadata, beside.registrations or ())
    live.groups = groups
    target = wanted.target or release_of(configs, live)
    brokers = brokers_of(live, configs, target, _chains(live, beside, configs))
    interned = InternedTopics(target, live.name)
    sizes = beside.log_dirs[1] if beside.log_dirs else None
    partitions = partitions_of(metadata, beside.partitions)
    add_sizes(partitions, sizes or {})
    topics = topics_of(interned, partitions, topic_configs)
    hidden = hidden_topics(live, names, sizes, authorizer)
    topics += [interned.hidden(name, why) for name, why in hidden.items()]
    if wanted.zookeeper:
        _zookeeper(live, wanted.zookeeper, confluent.deadline)
    return Snapshot(live.name, [*brokers, *topics], live=live)


def attempt(live: Live, name: str, read: Callable[[], T]) -> T | None:
    """Call a reader; on failure note the reason in `unread` and return None."""
    try:
        return readable(name, read)
    except Unread as unread:
        live.unread[name] = str(unread)
        return None


def _access(confluent: Confluent, live: Live, authorizer: bool | None, may_describe: bool) -> None:
    """The ACLs; an empty answer without the right to describe them counts as unread."""
    if authorizer is False:
        return
    rows = attempt(live, "acls", lambda: tuple(map(_acl, confluent.acls())))
    if rows is None:
        return
    if not rows and not may_describe:
        live.unread["acls"] = "the access rules are hidden from this principal: it needs DESCRIBE on the cluster"
        return
    live.acls = rows


def _acl(row: Any) -> Acl:
    return Acl(
        row.restype.name,
        row.name,
        row.resource_pattern_type.name,
        row.principal,
        row.host,
        row.operation.name,
        row.permission_type.name,
    )


def _add_background_reads(live: Live, beside: BackgroundReads, configs: Any) -> None:
    """Add what kafka-python has read to the snapshot."""
    late = f"not read within the {beside.deadline.seconds:g} s of --timeout" if beside.is_alive() else None
    for name in PARTS:
        value = getattr(beside, name.replace(" ", "_"))
        if value is None:
            live.unread[name] = beside.unread.get(name) or late or "the cluster did not say"
    if beside.features is not None:
        live.features, live.supported = beside.features
    if (live.supported or {}).get("metadata.version", 0) < NAMES_FENCED:
        live.unread.setdefault("registrations", "brokers before Kafka 4.0 do not name those that are fenced")
    live.quorum = beside.quorum
    live.log_dirs = beside.log_dirs[0] if beside.log_dirs else {}
    live.reassignments = beside.reassignments
    live.metadata = _mode(live, configs)


def _mode(live: Live, configs: Any) -> str | None:
    """KRaft or ZooKeeper: by a broker's settings, else by whether there is a quorum."""
    for entries in configs.values():
        if not isinstance(entries, Unread):
            roles = entries.get("process.roles")
            return KRAFT if roles is not None and roles.value else ZOOKEEPER
    return KRAFT if live.quorum is not None or "metadata.version" in (live.features or {}) else None


def _chains(
    live: Live, beside: BackgroundReads, configs: Any
) -> dict[int, dict[str, tuple[tuple[str, str | None], ...]]]:
    client = beside.client
    readable = [id for id, entries in configs.items() if not isinstance(entries, Unread)]
    if client is None or beside.is_alive():
        live.unread["levels"] = beside.unread.get("features") or "not read in time"
        return {}
    chains = beside.part("levels", lambda: client.chains(readable, OVERRIDDEN))
    if chains is None:
        live.unread["levels"] = beside.unread["levels"]
    return chains or {}


def _zookeeper(live: Live, connect: str, deadline: Deadline) -> None:
    from advisor.errors import UnreachableCluster
    from collectors.zookeeper.ensemble import collect as collect_zookeeper

    try:
        live.zookeeper = collect_zookeeper(connect, deadline.left(60))
    except (UnreachableCluster, Unread) as why:
        live.unread["zookeeper"] = str(why)
