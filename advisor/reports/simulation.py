"""Output of `simulate`: its document and its JSON data."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.reports.document.blocks import Block, Document, Items, Section, Sentence, Step, Steps, Table
from advisor.reports.odds_sentences import driving_assumption, sentences, significant
from advisor.simulator.odds import ASSUMPTIONS, CAUSES, HOURS, Rates, assumption_text
from advisor.simulator.protocol.scenario import Scenario
from advisor.simulator.quorum import compare_with_quorum
from advisor.simulator.search import SearchResult, Trace
from advisor.simulator.story import describe_replicas, tell_story
from advisor.simulator.summary import COMMON_POWER, data_of, fewest_failures, odds_of
from advisor.simulator.verdict import QUESTIONS, SimulationVerdict, SmallestFailures, in_order

QUORUM = {
    "failures_survived_writing": "failures survived while writing",
    "failures_survived_without_loss": "failures survived without loss",
    "copies_per_failure": "replicas kept per failure survived without loss",
    "unavailable": "share of time without writes",
    "latency_with_a_slow_follower": "ms to confirm, one follower ten times slower",
}
NEEDED = {
    "loss": "failures until a record is lost",
    "writes": "failures until writes stop",
    "reads": "failures until reads stop",
}
LABEL_WIDTH = 36
RIGHT = frozenset({1, 2})
"""Columns of numbers."""
DECIDED = "so few failures do no harm, whichever replicas they hit"
COMPARED = ("minutes_without_writes", "minutes_without_reads", "loss_probability")
"""The odds that are set beside those of the recommended configuration."""


class SimulationReport:
    """The simulation's result, as a document and as JSON data."""

    def __init__(
        self,
        found: SimulationVerdict,
        recommended: SimulationVerdict,
        asked: SearchResult | None,
        notes: list[str],
        remark: str,
        rates: Rates,
    ) -> None:
        self.found = found
        self.recommended = recommended
        self.asked = asked
        self.notes = notes
        self.remark = remark
        self.rates = rates

    def document(self) -> Document:
        """The result for people."""
        scenario = self.found.scenario
        notes = [*(f"assumed: {note}" for note in self.notes), *([self.remark] if self.remark else [])]
        verdict = [block for question in QUESTIONS for block in verdict_blocks(self.found, question)]
        return Document(
            configuration(scenario),
            blocks=[Items(notes)] if notes else [],
            sections=[
                Section("", [Sentence(text) for text in sentences(scenario, odds_of(scenario, self.rates))]),
                Section("Verdict", verdict, titled=False),
                Section("Story", list(self.story_blocks()), titled=False),
                self.odds_section(),
                Section("Compared with the recommended configuration", [self.comparison()], titled=False),
                Section("Compared with a majority log", list(self.quorum_blocks()), titled=False),
            ],
        )

    def story_blocks(self) -> Iterator[Block]:
        """The requested counterexample, or the smallest."""
        if self.asked is not None:
            yield from asked_blocks(self.found.scenario, self.asked)
            return
        outcome = self.found.smallest("loss", COMMON_POWER) or self.found.smallest("loss")
        if outcome is None:
            yield Sentence("No story: nothing that was searched loses an acknowledged record.")
            return
        yield Sentence(f"How an acknowledged record is lost: {in_order(outcome.failures, outcome.trace)}")
        yield story(self.found.scenario, outcome.trace)

    def odds_section(self) -> Section:
        """The odds, and the assumptions behind them."""
        own = odds_of(self.found.scenario, self.rates)
        rows = [(CAUSES[name], significant(value)) for name, value in own.items()]
        assumptions = [f"{name}={assumption_text(name, getattr(self.rates, name))}" for name in ASSUMPTIONS]
        table = Table(("odds", "per year"), rows, has_head=False, widths=(LABEL_WIDTH,))
        driving = driving_assumption(self.found.scenario, own, self.rates)
        assumed = Items(
            [*([f"probability of any loss: {driving}"] if driving else []),
             f"assuming {', '.join(assumptions)} (--assume changes them)"]
        )  # fmt: skip
        return Section("Odds per year (estimates: they are worth what their assumptions are worth)", [table, assumed])

    def comparison(self) -> Table:
        """This configuration compared with the recommended one."""
        mine, theirs = odds_of(self.found.scenario, self.rates), odds_of(self.recommended.scenario, self.rates)
        rows: list[tuple[str, ...]] = [
            (NEEDED[question], fewest_failures(self.found, question), fewest_failures(self.recommended, question))
            for question in QUESTIONS
        ]
        rows += [(CAUSES[name], significant(mine[name]), significant(theirs[name])) for name in COMPARED]
        return Table(("Compared with the recommended", "this", "RF 3, min.isr 2, acks=all"), rows, numbers=RIGHT)

    def quorum_blocks(self) -> Iterator[Block]:
        """Comparison with a majority quorum of the same machines, as ZooKeeper and KRaft controllers use."""
        n = self.found.scenario.replicas
        both = self.quorum()
        head = (f"Beside a majority log of {n} (ZooKeeper, KRaft controllers)", "this ISR", "majority")
        rows = [
            (text, significant(both["isr"][name]), significant(both["majority"][name])) for name, text in QUORUM.items()
        ]
        yield Table(head, rows, numbers=RIGHT)
        if n % 2 == 0:
            yield Items([f"of {n} members a majority log survives no more failures than of {n - 1}"])

    def quorum(self) -> dict[str, dict[str, float]]:
        """The comparison with a majority quorum as data."""
        scenario, rates = self.found.scenario, self.rates
        down = rates.broker_failures / (rates.broker_failures + 1 / rates.repair)
        delay = rates.replication_delay * HOURS * 3_600_000
        return compare_with_quorum(scenario.replicas, min(scenario.min_isr, scenario.replicas), down, delay)

    def data(self) -> dict[str, object]:
        """The result as JSON data."""
        return {
            "format": "kafka-advisor-simulation/1",
            "configuration": data_of(self.found.scenario),
            "assumed": self.notes,
            "remark": self.remark or None,
            "verdict": {question: [failures_of(row) for row in rows] for question, rows in self.found.answers.items()},
            "undecided": [{"question": question, "failures": list(names)} for question, names in self.found.undecided],
            "asked": None
            if self.asked is None
            else {
                "holds": self.asked.holds,
                "states": self.asked.states,
                "story": [line for line, _ in tell_story(self.found.scenario, self.asked.trace)],
            },
            "odds": odds_of(self.found.scenario, self.rates),
            "majority_log": {
                side: {name: None if value == float("inf") else value for name, value in row.items()}
                for side, row in self.quorum().items()
            },
            "assumptions": {name: getattr(self.rates, name) for name in ASSUMPTIONS},
            "recommended": {
                "configuration": data_of(self.recommended.scenario),
                "odds": odds_of(self.recommended.scenario, self.rates),
            },
        }


def failures_of(outcome: SmallestFailures) -> dict[str, object]:
    """A smallest set of failures as JSON data."""
    return {
        "failures": list(outcome.failures),
        "steps": outcome.steps,
        "summary": in_order(outcome.failures, outcome.trace),
    }


def configuration(scenario: Scenario) -> str:
    """The configuration in one line."""
    words = [f"RF {scenario.replicas}", f"min.insync.replicas {scenario.min_isr}", f"acks={scenario.acks}"]
    words += ["unclean election"] * scenario.unclean + ["eligible leader replicas"] * scenario.elr
    words += ["flush after every record"] * scenario.flush
    return f"{', '.join(words)} (Kafka {scenario.version[0]}.{scenario.version[1]}, {scenario.metadata})"


def verdict_blocks(verdict: SimulationVerdict, question: str) -> Iterator[Block]:
    """The failures needed to violate one property."""
    least, apart = verdict.smallest(question), verdict.smallest(question, COMMON_POWER)
    what = {"loss": "Acknowledged records are lost", "writes": "Writes stop", "reads": "Reads stop"}[question]
    if least is None:
        yield Sentence(f"{what}: by none of the sets of failures that were searched (all of up to 2, and some of 3)")
    for outcome in dict.fromkeys(row for row in (least, apart) if row):
        count = len(outcome.failures)
        happened = in_order(outcome.failures, outcome.trace)
        yield Sentence(f"{what} after {count} failure{'' if count == 1 else 's'}: {happened}")
    if verdict.undecided:
        yield Items([f"({len(verdict.undecided)} sets of failures were not decided within the state limit)"])


def asked_blocks(scenario: Scenario, asked: SearchResult) -> Iterator[Block]:
    """What the failures asked for do."""
    if asked.holds is None:
        yield Sentence(f"Not decided within {asked.states} states.")
    elif asked.holds:
        searched = f"all {asked.states} reachable states were searched" if asked.states else DECIDED
        yield Sentence(f"The failures asked for violate nothing: {searched}.")
    else:
        yield Sentence("How the failures asked for do it:")
        yield story(scenario, asked.trace)


def story(scenario: Scenario, trace: Trace) -> Steps:
    """The steps of a counterexample, with every replica's log after each."""
    steps = [Step(line, below=Items(describe_replicas(state))) for line, state in tell_story(scenario, trace)]
    return Steps(steps, to_do=False)
