"""Find the clusters that keep the rows of an earlier audit, and copy their findings and unknowns, by Spark's own means."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from spark_audit.results.audit_run import AuditRun
from spark_audit.results.history import PastAudit, newest_audit
from spark_audit.results.kept_clusters import SNAPSHOT, KeptClusters, Snapshots
from spark_audit.results.write import PARTS
from spark_audit.spark.past_audits import SparkAudit, find_past_audit, open_past_audit
from spark_audit.spark.tables.catalog_tables import with_columns
from spark_audit.spark.tables.memory_tables import memory_frame
from spark_audit.spark.whole_clusters import JUDGED, NOTES, ROW_NUMBER
from spark_audit.storage.location import FOLDER, parse_location

Frame = Any


def find_kept(spark: Any, clusters: Frame, audit: AuditRun) -> KeptClusters:
    """The clusters that have not changed since the audit that is named, else the newest one. Raises UserError."""
    if audit.since is None:
        return KeptClusters()
    past = open_past_audit(spark, audit.since, audit.options) if audit.since else find_newest(spark, audit)
    return audit.keep_unchanged(past, Snapshots.of(clusters.select(*SNAPSHOT).collect()))


def find_newest(spark: Any, audit: AuditRun) -> PastAudit | None:
    """The newest audit of a catalog or in a folder and beside it; of a URI the one there. Raises UserError."""
    out = parse_location(audit.out)
    if out.kind != FOLDER:
        return find_past_audit(spark, out._replace(audit=None), audit.options)
    newest = newest_audit(audit.out)
    return newest and open_past_audit(spark, newest.shown)


def number_rows(rows: Frame) -> Frame:
    """The rows with their numbers in the table: tasks sort by them, so that a repeated task says the same."""
    from pyspark.sql.functions import monotonically_increasing_id

    return rows.withColumn(ROW_NUMBER, monotonically_increasing_id())


def without(spark: Any, rows: Frame, names: Sequence[str]) -> Frame:
    """The rows of all clusters but some."""
    return rows.join(frame_of_names(spark, names), "cluster", "left_anti") if names else rows


def frame_of_names(spark: Any, names: Sequence[str]) -> Frame:
    """Names of clusters, for joins."""
    from pyspark.sql.functions import broadcast

    return broadcast(memory_frame(spark, pa.table({"cluster": pa.array(names, pa.string())})))


def kept_rows(spark: Any, kept: KeptClusters, audit: str) -> Frame:
    """The findings and unknowns of kept clusters as rows of JUDGED, and an empty note: there may be no rows."""
    from pyspark.sql.functions import lit

    assert kept.past is not None
    assert isinstance(kept.past.tables, SparkAudit)
    note = memory_frame(spark, pa.table({"table": [NOTES], "note": ["[]"]}))
    frames = [with_columns(note, JUDGED, NOTES)]
    for name in PARTS:
        rows = kept.past.tables.frame(name).join(frame_of_names(spark, kept.names), "cluster", "left_semi")
        rows = rows.withColumn("audit", lit(audit)).withColumn("table", lit(name))
        frames.append(with_columns(rows, JUDGED, kept.past.shown))
    return functools.reduce(lambda one, other: one.unionAll(other), frames)
