"""The subjects of some clusters except topics, as columns, each read when a rule first asks for it."""

from __future__ import annotations

import functools

from spark_audit.engine.columns.client_columns import ClientColumns
from spark_audit.engine.columns.cluster_columns import ClusterColumns
from spark_audit.engine.columns.clusters import Clusters
from spark_audit.engine.columns.live_subjects import broker_rows
from spark_audit.engine.columns.topic_columns import BrokerColumns


class ClusterSubjects:
    """The brokers and clients of some clusters, and the clusters themselves, as columns."""

    def __init__(self, clusters: Clusters) -> None:
        self._clusters = clusters

    @functools.cached_property
    def brokers(self) -> BrokerColumns:
        """All brokers and controllers."""
        return broker_rows(self._clusters)

    @functools.cached_property
    def clients(self) -> ClientColumns:
        """All clients."""
        return ClientColumns(self._clusters.tables.rows("clients", self._clusters.names), self._clusters.contexts)

    @functools.cached_property
    def as_subjects(self) -> ClusterColumns:
        """Each cluster as one subject."""
        return ClusterColumns(self._clusters, self.brokers)
