"""The arguments of simulate, starts, effective and diff."""

from __future__ import annotations

import argparse

from advisor.cli.argument_types import add_policy, add_show_values, lint_defaults, set_command
from advisor.model import KINDS
from advisor.model.finding import WORST_FIRST

SIMULATE_EPILOG = """\
events:      kill, power-loss, disk-loss, isolate, lag, controlled-shutdown, controller-down, power-loss-all;
             a victim is any (default), leader, follower or a replica's number
examples:
  kafka-advisor simulate --rf 3 --min-isr 2 --acks all
  kafka-advisor simulate --rf 3 --min-isr 1 --fail "lag follower, lag follower, power-loss leader"
  kafka-advisor simulate server.properties --with producer.properties
  kafka-advisor simulate cluster.json.gz          a row for each class of its topics; --topic NAME for one
"""


def simulate(parser: argparse.ArgumentParser) -> None:
    """The arguments of `simulate`."""
    parser.epilog = SIMULATE_EPILOG
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="take the settings from a broker's file, or a snapshot"
    )
    group = parser.add_argument_group("the configuration (over what the files say)")
    group.add_argument("--with", dest="with_", action="append", default=[], metavar="FILE", help="a producer's file")
    group.add_argument("--topic", metavar="NAME", help="the topic of a snapshot: its replicas, settings and racks")
    group.add_argument("--rf", type=int, metavar="N", help="replication factor, 1 to 5")
    group.add_argument("--min-isr", type=int, metavar="N", help="min.insync.replicas")
    group.add_argument("--acks", choices=("0", "1", "all"), help="the producer's acks (default: all)")
    group.add_argument("--unclean", action="store_true", help="unclean.leader.election.enable=true")
    group.add_argument(
        "--elr",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="eligible leader replicas (default: both, the worse is shown)",
    )
    group.add_argument("--flush", action="store_true", help="flush.messages=1")
    group.add_argument("--kafka-version", metavar="V", help="release, from 0.8 on (default: the newest)")
    group.add_argument("--metadata", choices=("kraft", "zookeeper"), help="default: kraft, or what the file says")
    group.add_argument("--racks", metavar="A,A,B", help="each replica's failure domain (default: all share one)")
    question = parser.add_argument_group("the question")
    question.add_argument("--fail", metavar="EVENTS", help='failures to try, such as "kill leader, power-loss any"')
    question.add_argument(
        "--property",
        default="no-acked-loss",
        metavar="NAME",
        help="what must hold under --fail (default: no-acked-loss)",
    )
    question.add_argument(
        "--assume", default="", metavar="RATES", help="broker_failures=6/year,repair=30min,power=0.5/year,…"
    )
    question.add_argument("--queries", metavar="FILE", help="answer JSON Lines in bulk; - is standard input")
    question.add_argument(
        "--limit", type=int, default=2_000_000, metavar="N", help="states after which a question stays undecided"
    )
    question.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    set_command(parser, "simulate")


STARTS_EPILOG = """\
examples:
  kafka-advisor starts server.properties
  kafka-advisor starts server.properties --on 3.9,4.0,4.4
  kafka-advisor starts --queries questions.jsonl
A question is {"id", "component", "version", "settings"}; component is broker, producer, consumer, admin, topic, connect or
streams, and `broker:` before a key makes it a setting of the broker that a topic is created on. The answer is
{"id", "refused": true|false|null, "reasons": [{"key", "message"}], "changed": [keys],
"changes": [{"key", "written", "used", "message"}]}; null is unknown, `reasons` says why. A change's `written` is null where
the key is left out, its `used` where Kafka goes on without the value.

exit codes:
  0  no release that was asked refuses (with --queries: every line was answered)
  1  some release refuses
  2  wrong usage, a file that cannot be read, or a line of questions that asks nothing
  3  nothing to check
"""
EFFECTIVE_EPILOG = """\
examples:
  kafka-advisor effective server.properties
  kafka-advisor effective server.properties --kafka-version 3.9 --all
exit codes: 0, 2 for wrong usage or a file that cannot be read, 3 for nothing to show
"""


def starts(parser: argparse.ArgumentParser) -> None:
    """The arguments of `starts`."""
    parser.epilog = STARTS_EPILOG
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="configuration files; - is standard input; of several, JSON is a list"
    )
    parser.add_argument(
        "--on", metavar="V,V", help="the releases to ask (default: all from 2.8 on, for KRaft nodes from 3.3 on)"
    )
    parser.add_argument("--kind", choices=KINDS, metavar="KIND", help=f"{', '.join(KINDS)} (default: by content)")
    parser.add_argument("--queries", metavar="FILE", help="answer JSON Lines in bulk; - is standard input")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    set_command(parser, "starts")


def effective(parser: argparse.ArgumentParser) -> None:
    """The arguments of `effective`."""
    parser.epilog = EFFECTIVE_EPILOG
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="configuration files; - is standard input; of several, JSON is a list"
    )
    parser.add_argument("--kafka-version", metavar="V", help="release (default: from the file, else the newest)")
    parser.add_argument("--kind", choices=KINDS, metavar="KIND", help=f"{', '.join(KINDS)} (default: by content)")
    parser.add_argument("--all", action="store_true", help="the defaults, too")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    add_show_values(parser)
    set_command(parser, "effective")


DIFF_EPILOG = """\
examples:
  kafka-advisor diff old/server.properties server.properties
  kafka-advisor diff monday.json.gz tuesday.json.gz
  kafka-advisor diff <(git show main:server.properties) server.properties --format markdown

exit codes:
  0  no finding at or above --fail-on appears
  1  findings at or above --fail-on (default high) appear
  2  wrong usage, or a side that cannot be read
"""


def diff(parser: argparse.ArgumentParser) -> None:
    """The arguments of `diff`."""
    parser.epilog = DIFF_EPILOG
    lint_defaults(parser)
    what = "a configuration file, a snapshot of a cluster, or a report that --format json wrote"
    parser.add_argument("old", metavar="OLD", help=what)
    parser.add_argument("new", metavar="NEW", help="the same after the change")
    about = parser.add_argument_group("what the files are")
    about.add_argument("--kind", choices=KINDS, metavar="KIND", help="what both files are (default: by content)")
    about.add_argument("--with", dest="with_", action="append", metavar="FILE", help="a client, judged with both sides")
    about.add_argument("--kafka-version", metavar="V", help="judge for this release (default: from the files)")
    about.add_argument("--assume", default="", metavar="RATES", help="for the odds, as in simulate: repair=30min,…")
    add_policy(parser)
    group = parser.add_argument_group("what comes out")
    group.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="default: text")
    group.add_argument(
        "--fail-on",
        choices=WORST_FIRST,
        metavar="SEVERITY",
        help="exit with 1 when findings of this severity or above appear (default: high)",
    )
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever appears")
    add_show_values(group)
    set_command(parser, "diff")
