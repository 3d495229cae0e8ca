"""Collect with Spark: read the clusters once and write what they say, then split that by table.

Every action on the source would contact the clusters again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from collectors.kafka.deadline import Progress
from spark_audit.collection.entries import CollectionOutcome
from spark_audit.schema.snapshots import COLLECTIONS, COLLECTIONS_TABLE, TABLES
from spark_audit.spark.data_source import NAME, UNIFIED_SCHEMA, FleetSource
from spark_audit.spark.progress import show_progress
from spark_audit.spark.tables.open_tables import open_target
from spark_audit.spark.tables.write_request import Request
from spark_audit.storage.location import parse_location

Options = Any
Frame = Any
About = Callable[[Sequence[CollectionOutcome], dict[str, int]], dict[str, Any]]
"""What the marker says, of outcomes and the rows of each table."""

ALL = "all"
"""The table of all rows as the source gives them, whose column `table` is called KIND: `table` is what files are parted by."""
KIND = "kind"
ALL_SCHEMA = pa.schema([(KIND, pa.string()), *list(UNIFIED_SCHEMA)[1:]])


class SparkCollector:
    """Collect clusters in the tasks of a Spark session."""

    def __init__(self, spark: Any, options: Options, storage: str) -> None:
        self.spark = spark
        self.options = options
        self.storage = storage

    def collect(self, about: About, show: Progress) -> list[CollectionOutcome]:
        """Read all clusters and write the tables, the marker last; the outcome of each. Raises UserError."""
        options = self.options
        out = parse_location(options.out)
        request = Request(out, TABLES, COLLECTIONS, COLLECTIONS_TABLE, self.storage, options.option, options.overwrite)
        with open_target(self.spark, request) as target:
            self.spark.dataSource.register(FleetSource)
            reader = self.spark.read.format(NAME).options(**source_options(options))
            with show_progress(self.spark, show, "tasks that read clusters"):
                target.add(ALL, reader.load().withColumnRenamed("table", KIND))
            source = target.read(ALL, ALL_SCHEMA)
            show("tables", 0, 0)
            for name in TABLES:
                target.add(name, select_table(source, name))
            counts = count_rows(source)
            outcomes = outcomes_of(select_table(source, "clusters"), counts)
            rows = {name: sum(counts[key] for key in counts if key[0] == name) for name in TABLES}
            target.finish(about(outcomes, rows))
        return outcomes


def count_rows(source: Frame) -> dict[tuple[str, str], int]:
    """How many rows of each table each cluster has."""
    cluster = f"coalesce({', '.join(f'{name}.cluster' for name in TABLES)}) AS cluster"
    rows = source.selectExpr(KIND, cluster).groupBy(KIND, "cluster").count().collect()
    return {(table, name): count for table, name, count in rows}


def source_options(options: Options) -> dict[str, str]:
    """The command's options as those of the source; nothing secret is among them."""
    inventory = options.inventory if "://" in options.inventory else os.path.abspath(options.inventory)
    reader_options = {"inventory": inventory, "clusters": options.clusters, "threads": str(options.threads)}
    return reader_options | ({"timeout": str(options.timeout)} if options.timeout else {})


def select_table(source: Frame, name: str) -> Frame:
    """The rows of one table."""
    return source.where(source[KIND] == name).select(f"{name}.*")


def outcomes_of(clusters: Frame, counts: Mapping[tuple[str, str], int]) -> list[CollectionOutcome]:
    """The outcome of each cluster."""
    rows = clusters.select("cluster", "status", "reason", "seconds").collect()
    return [
        CollectionOutcome(name, status, reason, seconds or 0.0, counts.get(("topics", name), 0))
        for name, status, reason, seconds in rows
    ]
