"""Audit with Spark: read, judge whole clusters in Arrow functions, write; each row is worked out once.

All rows of a cluster meet in one task, so that nothing has to be brought together afterwards. Clusters, brokers and
clients travel to the tasks with the function while they are few; more of them are grouped with the topics.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import pyarrow as pa

from advisor.engine.verdicts import CRASH
from spark_audit.results.audit_run import AuditResults, AuditRun
from spark_audit.results.plan import AuditPlan
from spark_audit.schema.results import CLUSTERS, COUNTS, FINDINGS
from spark_audit.schema.snapshots import SMALL
from spark_audit.spark.kept_rows import find_kept, kept_rows, number_rows, without
from spark_audit.spark.tables.ddl import ddl, ddl_type
from spark_audit.spark.tables.memory_tables import memory_frame
from spark_audit.spark.whole_clusters import JUDGED, NOTE, NOTES, TYPES, judge_group, judge_partition, pack

Frame = Any
TOPICS, CLUSTERS_PER_TASK = 100_000, 250
"""Topics and clusters that one task judges, about: bounds its memory."""
TRAVELLING = 250_000
"""Rows of the small tables that travel with the function, at most: some 50 MB when packed."""


class Source(Protocol):
    """The tables of a fleet."""

    def read(self, name: str, schema: pa.Schema) -> Frame:
        """A table."""

    def was_changed(self) -> bool:
        """Whether rows may differ from what was collected."""


class AuditTarget(Source, Protocol):
    """The tables of an audit."""

    def write(self, rows: Frame) -> None:
        """Write rows of several tables at once, told apart by their column `table`."""

    def add(self, name: str, rows: Frame) -> None:
        """Write one table."""


def audit_fleet(spark: Any, source: Source, target: AuditTarget, audit: AuditRun) -> AuditResults:
    """Judge a fleet and write its tables; the marker is not written here."""
    fleet = read_fleet(source)
    kept = find_kept(spark, fleet["clusters"], audit)
    if kept.names:
        target.write(kept_rows(spark, kept, audit.plan.audit))
    if not kept.names or len(kept.names) < fleet["clusters"].count():
        target.write(judge({name: without(spark, rows, kept.names) for name, rows in fleet.items()}, audit.plan))
    findings = target.read("findings", FINDINGS)
    target.add("counts", count_findings(findings))
    clusters = kept.add_clusters(clusters_of(row.note for row in target.read(NOTES, NOTE).collect()), audit.plan.audit)
    tables = audit.tables(clusters, target.read("counts", COUNTS).toArrow().cast(COUNTS), kept)
    for name in ("clusters", "waivers", "audits"):
        target.add(name, memory_frame(spark, tables[name]).coalesce(1))
    return AuditResults(tables, crashes_of(findings), kept.why_none)


def read_fleet(source: Source) -> dict[str, Frame]:
    """The tables that are judged; digests only where the rows are those that were collected."""
    from pyspark.sql.functions import lit

    fleet = {name: source.read(name, schema) for name, schema in TYPES.items()}
    if source.was_changed():
        fleet["clusters"] = fleet["clusters"].withColumn("digest", lit(None).cast("string"))
    return fleet


def clusters_of(notes: Iterable[str]) -> pa.Table:
    """The table `clusters`, in order, from the notes of all tasks."""
    rows = [{**row, "labels": list(map(tuple, row["labels"]))} for note in notes for row in json.loads(note)]
    return pa.Table.from_pylist(sorted(rows, key=lambda row: str(row["cluster"])), CLUSTERS)


def judge(fleet: Mapping[str, Frame], plan: AuditPlan) -> Frame:
    """The rows of findings and unknowns, and a note for every task."""
    clusters, topics = fleet["clusters"].count(), fleet["topics"].count()
    tasks = max(1, topics // TOPICS, clusters // CLUSTERS_PER_TASK)
    if clusters + fleet["brokers"].count() + fleet["clients"].count() > TRAVELLING:
        return judge_groups(fleet, plan, tasks)
    packed = {name: pack(fleet[name].toArrow()) for name in SMALL}
    with_all = number_rows(fleet["topics"]).unionByName(fleet["clusters"].select("cluster"), allowMissingColumns=True)
    return with_all.repartition(tasks, "cluster").mapInArrow(judge_partition(plan, packed), ddl(JUDGED))


def judge_groups(fleet: Mapping[str, Frame], plan: AuditPlan, groups: int) -> Frame:
    """The same, all tables grouped by a hash of their clusters."""
    from pyspark.sql.functions import lit, pmod, xxhash64

    bucket = pmod(xxhash64("cluster"), lit(groups)).alias("bucket")
    small = functools.reduce(lambda one, other: one.unionAll(other), (nested(fleet[name], name) for name in SMALL))
    topics = number_rows(fleet["topics"]).select(bucket, "*").groupBy("bucket")
    return topics.cogroup(number_rows(small).select(bucket, "*").groupBy("bucket")).applyInArrow(
        judge_group(plan), ddl(JUDGED)
    )


def nested(rows: Frame, name: str) -> Frame:
    """A small table in a column called like it; those of the other small tables are null."""
    from pyspark.sql.functions import lit, struct

    types = {other: ddl_type(pa.struct(list(TYPES[other]))) for other in SMALL}
    columns = [struct(*rows.columns) if other == name else lit(None).cast(types[other]) for other in SMALL]
    return rows.select("cluster", *(column.alias(other) for other, column in zip(SMALL, columns, strict=True)))


def count_findings(findings: Frame) -> Frame:
    """The table `counts`: findings of each cluster by rule and severity."""
    from pyspark.sql.functions import col, count

    keys = [name for name in COUNTS.names[:-1] if name != "waived"]
    waived = col("waiver").isNotNull().alias("waived")
    counted = findings.groupBy(*keys, waived).agg(count("*").alias("findings"))
    return counted.select(*COUNTS.names).orderBy(*COUNTS.names[:-1])


def crashes_of(findings: Frame) -> dict[str, int]:
    """The messages of rules that raised, and on how many subjects each did."""
    from pyspark.sql.functions import col

    rows = findings.where(col("rule") == CRASH).groupBy("message").count().orderBy(col("count").desc()).collect()
    return {row.message: row["count"] for row in rows}
