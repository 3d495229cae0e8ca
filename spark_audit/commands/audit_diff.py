"""`kafka-advisor audit-diff`: compare two audits, write tables of drift."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from advisor.errors import ExitCode, say
from advisor.model.finding import SEVERITIES
from spark_audit.commands.choose_engine import LOCAL, check_format, choose_engine
from spark_audit.drift.drift_run import DriftRun
from spark_audit.storage.location import parse_location

if TYPE_CHECKING:
    from spark_audit.drift.local import LocalDrift
    from spark_audit.spark.drift import SparkDrift

Options = Any


def run(options: Options) -> int:
    """Run the command; returns its exit code."""
    from advisor.reports.progress import Progress as Bar
    from spark_audit.drift.summary import show

    gc.enable()
    engine = choose_engine(options, [options.old, options.new, options.out])
    storage = check_format(options.format, parse_location(options.out))
    with Bar(sys.stderr) as bar, open_engine(engine, options) as opened:
        old, new = opened.open_audit(options.old), opened.open_audit(options.new)
        results = opened.compare(DriftRun(old, new, options.out, options.overwrite, storage, engine), bar.show)
    if old.started > new.started:
        say(
            f"{old.shown} was made after {new.shown} ({old.started}, {new.started}): what is called new is what was fixed; name the earlier audit first"
        )
    show(results.about, results.counts, options.out)
    return ExitCode.CLEAN if options.exit_zero else exit_code(results.counts, options.fail_on)


@contextlib.contextmanager
def open_engine(engine: str, options: Options) -> Iterator[LocalDrift | SparkDrift]:
    """The engine that compares. Raises UserError where there is no Spark, or where it fails."""
    if engine == LOCAL:
        from spark_audit.drift.local import LocalDrift

        yield LocalDrift(options.option)
        return
    from spark_audit.spark.session import open_session

    with open_session(options.master, options.remote) as spark:
        from spark_audit.spark.drift import SparkDrift

        yield SparkDrift(spark, options.option)


def exit_code(counts: pa.Table, fail_on: str) -> int:
    """The exit code: 1 where a finding at or above the severity is new or worse."""
    failing = SEVERITIES[SEVERITIES.index(fail_on) :]
    worse, severities = counts["worse"].to_pylist(), counts["severity"].to_pylist()
    failed = any(is_worse and severity in failing for is_worse, severity in zip(worse, severities, strict=True))
    return ExitCode.FINDINGS if failed else ExitCode.CLEAN
