"""`kafka-advisor simulate`: which failures lose data or stop service under a configuration, and how."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from typing import TYPE_CHECKING

from advisor import limits
from advisor.analysis.simulation_inputs import scenarios_of
from advisor.cli.argument_types import add_format
from advisor.errors import BadScenario, ExitCode, UnreadableInput, os_reason
from advisor.reports.machine.json_text import dump
from advisor.reports.progress import watched
from advisor.reports.show import in_json, show
from advisor.reports.simulation import SimulationReport
from advisor.simulator.decision import decide_chosen
from advisor.simulator.odds import Rates, assume
from advisor.simulator.protocol.chosen_victims import read
from advisor.simulator.protocol.scenario import Scenario
from advisor.simulator.queries import answers
from advisor.simulator.search import SearchResult, property_named
from advisor.simulator.summary import recommended_for, severity
from advisor.simulator.verdict import verdict

if TYPE_CHECKING:
    from rich.progress import Progress

    from advisor.model import Snapshot


EPILOG = """\
events:      kill, power-loss, disk-loss, isolate, lag, controlled-shutdown, controller-down, power-loss-all;
             a victim is any (default), leader, follower or a replica's number
examples:
  kafka-advisor simulate --rf 3 --min-isr 2 --acks all
  kafka-advisor simulate --rf 3 --min-isr 1 --fail "lag follower, lag follower, power-loss leader"
  kafka-advisor simulate server.properties --with producer.properties
  kafka-advisor simulate cluster.json.gz          a row for each class of its topics; --topic NAME for one
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `simulate`."""
    parser.epilog = EPILOG
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="take the settings from a broker's file, or a snapshot"
    )
    group = parser.add_argument_group("the configuration (over what the files say)")
    group.add_argument("--with", dest="with_", action="append", default=[], metavar="FILE", help="a producer's file")
    group.add_argument("--topic", metavar="NAME", help="the topic of a snapshot: its replicas, settings and racks")
    group.add_argument("--rf", type=int, metavar="N", help="replication factor, 1 to 7")
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
    add_format(question, ("text", "json", "markdown", "html"))


def run(options: argparse.Namespace) -> int:
    """Run the simulation. Raises BadScenario and BadAssumption for invalid options."""
    if options.limit < 1:
        raise BadScenario("--limit is a number of states, at least 1")
    if options.queries:
        return run_queries(options.queries, options.limit)
    rates = assume(options.assume)
    snapshot = whole_snapshot(options)
    if snapshot is not None:
        return show_classes(snapshot, options, rates)
    scenarios, notes, remark = scenarios_of(options)
    return decide_and_show(options, scenarios, notes, remark, rates)


def whole_snapshot(options: argparse.Namespace) -> Snapshot | None:
    """The snapshot whose topics are all asked for: one file, and nothing of one topic named. Raises UserError."""
    of_one_topic = (options.topic, options.fail, options.rf, options.min_isr, options.racks, options.elr)
    is_one = any(option is not None for option in of_one_topic) or options.unclean or options.flush
    if len(options.files) != 1 or is_one or not os.path.isfile(options.files[0]):  # a pipe is read only once
        return None
    from collectors.files.reader import content, is_saved
    from collectors.snapshot.file import parse

    data = content(options.files[0])
    return parse(data, options.files[0]) if is_saved(data) else None


def show_classes(snapshot: Snapshot, options: argparse.Namespace, rates: Rates) -> int:
    """A row for each class of topics."""
    from advisor.analysis.topic_classes import topic_classes
    from advisor.reports import topic_classes as report

    classes, unread = topic_classes(snapshot, options.acks or "all", rates)
    show(
        options.format,
        lambda: [report.document(snapshot.name, classes, unread)],
        json=lambda: in_json([report.data(snapshot.name, classes, unread)]),
    )
    return ExitCode.CLEAN


def run_queries(path: str, limit: int) -> int:
    """Answer JSON Lines with JSON Lines, each as soon as it is known."""
    try:
        if path == "-":
            data = limits.read(sys.stdin.buffer, limits.QUERIES, "<stdin>")
        else:
            with open(path, "rb") as handle:
                data = limits.read(handle, limits.QUERIES, path)
        lines = data.decode("utf-8").split("\n")
    except OSError as error:
        raise UnreadableInput(f"{path}: {os_reason(error)}") from None
    except UnicodeDecodeError:
        raise UnreadableInput(f"{path}: not UTF-8") from None
    try:
        for answer in watched(answers(lines, limit), "queries", len(lines)):
            print(dump(answer), flush=True)
    except BadScenario as bad:
        raise BadScenario(f"{path}: {bad}") from None
    return ExitCode.CLEAN


class Watch:
    """Watches a search: a progress bar on a terminal after a second, and Ctrl-C ends the search, not the program."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.started = time.monotonic()
        self.stopped = False
        self.bar: Progress | None = None

    def __enter__(self) -> Watch:
        self.handler = signal.signal(signal.SIGINT, self.stop)
        return self

    def __exit__(self, *exception: object) -> None:
        signal.signal(signal.SIGINT, self.handler)
        if self.bar is not None:
            self.bar.stop()

    def stop(self, *signal: object) -> None:
        """End the search: what is known by then is the answer."""
        self.stopped = True

    def __call__(self, states: int) -> bool:
        """Show how many states were searched, of those that may be; True once the search was stopped."""
        if sys.stderr.isatty() and time.monotonic() - self.started > 1:
            if self.bar is None:
                self.bar = progress_bar()
                self.bar.start()
                self.bar.add_task("searching", total=self.limit)
            text = f"{states:,} states (Ctrl-C shows what is known)"
            self.bar.update(self.bar.task_ids[0], completed=states, description=text)
        return self.stopped


def progress_bar() -> Progress:
    """A transient progress bar on standard error."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True), transient=True)


def decide_and_show(
    options: argparse.Namespace, scenarios: list[Scenario], notes: list[str], remark: str, rates: Rates
) -> int:
    """Decide or search, and print the answer."""
    if options.fail is not None:
        property_named(options.property)
    with Watch(options.limit) as watch:
        worst = min((verdict(scenario, watch) for scenario in scenarios), key=severity)
        chosen = search_chosen(options, worst.scenario, watch) if options.fail is not None else None
        recommended = verdict(recommended_for(worst.scenario), watch)
    report = SimulationReport(worst, recommended, chosen, notes, remark, rates)
    show(options.format, lambda: [report.document()], json=lambda: in_json([report.data()]))
    return ExitCode.CLEAN


def search_chosen(options: argparse.Namespace, scenario: Scenario, watch: Watch) -> SearchResult:
    """Search with the failures named by --fail."""
    failures = read(options.fail, scenario.replicas)
    return decide_chosen(scenario, failures, options.property, options.limit, watch)
