"""`kafka-advisor collect`: read every cluster of an inventory once, write the fleet's tables."""

from __future__ import annotations

import functools
import gc
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from advisor.errors import BadInventory, ExitCode, UserError, printable, say
from spark_audit.collection.entries import ClusterEntry, CollectionOutcome
from spark_audit.collection.inventory import load
from spark_audit.commands.choose_engine import LOCAL, check_format, choose_engine
from spark_audit.schema.snapshots import COLLECTION, OK, PARTIAL, TABLES, TABLES_FORMAT, UNREACHABLE
from spark_audit.storage.location import parse_location
from spark_audit.storage.run_output import open_output

if TYPE_CHECKING:
    from collectors.kafka.deadline import Progress as Show

    Options = Any
    About = Callable[[Sequence[CollectionOutcome], dict[str, int]], dict[str, Any]]

WIDTH = 140
"""Columns of the list where the output is not a terminal."""
CLUSTERS_SHOWN = 20
"""Clusters listed at the end."""
WORST_FIRST = (UNREACHABLE, PARTIAL, OK)


def run(options: Options) -> int:
    """Run the command; returns its exit code."""
    from advisor.reports.progress import EVERY, Progress

    gc.enable()
    try:
        entries = select_clusters(options)
    except BadInventory as bad:
        for line in bad.errors:
            say(f"{line}")
        return ExitCode.ERROR
    engine = choose_engine(options, [options.out])
    storage = check_format(options.format, parse_location(options.out))
    about = functools.partial(metadata, options, engine, time.monotonic())
    with Progress(sys.stderr, EVERY) as progress:
        if engine == LOCAL:
            outcomes = collect_here(entries, options, storage, about, progress.show)
        else:
            outcomes = collect_with_spark(options, storage, about, progress.show)
    show(outcomes, options.out)
    return exit_code(outcomes, options.max_unreachable)


def select_clusters(options: Options) -> list[ClusterEntry]:
    """The clusters that the options name. Raises BadInventory."""
    entries = load(options.inventory, [name.strip() for name in options.clusters.split(",") if name.strip()])
    for entry in entries:
        entry.timeout = options.timeout or entry.timeout
    return entries


def collect_here(
    entries: Sequence[ClusterEntry], options: Options, storage: str, about: About, progress: Show
) -> list[CollectionOutcome]:
    """Collect in this process; the outcome of each cluster. Raises UserError."""
    from spark_audit.collection.local import write

    check_clients_installed()
    with open_output(options.out, options.overwrite, TABLES, storage, options.option) as output:
        outcomes, rows = write(entries, output, options.threads, progress)
        output.finish(about(outcomes, rows))
    return outcomes


def collect_with_spark(options: Options, storage: str, about: About, progress: Show) -> list[CollectionOutcome]:
    """Collect in the tasks of Spark. Raises UserError where there is none, or where it fails."""
    from spark_audit.spark.session import open_session

    with open_session(options.master, options.remote) as spark:
        from spark_audit.spark.collect import SparkCollector

        return SparkCollector(spark, options, storage).collect(about, progress)


def check_clients_installed() -> None:
    """Raise UserError where Kafka's clients are not installed."""
    from importlib.util import find_spec

    missing = [name for name in ("confluent_kafka", "kafka") if find_spec(name) is None]
    if missing:
        raise UserError(f"{missing[0]} is not installed: running clusters need `pip install 'kafka-advisor[live]'`")  # fmt: skip


def metadata(
    options: Options, engine: str, begun: float, outcomes: Sequence[CollectionOutcome], rows: dict[str, int]
) -> dict[str, Any]:
    """The content of the marker."""
    from advisor import __version__

    return {
        "format": COLLECTION,
        "tables": TABLES_FORMAT,
        "tool": {"name": "kafka-advisor", "version": __version__},
        "collected": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(time.monotonic() - begun, 1),
        "inventory": options.inventory,
        "engine": engine,
        "clusters": {status: sum(outcome.status == status for outcome in outcomes) for status in WORST_FIRST},
        "rows": rows,
    }


def exit_code(outcomes: Sequence[CollectionOutcome], max_unreachable: tuple[float, bool]) -> int:
    """The exit code: 4 where more clusters than allowed were unreachable; the limit is a number, or per cent."""
    unreachable = sum(outcome.status == UNREACHABLE for outcome in outcomes)
    limit, per_cent = max_unreachable
    if unreachable > (limit * len(outcomes) / 100 if per_cent else limit):
        allowed = f"{limit:g}{'%' if per_cent else ''}"
        say(f"{unreachable} of {len(outcomes)} clusters could not be reached, more than --max-unreachable {allowed}")
        return ExitCode.UNREACHABLE
    return ExitCode.CLEAN


def show(outcomes: Sequence[CollectionOutcome], out: str) -> None:
    """Print the clusters, the worst first, and how many there are of each status."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else WIDTH)
    table = Table("cluster", "status", box=None, pad_edge=False)
    table.add_column("topics", justify="right")
    table.add_column("seconds", justify="right")
    table.add_column("reason", overflow="fold")
    ordered = sorted(outcomes, key=lambda outcome: (WORST_FIRST.index(outcome.status), outcome.name))
    for outcome in ordered[:CLUSTERS_SHOWN]:
        cells = outcome.name, outcome.status, str(outcome.topics), f"{outcome.seconds:.1f}", outcome.reason or ""
        table.add_row(*(Text(printable(cell)) for cell in cells))
    console.print(table)
    if len(ordered) > CLUSTERS_SHOWN:
        console.print(f"and {len(ordered) - CLUSTERS_SHOWN} more, all in {printable(out)}", markup=False)
    counts = ", ".join(f"{sum(outcome.status == status for outcome in outcomes)} {status}" for status in reversed(WORST_FIRST))  # fmt: skip
    topics = sum(outcome.topics for outcome in outcomes)
    console.print(f"{len(outcomes)} clusters ({counts}), {topics} topics: {printable(out)}", markup=False)
