"""What changed values do on their own, whoever reaches whom: timeouts across nodes, policies, limits of clients."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.rollout.certificates import unknown_certificates
from advisor.analysis.rollout.cluster import ELR, RolloutCluster, RolloutNode
from advisor.analysis.rollout.node import NodeConfig, listed
from advisor.analysis.rollout.outcome import LOSES, UNAVAILABLE, Fault, UnknownFact
from advisor.analysis.rollout.partitions import MIN_ISR, REPLICAS
from advisor.analysis.rollout.peers.clients import listeners_of_clients
from advisor.analysis.rollout.peers.principals import keeps_names, makes_principals
from advisor.analysis.rollout.peers.rights import open_to_all
from advisor.model import Topic, is_whole_number
from advisor.model.cluster import Acl

SESSION, HEARTBEAT = "broker.session.timeout.ms", "broker.heartbeat.interval.ms"
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
PROTOCOLS, POLICY, OFFSETS = "group.coordinator.rebalance.protocols", "log.cleanup.policy", "offsets.retention.minutes"
TIERED, TIERED_TOPIC = "remote.log.storage.system.enable", "remote.storage.enable"
LAG, SHORT_LAG = "replica.lag.time.max.ms", 5_000
"""Below so many milliseconds a pause of a follower's process takes it out of the ISR."""
AUTHORIZER = "authorizer.class.name"
CONTROL_PLANE, ZOOKEEPER_TLS = "control.plane.listener.name", "zookeeper.ssl.client.enable"
NAMED = 5
"""Topics that are named where there are more."""


def faults_of_cluster(cluster: RolloutCluster) -> Iterator[Fault]:
    """A heartbeat that is not sent often enough for the controllers, and a listener of theirs that brokers do not have yet."""
    yield from control_plane_fault(cluster)
    controllers = cluster.controllers if cluster.is_kraft else []
    after = [node.new for node in controllers if node.new and node.new.is_controller]
    before = [node.old for node in controllers if node.old and node.old.is_controller]
    beats = [side for node in cluster.brokers for side in (node.new, node.old) if side and side.is_broker]
    if not any(differs(node, SESSION) or differs(node, HEARTBEAT) for node in cluster.nodes.values()):
        return
    shortest = {side: side.number(SESSION) or 0 for side in (*after, *before)}
    new_beats = [side.number(HEARTBEAT) or 0 for side in beats if any(side is node.new for node in cluster.brokers)]
    if after and max(new_beats, default=0) >= min(shortest[side] for side in after):
        yield Fault(UNAVAILABLE, f"{HEARTBEAT} is not below the controllers' {SESSION}: brokers are fenced between two")
    elif shortest and max((side.number(HEARTBEAT) or 0 for side in beats), default=0) >= min(shortest.values()):
        why = f"half-way {HEARTBEAT} of some brokers is not below {SESSION} of some controller"
        yield Fault(UNAVAILABLE, why, passing=True)


def differs(node: RolloutNode, key: str) -> bool:
    """Whether a number differs between the two files."""
    return node.old is not None and node.new is not None and node.old.number(key) != node.new.number(key)


def faults_of_node(old: NodeConfig, new: NodeConfig) -> Iterator[Fault]:
    """What a node does to records when it has the new file."""
    if not new.is_broker:
        return
    was, is_now = policies(old), policies(new)
    if was != is_now and "compact" in is_now and "compact" not in was:
        yield Fault(
            LOSES, f"{POLICY}: records without a key, and all but the last of each key, are removed by compaction"
        )
    elif was != is_now and "delete" in is_now and "delete" not in was:
        yield Fault(LOSES, f"{POLICY}: what is older than the retention goes, the only value of a key as well")


def control_plane_fault(cluster: RolloutCluster) -> Iterator[Fault]:
    """A controller in ZooKeeper mode connects by a listener that brokers with the old file do not have. Source: ControllerChannelManager."""
    pairs = [(node.old, node.new) for node in cluster.brokers if node.old and node.new]
    for old, new in pairs if len(pairs) > 1 else ():
        name = new.text(CONTROL_PLANE)
        if name and not new.is_kraft and name not in old.advertised:
            yield Fault(
                UNAVAILABLE,
                f"a controller with the new file finds no {name} of brokers with the old one, and gives its role up",
                passing=True,
            )
            return


def policies(node: NodeConfig) -> frozenset[str]:
    """The cleanup policies of topics that set none."""
    return frozenset(item.strip() for item in node.text(POLICY).split(",") if item.strip())


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
    if cluster.has_elr and cluster.level(ELR) is None and is_decisive:
        reason = (
            "whether the cluster has eligible leader replicas: it is taken to, as one that 4.1 or newer formatted has; without "
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
    for name in dict.fromkeys(name for old, _ in brokers for name in old.advertised):
        before, after = (
            {f"{address.host}:{address.port}" for side in sides if (address := side.advertised.get(name))}
            for sides in zip(*brokers, strict=True)
        )
        of_nodes = all(name == old.inter_broker and len(old.advertised) > 1 for old, _ in brokers)
        if after and before.isdisjoint(after) and not of_nodes:
            first = ", ".join(sorted(before)[:3])
            yield UnknownFact(
                None,
                "advertised.listeners",
                f"whether clients of {name} start from {first}: no broker is there any more",
                decides=False,
            )


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


def unknown_access(name: str, old: NodeConfig, new: NodeConfig, cluster: RolloutCluster) -> Iterator[UnknownFact]:
    """Whether clients still may do what they do."""
    if not new.text(AUTHORIZER) or open_to_all(new):
        return
    if not old.text(AUTHORIZER):
        if any(new.protocols.get(listener) != "PLAINTEXT" for listener in new.advertised or new.listeners):
            yield UnknownFact(
                name, AUTHORIZER, "which principals clients have: those that are no super users are denied"
            )
        return
    yield from renamed_clients(name, old, new)
    if old.text(AUTHORIZER) != new.text(AUTHORIZER):
        yield UnknownFact(name, AUTHORIZER, f"whether {new.text(AUTHORIZER)} lets clients do what they may do now")
    if open_to_all(old):
        yield UnknownFact(name, "allow.everyone.if.no.acl.found", without_acls(cluster))
    gone = old.super_users - new.super_users
    if gone:
        without = sorted(gone - {row.principal for row in acls_of(cluster) or ()})
        known = f"; no ACL names {', '.join(without)}" if without and acls_of(cluster) is not None else ""
        yield UnknownFact(name, "super.users", f"whether ACLs allow {', '.join(sorted(gone))} what it does{known}")


def renamed_clients(name: str, old: NodeConfig, new: NodeConfig) -> Iterator[UnknownFact]:
    """Listeners of clients that make other principals of the same logins and certificates."""
    for listener in listeners_of_clients(old):
        if old.protocols.get(listener) != new.protocols.get(listener):
            continue
        same = makes_principals(old, listener) == makes_principals(new, listener)
        if not (same and keeps_names(old, listener, new, listener)):
            reason = f"whether ACLs name the clients of {listener} by the principals that are made of them from now on"
            yield UnknownFact(name, "super.users", reason)


def acls_of(cluster: RolloutCluster) -> Sequence[Acl] | None:
    """The ACLs of a running cluster; None where they were not read."""
    return cluster.live.acls if cluster.live else None


def without_acls(cluster: RolloutCluster) -> str:
    """What is not known of clients once only ACLs count; with the topics that none is about, where ACLs were read."""
    acls = acls_of(cluster)
    if acls is None or cluster.snapshot is None:
        return "whether there are ACLs for every client"
    topics = [each.name for each in cluster.snapshot.entities if isinstance(each, Topic) and each.name[:2] != "__"]
    bare = [topic for topic in topics if not any(is_about(row, topic) for row in acls)]
    if not bare:
        return "whether the ACLs of every topic name each client that uses it"
    more = f" and {len(bare) - NAMED} more" if len(bare) > NAMED else ""
    return f"which clients use {', '.join(bare[:NAMED])}{more}: no ACL is about them, so that all but super users are denied"


def is_about(acl: Acl, topic: str) -> bool:
    """Whether an ACL is about a topic."""
    if acl.resource.upper() != "TOPIC":
        return False
    return acl.name in ("*", topic) or (acl.pattern.upper() == "PREFIXED" and topic.startswith(acl.name))


PROTOCOL_VERSION = "inter.broker.protocol.version"


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
