"""Checks of a startup that are no rules of `lint`: each with an id, and documentation for `explain`."""

from __future__ import annotations

from advisor.analysis.startup.verdict import refusal
from advisor.model.finding import CERTAIN
from advisor.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from advisor.config import Config
    from advisor.model.finding import Finding

    Requirement = tuple[str, str]
    """(key, reason) of what a start depends on."""


FAMILY = "startup"
"""Of the checks, which no family of `lint` has."""


class StartupCheck(Rule):
    """What Kafka refuses at a start: a rule whose function yields (key, reason) for the whole of a subject."""

    __slots__ = ("requirements",)

    def __init__(self, id: str, function: Callable[..., Any]) -> None:
        super().__init__(id, function, ("critical",) * 4, CERTAIN, None, None, None, refuses=True)
        self.family = FAMILY
        self.requirements: Callable[[Config], Iterable[Requirement]] = function

    def __call__(self, config: Config) -> Iterator[Finding]:
        """What the check says of a subject."""
        return (refusal(self, key, reason) for key, reason in self.requirements(config))


CHECKS: dict[str, StartupCheck] = {}
"""Every check by its id, when its module is imported."""


def startup_check(id: str) -> Callable[[Callable[[Config], Iterable[Requirement]]], StartupCheck]:
    """Register a function that yields (key, reason) of what Kafka refuses."""

    def register(function: Callable[[Config], Iterable[Requirement]]) -> StartupCheck:
        CHECKS[id] = StartupCheck(id, function)
        return CHECKS[id]

    return register
