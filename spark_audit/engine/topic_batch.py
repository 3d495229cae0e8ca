"""What is left of a batch of topics once its arrays were looked at: kinds of topics, pictures of partitions, and counts.

That is small, so that the rules may run once for many batches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from advisor.facts.cluster import MIN_ISR
from spark_audit.arrays.codes import distinct
from spark_audit.engine.clusters import Clusters
from spark_audit.engine.partition_columns import Partitions
from spark_audit.engine.partition_counts import parts_of
from spark_audit.engine.topic_columns import TopicColumns
from spark_audit.schema.snapshots import RELAXED
from spark_audit.storage.clean_topics import cleaned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spark_audit.arrays import Codes
    from spark_audit.engine.cluster_tables import ClusterTables
    from spark_audit.engine.count_parts import Part
    from spark_audit.engine.tree_walk import TreeWalker


SETTINGS = RELAXED["topics"].field("settings").type


class TopicBatch:
    """Some topics: `clusters` are the names, `cluster` each topic's place there; `kind` its row in `kinds`.

    `unread` are the topics whose partitions could not be read; `looks` the partitions of the others.
    """

    def __init__(self, batch: pa.RecordBatch, tables: ClusterTables, walker: TreeWalker) -> None:
        batch = cleaned(batch, tables.known)
        self.clusters = [str(name) for name in batch.column("cluster").unique().to_pylist()]
        clusters = Clusters(tables, self.clusters)
        every = TopicColumns(batch, clusters.contexts)
        first, kind = distinct(every.everything())
        self.cluster, self.kind = every.cluster.astype(np.int32), kind.astype(np.int32)
        self.kinds = kinds_of(batch, first)
        self.names = batch.column("name")
        self.unread = np.flatnonzero(every.counts < 0)
        min_isr = walker.value(TopicColumns(self.kinds, clusters.contexts), ("int", MIN_ISR))
        partitions = Partitions(every, clusters, min_isr[0][kind], walker.looks)
        self.looks = partitions.looks()
        wanted = {place: _spoken_of(clusters, place) for place in range(len(self.clusters))}
        self.parts: list[Part] = parts_of(partitions, min_isr, kind, wanted)
        del every, partitions, batch
        pa.default_memory_pool().release_unused()


def _spoken_of(clusters: Clusters, place: int) -> set[str]:
    groups = clusters.live(place).groups or ()
    return {topic for group in groups for topic, _ in group.committed or ()}


def kinds_of(batch: pa.RecordBatch, rows: Codes) -> pa.RecordBatch:
    """Some topics without their partitions."""
    columns = {name: batch.column(name) for name in batch.schema.names}
    columns["partitions"] = pa.nulls(batch.num_rows, columns["partitions"].type)
    some = pa.RecordBatch.from_pydict(columns).take(pa.array(rows))
    place = some.schema.get_field_index("settings")
    return some.set_column(place, "settings", some.column(place).cast(SETTINGS))


class TopicBatches:
    """Slices as one: everything in terms of the clusters and kinds of all of them."""

    def __init__(self, batches: Sequence[TopicBatch]) -> None:
        self.batches = batches
        self.clusters = list(dict.fromkeys(name for each in batches for name in each.clusters))
        places = {name: place for place, name in enumerate(self.clusters)}
        self.cluster = np.concatenate(
            [np.array([places[name] for name in each.clusters] or [0], np.int64)[each.cluster] for each in batches]
        )
        self.names = pa.concat_arrays([each.names for each in batches])
        self.starts = _starts([len(each.names) for each in batches])
        self.unread = np.concatenate([each.unread + start for each, start in zip(batches, self.starts, strict=True)])

    def kinds(self) -> tuple[pa.RecordBatch, Codes]:
        """The batches' kinds of topics, one after the other, and each topic's place there."""
        starts = _starts([each.kinds.num_rows for each in self.batches])
        kind = np.concatenate([each.kind + start for each, start in zip(self.batches, starts, strict=True)])
        kinds = pa.Table.from_batches([each.kinds for each in self.batches]).combine_chunks().to_batches()
        return kinds[0] if kinds else self.batches[0].kinds, kind


def _starts(sizes: Sequence[int]) -> list[int]:
    return [sum(sizes[:place]) for place in range(len(sizes))]
