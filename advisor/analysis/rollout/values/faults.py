"""What changed values do to nodes and records on their own, whoever reaches whom."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.rollout.cluster import RolloutCluster, RolloutNode
from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.outcome import LOSES, UNAVAILABLE, Fault

SESSION, HEARTBEAT = "broker.session.timeout.ms", "broker.heartbeat.interval.ms"
POLICY, CONTROL_PLANE = "log.cleanup.policy", "control.plane.listener.name"


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


def policies(node: NodeConfig) -> frozenset[str]:
    """The cleanup policies of topics that set none."""
    return frozenset(item.strip() for item in node.text(POLICY).split(",") if item.strip())
