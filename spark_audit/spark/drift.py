"""Compare audits with Spark: all that both say of a cluster meets in one task; see spark_audit.drift.changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from collectors.kafka.deadline import Progress
from spark_audit.drift.changes import TALLY, AuditPair, DriftSide, compare, count_drift
from spark_audit.drift.drift_run import DriftResults, DriftRun
from spark_audit.results.coverage import GAPS, crashes
from spark_audit.results.history import PastAudit
from spark_audit.schema.drift import COMPARISONS_TABLE, CONTENT, DRIFT, FINDINGS, KEYS, MARKERS, TABLES
from spark_audit.spark.past_audits import SparkAudit, open_past_audit
from spark_audit.spark.progress import show_progress
from spark_audit.spark.tables.ddl import ddl
from spark_audit.spark.tables.open_tables import open_target
from spark_audit.spark.tables.write_request import Request
from spark_audit.storage.location import parse_location

Frame = Any
Batches = Iterator[pa.RecordBatch]

FINDINGS_PER_TASK = 300_000
"""Findings of both audits per task: bounds memory."""
SIDE_ROWS = pa.schema(
    [("is_new", pa.bool_()), ("is_gap", pa.bool_()), *FINDINGS, *(field for field in GAPS if field.name not in KEYS)]
)
"""Findings of one side of a comparison, and its unknowns, which are gaps."""


class SparkDrift:
    """Compare audits with a Spark session."""

    def __init__(self, spark: Any, options: Sequence[tuple[str, str]]) -> None:
        self.spark = spark
        self.options = dict(options)

    def open_audit(self, text: str) -> PastAudit:
        """Open an audit that is whole. Raises UserError."""
        return open_past_audit(self.spark, text, self.options.items())

    def compare(self, run: DriftRun, show: Progress) -> DriftResults:
        """Write the tables; the marker is last. Raises UserError."""
        out = parse_location(run.out)
        request = Request(out, TABLES, MARKERS, COMPARISONS_TABLE, run.storage, self.options.items(), run.overwrite)
        with open_target(self.spark, request) as target, show_progress(self.spark, show, "comparing, by tasks"):
            rows = self.rows_of(run.old, False).unionAll(self.rows_of(run.new, True))
            tasks = max(1, (run.old.findings + run.new.findings) // FINDINGS_PER_TASK)
            drift = rows.repartition(tasks, "cluster").mapInArrow(compare_partition(run.pair), ddl(DRIFT))
            target.add("drift", drift)
            counts = count_drift(tally(target.read("drift", DRIFT)), run.new, run.pair)
            target.add("drift_counts", self.spark.createDataFrame(counts).coalesce(1))
            results = DriftResults(counts, run.about(counts))
            target.finish(results.about)
        return results

    def rows_of(self, audit: PastAudit, is_new: bool) -> Frame:
        """The findings and gaps of an audit, in the columns of SIDE_ROWS."""
        from pyspark.sql.functions import col, lit

        assert isinstance(audit.tables, SparkAudit)
        marks = [lit(is_new).alias("is_new"), lit(False).alias("is_gap")]
        waived = col("waiver").isNotNull().alias("waived")
        findings = audit.tables.frame("findings").select(*marks, *KEYS, *CONTENT[:-1], "evidence", waived)
        gaps = audit.tables.frame("unknowns").select(marks[0], lit(True).alias("is_gap"), *GAPS.names)
        raised = crashes(audit)
        if raised.num_rows:
            rows = self.spark.createDataFrame(raised, ddl(GAPS))
            gaps = gaps.unionAll(rows.select(marks[0], lit(True).alias("is_gap"), *GAPS.names))
        both = findings.unionByName(gaps, allowMissingColumns=True)
        return both.select(*SIDE_ROWS.names)


def compare_partition(pair: AuditPair) -> Callable[[Batches], Batches]:
    """Compare all clusters of a Spark partition."""

    def compare_all(batches: Batches) -> Batches:
        rows = pa.Table.from_batches(batches).cast(SIDE_ROWS)
        old, new = (_side(rows.filter(pc.equal(rows["is_new"], is_new))) for is_new in (False, True))
        yield from compare(old, new, pair).cast(pa.schema([field.with_nullable(True) for field in DRIFT])).to_batches()

    return compare_all


def _side(rows: pa.Table) -> DriftSide:
    findings = rows.filter(pc.invert(rows["is_gap"])).select(FINDINGS.names)
    return DriftSide(findings, rows.filter(rows["is_gap"]).select(GAPS.names))


def tally(drift: Frame) -> pa.Table:
    """Count drift rows as spark_audit.drift.changes.tally does."""
    from pyspark.sql.functions import coalesce, col

    severity = coalesce("severity", "severity_before").alias("severity")
    rows = drift.select("cluster", "rule", severity, "status", col("reason").isNull().alias("known"), "worse")
    return rows.groupBy(*TALLY).count().toArrow().rename_columns([*TALLY, "findings"])
