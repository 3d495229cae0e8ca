"""Collect with threads of this process, without Spark, into files of the fleet's tables."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from collectors.kafka.deadline import Progress
from spark_audit.collection import cluster_reader, scheduler
from spark_audit.collection.entries import ClusterEntry, CollectionOutcome
from spark_audit.schema.snapshots import TABLES, UNREACHABLE
from spark_audit.storage.run_output import RunOutput
from spark_audit.storage.table_files import write_rows

ROWS = 50_000
"""Rows of one file: bounds memory."""


class Sink:
    """Write one table's files; rows are buffered."""

    def __init__(self, output: RunOutput, name: str) -> None:
        self.output = output
        self.schema = TABLES[name]
        self.folder = output.table(name)
        self.waiting = [self.schema.empty_table()]
        self.rows = self.pending = self.number = 0

    def add(self, table: pa.Table) -> None:
        """Add rows."""
        self.waiting.append(table)
        self.rows += table.num_rows
        self.pending += table.num_rows
        if self.pending >= ROWS:
            self.flush()

    def flush(self) -> None:
        """Write the buffered rows as one more file."""
        path = f"{self.folder}/part-{self.number:05d}.{self.output.storage}"
        write_rows(self.output.store, path, pa.concat_tables(self.waiting), self.schema)
        del self.waiting[1:]
        self.pending = 0
        self.number += 1


def write(
    entries: Sequence[ClusterEntry], output: RunOutput, threads: int, progress: Progress
) -> tuple[list[CollectionOutcome], dict[str, int]]:
    """Read all clusters; the outcome of each, and the number of rows of each table."""
    sinks = {name: Sink(output, name) for name in TABLES}
    outcomes: list[CollectionOutcome] = []
    progress("clusters, 0 unreachable", 0, len(entries))
    unreachable = 0
    for tables in scheduler.gather(entries, cluster_reader.read_cluster, threads, scheduler.probe_cluster):
        for name, table in tables.items():
            sinks[name].add(table)
        outcomes.append(outcome(tables))
        unreachable += outcomes[-1].status == UNREACHABLE
        progress(f"clusters, {unreachable} unreachable", len(outcomes), len(entries))
    for sink in sinks.values():
        sink.flush()
    return outcomes, {name: sink.rows for name, sink in sinks.items()}


def outcome(tables: scheduler.Tables) -> CollectionOutcome:
    """The outcome of one cluster."""
    (row,) = tables["clusters"].select(["cluster", "status", "reason", "seconds"]).to_pylist()
    topics = tables["topics"].num_rows if "topics" in tables else 0
    return CollectionOutcome(row["cluster"], row["status"], row["reason"], row["seconds"] or 0.0, topics)
