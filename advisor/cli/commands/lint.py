"""`kafka-advisor lint`: judge configuration files and report."""

from __future__ import annotations

from advisor.cli.common import TEXT, conclude, policy_of, waivers_of
from advisor.cli.inputs import Inputs, path_of, read_clusters
from advisor.cli.settings import LintOptions, run_settings
from advisor.engine import judge
from advisor.model import DEPLOYMENT, KINDS
from rules import rule_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

    from advisor.cli.settings import RunSettings
    from advisor.engine.policy import Policy
    from advisor.engine.report import Report
    from advisor.engine.waivers import Waiver
    from advisor.model import Snapshot
    from advisor.rule.rule_set import RuleSet

EPILOG = """\
examples:
  kafka-advisor lint server.properties
  kafka-advisor lint docker-compose.yml --set KAFKA_VERSION=7.9.0
  kafka-advisor lint .
  kafka-advisor lint broker-*.properties --with producer.properties
  kafka-advisor lint server.properties --kafka-version 3.9 --profile staging
  kafka-advisor lint . --since origin/main
  kafka-advisor lint . --fix
  kafka-advisor lint . --diff --unsafe-fixes
  cat server.properties | kafka-advisor lint -

"""


def arguments(parser: ArgumentParser) -> None:
    """The arguments of `lint`."""
    from argparse import SUPPRESS

    from advisor.cli.argument_types import EXIT_CODES, add_output, add_policy, add_waivers

    parser.epilog = EPILOG + EXIT_CODES
    parser.argument_default = SUPPRESS
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="configuration files, or folders of them; - is standard input"
    )
    about = parser.add_argument_group("what the files are")
    about.add_argument(
        "--kind", choices=KINDS, metavar="KIND", help=f"what every FILE is: {', '.join(KINDS)} (default: by content)"
    )
    about.add_argument(
        "--with",
        dest="with_",
        action="append",
        metavar="FILE",
        help="a client of the cluster, judged together with its brokers",
    )
    about.add_argument(
        "--one-cluster",
        action="store_true",
        help="all FILEs, outputs of Kafka's tools included, are of one cluster (default: nodes that name the same quorum or ZooKeeper)",
    )
    about.add_argument(
        "--kafka-version",
        metavar="V",
        help="judge for this release: 3.9, 4.0.2, cp7.9, msk3.6 (default: from the files, else the newest)",
    )
    filled = parser.add_argument_group("placeholders such as ${NAME}, which are unknown otherwise")
    filled.add_argument("--set", dest="set_", action="append", metavar="NAME=VALUE", help="fill in this variable")
    filled.add_argument(
        "--env-file", action="append", metavar="FILE", help="fill in the variables of a file of NAME=VALUE lines"
    )
    filled.add_argument("--environment", action="store_true", help="fill in the variables of this process, too")
    add_policy(parser)
    fixes = parser.add_argument_group("what is edited")
    fixes.add_argument(
        "--fix", action="store_true", help="fix in the files what can be fixed without another value in force"
    )
    fixes.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix: fix, too, what changes a value in force; alone: count it",
    )
    fixes.add_argument("--diff", action="store_true", help="show what --fix would change, and write nothing")
    fixes.add_argument("--fix-only", action="store_true", help="fix, and do not report what is left")
    fixes.add_argument(
        "--silence",
        action="append",
        metavar="RULE",
        help="write a comment above each finding of a rule that silences it; takes --reason",
    )
    fixes.add_argument("--reason", metavar="TEXT", help="why the findings of --silence are accepted")
    silence = parser.add_argument_group("what is known already")
    silence.add_argument(
        "--since",
        metavar="REF",
        help="judge what the work tree changes against the merge base with this commit, such as origin/main: dangerous changes, and findings that they bring",
    )
    silence.add_argument("--all-findings", action="store_true", help="with --since: show the older findings, too")
    silence.add_argument("--baseline", metavar="FILE", help="findings listed there are not reported again")
    add_waivers(silence)
    silence.add_argument(
        "--write-baseline", metavar="FILE", help="write the findings of this run as a baseline, and exit with 0"
    )
    add_output(parser)


def run(options: LintOptions) -> int:
    """Read, judge, show; the exit code is that of the command."""
    settings = run_settings(options)
    rules = rule_set(settings.rules)
    policy = policy_of(settings, rules)
    waivers = waivers_of(settings, policy)
    if options.format != TEXT or options.write_baseline:
        from advisor.cli.outputs import check_reports

        check_reports(options, settings, [*options.files, *map(path_of, options.with_)])
    settings.verbose = options.verbose
    if options.set_ or options.env_file or options.environment:
        from advisor.cli.variables import given_variables

        settings.variables = given_variables(options)
    if is_editing(options):
        from advisor.cli.editing.fixing import edit

        return edit(options, settings, rules, policy, waivers, show_report)
    return show_report(options, settings, rules, policy, waivers)


def is_editing(options: LintOptions) -> bool:
    """Whether files are to be edited, or fixes to be counted."""
    wanted = options.fix or options.diff or options.fix_only or options.unsafe_fixes
    return bool(wanted or options.silence or options.reason is not None)


def show_report(
    options: LintOptions, settings: RunSettings, rules: RuleSet, policy: Policy, waivers: Sequence[Waiver]
) -> int:
    """Read the inputs, judge them, and show the report."""
    if options.since is None:
        inputs, report = judge_files(options, settings, rules, policy, waivers)
    else:
        from advisor.cli.sides.since import judge_since

        inputs, report = judge_since(options, settings, rules, policy, waivers)
    report.not_read = inputs.not_read
    code = conclude(report, rules, policy, waivers, settings, options, inputs)
    inputs.say_walks()
    return code


def judge_files(
    options: LintOptions, settings: RunSettings, rules: RuleSet, policy: Policy, waivers: Sequence[Waiver]
) -> tuple[Inputs, Report]:
    """The report of the files as they are."""
    inputs, former = Inputs(), None
    snapshots = read_clusters(options, settings, inputs)
    plans = files_of_plans(snapshots)
    if plans:
        from advisor.cli.sides.terraform_plans import before_plans

        former = before_plans(plans, options, settings)
    return inputs, judge(snapshots, rules, policy, waivers, former)


def files_of_plans(snapshots: Sequence[Snapshot]) -> list[str]:
    """The files that are plans of Terraform, which say what there was before, too."""
    entities = (entity for snapshot in snapshots for entity in snapshot.entities if entity.kind == DEPLOYMENT)
    return [entity.file for entity in entities if entity.file and "plan" in entity.settings]
