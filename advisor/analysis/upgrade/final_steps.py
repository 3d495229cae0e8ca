"""What of an upgrade cannot be undone, and from when on."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.upgrade.cluster_upgrade import ClusterUpgrade
from advisor.analysis.upgrade.plan import FEATURE, FINAL, SETTING, STORAGE, ZOOKEEPER, UpgradeRow, text_of
from advisor.analysis.upgrade.releases import PROTOCOL
from advisor.analysis.upgrade.requirements import NO_ZOOKEEPER
from advisor.catalog.features import KRAFT_VERSION, METADATA_VERSION
from advisor.facts import KRAFT
from advisor.facts import ZOOKEEPER as ZOOKEEPER_MODE

BOUND_STORAGE = (4, 4)
"""The first release whose formatted directories no older one reads."""
BOUND_STORAGE_SOURCE = "https://kafka.apache.org/44/getting-started/upgrade/"
OFFSETS_SCHEMA = (2, 1)
"""The release whose schema of committed offsets no older one reads."""


def final_rows(cluster: ClusterUpgrade) -> Iterator[UpgradeRow]:
    """In the order in which the steps come."""
    if cluster.managed:
        return
    if cluster.mode == ZOOKEEPER_MODE:
        yield from zookeeper_rows(cluster)
    if cluster.crosses(BOUND_STORAGE):
        release = text_of(BOUND_STORAGE)
        message = f"from the first directory on that kafka-storage.sh of {release} formats, a new disk or a new node: no older release reads it"
        yield cluster.row(FINAL, STORAGE, None, message, source=BOUND_STORAGE_SOURCE)
    if cluster.mode == KRAFT or cluster.crosses(NO_ZOOKEEPER):
        message = "from `kafka-features.sh upgrade` on: where the metadata changed it is not lowered again, and older releases do not start"
        yield cluster.row(FINAL, FEATURE, METADATA_VERSION, message, source="KIP-778")
    if cluster.may_become_dynamic:
        message = (
            "from level 1 on: the quorum stays dynamic; `upgrade --release-version` may raise it as well (KAFKA-21426)"
        )
        yield cluster.row(FINAL, FEATURE, KRAFT_VERSION, message, source="KIP-853")


def zookeeper_rows(cluster: ClusterUpgrade) -> Iterator[UpgradeRow]:
    """What binds a cluster in ZooKeeper mode."""
    if cluster.crosses(OFFSETS_SCHEMA):
        release = text_of(OFFSETS_SCHEMA)
        message = f"from {release} on: committed offsets are written as no release before {release} reads them"
        yield cluster.row(
            FINAL, SETTING, PROTOCOL, message, source="https://kafka.apache.org/39/documentation/#upgrade"
        )
    if cluster.crosses(NO_ZOOKEEPER):
        message = "from the restart of the controllers without zookeeper.metadata.migration.enable on there is no way back to ZooKeeper"
        yield cluster.row(FINAL, ZOOKEEPER, None, message, source="KIP-866")
