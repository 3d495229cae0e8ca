"""`kafka-advisor upgrade FILE… --to RELEASE`: what an upgrade takes, what it changes by itself, and by which path."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Sequence

from advisor.analysis.startup.judge import all_checks
from advisor.analysis.upgrade.plan import MUST, UNKNOWN, UpgradePlan
from advisor.analysis.upgrade.planner import plan_upgrade
from advisor.catalog.target import target_of
from advisor.cli.argument_types import add_format, add_show_values
from advisor.cli.inputs import Inputs, clusters, show_values
from advisor.cli.settings import RunSettings
from advisor.errors import ExitCode
from advisor.model import DEPLOYMENT, KINDS, Snapshot
from advisor.reports.formats import OF_FINDINGS, of_findings
from advisor.reports.show import show
from advisor.reports.upgrade import data, findings
from advisor.reports.upgrade.document import document
from rules import all_rules

EPILOG = """\
examples:
  kafka-advisor upgrade server.properties --from 3.6 --to 4.4
  kafka-advisor upgrade cluster.json.gz broker-*.properties producer.properties --to 4.4
  kafka-advisor upgrade . --from cp7.6 --to 4.4 --java 17 --format html > plan.html
The release that runs today is that of the snapshot, of an image's tag, or --from; where nothing says it, the plan shows the
oldest and the newest that it can be.

exit codes:
  0  nothing must be done before the upgrade
  1  something must be done before it; with --fail-on-unknown, or could not be judged
  2  wrong usage, a file that cannot be read, or a downgrade
  3  nothing to upgrade
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `upgrade`."""
    parser.epilog = EPILOG
    what = "configuration files, folders of them, or saved snapshots of clusters; - is standard input"
    parser.add_argument("files", nargs="+", metavar="FILE", help=what)
    parser.add_argument("--to", default="latest", metavar="V", help="the release to upgrade to (default: the newest)")
    parser.add_argument(
        "--from", dest="from_", metavar="V", help="the release that runs today: 3.6, cp7.6 (default: from the files)"
    )
    parser.add_argument(
        "--java", type=int, metavar="N", help="the Java that is installed, such as 17 (default: unknown)"
    )
    parser.add_argument("--kind", choices=KINDS, metavar="KIND", help=f"{', '.join(KINDS)} (default: by content)")
    group = parser.add_argument_group("what comes out")
    add_format(group, ("text", "json", "markdown", "html", *OF_FINDINGS))
    group.add_argument("--fail-on-unknown", action="store_true", help="exit with 1 when something could not be judged")
    add_show_values(group)


def run(options: Namespace) -> int:
    """Plan the upgrade, show it; 1 where something must be done before."""
    to = target_of(options.to, "--to").version
    settings = settings_of(options)
    inputs = Inputs()
    snapshots = read(options.files, inputs, settings)
    if any(entity.kind != DEPLOYMENT for snapshot in snapshots for entity in snapshot.entities):
        if options.show_values:
            show_values(snapshots)
        rules = all_rules()
        plan = plan_upgrade(snapshots, to, rules, options.java)
        show(
            options.format,
            lambda: [document(plan)],
            json=lambda: data.lines(plan),
            **of_findings(lambda: findings.run_of(plan, snapshots, [*rules, *all_checks()])),
        )
        return ExitCode.ERROR if inputs.errors else exit_code(plan, options.fail_on_unknown)
    return ExitCode.ERROR if inputs.errors else ExitCode.NOTHING


def settings_of(options: Namespace) -> RunSettings:
    """The settings to read the files with: --from is the release that all of them run. Raises UserError."""
    settings = RunSettings()
    settings.kind, settings.kind_given = options.kind, options.kind is not None
    if options.from_ is not None:
        settings.target, settings.target_given = target_of(options.from_, "--from"), True
    return settings


def read(paths: Sequence[str], inputs: Inputs, settings: RunSettings) -> list[Snapshot]:
    """The clusters that the files describe; what cannot be read is said in a line."""
    main = inputs.read(paths, settings)
    readable = bool(main or inputs.saved or inputs.outputs)
    snapshots = clusters(main, [], inputs, settings) if readable else []
    inputs.say_walks()
    return snapshots


def exit_code(plan: UpgradePlan, fail_on_unknown: bool) -> int:
    """1 where something must be done before the upgrade, or, if that counts, could not be judged."""
    fails = plan.rows[MUST] or (fail_on_unknown and plan.rows[UNKNOWN])
    return ExitCode.FINDINGS if fails else ExitCode.CLEAN
