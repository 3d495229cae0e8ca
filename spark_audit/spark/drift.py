"""Drift with Spark: drop what is the same where it is read, join the rest; see spark_audit.drift.changes."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from collectors.kafka.deadline import Progress
from spark_audit.drift.changes import TALLY, AuditPair, drift_rows
from spark_audit.results.coverage import GAPS, crashes
from spark_audit.results.history import PastAudit
from spark_audit.schema.drift import CONTENT, DRIFT, KEYS, PAIRS
from spark_audit.schema.results import TABLES
from spark_audit.spark.session import open_session
from spark_audit.storage.load import parquet_files

Frame = Any

FINDINGS_PER_TASK = 500_000
"""Findings of both audits per task: most are the same, and dropped by then; bounds memory."""


def run(old: PastAudit, new: PastAudit, audits: AuditPair, folder: str, master: str | None, show: Progress) -> pa.Table:
    """Write the table `drift`; its tally is returned. Raises UserError where there is no Spark, or where it fails."""
    from spark_audit.spark.collect import show_progress

    with open_session(master) as spark, show_progress(spark, show, "comparing, by tasks"):
        return write_drift(spark, old, new, audits, folder)


def write_drift(spark: Any, old: PastAudit, new: PastAudit, audits: AuditPair, folder: str) -> pa.Table:
    """Write the drift, then count what was written."""
    path = f"file://{os.path.join(folder, 'drift')}"
    different = select_different(spark, old, new).persist()
    drift_frame(spark, join_pairs(different), old, new, audits).write.parquet(path)
    different.unpersist()
    return tally(spark.read.schema(schema(DRIFT)).parquet(path))


def select_different(spark: Any, old: PastAudit, new: PastAudit) -> Frame:
    """The findings that one audit has more often than the other."""
    from pyspark.sql.functions import col, sum

    signed = findings(spark, old, 1).unionAll(findings(spark, new, -1))
    return signed.groupBy(*KEYS, *CONTENT).agg(sum("surplus").alias("surplus")).where(col("surplus") != 0)


def findings(spark: Any, audit: PastAudit, surplus: int) -> Frame:
    """The columns of findings that are compared."""
    from pyspark.sql.functions import col, lit

    rows = read_table(spark, audit, "findings")
    return rows.select(
        *KEYS, *CONTENT[:-1], col("waiver").isNotNull().alias(CONTENT[-1]), lit(surplus).alias("surplus")
    )


def read_table(spark: Any, audit: PastAudit, name: str) -> Frame:
    """Read a table of an audit."""
    files = parquet_files(os.path.join(os.path.abspath(audit.folder), name))
    if not files:
        return spark.createDataFrame([], schema(TABLES[name]))
    return spark.read.schema(schema(TABLES[name])).parquet(*(f"file://{path}" for path in files))


def schema(table: pa.Schema) -> Any:
    """A table's columns for Spark, any of them nullable."""
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(pa.schema([field.with_nullable(True) for field in table]))


def join_pairs(different: Frame) -> Frame:
    """Pair findings by a full outer join on key, and on which of the findings of equal keys it is."""
    from functools import reduce

    from pyspark.sql.functions import coalesce, col

    old, new = (findings_of_side(different, sign).alias(name) for sign, name in ((1, "old"), (-1, "new")))
    conditions = (col(f"old.{name}").eqNullSafe(col(f"new.{name}")) for name in (*KEYS, "nth"))
    columns = [coalesce(f"new.{name}", f"old.{name}").alias(name) for name in KEYS]
    columns += [col(f"new.{name}") for name in CONTENT] + [
        col(f"old.{name}").alias(f"{name}_before") for name in CONTENT
    ]
    return old.join(new, reduce(lambda one, other: one & other, conditions), "fullouter").select(*columns)


def findings_of_side(different: Frame, sign: int) -> Frame:
    """The findings that one audit has and the other has not, or has less often."""
    from pyspark.sql.functions import col, explode, lit, row_number, sequence
    from pyspark.sql.window import Window

    order = Window.partitionBy(*KEYS).orderBy(*(col(name).asc_nulls_last() for name in CONTENT))
    repeats = sequence(lit(1).cast("bigint"), col("surplus") * sign)
    rows = different.where(col("surplus") * sign > 0).select(*KEYS, *CONTENT, explode(repeats))
    return rows.select(*KEYS, *CONTENT, row_number().over(order).alias("nth"))


def drift_frame(spark: Any, pairs: Frame, old: PastAudit, new: PastAudit, audits: AuditPair) -> Frame:
    """The rows of `drift`: pairs, cogrouped with the unknowns of the same clusters."""
    from pyspark.sql.functions import lit, pmod, xxhash64

    total = sum(audit.dataset("findings").count_rows() for audit in (old, new))
    buckets = max(spark.sparkContext.defaultParallelism, total // FINDINGS_PER_TASK)
    bucket = pmod(xxhash64("cluster"), lit(buckets)).alias("bucket")
    gaps = unknowns(spark, old).select("*", lit(True).alias("earlier"))
    gaps = gaps.unionAll(unknowns(spark, new).select("*", lit(False).alias("earlier")))
    left, right = (rows.select(bucket, "*").groupBy("bucket") for rows in (pairs, gaps))
    return left.cogroup(right).applyInArrow(drift_task(audits), schema(DRIFT))


def unknowns(spark: Any, audit: PastAudit) -> Frame:
    """The unknowns of an audit."""
    rows = read_table(spark, audit, "unknowns").select(*GAPS.names)
    raised = crashes(audit)
    return rows.unionAll(spark.createDataFrame(raised.to_pylist(), schema(GAPS))) if raised.num_rows else rows


def drift_task(audits: AuditPair) -> Callable[[pa.Table, pa.Table], pa.Table]:
    """The function of a task: the drift of some clusters, from their pairs and unknowns."""

    def tell(pairs: pa.Table, gaps: pa.Table) -> pa.Table:
        earlier = gaps.column("earlier")
        before = gaps.filter(earlier).select(GAPS.names).cast(GAPS)
        now = gaps.filter(pc.invert(earlier)).select(GAPS.names).cast(GAPS)
        return drift_rows(pairs.select(PAIRS.names).cast(PAIRS), audits, before, now)

    return tell


def tally(drift: Frame) -> pa.Table:
    """Count drift rows as spark_audit.drift.changes.tally does."""
    from pyspark.sql.functions import coalesce, col

    severity = coalesce("severity", "severity_before").alias("severity")
    rows = drift.select("cluster", "rule", severity, "status", col("reason").isNull().alias("known"), "worse")
    counted = rows.groupBy(*TALLY).count().toArrow()
    return counted.rename_columns([*TALLY, "findings"])
