"""Topics' rows of tables that somebody else may have written: what is damaged is not known, what is twice counts once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from spark_audit.arrays.codes import combine
from spark_audit.arrays.dictionaries import codes_of
from spark_audit.arrays.lists import list_of_each
from spark_audit.schema.snapshots import TOPICS, relaxed
from spark_audit.storage.null_checks import holes
from spark_audit.storage.read_types import fitting

if TYPE_CHECKING:
    from collections.abc import Container

    from spark_audit.arrays import Codes


def cleaned(batch: pa.RecordBatch, known: Container[str]) -> pa.RecordBatch:
    """The rows that can be judged: of clusters that are known, with a name, once each; damaged partitions are null."""
    batch = as_declared(batch)
    kept = _kept(batch, known)
    batch = batch if len(kept) == batch.num_rows else batch.take(pa.array(kept))
    partitions = batch.column("partitions")
    broken = holes(partitions, TOPICS.field("partitions").type)
    if broken is not None:
        partitions = pc.if_else(pa.array(broken), pa.scalar(None, partitions.type), partitions)
    twice = _twice(partitions)
    if twice is not None:
        partitions = twice
    place = batch.schema.get_field_index("partitions")
    return batch.set_column(place, "partitions", partitions)


def as_declared(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The columns in their order and types, whatever their nullability says."""
    columns = []
    for field in TOPICS:
        column = batch.column(field.name)
        type = relaxed(field.type)
        if pa.types.is_list(type):
            type = fitting(type, column.type)
        columns.append(column if column.type == type else column.cast(type, safe=False))
    return pa.RecordBatch.from_arrays(columns, names=TOPICS.names)


def _kept(batch: pa.RecordBatch, known: Container[str]) -> Codes:
    """Rows of known clusters that have a name; of equal names the first."""
    cluster, names = batch.column("cluster"), batch.column("name")
    encoded = cluster.dictionary_encode()
    fits = np.array([name in known for name in encoded.dictionary.to_pylist()] or [False], dtype=bool)
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    rows = np.flatnonzero((codes >= 0) & fits[codes] & names.is_valid().to_numpy(zero_copy_only=False))
    both = combine(codes_of(cluster), codes_of(names))[rows]
    _, first = np.unique(both, return_index=True)
    return rows if len(first) == len(rows) else rows[np.sort(first)]


def _twice(lists: pa.ListArray) -> pa.ListArray | None:
    """The lists without partitions that are there twice, of which the last counts; None where there are none."""
    flat, owner = lists.flatten(), list_of_each(lists)
    ids = flat.field("id").to_numpy(zero_copy_only=False).astype(np.int64) if len(flat) else np.zeros(0, np.int64)
    if ((np.diff(ids) > 0) | (np.diff(owner) > 0)).all():
        return None
    both = owner * (int(ids.max(initial=0)) - int(ids.min(initial=0)) + 1) + ids - int(ids.min(initial=0))
    _, last = np.unique(both[::-1], return_index=True)
    if len(last) == len(ids):
        return None
    kept = np.sort(len(ids) - 1 - last)
    many = np.bincount(owner[kept], minlength=len(lists))
    offsets = pa.array(np.concatenate((np.zeros(1, np.int64), np.cumsum(many))), pa.int32())
    mask = lists.is_null() if lists.null_count else None
    return pa.ListArray.from_arrays(offsets, flat.take(pa.array(kept)), mask=mask)
