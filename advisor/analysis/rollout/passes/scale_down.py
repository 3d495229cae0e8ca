"""The plan of a pool that becomes smaller: the nodes that go are emptied, leave the quorum, end, and are forgotten."""

from __future__ import annotations

from advisor.analysis.rollout.cluster import RolloutCluster, RolloutNode
from advisor.analysis.rollout.course import Course
from advisor.analysis.rollout.passes.plans import QUORUM
from advisor.analysis.rollout.passes.sequence import Pass, holds, keys_of, write_files
from advisor.analysis.rollout.passes.stages import waits

SERVER = '--bootstrap-server "$BOOTSTRAP"'


def scale_down_plan(cluster: RolloutCluster, course: Course) -> list[Pass]:
    """The passes by which nodes go; none where none goes, where static voters do, or where the others do not hold."""
    going = cluster.going
    if not going or any(node.is_controller and node.either.voters for node in going) or not holds(course):
        return []
    stays = RolloutCluster({id: node for id, node in cluster.nodes.items() if not node.changed}, cluster.snapshot)
    empty = Pass(1, f"empty {names(going)}", stays, Course())
    empty.commands = tuple(
        dict.fromkeys(each for node in going for each in (*leaving_quorum(node), *moving_replicas(node)))
    )
    empty.wait = tuple(
        f"kafka-log-dirs.sh {SERVER} --describe --broker-list ID shows no partition of {node.name}" for node in going
    )
    empty.way_back = "reassign the partitions back"
    end = Pass(
        2, f"apply the files: {names(going)} end{'s' if len(going) == 1 else ''}", cluster, course, waits(cluster)
    )
    end.keys = keys_of(cluster)
    end.way_back = "put the old number back: the nodes come back empty"
    if cluster.is_kraft:
        end.by_hand = tuple(
            f"kafka-cluster.sh unregister {SERVER} --id ID (of {node.name})" for node in going if node.is_broker
        )
    write_files(cluster, [end])
    return [empty, end]


def moving_replicas(node: RolloutNode) -> tuple[str, ...]:
    """The commands that leave a broker no replica."""
    if not node.is_broker:
        return ()
    reassign = f"kafka-reassign-partitions.sh {SERVER}"
    return (
        f"{reassign} --topics-to-move-json-file TOPICS --broker-list IDS_THAT_STAY --generate",
        f"{reassign} --reassignment-json-file PLAN --execute",
    )


def leaving_quorum(node: RolloutNode) -> tuple[str, ...]:
    """The command by which a controller stops being a voter of a dynamic quorum."""
    command = f"{QUORUM} remove-controller --controller-id ID --controller-directory-id ID"
    return (command,) if node.is_controller else ()


def names(nodes: list[RolloutNode]) -> str:
    """The names of nodes."""
    return ", ".join(node.name for node in nodes)
