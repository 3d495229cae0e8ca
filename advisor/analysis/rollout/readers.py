"""Who reads a key of a node's file, and when: the broker, the active controller, a topic that is created, or none of them."""

from __future__ import annotations

from advisor.analysis.rollout.cluster import RolloutCluster
from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.partitions import MIN_ISR
from advisor.facts import SETS_CLUSTER_WIDE

CLUSTER_WIDE, THIS_BROKER, RESTART = "dynamic, cluster-wide", "dynamic, this broker", "restart"
PASSES, DATA, NEW_TOPICS, NOTHING = "several passes", "format or data", "new topics only", "nothing reads it"

CONTROLLERS = (
    *("broker.session.timeout.ms", "unclean.leader.election.enable", "unclean.leader.election.interval.ms"),
    *("auto.leader.rebalance.enable", "leader.imbalance.check.interval.seconds"),
    *("leader.imbalance.per.broker.percentage", "create.topic.policy.class.name", "alter.config.policy.class.name"),
)
"""Keys that the active controller reads from its own file. Source: ControllerServer."""
NEW = ("num.partitions", "default.replication.factor")
INTERNAL = ("offsets.topic.", "transaction.state.log.", "share.coordinator.state.topic.")
AT_CREATION = ("num.partitions", "replication.factor", "segment.bytes", "compression.codec", "min.isr")
"""How keys of internal topics end that count when the topic is created."""
BROKERS_ALONE = (
    *("log.retention.", "log.segment.", "log.roll.", "log.cleaner.", "log.cleanup.", "log.flush.", "log.index."),
    *("log.message.", "log.local.", "log.preallocate", "replica.", "num.replica.", "offsets.", "group.", "share."),
    *("transaction", "fetch.", "producer.id.", "auto.create.topics.enable", "message.max.bytes", "compression."),
    *("broker.rack", "broker.heartbeat.", "remote.log.", "min.insync.replicas", "inter.broker.listener.name"),
    *("security.inter.broker.protocol", "advertised.listeners", "max.incremental.fetch.", "delete.records."),
    "num.recovery.threads.per.data.dir",
)
"""How keys begin that a node which is a controller alone does not read."""
DYNAMIC_ALONE = (
    *("leader.replication.throttled.rate", "follower.replication.throttled.rate"),
    "replica.alter.log.dirs.io.max.bytes.per.second",
)
"""Keys that only count as dynamic values. Source: QuotaConfig."""
OF_OPEN_LISTENERS = frozenset(
    (
        *(
            "ssl.keystore.type",
            "ssl.keystore.location",
            "ssl.keystore.password",
            "ssl.key.password",
            "ssl.keystore.key",
        ),
        *(
            "ssl.keystore.certificate.chain",
            "ssl.truststore.type",
            "ssl.truststore.location",
            "ssl.truststore.password",
        ),
        *("ssl.truststore.certificates", "max.connections", "max.connection.creation.rate", "num.network.threads"),
    )
)
"""What can be changed of a listener that is open: all else is refused. Source: DynamicListenerConfig, SslConfigs.RECONFIGURABLE_CONFIGS."""
FEATURES = ("inter.broker.protocol.version", "log.message.format.version")
OF_DATA = ("log.dirs", "log.dir", "metadata.log.dir", "node.id", "broker.id", "broker.id.generation.enable")
OF_CONTROLLERS = ("num.io.threads", "metric.reporters", "max.connections", "max.connection.creation.rate")
"""What a controller alone takes dynamically."""


def takes(key: str, node: NodeConfig, cluster: RolloutCluster) -> tuple[str, str]:
    """What a changed key takes on a node, and why where it has no effect."""
    bare = node.bare(key)
    definition = node.config.definition(key)
    if definition is None:
        return NOTHING, without_reader(bare, node, cluster) or f"{node.config.release} has no setting {key}"
    no_reader = without_reader(bare, node, cluster)
    if no_reader:
        return NOTHING, no_reader
    if bare in OF_DATA:
        return DATA, ""
    if bare in NEW or is_internal(bare):
        return NEW_TOPICS, "it counts when a topic is created, and not for topics that exist"
    return dynamic(key, bare, definition.update_mode, node), ""


def without_reader(bare: str, node: NodeConfig, cluster: RolloutCluster) -> str:
    """Why nothing reads a key of this node's file; empty where something does."""
    if bare in DYNAMIC_ALONE:
        return "it only counts as a dynamic value, which a file cannot set"
    if bare == MIN_ISR and cluster.has_elr and node.entity.format != SETS_CLUSTER_WIDE:
        return "with eligible leader replicas a cluster-wide dynamic value stands above every file"
    if not node.is_kraft:
        return ""
    if bare in FEATURES:
        return "in KRaft the finalized metadata.version decides"
    if bare in CONTROLLERS and not node.is_controller:
        return "the active controller reads it from its own file"
    if not node.is_broker and bare.startswith(BROKERS_ALONE):
        return "brokers read it, and this node is a controller alone"
    return ""


def is_internal(bare: str) -> bool:
    """Whether a key is one of an internal topic that counts when that is created."""
    return bare.startswith(INTERNAL) and bare.endswith(AT_CREATION) and "load.buffer" not in bare


def dynamic(key: str, bare: str, mode: str | None, node: NodeConfig) -> str:
    """Whether a key can be changed without a restart."""
    if not node.is_broker and not bare.startswith(OF_CONTROLLERS):
        return RESTART
    if key.startswith("listener.name."):
        return THIS_BROKER if bare in OF_OPEN_LISTENERS else RESTART
    if mode == "cluster-wide" or bare in ALTERNATIVES:
        return CLUSTER_WIDE
    return THIS_BROKER if bare == "cordoned.log.dirs" else RESTART


ALTERNATIVES = {
    "log.retention.hours": ("log.retention.ms", 3_600_000),
    "log.retention.minutes": ("log.retention.ms", 60_000),
    "log.roll.hours": ("log.roll.ms", 3_600_000),
    "log.roll.jitter.hours": ("log.roll.jitter.ms", 3_600_000),
    "log.flush.scheduler.interval.ms": ("log.flush.interval.ms", 1),
}
"""Keys of files that are dynamic under another name, and in which of its units."""
