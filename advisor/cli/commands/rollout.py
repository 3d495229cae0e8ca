"""`kafka-advisor rollout OLD NEW`: whether a change survives its own rollout, step by step, and in how many passes."""

from __future__ import annotations

import argparse
from argparse import Namespace

from advisor.analysis.rollout.disclosed import disclose
from advisor.analysis.rollout.outcome import LOSES, NEEDS_PASSES, REFUSES, UNAVAILABLE, UNKNOWN
from advisor.analysis.rollout.rollout import rollout_of
from advisor.analysis.startup.judge import StartupJudge
from advisor.cli.argument_types import add_cluster, add_format, add_show_values, lint_defaults
from advisor.cli.inputs import show_values
from advisor.cli.settings import RunSettings, run_settings
from advisor.cli.sides.rollout_sides import ReadSide, cluster_of_sides, read_side
from advisor.errors import ExitCode, UserError, say
from advisor.reports.rollout import data, script
from advisor.reports.rollout.document import document
from advisor.reports.show import show
from rules import all_rules

EPILOG = """\
A side is a folder with a file for each node, or one file for all of them; REF:folder is the folder as a commit has it.
OLD may be a snapshot of the running cluster: its partitions, dynamic values, groups and ACLs count then. Of files alone
a healthy cluster is taken, with three replicas of every partition.

The verdict is the worst of all moments: each node stopped, and back with its new file, while the others have the old one.
  safe                 one rolling restart
  dynamic              no restart: commands do it, and a restart would stop writes
  no_effect            nothing that runs changes: the key is read elsewhere, or a dynamic value stands above the file
  needs_passes         as one rolling restart it stops something; the passes say how it is done instead
  unavailable_during   writes or reads stop, and no sequence of files was found that avoids it
  refuses_to_start     a node does not come back
  loses_data           acknowledged records are gone
  unknown              what decides is not in the files; "Not known" says what to look up
`verdict` is of who goes on whatever the cluster looks like, `patient` of who waits for every ISR before the next node.

examples:
  kafka-advisor rollout old/ new/
  kafka-advisor rollout origin/main:kafka/ kafka/ --fail-on stops
  kafka-advisor rollout cluster.json.gz new/ --format html=rollout.html
  kafka-advisor rollout new/ --bootstrap-server broker:9092 --format script > rollout.sh
  kafka-advisor rollout --old b1.properties --old b2.properties --new b1.new --new b2.new
Nothing is ever changed: the script asks before each command.

exit codes:
  0  the change survives
  1  it does not, by --fail-on
  2  wrong usage, or a side that cannot be read
  3  no node to roll out to
  4  the cluster cannot be reached
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
    what = "what runs: a folder, a file, REF:folder, or a snapshot"
    parser.add_argument("old_side", nargs="?", metavar="OLD", help=f"{what}; left out with --bootstrap-server")
    parser.add_argument(
        "new_side", nargs="?", metavar="NEW", help="the files to roll out: a folder, a file, REF:folder"
    )
    about = parser.add_argument_group("what the sides are")
    about.add_argument("--old", action="append", default=[], metavar="FILE", help="a file that runs; more than once")
    about.add_argument("--new", action="append", default=[], metavar="FILE", help="a file to roll out; more than once")
    about.add_argument("--kafka-version", metavar="V", help="judge for this release (default: from the input)")
    add_cluster(parser)
    group = parser.add_argument_group("what comes out")
    note = "; script: asks before each step, and waits for what it names"
    add_format(group, ("text", "json", "markdown", "html", "script"), note)
    group.add_argument(
        "--fail-on",
        choices=(PASSING, STOPS, LOSING),
        default=PASSING,
        help="exit with 1 where one rolling restart is not enough (passes, the default), where something stops or does "
        "not start (stops), or only where records are lost (loses); unknown is 1 with each of them",
    )
    add_show_values(group)


def run(options: Namespace) -> int:
    """Read both sides, play the rollout, show; 1 where it does not survive."""
    options.fail_on, fails_on = None, options.fail_on
    settings = run_settings(options)  # type: ignore[arg-type]
    old_words, new_words = words_of(options)
    old = running_side(options, settings) if options.bootstrap_server else read_side(old_words, settings)
    follow_release(settings, old)
    new = read_side(new_words, settings)
    if old.failed or new.failed:
        return ExitCode.ERROR
    if options.show_values:
        show_values([*old.snapshots, *new.snapshots])
    cluster = cluster_of_sides(old, new)
    if not cluster.nodes:
        say("nothing to roll out: no file is one of a broker or a controller")
        return ExitCode.NOTHING
    rollout = rollout_of(cluster, StartupJudge(all_rules()))
    disclose(rollout)
    show(
        options.format,
        lambda: [document(rollout)],
        json=lambda: data.lines(rollout),
        script=lambda: script.lines(rollout),
    )
    return ExitCode.FINDINGS if rollout.verdict in FAILS_ON[fails_on] else ExitCode.CLEAN


def words_of(options: Namespace) -> tuple[list[str], list[str]]:
    """What names each side. Raises UserError."""
    sides = [side for side in (options.old_side, options.new_side) if side is not None]
    if options.bootstrap_server:
        if options.old or len(sides) > 1:
            raise UserError("rollout: either --bootstrap-server or OLD, not both")
        old, new = [], [*sides, *options.new]
    elif len(sides) == 1 and bool(options.old) != bool(options.new):
        old, new = (options.old, sides) if options.old else (sides, options.new)
    else:
        old, new = [*sides[:1], *options.old], [*sides[1:], *options.new]
    if not new or not (old or options.bootstrap_server):
        raise UserError("rollout: name OLD and NEW, or NEW and a cluster with --bootstrap-server")
    return old, new


def running_side(options: Namespace, settings: RunSettings) -> ReadSide:
    """The running cluster. Raises UnreachableCluster."""
    from advisor.cli.live import collect_now

    return ReadSide([options.bootstrap_server], [collect_now(options, settings)])


def follow_release(settings: RunSettings, old: ReadSide) -> None:
    """Read the new files for the release that runs, unless one was given."""
    if old.running is not None and not settings.target_given:
        settings.target, settings.target_given = old.running.entities[0].target, True
