"""`kafka-advisor collect`: every cluster of an inventory, read once, into the fleet's tables."""

from __future__ import annotations

import gc
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from advisor.errors import BadInventory, ExitCode, UserError, say
from spark_audit.collection.inventory import load
from spark_audit.schema.snapshots import FORMAT, OK, PARTIAL, UNREACHABLE
from spark_audit.storage.output_folder import FORMAT as COLLECTION
from spark_audit.storage.output_folder import OutputFolder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from collectors.kafka.deadline import Progress as Show
    from spark_audit.collection.entries import ClusterEntry
    from spark_audit.storage.output_folder import Outcome

    Options = Any

WIDTH = 140
"""Columns of a list that nobody watches."""
SHOWN = 20
"""Clusters that are listed at the end."""
WORST_FIRST = (UNREACHABLE, PARTIAL, OK)


def run(options: Options) -> int:
    """Read, write, tell; the exit code is that of the command."""
    gc.enable()
    try:
        items = chosen(options)
    except BadInventory as bad:
        for line in bad.errors:
            say(f"{line}")
        return ExitCode.ERROR
    if options.engine == "local" and options.format != "parquet":
        raise UserError(f"--format {options.format} is written by Spark; --engine local writes parquet")
    started = time.monotonic()
    with OutputFolder(options.out, options.overwrite) as out:
        outcomes, rows = collected(items, out.partial, options)
        if len(outcomes) != len(items):
            raise UserError(
                f"{out.path}: {len(outcomes)} of {len(items)} clusters came back; "
                "it must be a folder that this machine and all Spark workers share"
            )
        out.finish(about(options, outcomes, rows, started))
    show(outcomes, options.out)
    return exit_code(outcomes, options.max_unreachable)


def chosen(options: Options) -> list[ClusterEntry]:
    """The clusters that were asked for. Raises BadInventory."""
    items = load(options.inventory, [name.strip() for name in options.clusters.split(",") if name.strip()])
    for item in items:
        item.timeout = options.timeout or item.timeout
    return items


def collected(items: Sequence[ClusterEntry], folder: str, options: Options) -> tuple[list[Outcome], dict[str, int]]:
    """What became of each cluster, and how many rows each table has."""
    from advisor.reports.progress import EVERY, Progress

    with Progress(sys.stderr, EVERY) as progress:
        if options.engine == "spark":
            return by_spark(folder, options, progress.show)
        from spark_audit.collection.local import write

        needs_clients()
        return write(items, folder, options.threads, progress.show)


def by_spark(folder: str, options: Options, progress: Show) -> tuple[list[Outcome], dict[str, int]]:
    """The same in the tasks of Spark. Raises Refused where there is none, or where it fails."""
    from spark_audit.spark.session import working

    with working(options.master) as spark:
        from spark_audit.spark.collect import write

        return write(spark, folder, options, progress)


def needs_clients() -> None:
    """Raises Refused where Kafka's clients are not installed."""
    from importlib.util import find_spec

    missing = [name for name in ("confluent_kafka", "kafka") if find_spec(name) is None]
    if missing:
        raise UserError(f"{missing[0]} is not installed: running clusters need `pip install 'kafka-advisor[live]'`")  # fmt: skip


def about(options: Options, outcomes: Sequence[Outcome], rows: dict[str, int], started: float) -> dict[str, Any]:
    """What stands in _complete.json."""
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
        "clusters": {status: sum(each.status == status for each in outcomes) for status in WORST_FIRST},
        "rows": rows,
    }


def exit_code(outcomes: Sequence[Outcome], most: tuple[float, bool]) -> int:
    """4 where more could not be reached than were allowed to; `most` is a number and whether it is per cent."""
    away = sum(each.status == UNREACHABLE for each in outcomes)
    limit, per_cent = most
    if away > (limit * len(outcomes) / 100 if per_cent else limit):
        said = f"{limit:g}{'%' if per_cent else ''}"
        say(f"{away} of {len(outcomes)} clusters could not be reached, more than --max-unreachable {said}")
        return ExitCode.UNREACHABLE
    return ExitCode.CLEAN


def show(outcomes: Sequence[Outcome], out: str) -> None:
    """The clusters, the worst first, and how many there are of each."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else WIDTH)
    table = Table("cluster", "status", box=None, pad_edge=False)
    table.add_column("topics", justify="right")
    table.add_column("seconds", justify="right")
    table.add_column("reason", overflow="fold")
    ordered = sorted(outcomes, key=lambda each: (WORST_FIRST.index(each.status), each.name))
    for each in ordered[:SHOWN]:
        cells = each.name, each.status, str(each.topics), f"{each.seconds:.1f}", each.reason or ""
        table.add_row(*(Text(clean(cell)) for cell in cells))
    console.print(table)
    if len(ordered) > SHOWN:
        console.print(f"and {len(ordered) - SHOWN} more, all in {clean(out)}", markup=False)
    counts = ", ".join(f"{sum(each.status == status for each in outcomes)} {status}" for status in reversed(WORST_FIRST))  # fmt: skip
    topics = sum(each.topics for each in outcomes)
    console.print(f"{len(outcomes)} clusters ({counts}), {topics} topics: {clean(out)}", markup=False)


def clean(text: str) -> str:
    """Text that steers no terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
