"""What Spark's workers run: rows of whole clusters in, rows of findings and unknowns and a note of totals out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from spark_audit.engine.columns.cluster_tables import ClusterTables
from spark_audit.engine.columns.partial_counts import add_counts
from spark_audit.execution.auditor import BATCH_ROWS, Auditor
from spark_audit.execution.process import prepare_process
from spark_audit.results.plan import AuditPlan
from spark_audit.results.totals import Totals, clusters_table, unreachable_unknowns
from spark_audit.schema.results import FINDINGS
from spark_audit.schema.results import TABLES as RESULTS
from spark_audit.schema.snapshots import RELAXED, SMALL
from spark_audit.storage.clean_small_tables import clean_small_tables
from spark_audit.storage.read_types import without_unused

Batches = Iterator[pa.RecordBatch]
TYPES = {**RELAXED, "topics": without_unused(RELAXED["topics"])}
"""The columns that are read of each table."""
ROW_NUMBER = "row_number"
"""The column with a row's number in its table: numbers rise, but not by one."""
ROWS = 20_000
"""Rows of findings per record batch: bounds memory."""
NOTES, NOTE = "notes", pa.schema([("note", pa.string())])
JUDGED = pa.schema(
    [
        pa.field("table", pa.string()),
        *(pa.field(field.name, field.type) for field in FINDINGS),
        pa.field("reason", pa.string()),
        pa.field("note", pa.string()),
    ]
)
"""What workers give: rows of findings, of unknowns, and one note, told apart by `table`."""

AUDITORS: dict[bytes, Auditor] = {}
"""This process's own auditor, which learns from task to task; that of another plan replaces it."""


def auditor_of(plan: AuditPlan) -> Auditor:
    """The auditor for a plan."""
    key = plan.key()
    if key not in AUDITORS:
        AUDITORS.clear()
        AUDITORS[key] = Auditor(plan)
        prepare_process()
    return AUDITORS[key]


def pack(table: pa.Table) -> bytes:
    """A table as compressed bytes."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def judge_partition(plan: AuditPlan, packed: Mapping[str, bytes]) -> Callable[[Batches], Batches]:
    """Judge all clusters of a Spark partition; the small tables of the fleet came along, packed."""

    def judge(batches: Batches) -> Batches:
        topics = topics_of(list(batches))
        names = topics.column("cluster").unique()
        tables = {name: pa.ipc.open_stream(data).read_all() for name, data in packed.items()}
        yield from judge_whole(plan, topics, {name: _of_clusters(table, names) for name, table in tables.items()})

    return judge


def judge_group(plan: AuditPlan) -> Callable[[pa.Table, pa.Table], pa.Table]:
    """Judge all clusters of a group: their topics, and their rows of the small tables, each in a column of its own."""

    def judge(topics: pa.Table, small: pa.Table) -> pa.Table:
        rows = in_order(small)
        tables = {name: _unnested(rows.column(name), RELAXED[name]) for name in SMALL}
        topics = in_order(topics).select(TYPES["topics"].names)
        return pa.Table.from_batches(judge_whole(plan, topics, tables), JUDGED)

    return judge


def topics_of(batches: Sequence[pa.RecordBatch]) -> pa.Table:
    """The rows of topics in order; partitions may have columns that no rule asks for."""
    return in_order(pa.Table.from_batches(batches)) if batches else TYPES["topics"].empty_table()


def in_order(rows: pa.Table) -> pa.Table:
    """The rows in the order of their table: a shuffle brings them as they come."""
    row_numbers = rows.column(ROW_NUMBER).to_numpy()
    rows = rows.drop_columns(ROW_NUMBER)
    return rows if bool(np.all(np.diff(row_numbers) > 0)) else rows.take(np.argsort(row_numbers, kind="stable"))


def _of_clusters(table: pa.Table, names: pa.Array) -> pa.Table:
    return table.filter(pc.is_in(table.column("cluster"), value_set=names.cast(pa.string())))


def _unnested(column: pa.ChunkedArray, schema: pa.Schema) -> pa.Table:
    structs = [chunk for chunk in column.drop_null().chunks if len(chunk)]
    batches = [pa.RecordBatch.from_arrays(chunk.flatten(), names=schema.names) for chunk in structs]
    return pa.Table.from_batches(batches).cast(schema) if batches else schema.empty_table()


def judge_whole(plan: AuditPlan, topics: pa.Table, small: Mapping[str, pa.Table]) -> Iterator[pa.RecordBatch]:
    """Judge whole clusters; yields rows as JUDGED has them."""
    auditor = auditor_of(plan)
    cleaned = clean_small_tables(small)
    tables = ClusterTables(cleaned)
    result = auditor.judge_whole(topics.combine_chunks().to_batches(BATCH_ROWS), tables)
    for name, rows in result.compact.items():
        for start in range(0, rows.num_rows, ROWS):
            yield from as_judged(name, rows.slice(start, ROWS).cast(RESULTS[name]))
    yield from as_judged("unknowns", unreachable_unknowns(cleaned["clusters"], plan.audit))
    sizes = {name: Counter(cleaned[name].column("cluster").to_pylist()) for name in ("brokers", "clients")}
    totals = Totals([result.note])
    clusters = clusters_table(totals, cleaned["clusters"], sizes, add_counts(result.note["parts"]), plan.audit)
    yield from as_judged(NOTES, pa.table({"note": [json.dumps(clusters.to_pylist())]}))


def as_judged(name: str, rows: pa.Table) -> Sequence[pa.RecordBatch]:
    """Rows of one table among the columns of all; null where it has no such column."""
    columns = {
        field.name: rows.column(field.name) if field.name in rows.column_names else pa.nulls(rows.num_rows, field.type)
        for field in JUDGED
    }
    columns["table"] = pa.repeat(pa.scalar(name), rows.num_rows)
    batches: list[pa.RecordBatch] = pa.table(columns, schema=JUDGED).combine_chunks().to_batches()
    return batches
