"""`kafka-advisor audit-diff`: compare two audits, write tables of drift."""

from __future__ import annotations

import gc
import os
import sys
import time
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from advisor.errors import ExitCode, UserError, say
from advisor.model.finding import SEVERITIES
from spark_audit.drift.changes import AuditPair, count_drift
from spark_audit.results.comparability import cluster_differences, differences
from spark_audit.results.history import PastAudit, open_audit
from spark_audit.schema.drift import FORMAT, STATUSES, TABLES
from spark_audit.storage.output_folder import OutputFolder

if TYPE_CHECKING:
    from collectors.kafka.deadline import Progress

    Options = Any
    About = dict[str, Any]


def run(options: Options) -> int:
    """Run the command; returns its exit code."""
    from spark_audit.drift.summary import show

    gc.enable()
    started = time.monotonic()
    old, new = open_audit(options.old), open_audit(options.new)
    for audit in (old, new):
        audit.check_complete()
    with OutputFolder(options.out, options.overwrite, TABLES) as out:
        counts = compare(old, new, AuditPair(old, new), out.partial, options)
        summary = metadata(old, new, counts, options.engine)
        summary["seconds"] = round(time.monotonic() - started, 1)
        out.finish(summary)
    if old.started > new.started:
        say(
            f"{old.folder} was made after {new.folder} ({old.started}, {new.started}): what is called new is what was fixed; name the earlier audit first"
        )
    show(summary, counts, options.out)
    return ExitCode.CLEAN if options.exit_zero else exit_code(counts, options.fail_on)


def compare(old: PastAudit, new: PastAudit, audits: AuditPair, folder: str, options: Options) -> pa.Table:
    """Write both tables; the counts are returned."""
    from advisor.reports.progress import Progress as Bar

    with Bar(sys.stderr) as bar:
        counts = count_drift(write_drift(old, new, audits, folder, options, bar.show), new, audits)
    os.makedirs(os.path.join(folder, "drift_counts"))
    pq.write_table(counts, os.path.join(folder, "drift_counts", "part-00000.parquet"), compression="zstd")
    return counts


def write_drift(
    old: PastAudit, new: PastAudit, audits: AuditPair, folder: str, options: Options, show: Progress
) -> pa.Table:
    """Write the drift by the chosen engine; its tally is returned. Raises UserError."""
    if options.engine == "local":
        if options.master:
            raise UserError("--master is Spark's: say --engine spark, too")
        from spark_audit.drift.local import run as locally

        return locally(old, new, audits, folder, show)
    from spark_audit.spark.drift import run as by_spark

    return by_spark(old, new, audits, folder, options.master, show)


def metadata(old: PastAudit, new: PastAudit, counts: pa.Table, engine: str) -> About:
    """The content of _complete.json."""
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
        **cluster_differences(old, new),
    }


def exit_code(counts: pa.Table, fail_on: str) -> int:
    """The exit code: 1 where a finding at or above the severity is new or worse."""
    failing = SEVERITIES[SEVERITIES.index(fail_on) :]
    worse, severities = counts["worse"].to_pylist(), counts["severity"].to_pylist()
    failed = any(is_worse and severity in failing for is_worse, severity in zip(worse, severities, strict=True))
    return ExitCode.FINDINGS if failed else ExitCode.CLEAN
