"""The same drift by Spark: what is the same is dropped where it is read, the rest is joined; see spark_audit.drift.changes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from spark_audit.drift.changes import TALLY, told
from spark_audit.results.coverage import GAPS, crashes
from spark_audit.schema.drift import CONTENT, DRIFT, KEYS, PAIRS
from spark_audit.schema.results import TABLES
from spark_audit.spark.session import working
from spark_audit.storage.load import parquet_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from collectors.kafka.deadline import Progress
    from spark_audit.drift.changes import Sides
    from spark_audit.results.history import Past

    Frame = Any

TOGETHER = 500_000
"""Findings of both audits whose drift one task tells; most are the same, and are gone by then."""


def run(old: Past, new: Past, sides: Sides, folder: str, master: str | None, show: Progress) -> pa.Table:
    """Write the table `drift`; its tally comes back. Raises Refused where there is no Spark, or where it fails."""
    from spark_audit.spark.collect import watched

    with working(master) as spark, watched(spark, show, "comparing, by tasks"):
        return written(spark, old, new, sides, folder)


def written(spark: Any, old: Past, new: Past, sides: Sides, folder: str) -> pa.Table:
    """Write the drift, then count what was written."""
    place = f"file://{os.path.join(folder, 'drift')}"
    different = unlike(spark, old, new).persist()
    drift(spark, joined(different), old, new, sides).write.parquet(place)
    different.unpersist()
    return tally(spark.read.schema(schema(DRIFT)).parquet(place))


def unlike(spark: Any, old: Past, new: Past) -> Frame:
    """What one audit has more often than the other."""
    from pyspark.sql.functions import col, sum

    both = findings(spark, old, 1).unionAll(findings(spark, new, -1))
    return both.groupBy(*KEYS, *CONTENT).agg(sum("surplus").alias("surplus")).where(col("surplus") != 0)


def findings(spark: Any, audit: Past, surplus: int) -> Frame:
    """What is compared of the findings."""
    from pyspark.sql.functions import col, lit

    rows = frame(spark, audit, "findings")
    return rows.select(
        *KEYS, *CONTENT[:-1], col("waiver").isNotNull().alias(CONTENT[-1]), lit(surplus).alias("surplus")
    )


def frame(spark: Any, audit: Past, name: str) -> Frame:
    """A table of an audit as Spark reads it."""
    files = parquet_files(os.path.join(os.path.abspath(audit.folder), name))
    if not files:
        return spark.createDataFrame([], schema(TABLES[name]))
    return spark.read.schema(schema(TABLES[name])).parquet(*(f"file://{path}" for path in files))


def schema(table: pa.Schema) -> Any:
    """A table's columns for Spark; any may be null."""
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(pa.schema([field.with_nullable(True) for field in table]))


def joined(different: Frame) -> Frame:
    """Pairs of findings: a full outer join on key, and on which of the findings of equal keys it is."""
    from functools import reduce

    from pyspark.sql.functions import coalesce, col

    old, new = (side(different, sign).alias(name) for sign, name in ((1, "old"), (-1, "new")))
    alike = (col(f"old.{each}").eqNullSafe(col(f"new.{each}")) for each in (*KEYS, "nth"))
    columns = [coalesce(f"new.{each}", f"old.{each}").alias(each) for each in KEYS]
    columns += [col(f"new.{each}") for each in CONTENT] + [
        col(f"old.{each}").alias(f"{each}_before") for each in CONTENT
    ]
    return old.join(new, reduce(lambda one, other: one & other, alike), "fullouter").select(*columns)


def side(different: Frame, sign: int) -> Frame:
    """The findings that one audit has and the other has not, or has fewer of."""
    from pyspark.sql.functions import col, explode, lit, row_number, sequence
    from pyspark.sql.window import Window

    order = Window.partitionBy(*KEYS).orderBy(*(col(name).asc_nulls_last() for name in CONTENT))
    many = sequence(lit(1).cast("bigint"), col("surplus") * sign)
    rows = different.where(col("surplus") * sign > 0).select(*KEYS, *CONTENT, explode(many))
    return rows.select(*KEYS, *CONTENT, row_number().over(order).alias("nth"))


def drift(spark: Any, pairs: Frame, old: Past, new: Past, sides: Sides) -> Frame:
    """The rows of `drift`: pairs beside what the audits say that they do not know of the same clusters."""
    from pyspark.sql.functions import lit, pmod, xxhash64

    total = sum(audit.dataset("findings").count_rows() for audit in (old, new))
    many = max(spark.sparkContext.defaultParallelism, total // TOGETHER)
    bucket = pmod(xxhash64("cluster"), lit(many)).alias("bucket")
    gaps = unknown(spark, old).select("*", lit(True).alias("earlier"))
    gaps = gaps.unionAll(unknown(spark, new).select("*", lit(False).alias("earlier")))
    left, right = (rows.select(bucket, "*").groupBy("bucket") for rows in (pairs, gaps))
    return left.cogroup(right).applyInArrow(teller(sides), schema(DRIFT))


def unknown(spark: Any, audit: Past) -> Frame:
    """What an audit says that it does not know."""
    rows = frame(spark, audit, "unknowns").select(*GAPS.names)
    raised = crashes(audit)
    return rows.unionAll(spark.createDataFrame(raised.to_pylist(), schema(GAPS))) if raised.num_rows else rows


def teller(sides: Sides) -> Callable[[pa.Table, pa.Table], pa.Table]:
    """What a task does with the pairs and the gaps of some clusters."""

    def tell(pairs: pa.Table, gaps: pa.Table) -> pa.Table:
        earlier = gaps.column("earlier")
        before = gaps.filter(earlier).select(GAPS.names).cast(GAPS)
        now = gaps.filter(pc.invert(earlier)).select(GAPS.names).cast(GAPS)
        return told(pairs.select(PAIRS.names).cast(PAIRS), sides, before, now)

    return tell


def tally(drift: Frame) -> pa.Table:
    """As spark_audit.drift.changes.tally has it."""
    from pyspark.sql.functions import coalesce, col

    severity = coalesce("severity", "severity_before").alias("severity")
    rows = drift.select("cluster", "rule", severity, "status", col("reason").isNull().alias("known"), "worse")
    found = rows.groupBy(*TALLY).count().toArrow()
    return found.rename_columns([*TALLY, "findings"])
