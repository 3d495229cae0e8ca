"""The verdict on a configuration: the smallest sets of failures that lose acknowledged records, stop writes, stop reads."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from advisor.simulator.scenario import EVENTS, LAG, Setup, budget
from advisor.simulator.search import search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from advisor.simulator.model import Action, State

    Failures = tuple[str, ...]
    Trace = list[tuple[Action, State]]
    Replay = Callable[[], Trace]
    Progress = Callable[[str], None]

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


class Outcome:
    """A smallest set of failures and the shortest way from it to the violation, which may be replayed when asked for."""

    __slots__ = ("_replay", "_trace", "failures", "steps")

    def __init__(
        self, failures: Failures, trace: Trace | None = None, steps: int = 0, replay: Replay | None = None
    ) -> None:
        self.failures = failures
        self.steps = steps if trace is None else len(trace)
        self._trace = trace
        self._replay = replay

    @property
    def trace(self) -> Trace:
        """The counterexample, step by step."""
        if self._trace is None:
            self._trace = self._replay() if self._replay else []
        return self._trace


class Verdict:
    """For each question the smallest sets of failures, fewest failures first; `undecided` were beyond the limit."""

    __slots__ = ("answers", "setup", "undecided")

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.answers: dict[str, list[Outcome]] = {question: [] for question in QUESTIONS}
        self.undecided: list[tuple[str, Failures]] = []

    def smallest(self, question: str, without: Failures = ()) -> Outcome | None:
        """The smallest set that does not need any of some failures."""
        for outcome in self.answers[question]:
            if not set(outcome.failures) & set(without):
                return outcome
        return None


def verdict(setup: Setup, largest: bool = True, progress: Progress | None = None) -> Verdict:
    """Search every set of failures up to the bound, smallest first; supersets of a set that violates are skipped."""
    found = Verdict(setup)
    for question, property in QUESTIONS.items():
        for failures in sets(largest if question == "loss" else False):
            if covered(failures, found.answers[question]):
                continue
            if progress:
                progress(f"{question}: {describe(failures)}")
            answer = search(setup, budget(counted(failures)), property, LIMIT)
            if answer.holds is None:
                found.undecided.append((question, failures))
            elif not answer.holds:
                found.answers[question].append(Outcome(failures, answer.trace))
    return found


def sets(largest: bool) -> Iterator[Failures]:
    """The sets of failures in the order of their size."""
    for size in range(MOST_FAILURES + 1):
        yield from combinations_with_replacement(EVENTS, size)
    if largest:
        yield from LARGER


def counted(failures: Failures) -> dict[str, int]:
    """How often each failure occurs in a set."""
    return {name: failures.count(name) for name in failures}


def covered(failures: Failures, outcomes: list[Outcome]) -> bool:
    """Whether a smaller set that violates is part of this one."""
    return any(all(failures.count(name) >= found.failures.count(name) for name in found.failures) for found in outcomes)


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
    said = [SAID[name].format(who="a follower" if name == "lag" else "a broker") for name in failures]
    return chain(said, " and ") or "nothing has to fail"


def in_order(failures: Failures, trace: Trace) -> str:
    """The failures of a counterexample in the order in which it has them, and whom they hit."""
    said, before = [], start_of(failures)
    for action, state in trace:
        name = action[0] if action[0] in EVENTS else "lag" if state[3][LAG] < before[3][LAG] else None
        if name:
            hit = action[2] if name == "lag" else action[1]
            said.append(SAID[name].format(who="the leader" if before[0][1] == hit else "a follower"))
        before = state
    return chain(said, ", then ") or describe(failures)


def start_of(failures: Failures) -> State:
    """A state to begin with: only its leader and its budget are looked at."""
    return (True, 0, 0, 0, 0, -1, 0), (), (), budget(counted(failures))


def chain(said: list[str], link: str) -> str:
    """Failures in words, one behind the other; the second of a kind hits another one."""
    words: list[str] = []
    for text in said:
        again = text in said[: len(words)]
        other = text.replace("a follower", "another follower").replace("a broker", "another broker")
        words.append(other if again else text)
    return link.join(words)
