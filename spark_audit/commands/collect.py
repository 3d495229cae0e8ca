"""`kafka-advisor collect`: read every cluster of an inventory once, write the fleet's tables."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from advisor.errors import BadInventory, ExitCode, UserError, printable, say
from spark_audit.collection.entries import ClusterEntry
from spark_audit.collection.inventory import load
from spark_audit.schema.snapshots import FORMAT, OK, PARTIAL, UNREACHABLE
from spark_audit.storage.output_folder import FORMAT as COLLECTION
from spark_audit.storage.output_folder import Outcome, OutputFolder

if TYPE_CHECKING:
    from collectors.kafka.deadline import Progress as Show

    Options = Any

WIDTH = 140
"""Columns of the list where the output is no terminal."""
SHOWN = 20
"""Clusters listed at the end."""
WORST_FIRST = (UNREACHABLE, PARTIAL, OK)


def run(options: Options) -> int:
    """Run the command; returns its exit code."""
    gc.enable()
    try:
        entries = select_clusters(options)
    except BadInventory as bad:
        for line in bad.errors:
            say(f"{line}")
        return ExitCode.ERROR
    if options.engine == "local" and options.format != "parquet":
        raise UserError(f"--format {options.format} is written by Spark; --engine local writes parquet")
    started = time.monotonic()
    with OutputFolder(options.out, options.overwrite) as out:
        outcomes, rows = collect(entries, out.partial, options)
        if len(outcomes) != len(entries):
            raise UserError(
                f"{out.path}: {len(outcomes)} of {len(entries)} clusters came back; "
                "it must be a folder that this machine and all Spark workers share"
            )
        out.finish(metadata(options, outcomes, rows, started))
    show(outcomes, options.out)
    return exit_code(outcomes, options.max_unreachable)


def select_clusters(options: Options) -> list[ClusterEntry]:
    """The clusters that the options name. Raises BadInventory."""
    entries = load(options.inventory, [name.strip() for name in options.clusters.split(",") if name.strip()])
    for entry in entries:
        entry.timeout = options.timeout or entry.timeout
    return entries


def collect(entries: Sequence[ClusterEntry], folder: str, options: Options) -> tuple[list[Outcome], dict[str, int]]:
    """Collect the clusters; the outcome of each, and the number of rows of each table."""
    from advisor.reports.progress import EVERY, Progress

    with Progress(sys.stderr, EVERY) as progress:
        if options.engine == "spark":
            return collect_with_spark(folder, options, progress.show)
        from spark_audit.collection.local import write

        check_clients_installed()
        return write(entries, folder, options.threads, progress.show)


def collect_with_spark(folder: str, options: Options, progress: Show) -> tuple[list[Outcome], dict[str, int]]:
    """Collect in the tasks of Spark. Raises UserError where there is none, or where it fails."""
    from spark_audit.spark.session import open_session

    with open_session(options.master) as spark:
        from spark_audit.spark.collect import write

        return write(spark, folder, options, progress)


def check_clients_installed() -> None:
    """Raise UserError where Kafka's clients are not installed."""
    from importlib.util import find_spec

    missing = [name for name in ("confluent_kafka", "kafka") if find_spec(name) is None]
    if missing:
        raise UserError(f"{missing[0]} is not installed: running clusters need `pip install 'kafka-advisor[live]'`")  # fmt: skip


def metadata(options: Options, outcomes: Sequence[Outcome], rows: dict[str, int], started: float) -> dict[str, Any]:
    """The content of _complete.json."""
    from advisor import __version__

    return {
        "format": COLLECTION,
        "tables": FORMAT,
        "tool": {"name": "kafka-advisor", "version": __version__},
        "collected": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(time.monotonic() - started, 1),
        "inventory": options.inventory,
        "engine": options.engine,
        "storage": options.format,
        "clusters": {status: sum(outcome.status == status for outcome in outcomes) for status in WORST_FIRST},
        "rows": rows,
    }


def exit_code(outcomes: Sequence[Outcome], max_unreachable: tuple[float, bool]) -> int:
    """The exit code: 4 where more clusters than allowed were unreachable; the limit is a number, or per cent."""
    unreachable = sum(outcome.status == UNREACHABLE for outcome in outcomes)
    limit, per_cent = max_unreachable
    if unreachable > (limit * len(outcomes) / 100 if per_cent else limit):
        allowed = f"{limit:g}{'%' if per_cent else ''}"
        say(f"{unreachable} of {len(outcomes)} clusters could not be reached, more than --max-unreachable {allowed}")
        return ExitCode.UNREACHABLE
    return ExitCode.CLEAN


def show(outcomes: Sequence[Outcome], out: str) -> None:
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
    for outcome in ordered[:SHOWN]:
        cells = outcome.name, outcome.status, str(outcome.topics), f"{outcome.seconds:.1f}", outcome.reason or ""
        table.add_row(*(Text(printable(cell)) for cell in cells))
    console.print(table)
    if len(ordered) > SHOWN:
        console.print(f"and {len(ordered) - SHOWN} more, all in {printable(out)}", markup=False)
    counts = ", ".join(f"{sum(outcome.status == status for outcome in outcomes)} {status}" for status in reversed(WORST_FIRST))  # fmt: skip
    topics = sum(outcome.topics for outcome in outcomes)
    console.print(f"{len(outcomes)} clusters ({counts}), {topics} topics: {printable(out)}", markup=False)
