"""What lies on the disks of a running cluster: replicas in directories that go, and room for them in those that stay."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.rollout.cluster import RolloutCluster, RolloutNode
from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.outcome import UnknownFact
from advisor.facts import plain_path
from advisor.model.cluster import LogDir

LOG_DIRS = "log.dirs"
Directories = dict[str, LogDir]


def directories_of(cluster: RolloutCluster, id: int) -> Directories:
    """The log directories of a running broker, by path; empty where it did not say."""
    rows = cluster.live.log_dirs.get(id, ()) if cluster.live else ()
    return {plain_path(row.path): row for row in rows}


def vanishing(old: NodeConfig, new: NodeConfig) -> list[str]:
    """The log directories that the new file does not name any more."""
    return [path for path in old.directories if path not in new.directories]


def leaves_replicas(cluster: RolloutCluster, old: NodeConfig, new: NodeConfig, id: int) -> bool:
    """Whether replicas are left behind in directories that go; a running broker says which ones are empty."""
    known = directories_of(cluster, id)
    return any(path not in known or known[path].partitions != 0 for path in vanishing(old, new))


def copied_bytes(cluster: RolloutCluster, node: RolloutNode) -> int:
    """How many bytes a node copies from the others at most: those of its replicas, or what the vanishing disks hold."""
    assert node.old and node.new
    known, gone = directories_of(cluster, node.id), vanishing(node.old, node.new)
    held = cluster.bytes_by_broker.get(node.id, 0)
    used = [known[path].total - known[path].free for path in gone if path in known and is_measured(known[path])]  # type: ignore[operator]
    return min(held, sum(used)) if len(used) == len(gone) else held


def is_measured(row: LogDir) -> bool:
    """Whether a broker says how large a directory's disk is, and how much of it is free."""
    return row.total is not None and row.free is not None


def disk_facts(cluster: RolloutCluster) -> Iterator[UnknownFact]:
    """Whether there is room for replicas whose directories go."""
    for node in cluster.brokers:
        if node.changed and node.old and node.new and leaves_replicas(cluster, node.old, node.new, node.id):
            needed = copied_bytes(cluster, node)
            yield from room(cluster, node, node.new, needed) if needed else ()


def room(cluster: RolloutCluster, node: RolloutNode, new: NodeConfig, needed: int) -> Iterator[UnknownFact]:
    """Whether the directories of a node's new file hold so many bytes more."""
    known = directories_of(cluster, node.id)
    others = [path for path in new.directories if path not in known]
    if others:
        why = f"whether {', '.join(others)} has room for up to {in_bytes(needed)} of replicas"
        yield UnknownFact(node.name, LOG_DIRS, why, decides=False)
        return
    free = [known[path].free for path in new.directories]
    if None not in free and needed > sum(row or 0 for row in free):
        left = in_bytes(sum(row or 0 for row in free))
        why = f"whether what goes fits: up to {in_bytes(needed)} are copied to {', '.join(new.directories)}, with {left} free"
        yield UnknownFact(node.name, LOG_DIRS, why)


def in_bytes(number: int) -> str:
    """Bytes for people."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if number < 1000 or unit == "TB":
            break
        number //= 1000
    return f"{number:,} {unit}"
