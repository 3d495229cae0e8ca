"""Facts of a running cluster for rules: brokers, consumer groups, quorum and ZooKeeper ensemble."""

from __future__ import annotations

from collections.abc import Container, Hashable, Sequence

from advisor.config import Config
from advisor.facts import LITTLE_FREE, NOT_SAID
from advisor.facts.partition import STATE_UNKNOWN, brokers_alive, use_of
from advisor.model import Entity, Topic
from advisor.model.cluster import ALIVE, DEAD, NOBODY, UNKNOWN, Group, Live, Partition, QuorumMember, ZooKeeperServer
from advisor.rule.subject import Absent, Unreadable

FactsOf = dict[str, Hashable]
OFFSETS = "__consumer_offsets"
MIN_ISR = "min.insync.replicas"
NO_PARTITIONS = "its partitions could not be read"


class PartitionCounts:
    """Counts over all partitions of a cluster: leaders, replicas, and what stops without each broker.

    `unread` says why some partitions are not among them, `unsettled` why some topic's min.insync.replicas is not known;
    of several topics the first by name says it. `names` are the topics that there are, `internal` Kafka's own.
    """

    def __init__(self, live: Live, topics: Sequence[Topic] = ()) -> None:
        self.alive = {node.id for node in live.nodes if node.state == ALIVE}
        self.leaders = dict.fromkeys(self.alive, 0)
        self.replicas = dict.fromkeys(self.alive, 0)
        self.stops: dict[int, int] = {}
        self.deprived: dict[int, int] = {}
        self.partitions = self.misled = 0
        self.topics = len(topics)
        self.offsets: Sequence[Partition] | None = None
        self.unread = live.unread.get("topics") or live.unread.get("all topics")
        self.unread_topic: tuple[str, str] | None = None
        self.unknown_min_isr: tuple[str, str] | None = None
        self.names: Container[str] = {topic.name for topic in topics}
        self.internal = {topic.name for topic in topics if topic.internal}
        min_isr_by_settings: dict[tuple[int, int, str | None], int | None] = {}
        for topic in topics:
            self._take(topic, min_isr_by_settings)
        self.settle()

    def _take(self, topic: Topic, min_isr_by_settings: dict[tuple[int, int, str | None], int | None]) -> None:
        if topic.partitions is None:
            self.hide(topic.name, topic.missing)
            return
        if topic.name == OFFSETS:
            self.offsets = topic.partitions
        alike = (id(topic.settings), id(topic.described), topic.missing)
        if alike not in min_isr_by_settings:
            min_isr_by_settings[alike] = min_isr_of(topic)
        needed = min_isr_by_settings[alike]
        if needed is None:
            self.leave_open(topic.name, topic.missing)
        for partition in topic.partitions:
            self.count(partition, needed)

    def hide(self, topic: str, missing: str | None) -> None:
        """Note that a topic's partitions could not be read."""
        reason = (topic, f"topic {topic}: {missing or NO_PARTITIONS}")
        self.unread_topic = min(self.unread_topic or reason, reason)

    def leave_open(self, topic: str, missing: str | None) -> None:
        """Note that a topic's min.insync.replicas could not be read."""
        reason = (topic, f"topic {topic}: {missing or f'{MIN_ISR} was not read'}")
        self.unknown_min_isr = min(self.unknown_min_isr or reason, reason)

    def settle(self) -> None:
        """Finish counting: decide why counts are unknown, if some topic could not be read."""
        if self.unread is None and self.unread_topic is not None:
            self.unread = self.unread_topic[1]

    @property
    def why_stops_unknown(self) -> str | None:
        """Why it is unknown which partitions stop without a broker; None if it is known."""
        return self.unread or (self.unknown_min_isr[1] if self.unknown_min_isr else None)

    def count(self, partition: Partition, min_isr: int | None) -> None:
        """Count one partition; `min_isr` is None where it could not be read."""
        leader, isr, replicas = partition.leader, partition.isr, partition.replicas
        self.partitions += 1
        for r in replicas:
            if r in self.replicas:
                self.replicas[r] += 1
        if leader in self.leaders:
            self.leaders[leader] += 1
        if replicas and leader not in (replicas[0], NOBODY) and replicas[0] in isr and replicas[0] in self.alive:
            self.misled += 1
        if min_isr is None:
            return
        needed = min(min_isr, len(replicas))
        if leader == NOBODY or len(isr) != needed:
            return
        where = self.deprived if len(replicas) > needed else self.stops
        for r in isr:
            where[r] = where.get(r, 0) + 1


def min_isr_of(topic: Topic) -> int | None:
    """The topic's effective min.insync.replicas, None where it could not be read."""
    answer = None if topic.missing else Config(topic).answer(("int", MIN_ISR))
    return answer if isinstance(answer, int) else None


OF_BROKERS = ("state", "overridden", "log directories", "stops without it", "stops as designed")
OF_COUNTS = frozenset((*OF_BROKERS, "leaders", "replicas", "partitions", "led by another", "internal topics"))
"""The facts of brokers, and those of clusters that follow from all partitions."""


class CountsUndeclared(LookupError):
    """A rule on topics asks for a fact that takes all partitions of the cluster, and does not declare it."""


class FactsWithoutCounts(dict[str, "Hashable"]):
    """Cluster facts where partitions are not counted: asking for a count raises CountsUndeclared."""

    def __contains__(self, name: object) -> bool:
        """Whether the fact is known. Raises CountsUndeclared for a count."""
        if super().__contains__(name):
            return True
        if name in OF_COUNTS:
            raise CountsUndeclared(
                f"asks for `{name}`, which takes all partitions of the cluster: say @rule(…, counts=True)"
            )
        return False


def broker_facts(broker: Entity, live: Live, counts: PartitionCounts) -> FactsOf:
    """The facts of one broker beside its settings."""
    id = int(broker.name)
    node = next((node for node in live.nodes if node.id == id), None)
    state = node.state if node else DEAD
    facts: FactsOf = {
        "state": STATE_UNKNOWN if state == UNKNOWN else state,
        "overridden": _overridden(broker, live),
        "log directories": _log_dirs(id, state, live),
        "racks": sum(bool(node.rack) for node in live.nodes),
    }
    nothing = Unreadable(counts.why_stops_unknown) if counts.why_stops_unknown else 0
    return facts | {
        "stops without it": counts.deprived.get(id, nothing),
        "stops as designed": counts.stops.get(id, 0),
    }


def _overridden(broker: Entity, live: Live) -> Hashable:
    unread = broker.missing or live.unread.get("levels")
    return Unreadable(unread) if unread else tuple(sorted(getattr(broker, "overridden", {}).items()))


def _log_dirs(id: int, state: str, live: Live) -> Hashable:
    if id in live.log_dirs:
        return tuple((dir.path, dir.error, little_free(dir.free, dir.total)) for dir in live.log_dirs[id])
    if state not in (ALIVE, UNKNOWN):
        return Absent("the broker is down")
    return Unreadable(live.unread.get("log dirs", "the broker did not say"))


def little_free(free: int | None, total: int | None) -> int | None:
    """The percent of a disk that are free where it is nearly full, else None: what moves every minute is not a fact."""
    percent = free * 100 // total if total and free is not None else LITTLE_FREE
    return percent if percent < LITTLE_FREE else None


def cluster_facts(live: Live, counts: PartitionCounts | None) -> FactsOf:
    """The facts of the cluster; without `counts` only those that need no counting of partitions."""
    return {
        "metadata": live.metadata,
        "brokers alive": brokers_alive(live),
        "brokers registered": sum(node.state != DEAD or "registrations" in live.unread for node in live.nodes),
        **(_facts_of_counts(counts) if counts is not None else {}),
        "features": _features(live),
        "supported": _supported(live),
        "access rules": _acls(live),
        "racks": tuple(sorted(_rack_sizes(live))),
    }


def _facts_of_counts(counts: PartitionCounts) -> FactsOf:
    hidden = Unreadable(counts.unread) if counts.unread else None
    return {
        "leaders": hidden or tuple(sorted(counts.leaders.values())),
        "replicas": hidden or tuple(sorted(counts.replicas.values())),
        "partitions": hidden or counts.partitions,
        "led by another": hidden or counts.misled,
        "internal topics": hidden or tuple(sorted(counts.internal)),
    }


def _features(live: Live) -> Hashable:
    if live.features is None:
        return Unreadable(live.unread.get("features", "the cluster did not say"))
    return tuple(sorted(live.features.items()))


def _supported(live: Live) -> Hashable:
    if live.supported is None:
        return Unreadable(live.unread.get("features", "the cluster did not say"))
    return tuple(sorted(live.supported.items()))


def _acls(live: Live) -> Hashable:
    if live.acls is None:
        return Unreadable(live.unread["acls"]) if "acls" in live.unread else Absent("no authorizer is configured")
    return tuple((acl.principal, acl.resource, acl.name, acl.operation, acl.permission) for acl in live.acls)


def _rack_sizes(live: Live) -> list[int]:
    sizes: dict[str, int] = {}
    for node in live.nodes:
        if node.rack:
            sizes[node.rack] = sizes.get(node.rack, 0) + 1
    return list(sizes.values())


def quorum_facts(live: Live) -> FactsOf:
    """The facts of the metadata quorum."""
    quorum = live.quorum
    if quorum is None:
        return {}
    voters = [member for member in quorum.members if member.voter]
    is_timed = any(voter.id == quorum.leader and voter.silent_ms is not None for voter in voters)
    behind = tuple(sorted((voter.lag or 0, voter.silent_ms or 0) for voter in voters if is_behind(voter)))
    return {
        "voters": len(voters),
        "observers": len(quorum.members) - len(voters),
        "leader": "none" if quorum.leader < 0 else "one",
        "voters behind": behind if is_timed else UNTIMED,
    }


BEHIND_MS = 10_000
"""A voter that has not fetched for so long is no help in an election."""
UNTIMED = Unreadable("nothing says when a voter last caught up (KIP-836)")


def is_behind(voter: QuorumMember) -> bool:
    """Whether a voter has not caught up for BEHIND_MS, or never since the leader was elected."""
    return voter.silent_ms is None or voter.silent_ms > BEHIND_MS


def group_facts(group: Group, counts: PartitionCounts) -> FactsOf:
    """The facts of one consumer group."""
    why = Unreadable(group.unread) if group.unread else None
    committed = None if group.committed is None else len(group.committed)
    return {
        "state": why if group.state is None and why else group.state,
        "members": why if group.members is None and why else group.members,
        "committed partitions": why if committed is None and why else committed,
        "coordinator": _coordinator(group.name, counts),
        "topics gone": _gone(group, counts),
        "lag": Absent("--lag was not asked for") if group.lag is None else sum(group.lag.values()),
    }


def _coordinator(group: str, counts: PartitionCounts) -> Hashable:
    """Whether the partition of __consumer_offsets that a group lives on has a leader."""
    partitions = counts.offsets
    if not partitions:
        return Unreadable(counts.unread or f"{OFFSETS} cannot be seen")
    home = partition_of(group, len(partitions))
    return "none" if any(partition.id == home and partition.leader == NOBODY for partition in partitions) else "up"


def partition_of(group: str, partitions: int) -> int:
    """The partition of __consumer_offsets a group lives on. Source: GroupMetadataManager.partitionFor."""
    hashed = 0
    units = group.encode("utf-16-be", "surrogatepass")
    for at in range(0, len(units), 2):
        hashed = (31 * hashed + (units[at] << 8 | units[at + 1])) & 0xFFFFFFFF
    return (hashed & 0x7FFFFFFF) % partitions


def _gone(group: Group, counts: PartitionCounts) -> Hashable:
    if group.committed is None:
        return Unreadable(group.unread or "its offsets were not read")
    gone = {topic for topic, _ in group.committed if topic not in counts.names}
    return Unreadable(counts.unread) if gone and counts.unread else len(gone)


def topic_facts(topic: Topic, live: Live) -> FactsOf:
    """The facts of a topic beside its settings."""
    return {"use": use_of(topic.name, topic.internal), "metadata": live.metadata or NOT_SAID}


def ensemble_facts(live: Live) -> FactsOf:
    """The facts of the ZooKeeper ensemble, and of what Kafka keeps there."""
    zookeeper = live.zookeeper
    if zookeeper is None:
        return {}
    facts = {
        "voters": zookeeper.ensemble,
        "servers": len(zookeeper.servers),
        "servers up": _serving(zookeeper.servers),
        "stuck deletions": zookeeper.deletions,
        "ISR changes": zookeeper.isr_changes,
        "log directory failures": zookeeper.log_dir_events,
        "migration": zookeeper.migration,
        "old consumers": zookeeper.old_consumers,
        "open nodes": zookeeper.open_nodes,
    }
    return {
        name: Unreadable(zookeeper.unread[READ_AS[name]]) if READ_AS.get(name) in zookeeper.unread else value
        for name, value in facts.items()
    }


def _serving(servers: Sequence[ZooKeeperServer]) -> Hashable:
    """How many servers serve; unknown where one does not allow `srvr`."""
    untold = [server for server in servers if server.unread and "whitelist" in server.unread]
    if untold:
        return Unreadable(f"srvr {untold[0].unread} ({untold[0].address})")
    return sum(server.mode is not None for server in servers)


READ_AS = {
    "voters": "ensemble",
    "stuck deletions": "delete_topics",
    "ISR changes": "isr_changes",
    "log directory failures": "log_dir_events",
    "migration": "migration",
    "old consumers": "old_consumers",
    "open nodes": "open_nodes",
}
"""Under which name the collector says why a fact could not be read."""
