"""Searching and replaying in the simulator, for its tests."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from advisor.simulator.protocol.model import Model, members, start
from advisor.simulator.protocol.scenario import EVENTS, Scenario, budget
from advisor.simulator.search import SearchResult, search

if TYPE_CHECKING:
    from advisor.simulator.protocol.model import State

Case = TypeVar("Case")
LETTERS = dict(zip("KPDCLSXA", ("kill", "power-loss", "disk-loss", "isolate", "lag", "controlled-shutdown",
                                "controller-down", "power-loss-all"), strict=True))  # fmt: skip
MORE = int(os.environ.get("MORE", "1"))
"""So many times as many searches: `make verify` asks for eight times."""
EVERY_EVENT = dict.fromkeys(EVENTS, 9)


def events(text: str) -> tuple[int, ...]:
    """The budget of `L2K1`; the empty text is not an event at all."""
    return budget({LETTERS[text[at]]: int(text[at + 1]) for at in range(0, len(text), 2)})


def shared_out(cases: Sequence[Case], number: int) -> Sequence[Case]:
    """Every fourth budget, for neighbours the others; all where more is asked for."""
    return cases[number % 4 :: 4] if MORE == 1 else cases


def found(text: str, property: str = "no-acked-loss", **setup: object) -> SearchResult:
    return search(Scenario(**setup), events(text), property)  # type: ignore[arg-type]


def outcome(answer: SearchResult) -> int | None:
    """The steps to the violation; None where the states were exhausted. Undecided fails."""
    assert answer.holds is not None
    return None if answer.holds else len(answer.trace)


def same(steps: int | None, expected: int | None) -> bool:
    """A defensible granularity may differ by two steps; the verdict may not."""
    return steps == expected or (steps is not None and expected is not None and abs(steps - expected) <= 2)


class Play:
    """One run of the model, action by action; what is not enabled fails."""

    def __init__(self, **setup: object) -> None:
        self.setup = Scenario(**setup)  # type: ignore[arg-type]
        self.model = Model(self.setup)
        self.state: State = start(self.setup, budget(EVERY_EVENT))

    def enabled(self, name: str, r: int | None = None, other: int | None = None) -> list[State]:
        return [
            after
            for action, after in self.model.steps(self.state)
            if action[0] == name and r in (None, action[1]) and other in (None, action[2])
        ]

    def do(self, *actions: str) -> Play:
        """Each action as `name`, `name replica` or `name replica other`; the first outcome counts."""
        for action in actions:
            name, r, other = parsed(action)
            after = self.enabled(name, r, other)
            assert after, f"{action} is not enabled"
            self.state = after[0]
        return self

    def may(self, action: str) -> bool:
        return bool(self.enabled(*parsed(action)))

    def copy(self) -> None:
        """The followers that can fetch have everything, and the high watermark has moved as far as it can."""
        for name in ("fetch", "advance high watermark", "fetch"):
            while after := self.enabled(name):
                self.state = after[0]

    def stop(self, r: int, how: str) -> None:
        """A replica goes, the controller notices, the others learn of it."""
        self.do(f"{how} {r}")
        if self.may(f"fence {r}"):
            self.do(f"fence {r}")
        self.learn()

    def back(self, *replicas: int) -> None:
        for r in replicas:
            self.do(f"restart {r}", f"register {r}")
            self.learn()

    def learn(self) -> None:
        while after := self.enabled("learn"):
            self.state = after[0]

    @property
    def leader(self) -> int:
        return self.state[0][1]

    @property
    def isr(self) -> list[int]:
        return members(self.state[0][3])

    @property
    def elr(self) -> list[int]:
        return members(self.state[0][4])

    @property
    def last_leader(self) -> int:
        return self.state[0][5]

    def log(self, r: int) -> list[int]:
        """The records of a replica."""
        return [entry & 7 for entry in self.state[1][r][4]]

    def seen(self) -> tuple[int, list[int], list[int]]:
        return self.leader, self.isr, self.elr


def parsed(action: str) -> tuple[str, int | None, int | None]:
    words = action.split()
    numbers = [int(word) for word in words if word.isdigit()]
    name = " ".join(word for word in words if not word.isdigit())
    return name, numbers[0] if numbers else None, numbers[1] if len(numbers) > 1 else None
