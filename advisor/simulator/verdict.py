"""Verdict on a configuration: the smallest sets of failures that lose records, stop writes, stop reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations_with_replacement

from advisor.simulator.decision import counterexample
from advisor.simulator.healthy_partition import is_decided, is_violated
from advisor.simulator.protocol.model import State
from advisor.simulator.protocol.scenario import EVENTS, LAG, Scenario, budget
from advisor.simulator.search import Progress, Trace, search

Failures = tuple[str, ...]
Replay = Callable[[], Trace]
MOST_FAILURES = 2
"""All sets of so many failures are tried; of larger ones only LARGER."""
LARGER: tuple[Failures, ...] = (
    ("lag", "lag", "kill"),
    ("lag", "lag", "power-loss"),
    ("lag", "lag", "disk-loss"),
    ("lag", "kill", "kill"),
    ("lag", "power-loss", "power-loss"),
    ("kill", "kill", "kill"),
    ("power-loss", "power-loss", "power-loss"),
    ("disk-loss", "disk-loss", "disk-loss"),
)
QUESTIONS = {"loss": "no-acked-loss", "writes": "available-to-produce", "reads": "available-to-consume"}
LIMIT = 400_000


class SmallestFailures:
    """A smallest set of failures, and its counterexample, which is replayed when it is asked for."""

    __slots__ = ("_replay", "_trace", "failures")

    def __init__(self, failures: Failures, replay: Replay) -> None:
        self.failures = failures
        self._replay = replay
        self._trace: Trace | None = None

    @property
    def trace(self) -> Trace:
        """The counterexample, step by step."""
        if self._trace is None:
            self._trace = self._replay()
        return self._trace

    @property
    def steps(self) -> int | None:
        """How many steps the counterexample has; None where it is known to exist and none was found."""
        return None if self.failures and not self.trace else len(self.trace)


class SimulationVerdict:
    """For each property the smallest sets of failures, fewest first; `undecided` are those beyond the limit."""

    __slots__ = ("answers", "scenario", "undecided")

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.answers: dict[str, list[SmallestFailures]] = {question: [] for question in QUESTIONS}
        self.undecided: list[tuple[str, Failures]] = []

    def smallest(self, question: str, without: Failures = ()) -> SmallestFailures | None:
        """The smallest set without certain failures, None if there is none."""
        for outcome in self.answers[question]:
            if not set(outcome.failures) & set(without):
                return outcome
        return None


def verdict(scenario: Scenario, progress: Progress | None = None) -> SimulationVerdict:
    """Decide every set of failures up to the bound, smallest first; supersets of a violating set are skipped."""
    result = SimulationVerdict(scenario)
    for question in QUESTIONS:
        for failures in failure_sets(larger=question == "loss"):
            if not is_covered(failures, result.answers[question]):
                add_answer(result, question, failures, progress)
    return result


def add_answer(result: SimulationVerdict, question: str, failures: Failures, progress: Progress | None) -> None:
    """Decide one set of failures: in closed form where that covers it, else by search."""
    scenario, events, property = result.scenario, budget(count_failures(failures)), QUESTIONS[question]
    if is_decided(scenario, events, property):
        if is_violated(scenario, events, property):
            replay = partial(counterexample, scenario, events, property)
            result.answers[question].append(SmallestFailures(failures, replay))
        return
    answer = search(scenario, events, property, LIMIT, progress)
    if answer.holds is None:
        result.undecided.append((question, failures))
    elif not answer.holds:
        result.answers[question].append(SmallestFailures(failures, lambda: answer.trace))


def failure_sets(larger: bool) -> Iterator[Failures]:
    """The sets of failures, smallest first."""
    for size in range(MOST_FAILURES + 1):
        yield from combinations_with_replacement(EVENTS, size)
    if larger:
        yield from LARGER


def count_failures(failures: Failures) -> dict[str, int]:
    """How often each failure occurs in a set."""
    return {name: failures.count(name) for name in failures}


def is_covered(failures: Failures, outcomes: list[SmallestFailures]) -> bool:
    """Whether a smaller violating set is part of this one."""
    return any(
        all(failures.count(name) >= outcome.failures.count(name) for name in outcome.failures) for outcome in outcomes
    )


SAID = {
    "kill": "{who} is killed",
    "power-loss": "the host of {who} loses power",
    "disk-loss": "{who} loses its disk",
    "isolate": "{who} is cut off",
    "lag": "{who} lags",
    "controlled-shutdown": "{who} shuts down",
    "controller-down": "the controllers are down",
    "power-loss-all": "all brokers lose power at once",
}


def describe(failures: Failures) -> str:
    """A set of failures in words."""
    phrases = [SAID[name].format(who="a follower" if name == "lag" else "a broker") for name in failures]
    return chain(phrases, " and ") or "nothing has to fail"


def in_order(failures: Failures, trace: Trace) -> str:
    """A counterexample's failures in their order, and which replicas they hit."""
    phrases, before = [], start_of(failures)
    for action, state in trace:
        lagging = before[3][LAG] - state[3][LAG]
        phrases += [SAID["lag"].format(who="a follower")] * lagging
        if action[0] in EVENTS:
            phrases.append(SAID[action[0]].format(who="the leader" if before[0][1] == action[1] else "a follower"))
        before = state
    return chain(phrases, ", then ") or describe(failures)


def start_of(failures: Failures) -> State:
    """An initial state of which only the leader and the budget are used."""
    return (True, 0, 0, 0, 0, -1, 0), (), (), budget(count_failures(failures))


def chain(phrases: list[str], link: str) -> str:
    """Join failures in words; the second one of a kind hits another replica."""
    words: list[str] = []
    for text in phrases:
        again = text in phrases[: len(words)]
        other = text.replace("a follower", "another follower").replace("a broker", "another broker")
        words.append(other if again else text)
    return link.join(words)
