"""`kafka-advisor rollout OLD NEW`: whether a change survives its own rollout, step by step, and in how many passes."""

from __future__ import annotations

import argparse
from argparse import Namespace

from advisor.analysis.rollout.outcome import LOSES, NEEDS_PASSES, REFUSES, UNAVAILABLE, UNKNOWN
from advisor.analysis.rollout.rollout import rollout_of
from advisor.analysis.rollout.sides import cluster_of
from advisor.analysis.startup.judge import StartupJudge
from advisor.cli.argument_types import add_format, add_show_values, lint_defaults
from advisor.cli.inputs import show_values
from advisor.cli.rollout_sides import read_side, renamed_files
from advisor.cli.settings import run_settings
from advisor.errors import ExitCode
from advisor.reports.rollout import data
from advisor.reports.rollout.document import document
from advisor.reports.show import show
from rules import all_rules

EPILOG = """\
examples:
  kafka-advisor rollout old/ new/

exit codes:
  0  the change survives: one rolling restart, or none
  1  it does not, by --fail-on
  2  wrong usage, or a side that cannot be read
  3  no node to roll out to
"""
STOPS, LOSING, PASSING = "stops", "loses", "passes"
FAILS_ON = {
    PASSING: (NEEDS_PASSES, UNAVAILABLE, REFUSES, LOSES, UNKNOWN),
    STOPS: (UNAVAILABLE, REFUSES, LOSES, UNKNOWN),
    LOSING: (LOSES, UNKNOWN),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rollout`."""
    parser.epilog = EPILOG
    lint_defaults(parser)
    parser.add_argument("old", metavar="OLD", help="the configuration that runs: a folder with a file for each node")
    parser.add_argument("new", metavar="NEW", help="the same after the change")
    parser.add_argument("--kafka-version", metavar="V", help="judge for this release (default: from the files)")
    group = parser.add_argument_group("what comes out")
    add_format(group, ("text", "json", "markdown", "html"))
    group.add_argument(
        "--fail-on",
        choices=(PASSING, STOPS, LOSING),
        default=PASSING,
        help="exit with 1 where one rolling restart is not enough (passes, default), where something stops or does not "
        "start (stops), or only where records are lost (loses); what is unknown fails always",
    )
    add_show_values(group)


def run(options: Namespace) -> int:
    """Read both sides, play the rollout, show; 1 where it does not survive."""
    options.fail_on, fails_on = None, options.fail_on
    settings = run_settings(options)  # type: ignore[arg-type]
    old, new = read_side(options.old, settings), read_side(options.new, settings)
    if old is None or new is None:
        return ExitCode.ERROR
    if options.show_values:
        show_values([*old, *new])
    cluster = cluster_of(old, new, renamed_files(new, options.old, options.new))
    if not cluster.nodes:
        return ExitCode.NOTHING
    rollout = rollout_of(cluster, StartupJudge(all_rules()))
    show(options.format, lambda: [document(rollout)], json=lambda: data.lines(rollout))
    return ExitCode.FINDINGS if rollout.verdict in FAILS_ON[fails_on] else ExitCode.CLEAN
