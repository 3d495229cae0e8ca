"""`kafka-advisor simulate`: what a configuration loses, when it stops serving, and how."""

from __future__ import annotations

import sys
import time

from advisor.cli.lint import Refused
from advisor.simulator.chosen_victims import ChosenVictims, read
from advisor.simulator.odds import ASSUMPTIONS, CAUSES, HOURS, BadAssumption, assume, odds, shown
from advisor.simulator.properties import loses_acked
from advisor.simulator.quorum import compared
from advisor.simulator.scenario import BadSetup, Setup, budget
from advisor.simulator.search import explore, named
from advisor.simulator.story import picture, told
from advisor.simulator.verdict import QUESTIONS, Verdict, counted, in_order, sets
from advisor.simulator.verdict_store import recall

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from rich.progress import Progress

    from advisor.simulator.odds import Rates
    from advisor.simulator.search import Answer
    from advisor.simulator.verdict import Outcome, Trace

QUORUM = {
    "failures_survived_writing": "failures survived while writing",
    "failures_survived_without_loss": "failures survived without loss",
    "copies_per_failure": "copies kept per failure survived without loss",
    "unavailable": "share of time without writes",
    "latency_with_a_slow_follower": "ms to confirm, one follower ten times slower",
}
SETS_AT_MOST = 2 * len(QUESTIONS) * sum(1 for _ in sets(True))
"""Sets of failures that two verdicts may try: this configuration's and the recommended one's."""
COMMON_POWER = ("power-loss-all",)
NEEDED = {
    "loss": "failures until a record is lost",
    "writes": "failures until writes stop",
    "reads": "failures until reads stop",
}


def run(options: argparse.Namespace) -> int:
    """Answer the question; a wrong one gets one line."""
    try:
        if options.limit < 1:
            raise BadSetup("--limit is a number of states, at least 1")
        if options.queries:
            return run_queries(options.queries, options.limit)
        rates = assume(options.assume)
        setups, notes = setups_of(options)
        return show(options, setups, notes, rates)
    except (BadSetup, BadAssumption) as bad:
        raise Refused(f"kafka-advisor simulate: {bad}") from None


def run_queries(path: str, limit: int) -> int:
    """JSON Lines in, JSON Lines out, each row written as soon as it is known."""
    import json

    from advisor.simulator.queries import answers

    try:
        if path == "-":
            lines = list(sys.stdin)
        else:
            with open(path, encoding="utf-8") as handle:
                lines = list(handle)
    except OSError as error:
        raise Refused(f"kafka-advisor simulate: {path}: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise Refused(f"kafka-advisor simulate: {path}: not UTF-8") from None
    try:
        for answer in watched(answers(lines, limit), len(lines), "queries"):
            print(json.dumps(answer, ensure_ascii=False), flush=True)
    except BadSetup as bad:
        raise Refused(f"kafka-advisor simulate: {path}: {bad}") from None
    return 0


def watched(rows: Iterator[dict[str, object]], total: int, what: str) -> Iterator[dict[str, object]]:
    """The rows, with a progress bar on a terminal once they take more than a second."""
    if not sys.stderr.isatty():
        yield from rows
        return
    with progress_bar() as progress:
        task = progress.add_task(what, total=total)
        for row in rows:
            progress.advance(task)
            yield row


class Watch:
    """A progress bar on a terminal, once searching takes more than a second."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.tried = 0
        self.bar: Progress | None = None

    def __call__(self, text: str) -> None:
        """One more set of failures is searched."""
        self.tried += 1
        if not sys.stderr.isatty() or time.monotonic() - self.started < 1:
            return
        if self.bar is None:
            self.bar = progress_bar()
            self.bar.start()
            self.bar.add_task("searching", total=SETS_AT_MOST)
        self.bar.update(self.bar.task_ids[0], completed=self.tried, description=text)

    def done(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()


def progress_bar() -> Progress:
    """A bar on standard error that leaves nothing behind."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True), transient=True)


def setups_of(options: argparse.Namespace) -> tuple[list[Setup], list[str]]:
    """The configurations to look at (two where ELR is open) and what was assumed."""
    from advisor.analysis.simulation_inputs import given

    values, notes = given(options)
    racks = [rack.strip() for rack in options.racks.split(",")] if options.racks else values.racks
    names = list(dict.fromkeys(racks))
    elr = options.elr if options.elr is not None else values.elr
    elr_values = [elr] if elr is not None else [False, True] if values.elr_open else [False]
    if len(elr_values) == 2:
        notes.append(
            "eligible leader replicas: off and on, the worse is shown (on in clusters formatted by 4.1 or newer)"
        )
    setups = [
        Setup(
            values.rf,
            values.min_isr,
            values.acks,
            unclean=values.unclean,
            elr=elr,
            flush=options.flush,
            version=values.version,
            metadata=values.metadata,
            domains=[names.index(rack) for rack in racks],
        )
        for elr in elr_values
    ]
    return setups, notes


def show(options: argparse.Namespace, setups: list[Setup], notes: list[str], rates: Rates) -> int:
    """Search, and print the answer."""
    watch = Watch()
    if options.fail is not None:
        named(options.property)
    verdicts = [recall(setup, watch) for setup in setups]
    worst = min(verdicts, key=severity)
    asked = chosen(options, worst.setup) if options.fail is not None else None
    recommended = recall(recommended_for(worst.setup), watch)
    watch.done()
    document = Document(worst, recommended, asked, notes, rates)
    if options.format == "json":
        import json

        print(json.dumps(document.data(), indent=2, ensure_ascii=False))
    else:
        print("\n".join(document.lines()))
    return 0


def severity(found: Verdict) -> tuple[int, int]:
    """Fewest failures to a loss first."""
    least = found.smallest("loss")
    least_apart = found.smallest("loss", COMMON_POWER)
    return (len(least_apart.failures) if least_apart else 99, len(least.failures) if least else 99)


def chosen(options: argparse.Namespace, setup: Setup) -> Answer:
    """The search for the failures that were named."""
    failures = read(options.fail, setup.replicas)
    violated = named(options.property)
    model = ChosenVictims(setup, failures, follower_hw=violated is not loses_acked)
    from advisor.simulator.model import start

    names = tuple(name for name, _ in failures)
    return explore(model, start(setup, budget(counted(names))), violated, options.limit)


def recommended_for(setup: Setup) -> Setup:
    """Three copies, two of them in sync, acks=all, no unclean election, in the same release."""
    return Setup(3, 2, "all", elr=setup.elr, version=setup.version, metadata=setup.metadata)


class Document:
    """The answer, as lines for people and as data for programs."""

    def __init__(
        self, found: Verdict, recommended: Verdict, asked: Answer | None, notes: list[str], rates: Rates
    ) -> None:
        self.found = found
        self.recommended = recommended
        self.asked = asked
        self.notes = notes
        self.rates = rates

    def lines(self) -> Iterator[str]:
        """The answer for people."""
        setup = self.found.setup
        yield configuration(setup)
        for note in self.notes:
            yield f"  assumed: {note}"
        yield ""
        for question in QUESTIONS:
            yield from verdict_lines(self.found, question)
        yield ""
        yield from self.story_lines()
        yield ""
        yield from self.odds_lines()
        yield ""
        yield from self.comparison_lines()
        yield ""
        yield from self.quorum_lines()

    def story_lines(self) -> Iterator[str]:
        """The asked counterexample, or the smallest."""
        setup = self.found.setup
        if self.asked is not None:
            if self.asked.holds is None:
                yield f"Not decided within {self.asked.states} states."
                return
            if self.asked.holds:
                yield f"The failures asked for violate nothing: all {self.asked.states} reachable states were searched."
                return
            yield "How the failures asked for do it:"
            yield from story(setup, self.asked.trace)
            return
        outcome = self.found.smallest("loss", COMMON_POWER) or self.found.smallest("loss")
        if outcome is None:
            yield "No story: nothing that was searched loses an acknowledged record."
            return
        yield f"How an acknowledged record is lost: {in_order(outcome.failures, outcome.trace)}"
        yield from story(setup, outcome.trace)

    def odds_lines(self) -> Iterator[str]:
        """The odds, and all that they rest on."""
        own = odds_of(self.found.setup, self.rates)
        yield "Odds per year (estimates: they are worth what their assumptions are worth):"
        for name, value in own.items():
            yield f"  {CAUSES[name]:<36} {value:.3g}"
        assumptions = [f"{name}={shown(name, getattr(self.rates, name))}" for name in ASSUMPTIONS]
        yield f"  assuming {', '.join(assumptions)} (--assume changes them)"

    def comparison_lines(self) -> Iterator[str]:
        """This configuration beside the recommended one."""
        yield f"{'Compared with the recommended':<40} {'this':>26} {'RF 3, min.isr 2, acks=all':>28}"
        mine, theirs = odds_of(self.found.setup, self.rates), odds_of(self.recommended.setup, self.rates)
        for question in QUESTIONS:
            own, best = fewest(self.found, question), fewest(self.recommended, question)
            yield f"  {NEEDED[question]:<38} {own:>26} {best:>28}"
        for name in ("minutes_without_writes", "minutes_without_reads", "loss_probability"):
            yield f"  {CAUSES[name]:<38} {mine[name]:>26.3g} {theirs[name]:>28.3g}"

    def quorum_lines(self) -> Iterator[str]:
        """The same machines as a majority log, which is what ZooKeeper and the KRaft controllers are."""
        n = self.found.setup.replicas
        both = self.quorum()
        yield f"{f'Beside a majority log of {n} (ZooKeeper, KRaft controllers)':<58} {'this ISR':>10} {'majority':>10}"
        for name, text in QUORUM.items():
            yield f"  {text:<56} {both['isr'][name]:>10.3g} {both['majority'][name]:>10.3g}"
        if n % 2 == 0:
            yield f"  of {n} members a majority log survives no more failures than of {n - 1}"

    def quorum(self) -> dict[str, dict[str, float]]:
        """The comparison with a majority log."""
        setup, rates = self.found.setup, self.rates
        down = rates.broker_failures / (rates.broker_failures + 1 / rates.repair)
        delay = rates.replication_delay * HOURS * 3_600_000
        return compared(setup.replicas, min(setup.min_isr, setup.replicas), down, delay)

    def data(self) -> dict[str, object]:
        """The answer for programs."""
        return {
            "format": "kafka-advisor-simulation/1",
            "configuration": data_of(self.found.setup),
            "assumed": self.notes,
            "verdict": {question: [failures_of(row) for row in rows] for question, rows in self.found.answers.items()},
            "undecided": [{"question": question, "failures": list(names)} for question, names in self.found.undecided],
            "asked": None
            if self.asked is None
            else {
                "holds": self.asked.holds,
                "states": self.asked.states,
                "story": [line for line, _ in told(self.found.setup, self.asked.trace)],
            },
            "odds": odds_of(self.found.setup, self.rates),
            "majority_log": {
                side: {name: None if value == float("inf") else value for name, value in row.items()}
                for side, row in self.quorum().items()
            },
            "assumptions": {name: getattr(self.rates, name) for name in ASSUMPTIONS},
            "recommended": {
                "configuration": data_of(self.recommended.setup),
                "odds": odds_of(self.recommended.setup, self.rates),
            },
        }


def failures_of(outcome: Outcome) -> dict[str, object]:
    """A smallest set of failures for programs."""
    return {
        "failures": list(outcome.failures),
        "steps": outcome.steps,
        "summary": in_order(outcome.failures, outcome.trace),
    }


def configuration(setup: Setup) -> str:
    """The configuration in one line."""
    words = [f"RF {setup.replicas}", f"min.insync.replicas {setup.min_isr}", f"acks={setup.acks}"]
    words += ["unclean election"] * setup.unclean + ["eligible leader replicas"] * setup.elr
    words += ["flush after every record"] * setup.flush
    return f"{', '.join(words)} (Kafka {setup.version[0]}.{setup.version[1]}, {setup.metadata})"


def data_of(setup: Setup) -> dict[str, object]:
    """The configuration for programs."""
    return {
        "replicas": setup.replicas,
        "min_isr": setup.min_isr,
        "acks": setup.acks,
        "unclean": setup.unclean,
        "elr": setup.elr,
        "flush": setup.flush,
        "kafka_version": f"{setup.version[0]}.{setup.version[1]}",
        "metadata": setup.metadata,
        "domains": len(set(setup.domains)),
    }


def odds_of(setup: Setup, rates: Rates) -> dict[str, float]:
    """The odds of a configuration."""
    return odds(data_of(setup), rates)


def fewest(found: Verdict, question: str) -> str:
    """How many failures it takes, with and without a power loss of everything at once."""
    least, apart = found.smallest(question), found.smallest(question, COMMON_POWER)
    single = str(len(apart.failures)) if apart else "over 2"
    return single if least is apart or least is None else f"{single} ({len(least.failures)} if all lose power)"


def verdict_lines(found: Verdict, question: str) -> Iterator[str]:
    """What it takes to violate one property."""
    least, apart = found.smallest(question), found.smallest(question, COMMON_POWER)
    what = {"loss": "Acknowledged records are lost", "writes": "Writes stop", "reads": "Reads stop"}[question]
    if least is None:
        yield f"{what}: by none of the sets of failures that were searched (all of up to 2, and some of 3)"
    for outcome in dict.fromkeys(row for row in (least, apart) if row):
        count = len(outcome.failures)
        yield f"{what} after {count} failure{'' if count == 1 else 's'}: {in_order(outcome.failures, outcome.trace)}"
    if found.undecided:
        yield f"  ({len(found.undecided)} sets of failures were not decided within the state limit)"


def story(setup: Setup, trace: Trace) -> Iterator[str]:
    """Every step, with what every replica holds after it."""
    for number, (line, state) in enumerate(told(setup, trace), 1):
        yield f"  {number:2}. {line}"
        for row in picture(state):
            yield f"        {row}"
