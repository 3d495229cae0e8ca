"""Checks of a startup that are no rules of `lint`: each with an id, and documentation for `explain`."""

from __future__ import annotations

from advisor.analysis.startup.verdict import Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from advisor.config import Config
    from advisor.rule import Documentation

    Requirement = tuple[str, str]
    """(key, reason) of what a start depends on."""


class StartupCheck:
    """What Kafka refuses at a start: the reasons that a function yields for a subject, as remarks with the check's id."""

    __slots__ = ("function", "id")

    def __init__(self, id: str, function: Callable[[Config], Iterable[Requirement]]) -> None:
        self.id = id
        self.function = function

    def __call__(self, config: Config) -> Iterator[Remark]:
        """What the check says of a subject."""
        return (Remark(key, reason, self.id) for key, reason in self.function(config))

    @property
    def name(self) -> str:
        """The name that `explain` takes as well."""
        return self.function.__name__.replace("_", "-")

    def documentation(self) -> Documentation:
        """The title and the sections of the docstring."""
        from advisor.rule import Documentation

        return Documentation(self.function.__doc__ or "")


CHECKS: dict[str, StartupCheck] = {}
"""Every check by its id, when its module is imported."""


def startup_check(id: str) -> Callable[[Callable[[Config], Iterable[Requirement]]], StartupCheck]:
    """Register a function that yields (key, reason) of what Kafka refuses."""

    def register(function: Callable[[Config], Iterable[Requirement]]) -> StartupCheck:
        CHECKS[id] = StartupCheck(id, function)
        return CHECKS[id]

    return register
