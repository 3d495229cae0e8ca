"""Batches of topics reduced to signatures, subject groups of partitions, and counts: all that rules need.

These are small, so that rules run once over many batches.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from advisor.facts.cluster import MIN_ISR
from spark_audit.arrays import Codes
from spark_audit.arrays.codes import distinct
from spark_audit.engine.columns.cluster_tables import ClusterTables
from spark_audit.engine.columns.clusters import Clusters
from spark_audit.engine.columns.partial_counts import PartialCounts
from spark_audit.engine.columns.topic_columns import TopicColumns
from spark_audit.engine.partitions.partition_columns import Partitions
from spark_audit.engine.partitions.partition_counts import count_partitions
from spark_audit.engine.tree_walk import TreeWalker
from spark_audit.schema.snapshots import RELAXED
from spark_audit.storage.clean_topics import clean_topics

SETTINGS = RELAXED["topics"].field("settings").type


class TopicBatch:
    """Some topics: their signatures, and the subject groups of their partitions.

    `clusters` are names, `cluster_of_topic` indexes them; `signature_of_topic` is a topic's row in `distinct_topics`;
    `unread` are the topics whose partitions could not be read.
    """

    def __init__(self, batch: pa.RecordBatch, tables: ClusterTables, walker: TreeWalker) -> None:
        batch = clean_topics(batch, tables.reached)
        self.clusters = [str(name) for name in batch.column("cluster").unique().to_pylist()]
        clusters = Clusters(tables, self.clusters)
        topics = TopicColumns(batch, clusters.contexts)
        first_of_signature, signature_of_topic = distinct(topics.whole_signature())
        self.cluster_of_topic = topics.cluster_of_row.astype(np.int32)
        self.signature_of_topic = signature_of_topic.astype(np.int32)
        self.distinct_topics = without_partitions(batch, first_of_signature)
        self.names = batch.column("name")
        self.unread = np.flatnonzero(topics.partitions_per_topic < 0)
        min_isr = walker.value(TopicColumns(self.distinct_topics, clusters.contexts), ("int", MIN_ISR))
        partitions = Partitions(topics, clusters, min_isr[0][signature_of_topic], walker.partition_facts)
        self.partition_groups = partitions.group_by_topic()
        committed = {cluster: _committed_topics(clusters, cluster) for cluster in range(len(self.clusters))}
        self.counts: list[PartialCounts] = count_partitions(partitions, min_isr, signature_of_topic, committed)
        del topics, partitions, batch
        pa.default_memory_pool().release_unused()


def _committed_topics(clusters: Clusters, cluster: int) -> set[str]:
    """The topics that consumer groups of a cluster have committed offsets for."""
    consumer_groups = clusters.live(cluster).groups or ()
    return {topic for consumer_group in consumer_groups for topic, _ in consumer_group.committed or ()}


def without_partitions(batch: pa.RecordBatch, rows: Codes) -> pa.RecordBatch:
    """Some topics without their partitions."""
    columns = {name: batch.column(name) for name in batch.schema.names}
    columns["partitions"] = pa.nulls(batch.num_rows, columns["partitions"].type)
    topics = pa.RecordBatch.from_pydict(columns).take(pa.array(rows))
    index = topics.schema.get_field_index("settings")
    return topics.set_column(index, "settings", topics.column(index).cast(SETTINGS))


class TopicBatches:
    """Several batches as one; clusters and signatures are numbered across all of them."""

    def __init__(self, batches: Sequence[TopicBatch]) -> None:
        self.batches = batches
        self.clusters = list(dict.fromkeys(name for batch in batches for name in batch.clusters))
        index_of_cluster = {name: index for index, name in enumerate(self.clusters)}
        self.cluster_of_topic = np.concatenate(
            [
                np.array([index_of_cluster[name] for name in batch.clusters] or [0], np.int64)[batch.cluster_of_topic]
                for batch in batches
            ]
        )
        self.names = pa.concat_arrays([batch.names for batch in batches])
        self.first_topic_of_batch = _offsets([len(batch.names) for batch in batches])
        self.unread = np.concatenate(
            [batch.unread + start for batch, start in zip(batches, self.first_topic_of_batch, strict=True)]
        )

    def concat_distinct_topics(self) -> tuple[pa.RecordBatch, Codes]:
        """The batches' distinct topics, one after the other, and per topic its row among them."""
        first_signature_of_batch = _offsets([batch.distinct_topics.num_rows for batch in self.batches])
        signature_of_topic = np.concatenate(
            [
                batch.signature_of_topic + start
                for batch, start in zip(self.batches, first_signature_of_batch, strict=True)
            ]
        )
        distinct_topics = (
            pa.Table.from_batches([batch.distinct_topics for batch in self.batches]).combine_chunks().to_batches()
        )
        return distinct_topics[0] if distinct_topics else self.batches[0].distinct_topics, signature_of_topic


def _offsets(sizes: Sequence[int]) -> list[int]:
    return [sum(sizes[:index]) for index in range(len(sizes))]
