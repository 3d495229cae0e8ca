"""A startup verdict: what a release refuses, what it replaces, and what the file alone cannot tell."""

from __future__ import annotations

from copy import copy

from advisor.analysis.findings import OUTSIDE, REPLACED, UNPLACED, finding_by
from advisor.model.finding import Finding, NotJudged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeVar

    from advisor.model import Version
    from advisor.rule import Rule

    Row = TypeVar("Row", Finding, NotJudged)


def refusal(rule: Rule, key: str, message: str) -> Finding:
    """A finding that Kafka refuses a key, by a rule or check; the judge places it."""
    return finding_by(rule, key, message, "critical", refused=True)


def replaced(key: str, message: str, used: str | None = None, written: str | None = None) -> Finding:
    """A finding that Kafka replaces a value: `used` is what it goes on with, None where it goes on without one."""
    return REPLACED.finding(key, message, "info", value=written, changes=True, used=used)


def unknown(key: str | None, reason: str, by: Finding | Rule | None = None) -> NotJudged:
    """What the file alone cannot tell, by the rule or check that says so; the judge names the subject."""
    if by is None:
        return OUTSIDE.unknown(key, reason)
    return NotJudged(by.rule if isinstance(by, Finding) else by.id, by.name, UNPLACED, reason, key)


class StartupVerdict:
    """What one release does with the settings: `refused` is None where the file alone cannot tell.

    Of a change `value` is what the file holds, None where it leaves the key out, and `used` what Kafka goes on with. `later`
    are the reasons and unknowns of a worker or an application that come up after its configuration was read.
    """

    __slots__ = ("changed", "ignored", "later", "reasons", "unknown", "version")

    def __init__(self, version: Version) -> None:
        self.version = version
        self.reasons: list[Finding] = []
        self.changed: list[Finding] = []
        self.ignored: list[str] = []
        self.unknown: list[NotJudged] = []
        self.later: list[Finding | NotJudged] = []

    def of_configuration(self) -> StartupVerdict:
        """The verdict on reading the configuration alone."""
        verdict = StartupVerdict(self.version)
        later = {(row.key, row.message) for row in self.later}
        verdict.reasons = [row for row in self.reasons if (row.key, row.message) not in later]
        verdict.unknown = [row for row in self.unknown if (row.key, row.message) not in later]
        verdict.changed, verdict.ignored = self.changed, self.ignored
        return verdict

    @property
    def refused(self) -> bool | None:
        """Whether the release refuses to start; None for unknown."""
        return True if self.reasons else None if self.unknown else False

    @property
    def grounds(self) -> Sequence[Finding | NotJudged]:
        """Why the release refuses to start, or why that is not known."""
        return self.reasons or self.unknown


def with_key(row: Row, key: str | None) -> Row:
    """The same under another key."""
    other = copy(row)
    other.key = key
    return other


def without_repetitions(rows: Iterable[Row]) -> list[Row]:
    """The rows, each once."""
    return list({(row.key, row.message): row for row in rows}.values())
