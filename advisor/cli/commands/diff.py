"""`kafka-advisor diff OLD NEW`: compare settings, findings and odds before and after a change."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from advisor.analysis.advice.fulfilled_steps import fulfilled_steps
from advisor.analysis.comparison import ComparedSide, Difference, FulfilledStep
from advisor.analysis.odds_comparison import compare_odds
from advisor.cli.argument_types import add_format, add_policy, add_show_values, add_waivers, lint_defaults
from advisor.cli.common import policy_of, say_in_use, say_suppressed, waivers_of
from advisor.cli.inputs import Inputs, clusters, show_values
from advisor.cli.settings import RunSettings, run_settings
from advisor.cli.sides.revisions import revision
from advisor.cli.sides.unread import files_of, unread_there
from advisor.engine import judge
from advisor.engine.baseline import newly_suppressed
from advisor.engine.former_side import FormerSide
from advisor.engine.policy import Policy
from advisor.engine.subjects.similar import SimilarSubjects
from advisor.engine.verdicts import CRASH
from advisor.engine.waivers import Waiver
from advisor.errors import ExitCode
from advisor.model import KINDS, Snapshot
from advisor.model.finding import WORST_FIRST, Finding, NotJudged
from advisor.reports import difference
from advisor.reports.formats import OF_FINDINGS, of_findings
from advisor.reports.show import in_json, show
from advisor.reports.sides import saved_report, saved_side, side_of
from advisor.rule import Rule
from advisor.simulator.odds import assume
from rules import all_rules

EPILOG = """\
examples:
  kafka-advisor diff old/server.properties server.properties
  kafka-advisor diff monday.json.gz tuesday.json.gz
  kafka-advisor diff main:kafka/server.properties kafka/server.properties --format markdown
  kafka-advisor diff v1.4:deploy deploy

exit codes:
  0  no finding at or above --fail-on appears, and the change is none
  1  findings at or above --fail-on (default high) appear, or the change itself is one
  2  wrong usage, or a side that cannot be read
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `diff`."""
    parser.epilog = EPILOG
    lint_defaults(parser)
    what = "a configuration file or a folder of them (REF:path is one of a commit), a snapshot of a cluster, or a report that --format json wrote"
    parser.add_argument("old", metavar="OLD", help=what)
    parser.add_argument("new", metavar="NEW", help="the same after the change")
    about = parser.add_argument_group("what the files are")
    about.add_argument("--kind", choices=KINDS, metavar="KIND", help="what both files are (default: by content)")
    about.add_argument("--with", dest="with_", action="append", metavar="FILE", help="a client, judged with both sides")
    about.add_argument("--kafka-version", metavar="V", help="judge for this release (default: from the files)")
    about.add_argument("--assume", default="", metavar="RATES", help="for the odds, as in simulate: repair=30min,…")
    add_policy(parser)
    add_waivers(parser.add_argument_group("what is known already"))
    group = parser.add_argument_group("what comes out")
    add_format(group, ("text", "json", "markdown", "html", *OF_FINDINGS))
    group.add_argument(
        "--fail-on",
        choices=WORST_FIRST,
        metavar="SEVERITY",
        help="exit with 1 when findings of this severity or above appear (default: high)",
    )
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever appears")
    add_show_values(group)


def run(options: argparse.Namespace) -> int:
    """Judge both sides, compare, show; 1 where findings at or above --fail-on appear."""
    settings = run_settings(options)  # type: ignore[arg-type]
    rules = all_rules(settings.rules)
    rates, waivers = assume(options.assume), waivers_of(settings, policy_of(settings, rules))
    before, now = Inputs(), Inputs()
    with revision(options.old) as old_path:
        old = side(old_path, options, settings, rules, waivers, before)
    with revision(options.new) as new_path:
        new = side(new_path, options, settings, rules, waivers, now) if old else None
        if old is None or new is None:
            return ExitCode.ERROR
        if is_without_kafka(old) and is_without_kafka(new):
            now.say_walks()
            return ExitCode.ERROR
        sides = Path(old_path), Path(new_path)
        unread = unread_there(old.snapshots or (), new.snapshots or (), now, settings, lambda file: moved(file, *sides))
    unread |= unread_there(
        new.snapshots or (), old.snapshots or (), before, settings, lambda file: moved(file, *sides[::-1])
    )
    renamed = {file: path for file in files_of(new.snapshots or ()) if (path := moved(file, *sides[::-1])) != file}
    former = FormerSide(old.snapshots or (), renamed=renamed, unread=unread)
    old.name, new.name = options.old, options.new
    compared = Difference(old, new)
    suppressed = newly_suppressed(new.report.suppressed, old.report.suppressed)
    in_use = say_in_use(settings, policy_of(settings, rules), waivers)
    compared.configuration = [*in_use, *say_suppressed(new.name, suppressed)]
    compared.dangerous, compared.unknown = change_findings(old, new, former, settings, rules, waivers)
    compared.odds = compare_odds(compared, rates)
    compared.steps = plan_steps(compared, settings, rules, waivers)
    show(
        options.format,
        lambda: [difference.document(compared)],
        json=lambda: in_json([difference.data(compared)]),
        **of_findings(lambda: difference.run_of(compared, rules)),
    )
    if old.report.crashed or new.report.crashed:
        return ExitCode.ERROR
    return ExitCode.FINDINGS if compared.fails(settings.fail_on) and not options.exit_zero else ExitCode.CLEAN


def change_findings(
    old: ComparedSide,
    new: ComparedSide,
    former: FormerSide,
    settings: RunSettings,
    rules: list[Rule],
    waivers: Sequence[Waiver],
) -> tuple[list[Finding], list[NotJudged]]:
    """What change rules say of two sides whose settings are known, worst first, and what they cannot tell of what changes."""
    if old.snapshots is None or new.snapshots is None:
        return [], []
    of_change = [rule for rule in rules if rule.is_of_change]
    report = judge(new.snapshots, of_change, policy_of(settings, rules), waivers, former)
    new.report.crashed |= report.crashed
    findings = [row for row in report.findings if row.is_change or row.rule == CRASH]
    return findings, unknown_of_change(
        report.unknown, (old.snapshots, new.snapshots), of_change, policy_of(settings, rules)
    )


def unknown_of_change(
    rows: Sequence[NotJudged], sides: Sequence[Sequence[Snapshot]], rules: Sequence[Rule], policy: Policy
) -> list[NotJudged]:
    """The rows without those that each side has beside itself as well: what is filled in later, and is written as it was."""
    asked = [rule for rule in rules if rule.id in {row.rule for row in rows}]
    alone = [judge(side, asked, policy, former=FormerSide(side)).unknown for side in sides] if asked else []
    same = [{(row.rule, row.entity, row.reason) for row in unknown} for unknown in alone]
    return [row for row in rows if not all((row.rule, row.entity, row.reason) in each for each in same)]


def is_without_kafka(side: ComparedSide) -> bool:
    """Whether a side is a folder in which nothing concerns Kafka."""
    return side.snapshots is not None and not any(snapshot.entities or snapshot.live for snapshot in side.snapshots)


def moved(file: str, one: Path, other: Path) -> str:
    """The path below another folder of a file below one; as it is for any other."""
    return str(other / Path(file).relative_to(one)) if Path(file).is_relative_to(one) else file


def plan_steps(
    compared: Difference, settings: RunSettings, rules: list[Rule], waivers: Sequence[Waiver]
) -> list[FulfilledStep]:
    """The steps of a plan for the old side, which is judged already, that the change fulfils."""
    policy, verdicts, old = policy_of(settings, rules), SimilarSubjects(), compared.old

    def findings_in(snapshots: Sequence[Snapshot]) -> Sequence[Finding]:
        if list(snapshots) == list(old.snapshots or ()):
            return old.findings
        return judge(snapshots, rules, policy, waivers, verdicts=verdicts).findings

    return fulfilled_steps(compared, rules, findings_in)


def side(
    path: str,
    options: argparse.Namespace,
    settings: RunSettings,
    rules: list[Rule],
    waivers: Sequence[Waiver],
    inputs: Inputs,
) -> ComparedSide | None:
    """One side: a saved report, or inputs judged now; None where it cannot be read, which was reported."""
    main = inputs.read([path], settings)
    report = saved_report(inputs.saved[0][1]) if inputs.saved else None
    if report is not None:
        return saved_side(path, report)
    readable = bool(main or inputs.saved or inputs.outputs)
    snapshots = clusters(main, inputs.clients(options.with_, settings), inputs, settings) if readable else []
    if not snapshots and not inputs.errors and Path(path).is_dir():
        snapshots = [Snapshot(path, ())]
    if inputs.errors or not snapshots:
        inputs.say_walks()
        return None
    if options.show_values:
        show_values(snapshots)
    return side_of(path, snapshots, judge(snapshots, rules, policy_of(settings, rules), waivers))
