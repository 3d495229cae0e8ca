"""The facts of a running cluster's brokers, groups, quorum and ensemble that rules may ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.config import Config
from advisor.facts.partition import use_of
from advisor.model.cluster import ALIVE, DEAD, NOBODY, Live
from advisor.rule.outcomes import Absent, Unreadable

if TYPE_CHECKING:
    from collections.abc import Container, Hashable, Sequence

    from advisor.model import Entity, Topic
    from advisor.model.cluster import Group, Partition, QuorumMember, ZooKeeperServer

    FactsOf = dict[str, Hashable]

OFFSETS = "__consumer_offsets"
MIN_ISR = "min.insync.replicas"
NO_PARTITIONS = "its partitions could not be read"


class Counted:
    """What follows from all partitions together, counted once.

    `unread` says why some partitions are not among them, `unsettled` why some topic's min.insync.replicas is not known;
    of several topics the first by name says it. `names` are the topics that there are, `internal` Kafka's own.
    """

    __slots__ = (
        "alive",
        "deprived",
        "hidden",
        "internal",
        "leaders",
        "misled",
        "names",
        "offsets",
        "partitions",
        "replicas",
        "stops",
        "topics",
        "unread",
        "unsettled",
    )

    def __init__(self, live: Live, topics: Sequence[Topic] = ()) -> None:
        self.alive = {node.id for node in live.nodes if node.state == ALIVE}
        self.leaders = dict.fromkeys(self.alive, 0)
        self.replicas = dict.fromkeys(self.alive, 0)
        self.stops: dict[int, int] = {}
        self.deprived: dict[int, int] = {}
        self.partitions = self.misled = 0
        self.topics = len(topics)
        self.offsets: Sequence[Partition] | None = None
        self.unread = live.unread.get("topics")
        self.hidden: tuple[str, str] | None = None
        self.unsettled: tuple[str, str] | None = None
        self.names: Container[str] = {topic.name for topic in topics}
        self.internal = {topic.name for topic in topics if topic.internal}
        known: dict[tuple[int, int, str | None], int | None] = {}
        for topic in topics:
            self._take(topic, known)
        self.settle()

    def _take(self, topic: Topic, known: dict[tuple[int, int, str | None], int | None]) -> None:
        if topic.partitions is None:
            self.hide(topic.name, topic.missing)
            return
        if topic.name == OFFSETS:
            self.offsets = topic.partitions
        alike = (id(topic.settings), id(topic.described), topic.missing)
        if alike not in known:
            known[alike] = min_isr_of(topic)
        needed = known[alike]
        if needed is None:
            self.leave_open(topic.name, topic.missing)
        for partition in topic.partitions:
            self.count(partition, needed)

    def hide(self, topic: str, missing: str | None) -> None:
        """Note that a topic's partitions could not be read."""
        said = (topic, f"topic {topic}: {missing or NO_PARTITIONS}")
        self.hidden = min(self.hidden or said, said)

    def leave_open(self, topic: str, missing: str | None) -> None:
        """Note that a topic's min.insync.replicas could not be read."""
        said = (topic, f"topic {topic}: {missing or f'{MIN_ISR} was not read'}")
        self.unsettled = min(self.unsettled or said, said)

    def settle(self) -> None:
        """Say why something is missing, when all topics have been counted."""
        if self.unread is None and self.hidden is not None:
            self.unread = self.hidden[1]

    @property
    def blind(self) -> str | None:
        """Why it is not known which partitions stop without a broker."""
        return self.unread or (self.unsettled[1] if self.unsettled else None)

    def count(self, partition: Partition, min_isr: int | None) -> None:
        """Take one partition in; `min_isr` is None where it could not be read."""
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
    found = None if topic.missing else Config(topic).answer(("int", MIN_ISR))
    return found if isinstance(found, int) else None


OF_BROKERS = ("state", "overridden", "log directories", "stops without it", "stops as designed")
OF_COUNTS = frozenset((*OF_BROKERS, "leaders", "replicas", "partitions", "led by another", "internal topics"))
"""The facts of brokers, and those of clusters that follow from all partitions."""


class CountsWanted(BaseException):
    """A rule asks what follows from all partitions of a cluster, which are not counted yet: no fault of the rule's."""


class Uncounted(dict[str, "Hashable"]):
    """Facts without those that follow from all partitions of the cluster: to ask for one raises CountsWanted."""

    def __contains__(self, name: object) -> bool:
        """Whether the fact is known. Raises CountsWanted."""
        if super().__contains__(name):
            return True
        if name in OF_COUNTS:
            raise CountsWanted(f"a rule asks for `{name}`, which takes all partitions of the cluster")
        return False


def broker_facts(broker: Entity, live: Live, counted: Counted) -> FactsOf:
    """What is known of one broker beside its settings."""
    id = int(broker.name)
    node = next((node for node in live.nodes if node.id == id), None)
    state = node.state if node else DEAD
    facts: FactsOf = {
        "state": state,
        "overridden": _overridden(broker, live),
        "log directories": _log_dirs(id, state, live),
    }
    nothing = Unreadable(counted.blind) if counted.blind else 0
    return facts | {
        "stops without it": counted.deprived.get(id, nothing),
        "stops as designed": counted.stops.get(id, 0),
    }


def _overridden(broker: Entity, live: Live) -> Hashable:
    unread = broker.missing or live.unread.get("levels")
    return Unreadable(unread) if unread else tuple(sorted(getattr(broker, "overridden", {}).items()))


def _log_dirs(id: int, state: str, live: Live) -> Hashable:
    if id in live.log_dirs:
        return tuple((dir.path, dir.error, dir.free, dir.total) for dir in live.log_dirs[id])
    if state != ALIVE:
        return Absent("the broker is down")
    return Unreadable(live.unread.get("log dirs", "the broker did not say"))


def cluster_facts(live: Live, counted: Counted | None) -> FactsOf:
    """What is known of the whole cluster; without `counted` only what does not follow from its partitions."""
    alive = sum(node.state == ALIVE for node in live.nodes)
    return {
        "metadata": live.metadata,
        "brokers alive": alive,
        "brokers registered": sum(node.state != DEAD or "registrations" in live.unread for node in live.nodes),
        **(_counted_facts(counted) if counted is not None else {}),
        "features": _features(live),
        "supported": _supported(live),
        "access rules": _acls(live),
        "racks": tuple(sorted(_rack_sizes(live))),
    }


def _counted_facts(counted: Counted) -> FactsOf:
    hidden = Unreadable(counted.unread) if counted.unread else None
    return {
        "leaders": hidden or tuple(sorted(counted.leaders.values())),
        "replicas": hidden or tuple(sorted(counted.replicas.values())),
        "partitions": hidden or counted.partitions,
        "led by another": hidden or counted.misled,
        "internal topics": hidden or tuple(sorted(counted.internal)),
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
    """What is known of the metadata quorum."""
    quorum = live.quorum
    if quorum is None:
        return {}
    voters = [member for member in quorum.members if member.voter]
    said = any(voter.id == quorum.leader and voter.silent_ms is not None for voter in voters)
    behind = tuple(sorted((voter.lag or 0, voter.silent_ms or 0) for voter in voters if is_behind(voter)))
    return {
        "voters": len(voters),
        "observers": len(quorum.members) - len(voters),
        "leader": "none" if quorum.leader < 0 else "one",
        "voters behind": behind if said else UNTIMED,
    }


BEHIND_MS = 10_000
"""A voter that has not fetched for so long is no help in an election."""


UNTIMED = Unreadable("the brokers' release does not say when a voter last caught up (KIP-836)")


def is_behind(voter: QuorumMember) -> bool:
    """Whether a voter has not caught up for BEHIND_MS, or never since the leader was elected."""
    return voter.silent_ms is None or voter.silent_ms > BEHIND_MS


def group_facts(group: Group, counted: Counted) -> FactsOf:
    """What is known of one consumer group."""
    why = Unreadable(group.unread) if group.unread else None
    committed = None if group.committed is None else len(group.committed)
    return {
        "state": why if group.state is None and why else group.state,
        "members": why if group.members is None and why else group.members,
        "committed partitions": why if committed is None and why else committed,
        "coordinator": _coordinator(group.name, counted),
        "topics gone": _gone(group, counted),
        "lag": Absent("--lag was not asked for") if group.lag is None else sum(group.lag.values()),
    }


def _coordinator(group: str, counted: Counted) -> Hashable:
    """Whether the partition of __consumer_offsets that a group lives on has a leader."""
    partitions = counted.offsets
    if not partitions:
        return Unreadable(counted.unread or f"{OFFSETS} cannot be seen")
    home = partition_of(group, len(partitions))
    return "none" if any(part.id == home and part.leader == NOBODY for part in partitions) else "up"


def partition_of(group: str, partitions: int) -> int:
    """The partition of __consumer_offsets a group lives on. Source: GroupMetadataManager.partitionFor."""
    hashed = 0
    units = group.encode("utf-16-be", "surrogatepass")
    for at in range(0, len(units), 2):
        hashed = (31 * hashed + (units[at] << 8 | units[at + 1])) & 0xFFFFFFFF
    return (hashed & 0x7FFFFFFF) % partitions


def _gone(group: Group, counted: Counted) -> Hashable:
    if group.committed is None:
        return Unreadable(group.unread or "its offsets were not read")
    gone = {topic for topic, _ in group.committed if topic not in counted.names}
    return Unreadable(counted.unread) if gone and counted.unread else len(gone)


def topic_facts(topic: Topic) -> FactsOf:
    """What is known of a topic beside its settings."""
    return {"use": use_of(topic.name, topic.internal)}


def ensemble_facts(live: Live) -> FactsOf:
    """What is known of the ZooKeeper ensemble and of what Kafka keeps there."""
    found = live.zookeeper
    if found is None:
        return {}
    said = {
        "voters": found.ensemble,
        "servers": len(found.servers),
        "servers up": _serving(found.servers),
        "stuck deletions": found.deletions,
        "ISR changes": found.isr_changes,
        "log directory failures": found.log_dir_events,
        "migration": found.migration,
        "old consumers": found.old_consumers,
        "open nodes": found.open_nodes,
    }
    return {
        name: Unreadable(found.unread[READ_AS[name]]) if READ_AS.get(name) in found.unread else value
        for name, value in said.items()
    }


def _serving(servers: Sequence[ZooKeeperServer]) -> Hashable:
    """How many servers serve; one that may not answer `srvr` is neither up nor down."""
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
