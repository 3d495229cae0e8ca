"""An audit by Spark, which carries batches to the engine and rows away; nothing is judged here.

Topics are judged where they are read, with the small tables sent to every worker, and what follows from whole clusters
comes after; where the small tables are too large for that, whole clusters are brought together.
"""

from __future__ import annotations

import functools
import json
import os
import re

from spark_audit.collection.spark import watched
from spark_audit.columns.counts import merged
from spark_audit.results.rows import FINDINGS, UNKNOWNS
from spark_audit.runners.shipped import SMALL, TAGGED, by_cluster, by_topics, packed, rest_of
from spark_audit.tables import RELAXED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    import pyarrow as pa

    from collectors.reading import Progress
    from spark_audit.columns.counts import Part
    from spark_audit.runners.work import Note, Plan
    from spark_audit.snapshots.store import Fleet

    Options = Any
    Frame = Any

TOGETHER = 60_000
"""Topics that are brought together where whole clusters are."""
CLUSTERS = 200
"""Clusters that are judged at once when their topics have been."""
LARGEST = 256 << 20
"""Bytes of small tables up to which every worker gets them all."""


class Job:
    """A session and how it is to be used."""

    def __init__(self, spark: Any, options: Options) -> None:
        self.spark = spark
        self.options = options

    def run(self, fleet: Fleet, plan: Plan, folder: str, show: Progress) -> tuple[list[Note], Mapping[str, Part]]:
        """Judge everything; findings and unknowns are written to the folder, notes and counts come back."""
        path = self.options.path
        bring = path == "clusters" or (path == "auto" and not fits(fleet, plan))
        with watched(self.spark, show, "fleet, by tasks"):
            judge = whole_clusters if bring else alone
            notes, parts, frames = judge(self.spark, fleet, plan)
            rows = functools.reduce(lambda one, other: one.unionAll(other), frames)
            for name, schema in (("findings", FINDINGS), ("unknowns", UNKNOWNS)):
                self._save(rows.where(rows["part"] == name).select(*schema.names), name, folder)
            for frame in frames:
                frame.unpersist()
        return notes, parts

    def write(self, folder: str, tables: Mapping[str, pa.Table]) -> None:
        """The small tables, and what belongs to those that are there."""
        for name, table in tables.items():
            if table.num_rows:
                self._save(self.spark.createDataFrame(table).coalesce(1), name, folder)

    def _save(self, rows: Frame, name: str, folder: str) -> None:
        options = dict(self.options.option)
        rows.write.format(self.options.format).mode("append").options(**options).save(f"file://{folder}/{name}")


def fits(fleet: Fleet, plan: Plan) -> bool:
    """Whether every worker can hold the small tables, and no rule wants a topic and its whole cluster at once."""
    if plan.wants_clusters():
        return False
    return sum(fleet.size(name) for name in SMALL) <= LARGEST


def alone(spark: Any, fleet: Fleet, plan: Plan) -> tuple[list[Note], Mapping[str, Part], list[Frame]]:
    """Topics where they are read, then everything else of their clusters."""
    tables = spark.sparkContext.broadcast(packed(fleet))
    topics = frame(spark, fleet, "topics").mapInArrow(by_topics(plan, tables), OUT())
    keep(topics)
    notes = noted(topics)
    parts = merged(part for note in notes for part in note.pop("parts"))
    names = sorted(set(fleet.names()))
    chunks = [names[at : at + CLUSTERS] for at in range(0, len(names), CLUSTERS)]
    wanted = [(json.dumps([chunk, {name: parts[name] for name in chunk if name in parts}]),) for chunk in chunks]
    rows = spark.createDataFrame(wanted or [("[[], {}]",)], "wanted string").repartition(max(1, len(chunks)))
    rest = rows.mapInArrow(rest_of(plan, tables), OUT())
    keep(rest)
    return notes + noted(rest), parts, [topics, rest]


def whole_clusters(spark: Any, fleet: Fleet, plan: Plan) -> tuple[list[Note], Mapping[str, Part], list[Frame]]:
    """Whole clusters, several together."""
    from pyspark.sql.functions import lit, pmod, xxhash64

    many = max(-(-fleet.rows("topics") // TOGETHER), spark.sparkContext.defaultParallelism)
    bucket = pmod(xxhash64("cluster"), lit(many)).alias("bucket")
    left = frame(spark, fleet, "topics").select(bucket, "*").groupBy("bucket")
    right = together(spark, fleet).select(bucket, "*").groupBy("bucket")
    found = left.cogroup(right).applyInArrow(by_cluster(plan), OUT())
    keep(found)
    notes = noted(found)
    return notes, merged(part for note in notes for part in note.pop("parts")), [found]


def together(spark: Any, fleet: Fleet) -> Frame:
    """The small tables as one, a column for each."""
    from pyspark.sql.functions import lit, struct

    types = TAGGED()
    frames = []
    for name in SMALL:
        rows = frame(spark, fleet, name)
        own = {name: struct(*rows.columns)}
        columns = [own.get(each, lit(None).cast(types[each])).alias(each) for each in SMALL]
        frames.append(rows.select(rows["cluster"], *columns))
    return functools.reduce(lambda one, other: one.unionAll(other), frames)


def keep(found: Frame) -> None:
    """Work it out once, whatever is then asked of it; on disk, where memory is not needed for it."""
    from pyspark import StorageLevel

    found.persist(StorageLevel.DISK_ONLY)


def noted(found: Frame) -> list[Note]:
    """The notes among the rows."""
    return [json.loads(row.note) for row in found.where(found["part"] == "note").select("note").collect()]


def frame(spark: Any, fleet: Fleet, name: str) -> Frame:
    """A table as Spark reads it."""
    if not fleet.paths:
        return spark.createDataFrame(fleet.table(name))
    from pyspark.sql.pandas.types import from_arrow_schema

    schema = from_arrow_schema(RELAXED[name])
    return spark.read.schema(schema).parquet(*map(place, fleet.paths[name]))


def place(path: str) -> str:
    """A file of this machine as Spark names it: what it would take for a pattern is meant as it stands."""
    return "file://" + re.sub(r"([\\{}\[\]*?])", r"\\\1", os.path.abspath(path))


def OUT() -> Any:  # noqa: N802
    """What workers give, as Spark has it."""
    from pyspark.sql.pandas.types import from_arrow_schema

    from spark_audit.runners.shipped import GIVEN

    return from_arrow_schema(GIVEN)
