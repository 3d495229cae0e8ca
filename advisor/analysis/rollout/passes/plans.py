"""Plans that are no sequence of files: replicas that are copied node by node, a quorum that becomes dynamic; and what to do instead."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from advisor.analysis.rollout.cluster import KRAFT_VERSION, RolloutCluster, RolloutNode, by_id
from advisor.analysis.rollout.course import Course
from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.operators import STRIMZI
from advisor.analysis.rollout.outcome import differing
from advisor.analysis.rollout.passes.sequence import Pass, Play, between, holds, keys_of, write_files
from advisor.analysis.rollout.passes.stages import CAUGHT_UP, IN_SYNC, waits
from advisor.analysis.rollout.peers.principals import ANONYMOUS, asked_listener, is_anonymous
from advisor.analysis.rollout.starting import Starts, directories_to_format, misplaced_metadata, skips_migration
from advisor.analysis.rollout.values.client_access import AUTHORIZER

UPGRADABLE = (4, 1)
"""The release from which on a static quorum can become a dynamic one (KIP-853, KAFKA-16538)."""
QUORUM = 'kafka-metadata-quorum.sh --bootstrap-server "$BOOTSTRAP"'
COMPLETE = "kafka-log-dirs.sh --describe shows an offsetLag of 0 for every replica of the node"


def refill_plan(cluster: RolloutCluster, starts: Starts, waiting: Course) -> list[Pass]:
    """One patient pass where nodes come back without replicas, or with directories to format, and nothing else is wrong."""
    changed = [node for node in cluster.order() if node.old and node.new]
    prepared = [node for node in changed if starts.of(node).is_prepared]
    if not prepared or not holds(waiting):
        return []
    moved = any(starts.of(node).without_replicas for node in prepared)
    plan = Pass(1, title_of(moved), cluster, waiting, (*waits(cluster), *([COMPLETE] if moved else [])))
    plan.at_each = tuple(dict.fromkeys(text for node in prepared for text in formats_of(node)))
    plan.way_back = way_back_of(moved)
    plan.point_of_no_return = "the old directories of a node are deleted, or written over" if moved else None
    plan.keys = keys_of(cluster)
    write_files(cluster, [plan])
    return [plan]


def title_of(moved: bool) -> str:
    """What the patient pass does."""
    if moved:
        return "one node at a time, and none before the replicas of the one before it are complete"
    return "prepare the directories of each node while it is stopped"


def way_back_of(moved: bool) -> str:
    """How the patient pass is taken back."""
    if not moved:
        return "put the old file back and restart the node"
    return (
        "stop the node, put its old file back and start it: its replicas are in the old directories, and catch up; one "
        "node at a time, too"
    )


def formats_of(node: RolloutNode) -> Iterator[str]:
    """What to do while a node is stopped."""
    assert node.old and node.new
    misplaced = misplaced_metadata(node.old, node.new)
    if misplaced:
        yield f"move __cluster_metadata-0 from {misplaced[0]} to {misplaced[1]}"
    paths = directories_to_format(node.old, node.new)
    if paths:
        yield f"format {', '.join(paths)}: kafka-storage.sh format --ignore-formatted --cluster-id ID --config FILE"


def dynamic_quorum_plan(cluster: RolloutCluster, play: Play) -> list[Pass]:
    """The passes from a static quorum to a dynamic one, and to more voters."""
    nodes = [node for node in cluster.nodes.values() if node.old and node.new]
    if cluster.level(KRAFT_VERSION) or not any(leaves_voters(node) for node in nodes):
        return []
    if cluster.version < UPGRADABLE:
        return []
    finalize = Pass(1, "let the quorum be dynamic: its voters are kept in the metadata", step_of(cluster, ()), Course())
    finalize.commands = (f'kafka-features.sh --bootstrap-server "$BOOTSTRAP" upgrade --feature {KRAFT_VERSION}=1',)
    finalize.wait = (f"{QUORUM} describe --status names the voters with their directory ids",)
    finalize.way_back = "none: kraft.version cannot be lowered"
    finalize.point_of_no_return = "kraft.version=1 is finalized"
    files = step_of(cluster, {node.id for node in nodes})
    course = play(files)
    if not holds(course):
        return []
    roll = Pass(2, "the new files: where to begin to look for the controllers, in place of their list", files, course)
    roll.wait, roll.keys = waits(cluster), keys_of(files)
    roll.way_back = "put the old files back: a quorum that is dynamic ignores their voters"
    write_files(files, [roll])
    added = [node for node in cluster.nodes.values() if node.old is None and node.is_controller]
    return [finalize, roll, *(voter_pass(cluster, node, number) for number, node in enumerate(added, 3))]


def leaves_voters(node: RolloutNode) -> bool:
    """Whether a controller's list of voters gives way to servers to begin with."""
    assert node.old and node.new
    return bool(node.is_controller and node.old.voters and not node.new.voters and node.new.bootstrap)


def step_of(cluster: RolloutCluster, after: Collection[int]) -> RolloutCluster:
    """The nodes that there are, some of them with another file, in a quorum that is dynamic."""
    before = {node.id: node.old for node in cluster.nodes.values() if node.old is not None}
    members = RolloutCluster(by_id(node for node in cluster.nodes.values() if node.old is not None), cluster.snapshot)
    members.partitions = cluster.partitions
    members.old_texts, members.new_texts = cluster.old_texts, cluster.new_texts
    step = between(members, before, {id: cluster.nodes[id].new if id in after else old for id, old in before.items()})
    step.levels = {KRAFT_VERSION: 1}
    return step


def voter_pass(cluster: RolloutCluster, node: RolloutNode, number: int) -> Pass:
    """A controller that joins."""
    each = Pass(number, f"add {node.name} as a voter", step_of(cluster, ()), Course())
    each.before = (
        f"format {node.name}: kafka-storage.sh format --no-initial-controllers --cluster-id ID --config FILE",
        f"start {node.name}; {QUORUM} describe --replication shows it as an observer with a lag of 0",
    )
    each.by_hand = (f"on {node.name}: {QUORUM} --command-config FILE add-controller",)
    each.wait = (CAUGHT_UP,)
    each.way_back = f"{QUORUM} remove-controller --controller-id {node.id} --controller-directory-id ID, then stop it"
    return each


def instead_of(cluster: RolloutCluster, course: Course) -> Iterator[str]:
    """What to do in place of a change that no sequence of files survives."""
    nodes = [(node, node.old, node.new) for node in cluster.nodes.values() if node.old and node.new and node.changed]
    if any(old.id != new.id for _, old, new in nodes if old and new):
        yield (
            "a new id is a new broker: start it on empty, formatted directories, move the partitions to it with "
            "kafka-reassign-partitions.sh, then stop the old one and unregister it"
        )
    if any(node.is_broker for node in cluster.going):
        yield (
            "a broker that goes is emptied before: kafka-reassign-partitions.sh moves its replicas away, kafka-log-dirs.sh shows "
            "none; afterwards kafka-cluster.sh unregister (KRaft)"
        )
    if any(skips_migration(old, new) for _, old, new in nodes if old and new):
        yield (
            "migrate on 3.9 (KIP-866): controllers of their own with the cluster.id of ZooKeeper, then "
            "zookeeper.metadata.migration.enable=true on every broker, then process.roles=broker; "
            "`kafka-advisor upgrade` writes the steps"
        )
    if any(
        set(old.voters) != set(new.voters) and old.is_kraft and new.voters
        for node, old, new in nodes
        if node.is_controller and old and new
    ):
        yield (
            "no release changes static voters by files: make the quorum dynamic (4.1 and newer: kafka-features.sh upgrade "
            "--feature kraft.version=1), give controller.quorum.bootstrap.servers in place of the voters, then add-controller "
            "or remove-controller one at a time; before 4.1 a new cluster is formatted with --initial-controllers"
        )
    if any(changes_fields(old, new) for _, old, new in nodes if old and new):
        yield (
            "Strimzi writes listeners and logins from its own fields, so that no pass can have both: add a listener with another "
            "name and port to spec.kafka.listeners, move the clients to it, and take the old one out afterwards"
        )
    if course_denies(course):
        yield from dict.fromkeys(
            to_be_allowed(old, new) for _, old, new in nodes if old and new and new.text(AUTHORIZER)
        )
    if course.by_design:
        yield (
            f"lower min.insync.replicas of the topics to one less than their replicas, or add a replica, before any "
            f"restart, and wait: {IN_SYNC}; raise it again afterwards"
        )


def changes_fields(old: NodeConfig, new: NodeConfig) -> bool:
    """Whether listeners or logins change that an operator writes from fields of its own."""
    changed = (key for key in differing(old.entity, new.entity) if key.startswith(("listener", "sasl.", "ssl.")))
    return new.entity.format == STRIMZI and any(changed)


def to_be_allowed(old: NodeConfig, new: NodeConfig) -> str:
    """How a node stays one that the authorizer lets act."""
    if not old.text(AUTHORIZER):
        return (
            "name the principals of all nodes in super.users of every node (it has no effect without an authorizer), "
            "restart them, and set the authorizer then; with allow.everyone.if.no.acl.found=true until there are ACLs"
        )
    if is_anonymous(new, asked_listener(new, of_controllers=not new.is_broker)):
        return (
            f"keep a protocol by which nodes log in to each other, SASL or SSL with ssl.client.auth=required: without a "
            f"login each is {ANONYMOUS}, as is every client that reaches the listener, and to name it in super.users lets "
            "all of them do anything"
        )
    return (
        "name the principals that nodes get beside those that they have in super.users of every node, restart them, and "
        "change the logins then"
    )


def course_denies(course: Course) -> bool:
    """Whether an authorizer denies a node what nodes do."""
    return any("denies" in why for step in course.steps for why in step.why)
