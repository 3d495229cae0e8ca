"""The verdict on a configuration: the smallest sets of failures that lose acknowledged records, stop writes, stop reads."""

from __future__ import annotations

from itertools import combinations_with_replacement

from advisor.simulator.search import search
from advisor.simulator.setup import EVENTS, LAG, Setup, budget

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from advisor.simulator.model import Action, State

    Failures = tuple[str, ...]
    Trace = list[tuple[Action, State]]
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
HARMLESS = {"reads": ("lag", "controller-down")}


class Outcome:
    """A smallest set of failures and the shortest way from it to the violation; undecided where `steps` is None."""

    __slots__ = ("failures", "trace")

    def __init__(self, failures: Failures, trace: Trace | None) -> None:
        self.failures = failures
        self.trace = trace


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
            if covered(failures, found.answers[question]) or useless(question, failures):
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


def useless(question: str, failures: Failures) -> bool:
    """Whether a failure in the set cannot matter for the question: reads need a leader only."""
    return any(name in failures for name in HARMLESS.get(question, ()))


SAID = {
    "kill": "a broker is killed",
    "power-loss": "a broker's host loses power",
    "disk-loss": "a broker loses its disk",
    "isolate": "a broker is cut off",
    "lag": "a follower lags",
    "controlled-shutdown": "a broker shuts down",
    "controller-down": "the controllers are down",
    "power-loss-all": "all brokers lose power at once",
}


def describe(failures: Failures) -> str:
    """A set of failures in words."""
    return chain(list(failures), " and ") if failures else "nothing has to fail"


def in_order(outcome: Outcome) -> str:
    """The failures of an outcome in the order in which its story has them."""
    happened, before = [], counted_budget(outcome.failures)
    for action, state in outcome.trace or ():
        name = action[0] if action[0] in EVENTS else "lag" if state[3][LAG] < before[LAG] else None
        before = state[3]
        if name:
            happened.append(name)
    return chain(happened or list(outcome.failures), ", then ") or "nothing has to fail"


def counted_budget(failures: Failures) -> tuple[int, ...]:
    """The budget of a set of failures."""
    return budget(counted(failures))


def chain(names: list[str], link: str) -> str:
    """Failures in words, one behind the other."""
    words, seen = [], set()
    for name in names:
        words.append(SAID[name].replace("a ", "another ", 1) if name in seen else SAID[name])
        seen.add(name)
    return link.join(words)
