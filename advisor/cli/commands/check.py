"""`kafka-advisor check`: judge a running cluster and report."""

from __future__ import annotations

import argparse
from typing import Any

from advisor.cli.argument_types import EXIT_CODES, add_cluster, add_output, add_policy, add_waivers, lint_defaults
from advisor.cli.common import conclude, policy_of, waivers_of
from advisor.cli.inputs import Inputs, join, load_snapshot, path_of, show_values
from advisor.cli.live import snapshot_for
from advisor.cli.outputs import check_reports
from advisor.cli.settings import run_settings
from advisor.engine import judge
from advisor.engine.former_side import FormerSide
from advisor.errors import ExitCode
from rules import rule_set

ACLS = (
    ("cluster", "kafka-cluster", ("Describe", "DescribeConfigs"), "brokers, their settings, quorum, log directories"),
    ("topic", "*", ("Describe", "DescribeConfigs"), "topics, partitions and their settings"),
    ("group", "*", ("Describe",), "consumer groups and their offsets"),
)
"""Rights that a full read takes, none of which changes anything: resource, name, operations, what they show."""
FLAGS = {"cluster": "--cluster", "topic": "--topic '*'", "group": "--group '*'"}


EPILOG = f"""\
examples:
  kafka-advisor check --bootstrap-server broker:9092
  kafka-advisor check --bootstrap-server broker:9093 --command-config client.properties
  kafka-advisor check --bootstrap-server broker:9092 --with producer.properties=orders,payments
  kafka-advisor check --bootstrap-server broker:9092 --zookeeper zk1:2181,zk2:2181/kafka
  kafka-advisor check cluster.json.gz
  kafka-advisor check --bootstrap-server broker:9092 --before yesterday.json.gz
Nothing is ever written to a cluster. `check --required-acls` prints the rights that a full read takes; what this
principal may not see is reported as unknown, never as fine.

{EXIT_CODES}  4  the cluster cannot be reached
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `check`."""
    parser.epilog = EPILOG
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


def run(options: Any) -> int:
    """Collect (or load) a snapshot, judge it, show the report."""
    if options.required_acls:
        return required_acls()
    settings = run_settings(options)
    rules = rule_set(settings.rules)
    policy = policy_of(settings, rules)
    waivers = waivers_of(settings, policy)
    inputs_named = [options.saved, options.command_config, options.before, *map(path_of, options.with_)]
    check_reports(options, settings, inputs_named)
    snapshot = snapshot_for(options, settings)
    inputs = Inputs()
    join(snapshot, inputs.clients(options.with_, settings), inputs)
    if options.show_values:
        show_values([snapshot])
    former = FormerSide([load_snapshot(options.before, settings)]) if options.before else None
    report = judge([snapshot], rules, policy, waivers, former)
    return conclude(report, rules, policy, waivers, settings, options, inputs)


def required_acls() -> int:
    """Print the kafka-acls commands that grant the rights for a full read."""
    print("# What kafka-advisor needs to read everything; none of it changes anything.")
    for resource, name, operations, shows in ACLS:
        print(f"# {resource} {name}: {shows}")
        flags = " ".join(f"--operation {operation}" for operation in operations)
        print(
            f"kafka-acls.sh --bootstrap-server HOST:9092 --add --allow-principal User:kafka-advisor {flags} "
            f"{FLAGS[resource]}"
        )
    return ExitCode.CLEAN
