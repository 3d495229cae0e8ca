"""`kafka-advisor audit`: judge a fleet's snapshots, write tables of findings."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from advisor.cli.settings import RunSettings, run_settings, waiver_entries
from advisor.engine.verdicts import CRASH
from advisor.errors import BadWaiver, ExitCode, NothingToJudge, UserError, os_reason, say
from advisor.model.finding import SEVERITIES
from advisor.rule import Rule
from rules import all_rules
from spark_audit.results.plan import Plan
from spark_audit.results.totals import Totals, audit_table, clusters_table, counts_table, unreachable_unknowns
from spark_audit.results.waivers import Waivers
from spark_audit.schema.results import TABLES
from spark_audit.storage.load import Fleet, load
from spark_audit.storage.output_folder import OutputFolder

if TYPE_CHECKING:
    from spark_audit.local.audit import LocalEngine
    from spark_audit.spark.audit import Job

    Options = Any

FORMAT = "kafka-advisor-audit/1"


class Audit:
    """One run of an audit: its plan and rules, its options, when it started."""

    def __init__(self, options: Options, settings: RunSettings) -> None:
        self.options = options
        self.name: str = options.name or os.path.basename(os.path.abspath(options.out))
        self.plan = plan_of(self.name, options, settings)
        rules = all_rules(settings.rules)
        policy = self.plan.policy(rules)
        self.rules: list[Rule] = [rule for rule in rules if policy.selects(rule)]
        self.waivers: Waivers = self.plan.parse_waivers(policy)
        self.started = time.monotonic()
        self.when = datetime.now(UTC).isoformat(timespec="seconds")

    def about(self) -> dict[str, object]:
        """What the audit's own row says of how it was made."""
        return {
            "audit": self.name,
            "started": self.when,
            "seconds": round(time.monotonic() - self.started, 1),
            "engine": self.options.engine,
            "source": ", ".join(self.options.snapshots),
        }


def run(options: Options) -> int:
    """Run the command; returns its exit code."""
    from advisor.errors import BadPolicy
    from spark_audit.results.summary import show

    gc.enable()
    settings = run_settings(options)
    try:
        audit = Audit(options, settings)
    except (BadPolicy, BadWaiver) as bad:
        raise UserError(f"{bad}") from None
    if not audit.rules:
        say("nothing to audit: no rule is selected")
        return ExitCode.NOTHING
    if options.engine == "local" and options.format != "parquet":
        raise UserError(f"--format {options.format} is written by Spark; --engine local writes parquet")
    try:
        fleet = load(options.snapshots)
    except NothingToJudge as nothing:
        say(nothing)
        return ExitCode.NOTHING
    if fleet.stored and options.engine == "local":
        collected_as = f"{fleet.stored.folder}: was collected as {fleet.stored.format}"
        raise UserError(f"{collected_as}, which --engine spark reads; --engine local reads parquet")
    with OutputFolder(options.out, options.overwrite, TABLES) as out:
        tables = judge(fleet, audit, out.partial)
        row = tables["audits"].to_pylist()[0]
        out.finish({"format": FORMAT, "storage": options.format, **row})
    show(row, tables["clusters"], tables["counts"], options.out)
    if row["crashed"] and options.format == "parquet":
        report_crashes(out.path)
    return exit_code(row, settings, options)


def plan_of(name: str, options: Options, settings: RunSettings) -> Plan:
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
    return Plan(
        name,
        profile=settings.profile,
        select=settings.select,
        ignore=settings.ignore,
        severities=settings.severities,
        modules=modules,
        waivers=waiver_entries(settings),
        waiver_file=settings.waiver_file,
        profiles_by_label={} if settings.profile_given else settings.profiles_by_label,
    )


def judge(fleet: Fleet, audit: Audit, folder: str) -> dict[str, pa.Table]:
    """Write all tables into the folder; the small ones are returned."""
    from advisor.reports.progress import Progress as Bar

    with Bar(sys.stderr) as bar, open_engine(audit.options) as engine:
        totals, counts = engine.run(fleet, audit.plan, folder, bar.show)
        tables = small_tables(fleet, audit, totals, counts)
        engine.write(folder, tables | {"unknowns": unknowns_of_unreachable(fleet, audit)})
    return tables


@contextlib.contextmanager
def open_engine(options: Options) -> Iterator[LocalEngine | Job]:
    """The engine that was asked for. Raises UserError where there is no Spark, or where it fails."""
    if options.engine == "local":
        from spark_audit.local.audit import LocalEngine

        yield LocalEngine(options.jobs or os.cpu_count() or 1)
        return
    from spark_audit.spark.session import open_session

    with open_session(options.master) as spark:
        from spark_audit.spark.audit import Job

        yield Job(spark, options)


def small_tables(fleet: Fleet, audit: Audit, totals: Totals, counts: Mapping[str, Any]) -> dict[str, pa.Table]:
    """The small tables of the audit's results."""
    clusters = clusters_table(totals, fleet, counts, audit.name)
    row = audit_table(totals, clusters, audit.plan, audit.rules, audit.waivers, audit.about())
    return {"clusters": clusters, "counts": counts_table(totals, audit.name), "audits": row}


def unknowns_of_unreachable(fleet: Fleet, audit: Audit) -> pa.Table:
    """The unknowns of clusters that could not be reached."""
    import pyarrow as pa

    return pa.Table.from_pylist(unreachable_unknowns(fleet, audit.name), TABLES["unknowns"])


def report_crashes(out: str) -> None:
    """Print one line for every rule that raised, with the number of its clusters."""
    import pyarrow.dataset as ds

    rows = ds.dataset(os.path.join(out, "findings"), format="parquet").to_table(
        columns=["message"], filter=ds.field("rule") == CRASH
    )
    for text, number in Counter(rows.column("message").to_pylist()).most_common():
        say(f"{' '.join(text.split())} (on {number} clusters)")


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
