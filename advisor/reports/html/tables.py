"""Tables of brokers and topics of a running cluster, for the HTML report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from advisor.config import Config
from advisor.model import Snapshot, Topic
from advisor.model.cluster import NOBODY, Live, Node, Partition

if TYPE_CHECKING:
    from advisor.engine.report import Report

ROWS_SHOWN = 200
"""Rows of a table, the worst first."""


class Table:
    """A table with its head, its rows, and the total number of rows."""

    def __init__(self, title: str, head: tuple[str, ...], rows: list[tuple[object, ...]], all: int) -> None:
        self.title = title
        self.head = head
        self.rows = rows
        self.more = all - len(rows)


def tables(report: Report) -> list[Table]:
    """Brokers and topics of every running cluster."""
    counts: dict[tuple[str, str, str], int] = {}
    for finding in report.findings:
        key = (finding.place, *finding.entity)
        counts[key] = counts.get(key, 0) + 1
    shown = []
    for snapshot in report.snapshots:
        if snapshot.live is not None:
            shown += [brokers(snapshot, snapshot.live, counts), topics(snapshot, counts)]
    return shown


def brokers(snapshot: Snapshot, live: Live, counts: dict[tuple[str, str, str], int]) -> Table:
    """A row for each broker."""
    partitions = [each for topic in topics_of(snapshot) for each in topic.partitions or ()]
    leads: dict[int, int] = {}
    holds: dict[int, int] = {}
    for partition in partitions:
        leads[partition.leader] = leads.get(partition.leader, 0) + 1
        for replica in partition.replicas:
            holds[replica] = holds.get(replica, 0) + 1
    rows = [
        (node.id, place(node), node.rack or "none", node.state, leads.get(node.id, 0), holds.get(node.id, 0),
         disks(live, node), about(snapshot, str(node.id), counts))
        for node in live.nodes
    ]  # fmt: skip
    head = ("broker", "address", "rack", "state", "leads", "replicas", "log directories offline", "findings")
    return Table(f"Brokers of {snapshot.name}", head, list(rows[:ROWS_SHOWN]), len(rows))


def place(node: Node) -> str:
    """A broker's host and port."""
    return f"{node.host}:{node.port}" if node.host else "unknown"


def disks(live: Live, node: Node) -> str:
    """The number of offline log directories."""
    dirs = live.log_dirs.get(node.id)
    return "not read" if dirs is None else str(sum(dir.error is not None for dir in dirs))


def about(snapshot: Snapshot, name: str, counts: dict[tuple[str, str, str], int]) -> int:
    """The number of findings about a broker."""
    return sum(counts.get((snapshot.name, kind, name), 0) for kind in ("broker", "controller", "combined"))


def topics(snapshot: Snapshot, counts: dict[tuple[str, str, str], int]) -> Table:
    """A row for each topic, those with most findings first."""
    rows: list[tuple[object, ...]] = []
    all_topics = topics_of(snapshot)
    for topic in all_topics:
        partitions, least = topic.partitions or (), minimum(topic)
        findings = counts.get((snapshot.name, "topic", topic.name), 0)
        if topic.partitions is None:
            rows.append((topic.name, topic.missing or "not read", "", "", "", "", "", findings))
            continue
        rows.append((
            topic.name, len(partitions), replication_factors(partitions), least if least is not None else "unknown",
            sum(len(each.isr) < len(each.replicas) for each in partitions),
            sum(least is not None and len(each.isr) < least for each in partitions),
            sum(each.leader == NOBODY for each in partitions), findings,
        ))  # fmt: skip
    rows.sort(key=lambda row: (-int(str(row[-1])), str(row[0])))
    head = (
        "topic", "partitions", "replicas", "min.insync.replicas", "not fully in sync", "below min.insync.replicas",
        "without a leader", "findings",
    )  # fmt: skip
    return Table(f"Topics of {snapshot.name}", head, rows[:ROWS_SHOWN], len(rows))


def topics_of(snapshot: Snapshot) -> list[Topic]:
    """The topics of a snapshot."""
    return [entity for entity in snapshot.entities if isinstance(entity, Topic)]


def minimum(topic: Topic) -> int | None:
    """A topic's min.insync.replicas, None where it is unknown."""
    value = None if topic.missing else Config(topic).answer(("int", "min.insync.replicas"))
    return value if isinstance(value, int) else None


def replication_factors(partitions: Sequence[Partition]) -> str:
    """The replication factors of a topic's partitions: a number, or the lowest and the highest."""
    counts = sorted({len(partition.replicas) for partition in partitions})
    return " to ".join(str(count) for count in dict.fromkeys((counts[0], counts[-1]))) if counts else "0"
