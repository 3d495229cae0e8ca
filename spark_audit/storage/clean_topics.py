"""Clean the rows of topics from tables of any origin: damaged partitions become null, duplicates are dropped."""

from __future__ import annotations

from collections.abc import Container

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from spark_audit.arrays import Codes
from spark_audit.arrays.codes import combine
from spark_audit.arrays.dictionaries import codes_of
from spark_audit.arrays.lists import list_of_each
from spark_audit.schema.snapshots import TOPICS, relaxed
from spark_audit.storage.null_checks import find_nulls
from spark_audit.storage.read_types import fit_type


def clean_topics(batch: pa.RecordBatch, known_clusters: Container[str]) -> pa.RecordBatch:
    """Keep the rows that can be judged: of known clusters, with a name, each once; damaged partitions become null."""
    batch = cast_to_schema(batch)
    rows = _valid_rows(batch, known_clusters)
    batch = batch if len(rows) == batch.num_rows else batch.take(pa.array(rows))
    partitions = batch.column("partitions")
    damaged = find_nulls(partitions, TOPICS.field("partitions").type)
    if damaged is not None:
        partitions = pc.if_else(pa.array(damaged), pa.scalar(None, partitions.type), partitions)
    deduplicated = _drop_duplicate_partitions(partitions)
    if deduplicated is not None:
        partitions = deduplicated
    index = batch.schema.get_field_index("partitions")
    return batch.set_column(index, "partitions", partitions)


def cast_to_schema(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Cast the columns to the schema of `topics`, in its order, any of them nullable."""
    columns = []
    for field in TOPICS:
        column = batch.column(field.name)
        type = relaxed(field.type)
        if pa.types.is_list(type):
            type = fit_type(type, column.type)
        columns.append(column if column.type == type else column.cast(type, safe=False))
    return pa.RecordBatch.from_arrays(columns, names=TOPICS.names)


def _valid_rows(batch: pa.RecordBatch, known_clusters: Container[str]) -> Codes:
    """The rows of known clusters that have a name; of duplicates the first."""
    cluster, names = batch.column("cluster"), batch.column("name")
    encoded = cluster.dictionary_encode()
    is_known_code = np.array([name in known_clusters for name in encoded.dictionary.to_pylist()] or [False], dtype=bool)
    cluster_codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    rows = np.flatnonzero(
        (cluster_codes >= 0) & is_known_code[cluster_codes] & names.is_valid().to_numpy(zero_copy_only=False)
    )
    name_of_row = combine(codes_of(cluster), codes_of(names))[rows]
    _, first_row = np.unique(name_of_row, return_index=True)
    return rows if len(first_row) == len(rows) else rows[np.sort(first_row)]


def _drop_duplicate_partitions(lists: pa.ListArray) -> pa.ListArray | None:
    """The lists without duplicate partitions, of which the last counts; None where there are none."""
    flat, topic_of_partition = lists.flatten(), list_of_each(lists)
    ids = flat.field("id").to_numpy(zero_copy_only=False).astype(np.int64) if len(flat) else np.zeros(0, np.int64)
    if ((np.diff(ids) > 0) | (np.diff(topic_of_partition) > 0)).all():
        return None
    partition_key = (
        topic_of_partition * (int(ids.max(initial=0)) - int(ids.min(initial=0)) + 1) + ids - int(ids.min(initial=0))
    )
    _, last_reversed = np.unique(partition_key[::-1], return_index=True)
    if len(last_reversed) == len(ids):
        return None
    partitions = np.sort(len(ids) - 1 - last_reversed)
    partitions_per_topic = np.bincount(topic_of_partition[partitions], minlength=len(lists))
    offsets = pa.array(np.concatenate((np.zeros(1, np.int64), np.cumsum(partitions_per_topic))), pa.int32())
    mask = lists.is_null() if lists.null_count else None
    return pa.ListArray.from_arrays(offsets, flat.take(pa.array(partitions)), mask=mask)
