"""The engine of `audit` on a Spark session: what is named becomes tables that Spark reads and writes."""

from __future__ import annotations

from typing import Any

from advisor.errors import UserError
from collectors.kafka.deadline import Progress
from spark_audit.results.audit_run import AuditResults, AuditRun
from spark_audit.schema.results import MARKERS, TABLES
from spark_audit.schema.snapshots import COLLECTIONS, COLLECTIONS_TABLE
from spark_audit.spark.audit import Source, audit_fleet
from spark_audit.spark.progress import show_progress
from spark_audit.spark.tables.catalog_tables import AUDIT_MARKER, CatalogTables
from spark_audit.spark.tables.memory_tables import MemoryTables
from spark_audit.spark.tables.open_tables import open_source, open_target
from spark_audit.spark.tables.write_request import Request
from spark_audit.storage.load import AGAIN, encode_snapshots, is_collected, snapshot_files
from spark_audit.storage.location import CATALOG, parse_location

UNFINISHED = "is not whole: its collection did not finish; run `kafka-advisor collect` again"


class SparkEngine:
    """Judge a fleet with a Spark session."""

    def __init__(self, spark: Any) -> None:
        self.spark = spark

    def run(self, audit: AuditRun, show: Progress) -> AuditResults:
        """Judge everything and write all tables, the marker last. Raises UserError, NothingToJudge."""
        source = self.source(audit)
        out = parse_location(audit.out)
        request = Request(out, TABLES, MARKERS, AUDIT_MARKER, audit.storage, audit.options, audit.overwrite)
        with open_target(self.spark, request, audit.plan.audit) as target:
            with show_progress(self.spark, show, "fleet, by tasks"):
                results = audit_fleet(self.spark, source, target, audit)
            target.finish(results.about())
        return results

    def source(self, audit: AuditRun) -> Source:
        """The fleet's tables. Raises UserError, NothingToJudge."""
        collected = [path for path in audit.sources if is_collected(path)]
        if not collected:
            return MemoryTables(self.spark, encode_snapshots(snapshot_files(audit.sources)))
        if len(audit.sources) > 1:
            raise UserError(f"{collected[0]}: one collected folder, or snapshot files; not both, and not several")
        location = parse_location(collected[0])
        opened = open_source(self.spark, location, COLLECTIONS, COLLECTIONS_TABLE, audit.options, AGAIN)
        if opened is not None:
            return opened[0]
        if location.kind == CATALOG:
            return CatalogTables(self.spark, location, None)
        raise UserError(f"{location.shown}: {UNFINISHED}")
