"""Collection by Spark: written down once as it comes, since every action on the source contacts the clusters, then split."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from typing import TYPE_CHECKING

from spark_audit.schema.snapshots import TABLES
from spark_audit.spark.data_source import NAME, FleetSource
from spark_audit.spark.formats import probe
from spark_audit.storage.output_folder import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from collectors.kafka.deadline import Progress

    Options = Any
    Frame = Any

ALL = "all"


def write(spark: Any, partial: str, options: Options, progress: Progress) -> tuple[list[Outcome], dict[str, int]]:
    """Read all clusters; what became of each, and how many rows each table has."""
    probe(spark, TABLES, partial, options.format, options.option)
    found = once(spark, os.path.join(partial, ALL), options, progress)
    progress("tables", 0, 0)
    for name in TABLES:
        save(part(found, name), name, partial, options)
    counts = counted(found)
    outcomes = outcomes_of(part(found, "clusters"), counts)
    shutil.rmtree(os.path.join(partial, ALL))
    return outcomes, {name: sum(counts[table, each] for table, each in counts if table == name) for name in TABLES}


def counted(found: Frame) -> dict[tuple[str, str], int]:
    """How many rows each table has of each cluster."""
    cluster = f"coalesce({', '.join(f'{name}.cluster' for name in TABLES)}) AS cluster"
    rows = found.selectExpr("table", cluster).groupBy("table", "cluster").count().collect()
    return {(table, name): many for table, name, many in rows}


def once(spark: Any, path: str, options: Options, progress: Progress) -> Frame:
    """Everything that the source gives, as it was written down."""
    spark.dataSource.register(FleetSource)
    reader = spark.read.format(NAME).options(**source_options(options))
    fleet = reader.load()
    with watched(spark, progress):
        fleet.write.mode("overwrite").partitionBy("table").parquet(f"file://{path}")
    return spark.read.schema(fleet.schema).parquet(f"file://{path}")


def source_options(options: Options) -> dict[str, str]:
    """The command's options as those of the source: nothing secret is among them."""
    found = {"inventory": os.path.abspath(options.inventory), "clusters": options.clusters, "threads": str(options.threads)}  # fmt: skip
    return found | ({"timeout": str(options.timeout)} if options.timeout else {})


def part(found: Frame, name: str) -> Frame:
    """One of the tables."""
    return found.where(found["table"] == name).select(f"{name}.*")


def save(rows: Frame, name: str, partial: str, options: Options) -> None:
    """Write a table in the format that was asked for; {table} in an option's value is the table's name."""
    given: Mapping[str, str] = dict(options.option)
    writer = rows.write.format(options.format).options(**{k: v.replace("{table}", name) for k, v in given.items()})
    if any("{table}" in value for value in given.values()):
        writer.mode("overwrite").save()
    else:
        writer.save(f"file://{partial}/{name}")


def outcomes_of(clusters: Frame, counts: Mapping[tuple[str, str], int]) -> list[Outcome]:
    """What became of each cluster."""
    rows = clusters.select("cluster", "status", "reason", "seconds").collect()
    return [
        Outcome(name, status, why, took or 0.0, counts.get(("topics", name), 0)) for name, status, why, took in rows
    ]


@contextlib.contextmanager
def watched(spark: Any, progress: Progress, stage: str = "tasks that read clusters") -> Iterator[None]:
    """Show how many tasks are done, where the session lets us see it."""
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
