"""Index the small tables (clusters, brokers, clients) by cluster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from advisor.model.cluster import Live
from spark_audit.arrays import Codes
from spark_audit.arrays.dictionaries import compact, indices
from spark_audit.schema.snapshots import SMALL, UNREACHABLE
from spark_audit.storage.decode import live_of

CACHED_CLUSTERS = 1000
"""Clusters whose live state is kept decoded, to bound memory; they come in order, older ones are not asked again."""


class ClusterTables:
    """The small tables (clusters, brokers, clients), cleaned and indexed by cluster."""

    def __init__(self, tables: Mapping[str, pa.Table]) -> None:
        self.tables = {name: sorted_by_cluster(tables[name]) for name in SMALL}
        self._slices = {name: starts_of(table) for name, table in self.tables.items()}
        self.names: list[str] = [
            name
            for name, status in zip(*(self.tables["clusters"].column(column).to_pylist() for column in ("cluster", "status")), strict=True)
            if status != UNREACHABLE
        ]  # fmt: skip
        self.reached = frozenset(self.names)
        self._lives: dict[str, Live] = {}

    def live(self, name: str, rows: pa.RecordBatch, index: int) -> Live:
        """The live state of a cluster, cached while clusters near it are judged."""
        if name not in self._lives:
            if len(self._lives) >= CACHED_CLUSTERS:
                self._lives.clear()
            self._lives[name] = live_of(plain_row(rows, index))
        return self._lives[name]

    def rows(self, table: str, names: Iterable[str], columns: Sequence[str] | None = None) -> pa.RecordBatch:
        """The rows of some clusters, all columns or some."""
        slice_of_cluster = self._slices[table]
        selected = self.tables[table].select(columns or self.tables[table].column_names)
        slices = [
            selected.slice(*bounds)
            for bounds in merge_slices(slice_of_cluster[name] for name in names if name in slice_of_cluster)
        ]
        batches = pa.concat_tables([selected.schema.empty_table(), *slices]).combine_chunks().to_batches()
        if not batches:
            return pa.RecordBatch.from_pylist([], selected.schema)
        return pa.RecordBatch.from_arrays([compact(column) for column in batches[0].columns], schema=selected.schema)


def sorted_by_cluster(table: pa.Table) -> pa.Table:
    """Sort the rows by cluster, stable; the table itself where they are sorted."""
    order = np.argsort(_clusters(table)[0], kind="stable")
    return table if (np.diff(order) == 1).all() else table.take(pa.array(order))


def starts_of(table: pa.Table) -> dict[str, tuple[int, int]]:
    """Where each cluster's rows start, and how many they are, in a table that is sorted by cluster."""
    codes, names = _clusters(table)
    first_row = np.flatnonzero(np.diff(codes, prepend=-1))
    rows_per_cluster = np.diff(first_row, append=len(codes))
    return {
        names[code]: (start, size)
        for code, start, size in zip(
            codes[first_row].tolist(), first_row.tolist(), rows_per_cluster.tolist(), strict=True
        )
    }


def _clusters(table: pa.Table) -> tuple[Codes, list[str]]:
    """Per row the code of its cluster, and the clusters' names by code."""
    encoded = table.column("cluster").combine_chunks().dictionary_encode()
    dictionary_array = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
    return indices(dictionary_array), dictionary_array.dictionary.to_pylist()


def merge_slices(slices: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge adjacent (start, size) slices."""
    merged: list[tuple[int, int]] = []
    for start, size in slices:
        if merged and sum(merged[-1]) == start:
            merged[-1] = (merged[-1][0], merged[-1][1] + size)
        else:
            merged.append((start, size))
    return merged


def plain_row(rows: pa.RecordBatch, index: int) -> dict[str, Any]:
    """A row as a dict."""
    row: dict[str, Any] = rows.slice(index, 1).to_pylist()[0]
    return row
