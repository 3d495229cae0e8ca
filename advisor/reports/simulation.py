"""Output of `simulate`: as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.reports.machine.json_text import dump
from advisor.reports.odds_sentences import sentences, significant
from advisor.simulator.odds import ASSUMPTIONS, CAUSES, HOURS, Rates, assumption_text
from advisor.simulator.protocol.scenario import Scenario
from advisor.simulator.quorum import compare_with_quorum
from advisor.simulator.search import Answer, Trace
from advisor.simulator.story import describe_replicas, tell_story
from advisor.simulator.summary import COMMON_POWER, data_of, fewest_failures, odds_of
from advisor.simulator.verdict import QUESTIONS, Outcome, Verdict, in_order

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


DECIDED = "so few failures do no harm, whichever replicas they hit"
COMPARED = ("minutes_without_writes", "minutes_without_reads", "loss_probability")
"""The odds that are set beside those of the recommended configuration."""


class SimulationReport:
    """The simulation's result, as lines of text and as JSON data."""

    def __init__(
        self,
        found: Verdict,
        recommended: Verdict,
        asked: Answer | None,
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

    def in_format(self, format: str) -> Iterator[str]:
        """The result in a format."""
        return iter([dump(self.data(), indent=2)]) if format == "json" else self.lines()

    def lines(self) -> Iterator[str]:
        """The result as lines of text."""
        scenario = self.found.scenario
        yield configuration(scenario)
        for note in self.notes:
            yield f"  assumed: {note}"
        if self.remark:
            yield f"  {self.remark}"
        yield ""
        yield from sentences(scenario, odds_of(scenario, self.rates))
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
        """The requested counterexample, or the smallest."""
        scenario = self.found.scenario
        if self.asked is not None:
            if self.asked.holds is None:
                yield f"Not decided within {self.asked.states} states."
                return
            if self.asked.holds:
                searched = f"all {self.asked.states} reachable states were searched" if self.asked.states else DECIDED
                yield f"The failures asked for violate nothing: {searched}."
                return
            yield "How the failures asked for do it:"
            yield from story(scenario, self.asked.trace)
            return
        outcome = self.found.smallest("loss", COMMON_POWER) or self.found.smallest("loss")
        if outcome is None:
            yield "No story: nothing that was searched loses an acknowledged record."
            return
        yield f"How an acknowledged record is lost: {in_order(outcome.failures, outcome.trace)}"
        yield from story(scenario, outcome.trace)

    def odds_lines(self) -> Iterator[str]:
        """The odds, and the assumptions behind them."""
        own = odds_of(self.found.scenario, self.rates)
        yield "Odds per year (estimates: they are worth what their assumptions are worth):"
        for name, value in own.items():
            yield f"  {CAUSES[name]:<36} {significant(value)}"
        assumptions = [f"{name}={assumption_text(name, getattr(self.rates, name))}" for name in ASSUMPTIONS]
        yield f"  assuming {', '.join(assumptions)} (--assume changes them)"

    def comparison_lines(self) -> Iterator[str]:
        """This configuration compared with the recommended one."""
        mine, theirs = odds_of(self.found.scenario, self.rates), odds_of(self.recommended.scenario, self.rates)
        rows = [("Compared with the recommended", "this", "RF 3, min.isr 2, acks=all")]
        for question in QUESTIONS:
            own, best = fewest_failures(self.found, question), fewest_failures(self.recommended, question)
            rows.append((f"  {NEEDED[question]}", own, best))
        rows += [(f"  {CAUSES[name]}", significant(mine[name]), significant(theirs[name])) for name in COMPARED]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        for label, own, best in rows:
            yield f"{label:<{widths[0]}}   {own:>{widths[1]}}   {best:>{widths[2]}}"

    def quorum_lines(self) -> Iterator[str]:
        """Comparison with a majority quorum of the same machines, as ZooKeeper and KRaft controllers use."""
        n = self.found.scenario.replicas
        both = self.quorum()
        yield f"{f'Beside a majority log of {n} (ZooKeeper, KRaft controllers)':<54} {'this ISR':>9} {'majority':>9}"
        for name, text in QUORUM.items():
            yield f"  {text:<52} {significant(both['isr'][name]):>9} {significant(both['majority'][name]):>9}"
        if n % 2 == 0:
            yield f"  of {n} members a majority log survives no more failures than of {n - 1}"

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


def failures_of(outcome: Outcome) -> dict[str, object]:
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


def verdict_lines(verdict: Verdict, question: str) -> Iterator[str]:
    """The failures needed to violate one property."""
    least, apart = verdict.smallest(question), verdict.smallest(question, COMMON_POWER)
    what = {"loss": "Acknowledged records are lost", "writes": "Writes stop", "reads": "Reads stop"}[question]
    if least is None:
        yield f"{what}: by none of the sets of failures that were searched (all of up to 2, and some of 3)"
    for outcome in dict.fromkeys(row for row in (least, apart) if row):
        count = len(outcome.failures)
        yield f"{what} after {count} failure{'' if count == 1 else 's'}: {in_order(outcome.failures, outcome.trace)}"
    if verdict.undecided:
        yield f"  ({len(verdict.undecided)} sets of failures were not decided within the state limit)"


def story(scenario: Scenario, trace: Trace) -> Iterator[str]:
    """The steps of a counterexample, with every replica's log after each."""
    for number, (line, state) in enumerate(tell_story(scenario, trace), 1):
        yield f"  {number:2}. {line}"
        for row in describe_replicas(state):
            yield f"        {row}"
