"""The small tables of a fleet, each found by its cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from spark_audit.arrays.dictionaries import compact, indices
from spark_audit.schema.snapshots import SMALL, UNREACHABLE
from spark_audit.storage.decode import live_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from advisor.model.cluster import Live
    from spark_audit.arrays import Codes


NEAR = 1000
"""Clusters whose words are remembered."""


class ClusterTables:
    """The small tables of a fleet, vetted, each found by its cluster: clusters, brokers and clients."""

    def __init__(self, tables: Mapping[str, pa.Table]) -> None:
        self.tables = {name: sorted_by_cluster(tables[name]) for name in SMALL}
        self._starts = {name: starts_of(table) for name, table in self.tables.items()}
        self.names: list[str] = [
            name
            for name, status in zip(*(self.tables["clusters"].column(each).to_pylist() for each in ("cluster", "status")), strict=True)
            if status != UNREACHABLE
        ]  # fmt: skip
        self.known = frozenset(self.names)
        self._lives: dict[str, Live] = {}

    def live(self, name: str, rows: pa.RecordBatch, place: int) -> Live:
        """What a cluster said of itself, remembered while clusters near it are judged."""
        if name not in self._lives:
            if len(self._lives) >= NEAR:
                self._lives.clear()
            self._lives[name] = live_of(plain_row(rows, place), vetted=True)
        return self._lives[name]

    def rows(self, table: str, names: Iterable[str], columns: Sequence[str] | None = None) -> pa.RecordBatch:
        """The rows of some clusters, with some or all columns."""
        places = self._starts[table]
        every = self.tables[table].select(columns or self.tables[table].column_names)
        slices = [every.slice(*part) for part in merged(places[name] for name in names if name in places)]
        batches = pa.concat_tables([every.schema.empty_table(), *slices]).combine_chunks().to_batches()
        if not batches:
            return pa.RecordBatch.from_pylist([], every.schema)
        return pa.RecordBatch.from_arrays([compact(column) for column in batches[0].columns], schema=every.schema)


def sorted_by_cluster(table: pa.Table) -> pa.Table:
    """The rows by cluster; of a cluster they stay in their order."""
    order = np.argsort(_clusters(table)[0], kind="stable")
    return table if (np.diff(order) == 1).all() else table.take(pa.array(order))


def starts_of(table: pa.Table) -> dict[str, tuple[int, int]]:
    """Where the rows of each cluster start, and how many they are, in a table that has them by cluster."""
    codes, names = _clusters(table)
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    sizes = np.diff(starts, append=len(codes))
    return {
        names[code]: (start, size)
        for code, start, size in zip(codes[starts].tolist(), starts.tolist(), sizes.tolist(), strict=True)
    }


def _clusters(table: pa.Table) -> tuple[Codes, list[str]]:
    """The number of each row's cluster, and the clusters' names."""
    encoded = table.column("cluster").combine_chunks().dictionary_encode()
    whole = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
    return indices(whole), whole.dictionary.to_pylist()


def merged(parts: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Parts as (start, size), those that follow upon each other as one."""
    found: list[tuple[int, int]] = []
    for start, size in parts:
        if found and sum(found[-1]) == start:
            found[-1] = (found[-1][0], found[-1][1] + size)
        else:
            found.append((start, size))
    return found


def plain_row(rows: pa.RecordBatch, place: int) -> dict[str, Any]:
    """A row as plain data."""
    found: dict[str, Any] = rows.slice(place, 1).to_pylist()[0]
    return found
