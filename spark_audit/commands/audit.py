"""`kafka-advisor audit`: judge a fleet's snapshots, write tables of findings."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from advisor.cli.settings import RunSettings, run_settings, waiver_entries
from advisor.engine.waivers import read_entries
from advisor.errors import BadPolicy, BadWaiver, ExitCode, NothingToJudge, UserError, os_reason, say
from advisor.model.finding import SEVERITIES
from rules import all_rules
from spark_audit.commands.choose_engine import check_format, choose_engine
from spark_audit.results.audit_run import AuditRun
from spark_audit.results.plan import AuditPlan
from spark_audit.storage.file_store import open_input
from spark_audit.storage.location import parse_location

if TYPE_CHECKING:
    from spark_audit.local.audit import LocalEngine
    from spark_audit.spark.engine import SparkEngine

    Options = Any


def run(options: Options) -> int:
    """Run the command; returns its exit code."""
    from advisor.reports.progress import Progress as Bar
    from spark_audit.results.summary import show

    gc.enable()
    settings = run_settings(options)
    try:
        audit = new_audit(options, settings)
    except (BadPolicy, BadWaiver) as bad:
        raise UserError(f"{bad}") from None
    if not audit.rules:
        say("nothing to audit: no rule is selected")
        return ExitCode.NOTHING
    try:
        with Bar(sys.stderr) as bar, open_engine(audit, options) as engine:
            results = engine.run(audit, bar.show)
    except NothingToJudge as nothing:
        say(nothing)
        return ExitCode.NOTHING
    if results.why_none_kept:
        say(f"--since-last: every cluster was judged: {results.why_none_kept}")
    show(results.row, results.tables, options.out)
    for message, number in results.crashes.items():
        say(f"{' '.join(message.split())} (on {number} clusters)")
    return exit_code(results.row, settings, options)


def new_audit(options: Options, settings: RunSettings) -> AuditRun:
    """The run that the options ask for. Raises BadPolicy, BadWaiver, UserError."""
    out = parse_location(options.out)
    name = options.name or out.name
    if not name:
        raise UserError(f"{options.out}: which audit? Give --name, or name it behind the prefix: {out.root}@2026-11-20")
    plan = plan_of(name, options, settings)
    rules = all_rules(settings.rules)
    policy = plan.policy(rules)
    engine = choose_engine(options, [*options.snapshots, options.out])
    return AuditRun(
        plan,
        [rule for rule in rules if policy.selects(rule)],
        plan.parse_waivers(policy),
        options.snapshots,
        options.out,
        engine,
        options.overwrite,
        check_format(options.format, out),
        options.option,
        options.since_last,
    )


def plan_of(name: str, options: Options, settings: RunSettings) -> AuditPlan:
    """The choices of an audit as plain data. Raises UserError, BadWaiver."""
    from advisor.rule.loading import files

    modules = []
    for path in settings.rules:
        for file in files(path):
            try:
                with open(file, encoding="utf-8") as handle:
                    modules.append((os.path.basename(file), handle.read()))
            except OSError as error:
                raise UserError(f"{file}: {os_reason(error)}") from None
    return AuditPlan(
        name,
        profile=settings.profile,
        select=settings.select,
        ignore=settings.ignore,
        severities=settings.severities,
        modules=modules,
        waivers=read_entries(settings.waiver_file, open_input)
        if "://" in settings.waiver_file
        else waiver_entries(settings),
        waiver_file=settings.waiver_file,
        profiles_by_label={} if settings.profile_given else settings.profiles_by_label,
    )


@contextlib.contextmanager
def open_engine(audit: AuditRun, options: Options) -> Iterator[LocalEngine | SparkEngine]:
    """The engine of an audit. Raises UserError where there is no Spark, or where it fails."""
    if audit.engine == "local":
        from spark_audit.local.audit import LocalEngine

        yield LocalEngine(options.jobs or os.cpu_count() or 1)
        return
    from spark_audit.spark.session import open_session

    with open_session(options.master, options.remote) as spark:
        from spark_audit.spark.engine import SparkEngine

        yield SparkEngine(spark)


def exit_code(row: Mapping[str, Any], settings: RunSettings, options: Options) -> int:
    """The exit code: 2 before 4 before 1 before 0."""
    if row["crashed"]:
        return ExitCode.ERROR
    limit, per_cent = options.max_unreachable
    if row["unreachable"] > (limit * row["clusters"] / 100 if per_cent else limit):
        allowed = f"{limit:g}{'%' if per_cent else ''}"
        text = f"{row['unreachable']} of {row['clusters']} clusters could not be reached"
        say(f"{text}, more than --max-unreachable {allowed}")
        return ExitCode.UNREACHABLE
    if options.exit_zero:
        return ExitCode.CLEAN
    failing = SEVERITIES[SEVERITIES.index(settings.fail_on) :]
    failed = any(row[severity] for severity in failing) or (settings.fail_on_unknown and row["unknown"])
    return ExitCode.FINDINGS if failed else ExitCode.CLEAN
