"""`kafka-advisor rollout OLD NEW`: whether a change survives its own rollout, step by step, and in how many passes."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Sequence

from advisor.analysis.rollout.cluster import RolloutCluster
from advisor.analysis.rollout.disclosed import disclose
from advisor.analysis.rollout.outcome import LOSES, NEEDS_PASSES, REFUSES, UNAVAILABLE, UNKNOWN
from advisor.analysis.rollout.rollout import rollout_of
from advisor.analysis.startup.judge import StartupJudge
from advisor.cli.argument_types import add_cluster, add_format, add_show_values, lint_defaults
from advisor.cli.inputs import show_values
from advisor.cli.settings import RunSettings, run_settings
from advisor.cli.sides.rollout_sides import ReadSide, clusters_of_sides, read_side
from advisor.errors import ExitCode, UserError, say
from advisor.reports.impact.words import counted
from advisor.reports.rollout import data, script
from advisor.reports.rollout.document import document
from advisor.reports.show import in_json, show
from rules import all_rules

EPILOG = """\
A side is a folder with a file for each node, or one file for all of them; REF:folder is the folder as a commit has it.
Where operators' resources are of several clusters, or two files give one node id, each cluster that changes is judged.
OLD may be a snapshot of the running cluster: its partitions, dynamic values, groups and ACLs count then. Of files alone
a healthy cluster is taken, with three replicas of every partition (two where default.replication.factor says so).

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
NAMED = 5
"""Clusters whose names are shown."""
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
    about.add_argument(
        "--cluster", metavar="NAME", help="judge this one, where the files are those of several clusters"
    )
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
    clusters = clusters_of_sides(old, new)
    if not clusters:
        say("nothing to roll out: no file is one of a broker or a controller")
        return ExitCode.NOTHING
    chosen = chosen_clusters(clusters, options)
    judge = StartupJudge(all_rules())
    rollouts = [rollout_of(cluster, judge) for cluster in chosen]
    for rollout in rollouts:
        disclose(rollout)
    show(
        options.format,
        lambda: [document(rollout) for rollout in rollouts],
        json=lambda: in_json(data.data(rollout) for rollout in rollouts),
        script=lambda: script.lines(rollouts[0]),
    )
    say_unchanged(clusters, chosen)
    fails = any(rollout.verdict in FAILS_ON[fails_on] for rollout in rollouts)
    return ExitCode.FINDINGS if fails else ExitCode.CLEAN


def chosen_clusters(clusters: Sequence[RolloutCluster], options: Namespace) -> list[RolloutCluster]:
    """The clusters that change, the first one where none does, or the one that is named. Raises UserError."""
    if options.cluster is not None:
        named = [cluster for cluster in clusters if cluster.name == options.cluster]
        if not named:
            has = f"they are those of {names(clusters)}" if len(clusters) > 1 else "they are those of one alone"
            raise UserError(f"--cluster {options.cluster}: no cluster of the files is called so; {has}")
        return named
    changed = [cluster for cluster in clusters if cluster.changes] or list(clusters[:1])
    if len(changed) > 1 and any(word.partition("=")[0] == "script" for word in options.format or ()):
        raise UserError(
            f"--format script: {len(changed)} clusters change, {names(changed)}: name one of them with --cluster"
        )
    return changed


def say_unchanged(clusters: Sequence[RolloutCluster], chosen: Sequence[RolloutCluster]) -> None:
    """Say which clusters of the files are not judged."""
    others = [cluster for cluster in clusters if cluster not in chosen and not cluster.changes]
    new = [cluster for cluster in others if not any(node.old for node in cluster.nodes.values())]
    unchanged = [cluster for cluster in others if cluster not in new]
    if unchanged:
        say(f"{counted(len(unchanged), 'cluster')} without a change: {names(unchanged)}")
    if new:
        say(f"{counted(len(new), 'new cluster')}, where nothing runs yet: {names(new)}")


def names(clusters: Sequence[RolloutCluster]) -> str:
    """The names of some clusters, the first ones of many."""
    left = f" and {len(clusters) - NAMED} more" if len(clusters) > NAMED else ""
    return ", ".join(cluster.name or "the only one" for cluster in clusters[:NAMED]) + left


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
