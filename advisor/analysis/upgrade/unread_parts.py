"""What could not be read of a cluster, or is in nothing that was read: unknown, because …"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.upgrade.cluster_upgrade import ClusterUpgrade
from advisor.analysis.upgrade.plan import (
    CLIENT,
    MUST,
    READING,
    UNKNOWN,
    UpgradeRow,
    new_row,
    row_subject_of,
    row_subject_of_cluster,
    text_of,
)
from advisor.analysis.upgrade.requirements import NO_ZOOKEEPER, OLDEST_CLIENT
from advisor.facts import KRAFT
from advisor.model import Snapshot

PARTS = ("topics", "partitions", "quorum", "zookeeper")
"""The parts of a snapshot that a plan rests on, beside the features and the settings of nodes and topics."""


def missing_rows(snapshot: Snapshot) -> Iterator[UpgradeRow]:
    """The nodes and topics of which nothing could be read, and the parts of the snapshot."""
    for entity in snapshot.entities:
        if entity.missing is not None:
            message = f"nothing could be read of it: {entity.missing}"
            yield new_row(UNKNOWN, READING, None, message, row_subject_of(entity, snapshot.name))
    unread = snapshot.live.unread if snapshot.live else {}
    quorum = snapshot.live is not None and snapshot.live.metadata == KRAFT
    for part in PARTS:
        if part in unread and (part != "quorum" or quorum):
            message = f"{part} could not be read: {unread[part]}"
            yield new_row(UNKNOWN, READING, None, message, row_subject_of_cluster(snapshot))


def cluster_rows(cluster: ClusterUpgrade) -> Iterator[UpgradeRow]:
    """The controllers and the clients, whose settings and releases a cluster does not show."""
    yield from controller_rows(cluster)
    if cluster.crosses(NO_ZOOKEEPER):
        yield from old_client_rows(cluster)


def controller_rows(cluster: ClusterUpgrade) -> Iterator[UpgradeRow]:
    """The controllers of a running KRaft cluster: their files are to be judged beside the snapshot."""
    live = cluster.snapshot.live
    if live is None or cluster.mode != KRAFT or live.quorum is None:
        return
    brokers = {entity.name for entity in cluster.nodes}
    absent = [str(member.id) for member in live.quorum.members if member.voter and str(member.id) not in brokers]
    if absent:
        message = f"a snapshot does not hold the settings of controllers {', '.join(absent)}: give their files, too"
        yield cluster.row(UNKNOWN, READING, None, message)


def old_client_rows(cluster: ClusterUpgrade) -> Iterator[UpgradeRow]:
    """The clients of the cluster, which 4.0 no longer answers where they are too old."""
    live, oldest = cluster.snapshot.live, text_of(OLDEST_CLIENT)
    old = live.zookeeper.old_consumers if live and live.zookeeper else ()
    if old:
        message = f"groups that keep their offsets in ZooKeeper, of clients that 4.0 does not answer: {', '.join(old)}"
        yield cluster.row(MUST, CLIENT, None, message, source="KIP-896")
    message = f"nothing says which releases its clients run: 4.0 does not answer Java clients older than {oldest}; from 3.7 on the metric DeprecatedRequestsPerSec counts what they send"
    yield cluster.row(UNKNOWN, CLIENT, None, message, source="KIP-896")
