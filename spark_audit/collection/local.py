"""Collection by the threads of this process: the fleet's tables as Parquet, without Spark."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from spark_audit.collection import scheduler
from spark_audit.schema.snapshots import TABLES, UNREACHABLE
from spark_audit.storage.output_folder import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collectors.kafka.deadline import Progress
    from spark_audit.collection.entries import ClusterEntry

ROWS = 50_000
"""Rows that are written at once."""


class Sink:
    """One table's file; rows wait until there are enough of them."""

    def __init__(self, folder: str, name: str) -> None:
        os.makedirs(os.path.join(folder, name))
        schema = TABLES[name]
        self.writer = pq.ParquetWriter(os.path.join(folder, name, "part-0.parquet"), schema, compression="zstd")
        self.waiting = [schema.empty_table()]
        self.rows = self.pending = 0

    def add(self, table: pa.Table) -> None:
        """Some more rows."""
        self.waiting.append(table)
        self.rows += table.num_rows
        self.pending += table.num_rows
        if self.pending >= ROWS:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        self.writer.write_table(pa.concat_tables(self.waiting))
        del self.waiting[1:]
        self.pending = 0

    def close(self) -> None:
        """Write the rest."""
        self.flush()
        self.writer.close()


def write(
    items: Sequence[ClusterEntry], folder: str, threads: int, progress: Progress
) -> tuple[list[Outcome], dict[str, int]]:
    """Read all clusters; what became of each, and how many rows each table has."""
    sinks = {name: Sink(folder, name) for name in TABLES}
    outcomes: list[Outcome] = []
    progress("clusters, 0 unreachable", 0, len(items))
    away = 0
    for tables in scheduler.gather(items, scheduler.contact, threads, scheduler.look):
        for name, table in tables.items():
            sinks[name].add(table)
        outcomes.append(outcome(tables))
        away += outcomes[-1].status == UNREACHABLE
        progress(f"clusters, {away} unreachable", len(outcomes), len(items))
    for sink in sinks.values():
        sink.close()
    return outcomes, {name: sink.rows for name, sink in sinks.items()}


def outcome(tables: scheduler.Tables) -> Outcome:
    """What became of one cluster."""
    (row,) = tables["clusters"].select(["cluster", "status", "reason", "seconds"]).to_pylist()
    topics = tables["topics"].num_rows if "topics" in tables else 0
    return Outcome(row["cluster"], row["status"], row["reason"], row["seconds"] or 0.0, topics)
