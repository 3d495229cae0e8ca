"""Functions that run in Spark's workers, which keep engine and small tables from task to task."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from uuid import uuid4

import pyarrow as pa

from advisor.facts.cluster import CountsWanted
from spark_audit.engine.cluster_tables import ClusterTables
from spark_audit.engine.partial_counts import add_counts
from spark_audit.local.chunks import read_batches as rows_of
from spark_audit.local.worker import Auditor, ChunkResult, prepare_process
from spark_audit.results.plan import Plan
from spark_audit.results.write import write_part
from spark_audit.schema.results import FINDINGS
from spark_audit.schema.results import TABLES as RESULTS
from spark_audit.schema.snapshots import RELAXED, SMALL
from spark_audit.spark.bundles import bundled, opened
from spark_audit.storage.clean_small_tables import clean_small_tables
from spark_audit.storage.load import Fleet

Batches = Iterator[pa.RecordBatch]
Give: TypeAlias = "Files | Sent"
SENT = 20_000
"""Rows per record batch that is sent: bounds memory."""
GIVEN = pa.schema(
    [
        pa.field("part", pa.string(), False),
        *(pa.field(field.name, field.type) for field in FINDINGS),
        pa.field("reason", pa.string()),
        pa.field("note", pa.string()),
    ]
)
"""What workers send: findings, unknowns, and notes as JSON."""
WANTED = "wanted"
"""What a note says where a rule asked what follows from all partitions, and nothing was judged."""
NOTE = pa.schema([pa.field("note", pa.string())])


def packed(fleet: Fleet) -> dict[str, bytes]:
    """The small tables as bytes."""
    found = {}
    for name in SMALL:
        sink = pa.BufferOutputStream()
        table = fleet.small_tables()[name]
        with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
            writer.write_table(table)
        found[name] = sink.getvalue().to_pybytes()
    return found


class Kept:
    """What a worker keeps between tasks; a new plan or new tables replace it."""

    def __init__(self) -> None:
        self.plan: bytes | None = None
        self.tables: object = None
        self.work: Auditor | None = None
        self.side: ClusterTables | None = None

    def work_for(self, plan: Plan) -> Auditor:
        """The worker for a plan."""
        key = plan.key()
        if self.work is None or self.plan != key:
            self.work, self.plan = prepare_process(Auditor(plan)), key
        return self.work

    def side_of(self, tables: Any) -> ClusterTables:
        """The small tables of a broadcast."""
        if self.side is None or self.tables != tables.id:
            found = {name: pa.ipc.open_stream(data).read_all() for name, data in tables.value.items()}
            self.side, self.tables = ClusterTables(found), tables.id
        return self.side


KEPT = Kept()


def kept() -> Kept:
    """This process's own: a function is sent by its name, an object would be sent as a copy that has learned nothing."""
    return KEPT


class Files:
    """Rows go to Parquet files in a folder that all workers share; notes name them."""

    schema = NOTE

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __call__(self, done: ChunkResult) -> Iterator[pa.RecordBatch]:
        """Write, and send the note."""
        yield self.noted(done.note | {"files": write_part(self.folder, f"part-{uuid4().hex}", done.compact)})

    def noted(self, note: Mapping[str, Any]) -> pa.RecordBatch:
        """A note alone."""
        return pa.RecordBatch.from_pydict({"note": [json.dumps(note)]}, NOTE)


class Sent:
    """Rows are sent, to be written by Spark in any format that it has."""

    schema = GIVEN

    def __call__(self, done: ChunkResult) -> Iterator[pa.RecordBatch]:
        """Send rows, texts that stand once written out some rows at a time, and the note."""
        for part, rows in done.compact.items():
            for start in range(0, rows.num_rows, SENT):
                yield from as_given(part, rows.slice(start, SENT).cast(RESULTS[part]))
        yield self.noted(done.note)

    def noted(self, note: Mapping[str, Any]) -> pa.RecordBatch:
        """A note alone."""
        return as_given("note", pa.table({"note": [json.dumps(note)]}))[0]


def by_topics(plan: Plan, tables: Any, pieces: Any, give: Give) -> Callable[[Batches], Batches]:
    """Judge the topics of pieces (a broadcast of them), whose numbers come; each task reads what it judges."""
    known = Broadcast(tables)

    def judge(batches: Batches) -> Batches:
        work, side = kept().work_for(plan), kept().side_of(known)
        for number in numbers(batches):
            try:
                done = work.judge_topics(rows_of(pieces.value[number]), side)
            except CountsWanted as wanted:
                yield give.noted({WANTED: str(wanted)})
            else:
                yield from give(done)

    return judge


def rest_of(plan: Plan, tables: Any, wanted: Any, give: Give) -> Callable[[Batches], Batches]:
    """Judge everything else of clusters, by the numbers of their lists (a broadcast, with what was counted of them)."""
    known = Broadcast(tables)

    def judge(batches: Batches) -> Batches:
        work, side = kept().work_for(plan), kept().side_of(known)
        for number in numbers(batches):
            yield from give(work.judge_clusters(side, *wanted.value[number]))

    return judge


def ready(plan: Plan) -> Callable[[Batches], Batches]:
    """Load the rules, and judge nothing."""

    def begin(batches: Batches) -> Batches:
        kept().work_for(plan)
        yield from batches

    return begin


def numbers(batches: Batches) -> Iterator[int]:
    """The numbers of the pieces that a task is given."""
    for batch in batches:
        yield from batch.column(0).to_pylist()


class Broadcast:
    """A broadcast with a name of its own, by which workers know whether they have it."""

    def __init__(self, broadcast: Any) -> None:
        self.broadcast = broadcast
        self.id = f"{id(broadcast)}-{hash(tuple(map(len, broadcast.value.values())))}"

    @property
    def value(self) -> dict[str, bytes]:
        """The tables."""
        found: dict[str, bytes] = self.broadcast.value
        return found


def in_bundles(shares: Any, buckets: Sequence[int]) -> Callable[[Batches], Batches]:
    """Bundle the rows of shares of tables (a broadcast of them, by tasks), whose numbers come."""

    def bundle(batches: Batches) -> Batches:
        for number in numbers(batches):
            for share in shares.value[number]:
                yield from bundled(share, buckets)

    return bundle


def by_cluster(plan: Plan, give: Give) -> Callable[[pa.Table, pa.Table], pa.Table]:
    """Judge whole clusters: their topics, and their rows of the small tables, in bundles."""

    def judge(topics: pa.Table, small: pa.Table) -> pa.Table:
        work = kept().work_for(plan)
        rows = {name: pa.Table.from_batches(opened(small, name), RELAXED[name]) for name in SMALL}
        side, batches = ClusterTables(clean_small_tables(rows)), list(opened(topics, "topics"))
        try:
            done = [work.judge_topics(batches, side)] if batches else []
        except CountsWanted:
            counts = add_counts(part for batch in batches for part in work.count_partitions(batch, side))
            done = [work.judge_topics(batches, side, counts)]
        parts = add_counts(part for each in done for part in each.note.pop("parts"))
        done.append(work.judge_clusters(side, side.names, parts))
        done[-1].note["parts"] = list(parts.values())
        return pa.Table.from_batches([batch for each in done for batch in give(each)], give.schema)

    return judge


def as_given(part: str, rows: pa.Table) -> list[pa.RecordBatch]:
    """Some columns among all of GIVEN, null where they are not there."""
    size = rows.num_rows
    columns = [
        pa.repeat(pa.scalar(part), size)
        if field.name == "part"
        else rows.column(field.name)
        if field.name in rows.column_names
        else pa.nulls(size, field.type)
        for field in GIVEN
    ]
    found: list[pa.RecordBatch] = pa.Table.from_arrays(columns, schema=GIVEN).combine_chunks().to_batches()
    return found
