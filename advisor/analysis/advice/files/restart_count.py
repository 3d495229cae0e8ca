"""How many nodes a change of files restarts."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.analysis.advice.files.changes import changes_by_place, own_changes
from advisor.edits.change import FileChange
from advisor.engine.fix_first import ClusterSizes
from advisor.model import SERVER_KINDS, Entity, Snapshot

CONTROLLER = "controller"
VOTERS = "controller.quorum.voters"


def nodes_restarted(changes: Sequence[FileChange], snapshots: Sequence[Snapshot], sizes: ClusterSizes) -> int:
    """The nodes whose settings change, controllers included; an entity that stands for several nodes counts as many."""
    by_place = changes_by_place(changes)
    files = {file for file, _ in by_place}
    total = 0
    for snapshot in snapshots:
        servers = [row for row in snapshot.entities if row.kind in SERVER_KINDS]
        for nodes in (
            [row for row in servers if row.kind != CONTROLLER],
            [row for row in servers if row.kind == CONTROLLER],
        ):
            changed = [row for row in nodes if row.file in files and own_changes(row, by_place)]
            if changed:
                number = max(len(nodes), number_of(changed[0], sizes))
                total += -(-len(changed) * number // len(nodes))
    return total


def number_of(node: Entity, sizes: ClusterSizes) -> int:
    """How many nodes of its role a node's cluster has, as far as files say it."""
    if node.kind != CONTROLLER:
        return sizes.brokers(node) or 1
    voters = node.settings.get(VOTERS)
    is_pool = node.cluster_size is not None
    return len(voters.value.split(",")) if is_pool and voters is not None and voters.value else 1
