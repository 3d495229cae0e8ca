"""The clusters of a batch; their rows are decoded when a rule first asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from advisor.facts import NOT_SAID
from advisor.facts.cluster import PartitionCounts
from advisor.facts.partition import SignatureFacts
from advisor.model.cluster import Live
from spark_audit.engine.columns.cluster_tables import ClusterTables
from spark_audit.engine.columns.partial_counts import PartialCounts, counted_from
from spark_audit.engine.columns.setting_columns import Context
from spark_audit.storage.decode import defaults_of, target_of


class Clusters:
    """Some clusters, in the order of `names`; what is costly is decoded when it is first asked for.

    `counts` are the counts over all partitions of each cluster, None while they are not known.
    """

    def __init__(
        self, tables: ClusterTables, names: Sequence[str], counts: Mapping[str, PartialCounts] | None = None
    ) -> None:
        self.tables = tables
        self.names = list(names)
        self.counts = counts
        rows = tables.rows("clusters", names)
        self._rows = rows
        ids, addresses = rows.column("id").to_pylist(), rows.column("address").to_pylist()
        versions, reasons = rows.column("kafka_version").to_pylist(), rows.column("version_reason").to_pylist()
        defaults = [defaults_of(text) for text in rows.column("defaults").to_pylist()]
        modes = [metadata or NOT_SAID for metadata in rows.column("metadata").to_pylist()]
        releases = [
            target_of({"kafka_version": version, "version_reason": reason})
            for version, reason in zip(versions, reasons, strict=True)
        ]
        named = [id or address for id, address in zip(ids, addresses, strict=True)]
        self.contexts = list(map(Context, self.names, named, releases, defaults, modes))
        self._labels = [dict(pairs or ()) for pairs in rows.column("labels").to_pylist()]
        self._lives: dict[int, Live] = {}
        self._counted: dict[int, PartitionCounts] = {}
        self._pictures: dict[int, SignatureFacts] = {}

    def labels(self, cluster: int) -> dict[str, str]:
        """The labels of a cluster."""
        return self._labels[cluster]

    def live(self, cluster: int) -> Live:
        """The live state of a cluster."""
        if cluster not in self._lives:
            self._lives[cluster] = self.tables.live(self.names[cluster], self._rows, cluster)
        return self._lives[cluster]

    def pictures(self, cluster: int) -> SignatureFacts:
        """What derives the facts of a cluster's partitions."""
        if cluster not in self._pictures:
            self._pictures[cluster] = SignatureFacts(self.live(cluster))
        return self._pictures[cluster]

    def nodes(self) -> pa.ListArray:
        """The brokers as each cluster's metadata names them."""
        return self._rows.column("nodes")

    def broker_ids(self) -> list[int]:
        """The ids of all brokers in the brokers table."""
        ids: list[int] = self.tables.rows("brokers", self.names, ["id"]).column("id").to_pylist()
        return ids

    def counted(self, cluster: int) -> PartitionCounts:
        """The counts over all partitions of a cluster."""
        assert self.counts is not None
        if cluster not in self._counted:
            name, live = self.names[cluster], self.live(cluster)
            self._counted[cluster] = (
                counted_from(live, self.counts[name]) if name in self.counts else PartitionCounts(live)
            )
        return self._counted[cluster]
