"""The arguments of check, snapshot, impact and advise."""

from __future__ import annotations

import argparse

from advisor.cli.argument_types import (
    EXIT_CODES,
    add_output,
    add_policy,
    add_waivers,
    lint_defaults,
    seconds,
    set_command,
)

CHECK_EPILOG = f"""\
examples:
  kafka-advisor check --bootstrap-server broker:9092
  kafka-advisor check --bootstrap-server broker:9093 --command-config client.properties
  kafka-advisor check --bootstrap-server broker:9092 --with producer.properties=orders,payments
  kafka-advisor check --bootstrap-server broker:9092 --zookeeper zk1:2181,zk2:2181/kafka
  kafka-advisor check cluster.json.gz
Nothing is ever written to a cluster. `check --required-acls` prints the rights that a full read takes; what this
principal may not see is reported as unknown, never as fine.

{EXIT_CODES}  4  the cluster cannot be reached
"""
SNAPSHOT_EPILOG = """\
example:
  kafka-advisor snapshot --bootstrap-server broker:9092 -o cluster.json.gz
  kafka-advisor lint cluster.json.gz
Secrets are masked when they are read; the file holds none. It is readable for its owner only.
"""


def check(parser: argparse.ArgumentParser) -> None:
    """The arguments of `check`."""
    parser.epilog = CHECK_EPILOG
    lint_defaults(parser)
    parser.add_argument("saved", nargs="?", metavar="SNAPSHOT", help="a saved snapshot in place of a running cluster")
    add_cluster(parser)
    parser.add_argument(
        "--with",
        dest="with_",
        action="append",
        default=[],
        metavar="FILE[=TOPICS]",
        help="a client's file, judged together with the topics it uses: producer.properties=orders,pay-*",
    )
    parser.add_argument(
        "--required-acls", action="store_true", help="print the rights that a full read takes, and exit"
    )
    add_policy(parser)
    silence = parser.add_argument_group("what is known already")
    silence.add_argument("--baseline", metavar="FILE", help="findings listed there are not reported again")
    add_waivers(silence)
    silence.add_argument("--write-baseline", metavar="FILE", help="write the findings as a baseline, and exit with 0")
    add_output(parser)
    set_command(parser, "check")


def snapshot(parser: argparse.ArgumentParser) -> None:
    """The arguments of `snapshot`."""
    parser.epilog = SNAPSHOT_EPILOG
    parser.set_defaults(saved=None)
    add_cluster(parser)
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="cluster.json or cluster.json.gz; - is standard output"
    )
    set_command(parser, "snapshot")


IMPACT_EPILOG = """\
examples:
  kafka-advisor impact cluster.json.gz --down broker:2
  kafka-advisor impact cluster.json.gz --down rack:eu-1a --how power-loss
  kafka-advisor impact cluster.json.gz --down broker:2,broker:3 --with producer.properties=orders
  kafka-advisor impact cluster.json.gz --down controllers
  kafka-advisor impact --bootstrap-server broker:9092 --rolling-restart

exit codes:
  0  nothing is lost or stops (with --rolling-restart: every step is safe)
  1  something is lost or stops, or a step is unsafe; with --fail-on-unknown also where something was not read
  2  wrong usage, or a file that cannot be read
  4  the cluster cannot be reached
"""


def impact(parser: argparse.ArgumentParser) -> None:
    """The arguments of `impact`."""
    parser.epilog = IMPACT_EPILOG
    lint_defaults(parser)
    parser.add_argument("saved", nargs="?", metavar="SNAPSHOT", help="a saved snapshot in place of a running cluster")
    question = parser.add_argument_group("the question")
    question.add_argument(
        "--down",
        action="append",
        default=[],
        metavar="WHAT",
        help="what fails together: broker:2,broker:3 or rack:NAME or controller:3 or controllers",
    )
    question.add_argument(
        "--how",
        choices=("kill", "power-loss", "disk-loss"),
        default=None,
        help="kill (default): the process dies, its page cache survives; power-loss: what was not flushed is gone; "
        "disk-loss: its replicas are empty",
    )
    question.add_argument(
        "--rolling-restart", action="store_true", help="in which order all nodes can be restarted, and what to wait for"
    )
    question.add_argument(
        "--with",
        dest="with_",
        action="append",
        default=[],
        metavar="FILE[=TOPICS]",
        help="a client's file, to say what it sees: producer.properties=orders,pay-*",
    )
    add_cluster(parser)
    output = parser.add_argument_group("what comes out")
    output.add_argument("--format", choices=("text", "json", "markdown", "html"), default="text", help="default: text")
    output.add_argument("--fail-on-unknown", action="store_true", help="exit with 1 when something was not read")
    set_command(parser, "impact")


ADVISE_EPILOG = """\
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


def advise(parser: argparse.ArgumentParser) -> None:
    """The arguments of `advise`."""
    parser.epilog = ADVISE_EPILOG
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
    output.add_argument(
        "--format",
        choices=("text", "json", "markdown", "html", "script", "diff"),
        default="text",
        help="script: for a cluster, asks before each change; diff: for files, to be given to patch -p0 (default: text)",
    )
    set_command(parser, "advise")


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


def add_cluster(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the cluster")
    group.add_argument("--bootstrap-server", metavar="HOST:PORT", help="some of its brokers, separated by commas")
    group.add_argument(
        "--command-config",
        metavar="FILE",
        help="client settings to connect with, in Java's or librdkafka's names (or KAFKA_ADVISOR_… in the environment)",
    )
    group.add_argument("--zookeeper", metavar="HOST:PORT[/CHROOT]", help="its ZooKeeper (Kafka up to 3.9)")
    group.add_argument(
        "--timeout", type=seconds, default=60.0, metavar="SECONDS", help="for everything together (default: 60)"
    )
    group.add_argument(
        "--group",
        action="append",
        default=[],
        metavar="NAME",
        help="a consumer group that there should be: one whose coordinator is down is listed by nobody",
    )
    group.add_argument("--before", metavar="SNAPSHOT", help="an earlier snapshot: its groups are what there should be")
    group.add_argument("--lag", action="store_true", help="read end offsets, too, and so the lag of groups")
