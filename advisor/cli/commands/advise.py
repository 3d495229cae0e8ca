"""`kafka-advisor advise`: an ordered plan that makes the findings go; nothing is changed."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Sequence
from itertools import chain

from advisor.analysis.advice.files.plan import plan_for_files
from advisor.cli.argument_types import add_cluster, add_format, add_policy, add_waivers, lint_defaults
from advisor.cli.common import policy_of, say_in_use, waivers_of
from advisor.cli.inputs import Inputs, clusters, join
from advisor.cli.live import collect_now
from advisor.cli.settings import RunSettings, run_settings
from advisor.engine import judge
from advisor.engine.report import Report
from advisor.engine.subjects.similar import SimilarSubjects
from advisor.errors import ExitCode, UserError
from advisor.model import Snapshot
from advisor.model.finding import Finding
from advisor.reports.advice import data, findings, patch, script
from advisor.reports.advice.document import document
from advisor.reports.formats import OF_FINDINGS, of_findings
from advisor.reports.show import show
from advisor.simulator.odds import assume
from rules import all_rules

EPILOG = """\
examples:
  kafka-advisor advise cluster.json.gz
  kafka-advisor advise cluster.json.gz --goal survive=1-rack --throttle 20
  kafka-advisor advise cluster.json.gz --format script > plan.sh
  kafka-advisor advise server.properties producer.properties
  kafka-advisor advise docker-compose.yml --format diff > plan.diff
Nothing is ever changed: the script asks before each command.

exit codes:
  0  nothing to do
  1  the plan has steps
  2  wrong usage, or a file that cannot be read
  3  nothing to plan for
  4  the cluster cannot be reached
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `advise`."""
    parser.epilog = EPILOG
    lint_defaults(parser)
    parser.add_argument("files", nargs="*", metavar="FILE", help="a snapshot of a cluster, or configuration files")
    plan = parser.add_argument_group("the plan")
    plan.add_argument(
        "--goal",
        type=goal,
        default="survive=1-broker",
        metavar="GOAL",
        help="survive=1-broker (default) or survive=1-rack: the least that reaches it",
    )
    plan.add_argument("--assume", default="", metavar="RATES", help="for the odds, as in simulate: repair=30min,…")
    plan.add_argument(
        "--throttle",
        type=megabytes,
        default=50.0,
        metavar="MB/S",
        help="what reassignments may copy, in megabytes per second and broker (default: 50)",
    )
    plan.add_argument(
        "--with",
        dest="with_",
        action="append",
        default=[],
        metavar="FILE[=TOPICS]",
        help="a client's file, planned for as well: producer.properties=orders,pay-*",
    )
    plan.add_argument("--kafka-version", metavar="V", help="judge for this release (default: from the input)")
    add_policy(parser)
    add_waivers(parser.add_argument_group("what is known already"))
    add_cluster(parser)
    output = parser.add_argument_group("what comes out")
    note = "; script: for a cluster, asks before each change; diff: for files, to be given to git apply or patch -p1"
    add_format(output, ("text", "json", "markdown", "html", *OF_FINDINGS, "script", "diff"), note)


def goal(text: str) -> str:
    """A goal such as survive=1-rack."""
    if text not in ("survive=1-broker", "survive=1-rack"):
        raise argparse.ArgumentTypeError(f"{text}: survive=1-broker or survive=1-rack")
    return text.partition("=")[2]


def megabytes(text: str) -> float:
    """Megabytes per second, from 0.001 to a million."""
    number = float(text)
    if not 0.001 <= number <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text} is not between 0.001 and 1000000")
    return number


def run(options: Namespace) -> int:
    """Read, judge, plan, show; 1 where the plan has steps."""
    settings = run_settings(options)  # type: ignore[arg-type]
    rules = all_rules(settings.rules)
    policy = policy_of(settings, rules)
    waivers, rates = waivers_of(settings, policy), assume(options.assume)
    inputs = Inputs()
    snapshots = inputs_of(options, settings, inputs)
    inputs.say_walks()
    if inputs.errors:
        return ExitCode.ERROR
    if not snapshots:
        return ExitCode.NOTHING

    verdicts = SimilarSubjects()

    def report(snapshots: Sequence[Snapshot]) -> Report:
        return judge(snapshots, rules, policy, waivers, verdicts=verdicts)

    def findings_in(snapshots: Sequence[Snapshot]) -> Sequence[Finding]:
        return report(snapshots).findings

    say_in_use(settings, policy, waivers)
    throttle = int(options.throttle * 1_000_000)
    in_files = [snapshot for snapshot in snapshots if snapshot.live is None]
    running = [snapshot for snapshot in snapshots if snapshot.live is not None]
    formats = [name.partition("=")[0] for name in options.format]
    for format in formats:
        check_format(format, running, in_files)
    running = [] if formats == ["diff"] else running
    plans = []
    if running:
        from advisor.analysis.advice.cluster_plan import plan_for

        plans = [plan_for(snapshot, rules, findings_in, options.goal, throttle) for snapshot in running]
    plans += [plan_for_files(in_files, rules, findings_in)] if in_files else []
    diffs = patch.diffs_of(plans[0]) if "diff" in formats else {}
    show(
        options.format,
        lambda: [document(plan, rates) for plan in plans],
        json=lambda: data.lines(plans[0], rates),
        script=lambda: script.lines(plans[0]),
        diff=lambda: chain.from_iterable(diffs.values()),
        **of_findings(lambda: findings.run_of(plans, report([*running, *in_files]), rules)),
    )
    if "diff" in formats:
        from advisor.cli.editing.diff_notes import say_of_plan

        return say_of_plan(plans[0], diffs)
    return ExitCode.FINDINGS if any(plan.steps for plan in plans) else ExitCode.CLEAN


def inputs_of(options: Namespace, settings: RunSettings, inputs: Inputs) -> list[Snapshot]:
    """The clusters to plan for: collected now, saved, or described by files. Raises UserError."""
    clients = inputs.clients(options.with_, settings)
    if options.bootstrap_server:
        if options.files:
            raise UserError("advise: either --bootstrap-server or files, not both")
        snapshot = collect_now(options, settings)
        join(snapshot, clients, inputs)
        return [snapshot]
    if not options.files:
        raise UserError("advise: name a snapshot or configuration files, or a cluster with --bootstrap-server")
    main = inputs.read(options.files, settings)
    if not (main or inputs.saved or inputs.outputs):
        return []
    return clusters(main, clients, inputs, settings)


def check_format(format: str, running: Sequence[Snapshot], in_files: Sequence[Snapshot]) -> None:
    """Refuse a format that cannot hold the plans. Raises UserError."""
    if format == "script" and in_files:
        raise UserError("--format script: a script is for a running cluster; a file's plan is its diff (--format diff)")
    if format == "diff" and not in_files:
        raise UserError("--format diff: a running cluster has no files; its plan is a script (--format script)")
    plans = bool(in_files) + (0 if format == "diff" else len(running))
    if plans > 1 and format not in ("text", "markdown", *OF_FINDINGS):
        raise UserError(f"--format {format}: these are {plans} plans, one for each cluster; ask for one at a time")
