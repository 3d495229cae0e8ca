"""What changed values do to clients, groups, tiered topics and ZooKeeper that files do not show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from advisor.analysis.rollout.cluster import ELR, RolloutCluster
from advisor.analysis.rollout.node import NodeConfig, listed
from advisor.analysis.rollout.outcome import UnknownFact
from advisor.analysis.rollout.partitions import MIN_ISR, REPLICAS
from advisor.analysis.rollout.values.certificates import unknown_certificates
from advisor.analysis.rollout.values.client_access import unknown_access
from advisor.facts import NOT_IN_FILES, SETS_CLUSTER_WIDE
from advisor.model import Topic, is_whole_number

UPPER = {
    "message.max.bytes": "producers send larger batches",
    "socket.request.max.bytes": "clients send larger requests",
    "group.max.session.timeout.ms": "consumers ask for a longer session.timeout.ms",
    "group.max.size": "groups have more members",
    "transaction.max.timeout.ms": "producers ask for a longer transaction.timeout.ms",
    "max.connections": "there are more connections",
    "max.connections.per.ip": "some address has more connections",
    "max.connection.creation.rate": "clients connect more often",
}
"""Limits of clients, and who is refused when one is lowered."""
LOWER = {"group.min.session.timeout.ms": "consumers ask for a shorter session.timeout.ms"}
PROTOCOLS, OFFSETS = "group.coordinator.rebalance.protocols", "offsets.retention.minutes"
TIERED, TIERED_TOPIC = "remote.log.storage.system.enable", "remote.storage.enable"
LAG, SHORT_LAG = "replica.lag.time.max.ms", 5_000
"""Below so many milliseconds a pause of a follower's process takes it out of the ISR."""
ZOOKEEPER_TLS, PROTOCOL_VERSION = "zookeeper.ssl.client.enable", "inter.broker.protocol.version"
NAMED = 5
"""Topics that are named where there are more."""


def unknown_of_node(name: str, old: NodeConfig, new: NodeConfig, cluster: RolloutCluster) -> Iterator[UnknownFact]:
    """What depends on clients, groups or ACLs that files do not show."""
    if not new.is_broker:
        return
    for key, who in (*UPPER.items(), *LOWER.items()):
        was, is_now = old.number(key), new.number(key)
        if was is not None and is_now is not None and (is_now < was if key in UPPER else is_now > was):
            yield UnknownFact(name, key, f"whether {who} than {is_now} allows")
    was, is_now = old.number(LAG), new.number(LAG)
    if was is not None and is_now is not None and is_now < min(was, SHORT_LAG):
        yield UnknownFact(name, LAG, f"whether followers keep up within {is_now} ms under load and in pauses")
    was, is_now = old.number(OFFSETS), new.number(OFFSETS)
    if was is not None and is_now is not None and is_now < was and cluster.live is None:
        yield UnknownFact(
            name, OFFSETS, f"which groups have had no member for over {is_now} minutes: they lose their offsets"
        )
    is_read = cluster.live is not None and cluster.live.groups is not None
    if not is_read and "consumer" in old.text(PROTOCOLS).lower() and "consumer" not in new.text(PROTOCOLS).lower():
        yield UnknownFact(name, PROTOCOLS, "whether groups of the consumer protocol exist: their members end for good")
    is_decisive = old.text(MIN_ISR) != new.text(MIN_ISR) or (new.number(MIN_ISR) or 1) >= REPLICAS
    is_files_own = new.entity.format != SETS_CLUSTER_WIDE
    if cluster.has_elr and cluster.level(ELR) is None and is_decisive and is_files_own:
        reason = (
            f"whether the cluster has eligible leader replicas, as it is taken to: {NOT_IN_FILES}; without "
            "them the files count, and writes stop at each restart where every replica is needed"
        )
        yield UnknownFact(name, MIN_ISR, reason, decides=False)
    if is_tiered(old) and not is_tiered(new) and tiered_topics(cluster) != []:
        yield UnknownFact(name, TIERED, unreadable_words(tiered_topics(cluster)))
    yield from unknown_of_zookeeper(name, old, new)
    yield from unknown_access(name, old, new, cluster)
    yield from unknown_certificates(name, old, new)


def moved_addresses(cluster: RolloutCluster) -> Iterator[UnknownFact]:
    """Listeners of clients that no broker has at an address any more from which clients start."""
    brokers = [(node.old, node.new) for node in cluster.brokers if node.old and node.new]
    new_addresses = addresses_by_listener(new for _, new in brokers)
    for name, before in addresses_by_listener(old for old, _ in brokers).items():
        after = new_addresses.get(name)
        of_nodes = all(name == old.inter_broker and len(old.advertised) > 1 for old, _ in brokers)
        if after and before.isdisjoint(after) and not of_nodes:
            first = ", ".join(sorted(before)[:3])
            yield UnknownFact(
                None,
                "advertised.listeners",
                f"whether clients of {name} start from {first}: no broker is there any more",
                decides=False,
            )


def addresses_by_listener(nodes: Iterable[NodeConfig]) -> Mapping[str, Set[str]]:
    """Where some nodes are, by listener."""
    different = {(node.text("advertised.listeners"), node.controller_names): node.advertised for node in nodes}
    known: dict[str, set[str]] = {}
    for name, address in (row for each in different.values() for row in each.items()):
        known.setdefault(name, set()).add(f"{address.host}:{address.port}")
    return known


def is_tiered(node: NodeConfig) -> bool:
    """Whether a node may have segments in remote storage (KIP-405)."""
    return node.text(TIERED).lower() == "true"


def tiered_topics(cluster: RolloutCluster) -> list[str] | None:
    """The topics that are kept in remote storage; None where no running cluster was read."""
    if cluster.snapshot is None:
        return None
    topics = [each for each in cluster.snapshot.entities if isinstance(each, Topic)]
    return [each.name for each in topics if (row := each.settings.get(TIERED_TOPIC)) and row.value.lower() == "true"]


def unreadable_words(topics: list[str] | None) -> str:
    """What becomes of topics in remote storage where it is switched off. Source: LogConfig.validateRemoteStorageOnlyIfSystemEnabled."""
    more = " and others" if topics and len(topics) > NAMED else ""
    which = f"{', '.join(topics[:NAMED])}{more}" if topics else "topics that may be there"
    return (
        f"how brokers go on with {TIERED_TOPIC}=true of {which}: Kafka asks to delete these topics first, and nothing reads "
        "what lies in remote storage"
    )


def unknown_of_zookeeper(name: str, old: NodeConfig, new: NodeConfig) -> Iterator[UnknownFact]:
    """Another ensemble, or an older protocol between brokers, in ZooKeeper mode."""
    if new.is_kraft or old.is_kraft:
        return
    ensembles = [{*listed(side.text("zookeeper.connect").partition("/")[0])} for side in (old, new)]
    if ensembles[0].isdisjoint(ensembles[1]):
        yield UnknownFact(name, "zookeeper.connect", "whether these are servers of the same ensemble")
    speaks_tls = [side.text(ZOOKEEPER_TLS).lower() == "true" for side in (old, new)]
    if speaks_tls[0] != speaks_tls[1] and not ensembles[0].isdisjoint(ensembles[1]):
        servers = new.text("zookeeper.connect")
        yield UnknownFact(
            name, ZOOKEEPER_TLS, f"whether {servers} {'speak' if speaks_tls[1] else 'do not ask for'} TLS"
        )
    was, is_now = (version_of(side.text(PROTOCOL_VERSION)) for side in (old, new))
    if is_now < was:
        yield UnknownFact(name, PROTOCOL_VERSION, "whether something newer than the lower version is in use")


def version_of(text: str) -> tuple[int, ...]:
    """The numbers that a version begins with."""
    return tuple(int(part) for part in text.partition("-")[0].split(".") if is_whole_number(part))
