"""Collect with Spark: read the clusters once into Parquet, then split that by table.

Every action on the source would contact the clusters again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from collectors.kafka.deadline import Progress
from spark_audit.schema.snapshots import TABLES
from spark_audit.spark.data_source import NAME, FleetSource
from spark_audit.spark.formats import probe
from spark_audit.storage.output_folder import Outcome

Options = Any
Frame = Any

ALL = "all"


def write(spark: Any, partial: str, options: Options, progress: Progress) -> tuple[list[Outcome], dict[str, int]]:
    """Read all clusters; the outcome of each, and the number of rows of each table."""
    probe(spark, TABLES, partial, options.format, options.option)
    source = read_once(spark, os.path.join(partial, ALL), options, progress)
    progress("tables", 0, 0)
    for name in TABLES:
        save(select_table(source, name), name, partial, options)
    counts = count_rows(source)
    outcomes = outcomes_of(select_table(source, "clusters"), counts)
    shutil.rmtree(os.path.join(partial, ALL))
    return outcomes, {
        name: sum(counts[table, cluster] for table, cluster in counts if table == name) for name in TABLES
    }


def count_rows(source: Frame) -> dict[tuple[str, str], int]:
    """How many rows of each table each cluster has."""
    cluster = f"coalesce({', '.join(f'{name}.cluster' for name in TABLES)}) AS cluster"
    rows = source.selectExpr("table", cluster).groupBy("table", "cluster").count().collect()
    return {(table, name): count for table, name, count in rows}


def read_once(spark: Any, path: str, options: Options, progress: Progress) -> Frame:
    """Write everything that the source gives to Parquet; returns that."""
    spark.dataSource.register(FleetSource)
    reader = spark.read.format(NAME).options(**source_options(options))
    fleet = reader.load()
    with show_progress(spark, progress):
        fleet.write.mode("overwrite").partitionBy("table").parquet(f"file://{path}")
    return spark.read.schema(fleet.schema).parquet(f"file://{path}")


def source_options(options: Options) -> dict[str, str]:
    """The command's options as those of the source; nothing secret is among them."""
    reader_options = {"inventory": os.path.abspath(options.inventory), "clusters": options.clusters, "threads": str(options.threads)}  # fmt: skip
    return reader_options | ({"timeout": str(options.timeout)} if options.timeout else {})


def select_table(source: Frame, name: str) -> Frame:
    """The rows of one table."""
    return source.where(source["table"] == name).select(f"{name}.*")


def save(rows: Frame, name: str, partial: str, options: Options) -> None:
    """Write a table in the format that was asked for; {table} in an option's value is the table's name."""
    format_options: Mapping[str, str] = dict(options.option)
    writer = rows.write.format(options.format).options(
        **{k: v.replace("{table}", name) for k, v in format_options.items()}
    )
    if any("{table}" in value for value in format_options.values()):
        writer.mode("overwrite").save()
    else:
        writer.save(f"file://{partial}/{name}")


def outcomes_of(clusters: Frame, counts: Mapping[tuple[str, str], int]) -> list[Outcome]:
    """The outcome of each cluster."""
    rows = clusters.select("cluster", "status", "reason", "seconds").collect()
    return [
        Outcome(name, status, reason, seconds or 0.0, counts.get(("topics", name), 0))
        for name, status, reason, seconds in rows
    ]


@contextlib.contextmanager
def show_progress(spark: Any, progress: Progress, stage: str = "tasks that read clusters") -> Iterator[None]:
    """Show how many tasks are done, where the session allows that."""
    over = threading.Event()

    def watch() -> None:
        tracker = spark.sparkContext.statusTracker()
        while not over.wait(1):
            for active in map(tracker.getStageInfo, tracker.getActiveStageIds()):
                if active is not None:
                    progress(stage, active.numCompletedTasks, active.numTasks)

    watcher = threading.Thread(target=watch, daemon=True)
    if hasattr(spark, "_jsc"):
        watcher.start()
    try:
        yield
    finally:
        over.set()
        if watcher.is_alive():
            watcher.join()
