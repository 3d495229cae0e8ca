"""Collect with threads of this process, without Spark: the fleet's tables as Parquet."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.parquet as pq

from collectors.kafka.deadline import Progress
from spark_audit.collection import cluster_reader, scheduler
from spark_audit.collection.entries import ClusterEntry
from spark_audit.schema.snapshots import TABLES, UNREACHABLE
from spark_audit.storage.output_folder import Outcome

ROWS = 50_000
"""Rows that are written at once: bounds memory."""


class Sink:
    """Write one table's file; rows are buffered."""

    def __init__(self, folder: str, name: str) -> None:
        os.makedirs(os.path.join(folder, name))
        schema = TABLES[name]
        self.writer = pq.ParquetWriter(os.path.join(folder, name, "part-0.parquet"), schema, compression="zstd")
        self.waiting = [schema.empty_table()]
        self.rows = self.pending = 0

    def add(self, table: pa.Table) -> None:
        """Add rows."""
        self.waiting.append(table)
        self.rows += table.num_rows
        self.pending += table.num_rows
        if self.pending >= ROWS:
            self.flush()

    def flush(self) -> None:
        """Write the buffered rows."""
        self.writer.write_table(pa.concat_tables(self.waiting))
        del self.waiting[1:]
        self.pending = 0

    def close(self) -> None:
        """Write the remaining rows, and close the file."""
        self.flush()
        self.writer.close()


def write(
    entries: Sequence[ClusterEntry], folder: str, threads: int, progress: Progress
) -> tuple[list[Outcome], dict[str, int]]:
    """Read all clusters; the outcome of each, and the number of rows of each table."""
    sinks = {name: Sink(folder, name) for name in TABLES}
    outcomes: list[Outcome] = []
    progress("clusters, 0 unreachable", 0, len(entries))
    unreachable = 0
    for tables in scheduler.gather(entries, cluster_reader.read_cluster, threads, scheduler.probe_cluster):
        for name, table in tables.items():
            sinks[name].add(table)
        outcomes.append(outcome(tables))
        unreachable += outcomes[-1].status == UNREACHABLE
        progress(f"clusters, {unreachable} unreachable", len(outcomes), len(entries))
    for sink in sinks.values():
        sink.close()
    return outcomes, {name: sink.rows for name, sink in sinks.items()}


def outcome(tables: scheduler.Tables) -> Outcome:
    """The outcome of one cluster."""
    (row,) = tables["clusters"].select(["cluster", "status", "reason", "seconds"]).to_pylist()
    topics = tables["topics"].num_rows if "topics" in tables else 0
    return Outcome(row["cluster"], row["status"], row["reason"], row["seconds"] or 0.0, topics)
