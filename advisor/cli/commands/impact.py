"""`kafka-advisor impact`: what is lost and what stops when brokers, racks or controllers of a cluster fail."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING

from advisor.analysis.impact.cluster_impact import impact_of
from advisor.analysis.impact.failure import parse_failure
from advisor.analysis.impact.rolling_restart import rolling_restart
from advisor.cli.argument_types import add_cluster, add_format, lint_defaults
from advisor.cli.inputs import Inputs, join, load_snapshot
from advisor.cli.live import snapshot_for
from advisor.cli.settings import run_settings
from advisor.errors import ExitCode, UserError
from advisor.reports.impact import data, document, restart_data, restart_document
from advisor.reports.show import show
from advisor.simulator.running.failover import KILL

if TYPE_CHECKING:
    from advisor.model import Snapshot


EPILOG = """\
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


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `impact`."""
    parser.epilog = EPILOG
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
    add_format(output, ("text", "json", "markdown", "html"))
    output.add_argument("--fail-on-unknown", action="store_true", help="exit with 1 when something was not read")


def run(options: Namespace) -> int:
    """Collect (or load) a snapshot, decide, show; 1 where something is lost or stops."""
    settings = run_settings(options)  # type: ignore[arg-type]
    saved = load_snapshot(options.saved, settings) if options.saved and not options.bootstrap_server else None
    if options.down and options.rolling_restart:
        raise UserError("impact: --down and --rolling-restart are two questions: ask one at a time")
    if not options.down and not options.rolling_restart:
        raise UserError("impact: name what fails with --down broker:2, or ask for --rolling-restart")
    if options.rolling_restart and options.how is not None:
        raise UserError("impact: --how is for --down; --rolling-restart stops each node in order")
    snapshot = saved or snapshot_for(options, settings)
    inputs = Inputs()
    join(snapshot, inputs.clients(options.with_, settings), inputs)
    code = restart(snapshot, options) if options.rolling_restart else failure(snapshot, options)
    return ExitCode.ERROR if inputs.errors else code


def failure(snapshot: Snapshot, options: Namespace) -> int:
    """Show what a failure does."""
    assert snapshot.live is not None
    impact = impact_of(snapshot, parse_failure(",".join(options.down), options.how or KILL, snapshot.live))
    show(options.format, lambda: [document.document(impact)], json=lambda: data.lines(impact))
    if impact.worse() or impact.quorum.keeps is False:
        return ExitCode.FINDINGS
    return ExitCode.FINDINGS if options.fail_on_unknown and impact.unknown else ExitCode.CLEAN


def restart(snapshot: Snapshot, options: Namespace) -> int:
    """Show an order of restarts, or what makes it unsafe."""
    order = rolling_restart(snapshot)
    show(options.format, lambda: [restart_document.document(order)], json=lambda: restart_data.lines(order))
    if order.is_safe is False:
        return ExitCode.FINDINGS
    return ExitCode.FINDINGS if options.fail_on_unknown and order.is_safe is None else ExitCode.CLEAN
