"""`kafka-advisor audit-diff`: two audits in, tables of drift out."""

from __future__ import annotations

import gc
import os
import sys
import time
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from advisor.errors import ExitCode, UserError, say
from advisor.model.finding import SEVERITIES
from spark_audit.drift.changes import Sides, counted
from spark_audit.results.comparability import clusters, differences
from spark_audit.results.history import Past, opened
from spark_audit.schema.drift import FORMAT, STATUSES, TABLES
from spark_audit.storage.output_folder import OutputFolder

if TYPE_CHECKING:
    from typing import Any

    import pyarrow as pa

    from collectors.kafka.deadline import Progress

    Options = Any
    About = dict[str, Any]


def run(options: Options) -> int:
    """Compare, write, tell; the exit code is that of the command."""
    from spark_audit.drift.summary import show

    gc.enable()
    started = time.monotonic()
    old, new = opened(options.old), opened(options.new)
    for audit in (old, new):
        audit.whole()
    with OutputFolder(options.out, options.overwrite, TABLES) as out:
        counts = compared(old, new, Sides(old, new), out.partial, options)
        summary = about(old, new, counts, options.engine)
        summary["seconds"] = round(time.monotonic() - started, 1)
        out.finish(summary)
    if old.started > new.started:
        say(
            f"{old.folder} was made after {new.folder} ({old.started}, {new.started}): what is called new is what was fixed; name the earlier audit first"
        )
    show(summary, counts, options.out)
    return ExitCode.CLEAN if options.exit_zero else exit_code(counts, options.fail_on)


def compared(old: Past, new: Past, sides: Sides, folder: str, options: Options) -> pa.Table:
    """Write both tables; the counts come back."""
    from advisor.reports.progress import Progress as Bar

    with Bar(sys.stderr) as bar:
        counts = counted(by_engine(old, new, sides, folder, options, bar.show), new, sides)
    os.makedirs(os.path.join(folder, "drift_counts"))
    pq.write_table(counts, os.path.join(folder, "drift_counts", "part-00000.parquet"), compression="zstd")
    return counts


def by_engine(old: Past, new: Past, sides: Sides, folder: str, options: Options, show: Progress) -> pa.Table:
    """Write the drift; its tally comes back. Raises Refused."""
    if options.engine == "local":
        if options.master:
            raise UserError("--master is Spark's: say --engine spark, too")
        from spark_audit.drift.local import run as locally

        return locally(old, new, sides, folder, show)
    from spark_audit.spark.drift import run as by_spark

    return by_spark(old, new, sides, folder, options.master, show)


def about(old: Past, new: Past, counts: pa.Table, engine: str) -> About:
    """What stands in _complete.json."""
    from advisor import __version__

    rows = counts.select(["status", "known", "worse", "findings"]).to_pylist()
    return {
        "format": FORMAT,
        "storage": "parquet",
        "tool": {"name": "kafka-advisor", "version": __version__},
        "engine": engine,
        "before": {"audit": old.name, "started": old.started, "folder": old.folder},
        "audit": {"audit": new.name, "started": new.started, "folder": new.folder},
        **{status: sum(row["findings"] for row in rows if row["status"] == status) for status in STATUSES},
        "new_not_known_before": sum(row["findings"] for row in rows if row["status"] == "new" and not row["known"]),
        "worse": sum(row["findings"] for row in rows if row["worse"]),
        "differences": differences(old, new),
        **clusters(old, new),
    }


def exit_code(counts: pa.Table, fail_on: str) -> int:
    """1 where something at or above the severity is new or worse."""
    wanted = SEVERITIES[SEVERITIES.index(fail_on) :]
    worse, severity = counts["worse"].to_pylist(), counts["severity"].to_pylist()
    failed = any(bad and said in wanted for bad, said in zip(worse, severity, strict=True))
    return ExitCode.FINDINGS if failed else ExitCode.CLEAN
