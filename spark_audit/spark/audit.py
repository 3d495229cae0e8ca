"""Audit with Spark: carry record batches to the engine and rows away; nothing is judged here.

Each task reads the topics that it judges from their files, with the small tables broadcast to every worker; all other
subjects come after. Where the small tables are too large for that, whole clusters are shuffled together, their rows in
bundles of bytes.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from advisor.errors import UserError
from collectors.kafka.deadline import Progress
from spark_audit.engine.partial_counts import PartialCounts, add_counts
from spark_audit.local.chunks import split_clusters, split_topics
from spark_audit.local.worker import Note
from spark_audit.results.plan import Plan
from spark_audit.results.totals import Totals
from spark_audit.results.write import write_tables
from spark_audit.schema.results import FINDINGS, TABLES, UNKNOWNS
from spark_audit.schema.snapshots import RELAXED, SMALL
from spark_audit.spark.bundles import BUNDLES, shares_of
from spark_audit.spark.collect import show_progress
from spark_audit.spark.formats import probe
from spark_audit.spark.shipped import (
    WANTED,
    Files,
    Give,
    Sent,
    by_cluster,
    by_topics,
    in_bundles,
    packed,
    ready,
    rest_of,
)
from spark_audit.spark.spread import spread
from spark_audit.storage.load import Fleet, parquet_paths

Options = Any
Frame = Any

TOGETHER = 125_000
"""Topics per task where whole clusters are shuffled together: bounds memory."""
LARGEST = 256 << 20
"""Bytes of small tables up to which they are broadcast."""


class Job:
    """A session and how it is to be used."""

    def __init__(self, spark: Any, options: Options) -> None:
        self.spark = spark
        self.options = options

    def run(self, fleet: Fleet, plan: Plan, folder: str, show: Progress) -> tuple[Totals, Mapping[str, PartialCounts]]:
        """Judge everything; findings and unknowns are written to the folder, sums and counts come back."""
        probe(self.spark, TABLES, folder, self.options.format, self.options.option)
        read(self.spark, fleet, os.path.join(folder, "snapshots"))
        path = self.options.path
        judge = whole_clusters if path == "clusters" or (path == "auto" and not fits(fleet)) else alone
        give = Files(folder) if self._plain else Sent()
        with show_progress(self.spark, show, "fleet, by tasks"):
            notes, parts, frames = judge(self.spark, fleet, plan, give)
            if self._plain:
                settle(folder, notes)
            else:
                self._save_all(functools.reduce(lambda one, other: one.unionAll(other), frames), folder)
            for frame in frames:
                frame.unpersist()
        return Totals(notes), parts

    def write(self, folder: str, tables: Mapping[str, pa.Table]) -> None:
        """The small tables, and what belongs to those that are there."""
        if self._plain:
            write_tables(folder, tables)
            return
        for name, table in tables.items():
            if table.num_rows:
                self._save(self.spark.createDataFrame(table).coalesce(1), name, folder)

    @property
    def _plain(self) -> bool:
        """Whether workers write files themselves: nothing is asked of Spark's own writers."""
        return self.options.format == "parquet" and not self.options.option

    def _save_all(self, rows: Frame, folder: str) -> None:
        for name, schema in (("findings", FINDINGS), ("unknowns", UNKNOWNS)):
            self._save(rows.where(rows["part"] == name).select(*schema.names), name, folder)

    def _save(self, rows: Frame, name: str, folder: str) -> None:
        options = dict(self.options.option)
        rows.write.format(self.options.format).mode("append").options(**options).save(f"file://{folder}/{name}")


def read(spark: Any, fleet: Fleet, folder: str) -> None:
    """Write tables of another format as Parquet into the run's unfinished folder. Raises UserError."""
    if fleet.stored is None:
        return
    for name in RELAXED:
        reader = spark.read.format(fleet.stored.format)
        if fleet.stored.format == "json":  # such files do not say what their columns are
            reader = reader.schema(as_spark(RELAXED[name]))
        rows = reader.load(place(os.path.join(fleet.stored.folder, name)))
        rows.write.parquet(f"file://{folder}/{name}")
    fleet.paths = parquet_paths(folder)


def settle(folder: str, notes: Sequence[Note]) -> None:
    """Leave the files that the notes name: a task that was tried again may have left others. Raises UserError."""
    named = {name for note in notes for name in note.pop("files")}
    kinds = [kind for kind in ("findings", "unknowns") if os.path.isdir(os.path.join(folder, kind))]
    there = {os.path.join(kind, name) for kind in kinds for name in os.listdir(os.path.join(folder, kind))}
    if named - there:
        raise UserError(
            f"{os.path.dirname(folder)}: Spark's workers wrote {len(named - there)} files that are not "
            "here; --out must be a folder that this machine shares with all of them"
        )
    for name in there - named:
        os.remove(os.path.join(folder, name))


def fits(fleet: Fleet) -> bool:
    """Whether every worker can hold the small tables."""
    return sum(fleet.uncompressed_bytes(name) for name in SMALL) <= LARGEST


def alone(
    spark: Any, fleet: Fleet, plan: Plan, give: Give
) -> tuple[list[Note], Mapping[str, PartialCounts], list[Frame]]:
    """Topics as their files have them, then everything else of their clusters.

    Where a rule turns out to ask a topic what follows from all partitions, whole clusters are brought together after all.
    """
    share = spark.sparkContext.broadcast
    with begun(spark, plan):
        tables = share(packed(fleet))
    fleet.drop_small_tables()
    pieces, _ = split_topics(fleet, spark.sparkContext.defaultParallelism)
    topics = numbered(spark, len(pieces)).mapInArrow(
        by_topics(plan, tables, share(pieces), give), as_spark(give.schema)
    )
    notes = noted(topics, give)
    if any(WANTED in note for note in notes):
        topics.unpersist()
        return whole_clusters(spark, fleet, plan, give)
    parts = add_counts(part for note in notes for part in note.pop("parts"))
    wanted = split_clusters(sorted(set(fleet.reached_clusters())), parts, spark.sparkContext.defaultParallelism)
    rest = numbered(spark, len(wanted)).mapInArrow(rest_of(plan, tables, share(wanted), give), as_spark(give.schema))
    return notes + noted(rest, give), parts, [topics, rest]


@contextlib.contextmanager
def begun(spark: Any, plan: Plan) -> Iterator[None]:
    """Workers start and load the rules meanwhile; if they cannot, the work itself will say so."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    def begin() -> None:
        with contextlib.suppress(PySparkException, Py4JError, OSError, EOFError):
            numbered(spark, spark.sparkContext.defaultParallelism).mapInArrow(ready(plan), "id long").collect()

    thread = threading.Thread(target=begin, daemon=True)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def numbered(spark: Any, many: int) -> Frame:
    """The numbers of some pieces, each a task of its own."""
    return spark.range(0, many, 1, max(1, many))


def whole_clusters(
    spark: Any, fleet: Fleet, plan: Plan, give: Give
) -> tuple[list[Note], Mapping[str, PartialCounts], list[Frame]]:
    """Whole clusters, several together, their rows brought there in bundles."""
    jobs = spark.sparkContext.defaultParallelism
    many = jobs * -(-fleet.row_count("topics") // (TOGETHER * jobs)) or jobs
    buckets = spread(many, int(spark.conf.get("spark.sql.shuffle.partitions")))

    def bundles(names: Sequence[str], tasks: int) -> Any:
        shares = spark.sparkContext.broadcast(shares_of(fleet, names, tasks))
        rows = numbered(spark, len(shares.value)).mapInArrow(in_bundles(shares, buckets), as_spark(BUNDLES))
        return rows.groupBy("bucket")

    both = bundles(["topics"], many).cogroup(bundles(SMALL, jobs))
    found = both.applyInArrow(by_cluster(plan, give), as_spark(give.schema))
    notes = noted(found, give)
    return notes, add_counts(part for note in notes for part in note.pop("parts", ())), [found]


def noted(found: Frame, give: Give) -> list[Note]:
    """What the work noted. Rows that are sent are kept on disk: they are worked out once, whatever is then asked."""
    from pyspark import StorageLevel

    if isinstance(give, Sent):
        found.persist(StorageLevel.DISK_ONLY)
    return [json.loads(row.note) for row in found.where(found["note"].isNotNull()).select("note").collect()]


def place(path: str) -> str:
    """A file of this machine as Spark names it: what it would take for a pattern is meant as it stands."""
    return "file://" + re.sub(r"([\\{}\[\]*?])", r"\\\1", os.path.abspath(path))


def as_spark(schema: pa.Schema) -> Any:
    """What workers give, as Spark has it."""
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(schema)
