"""What the fleet's page shows of the drift since an earlier audit: counts against counts, of clusters that both read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from advisor.model.finding import WORST_FIRST
from spark_audit.html.page import counting, summed
from spark_audit.results.comparability import clusters, differences, status
from spark_audit.schema.snapshots import UNREACHABLE

if TYPE_CHECKING:
    from spark_audit.results.history import Past

    Key = tuple[str, str, str]

SHOWN = 50
"""Rules; a line says how many more there are."""


class Change:
    """How many findings a rule had, and has."""

    def __init__(self, key: Key, before: int, now: int) -> None:
        self.rule, self.name, self.severity = key
        self.before = before
        self.now = now

    @property
    def more(self) -> int:
        """Negative where there are fewer."""
        return self.now - self.before


class Moved:
    """All of it."""

    def __init__(self, old: Past, new: Past) -> None:
        self.old = old
        before, now = (status(audit) for audit in (old, new))
        both = [name for name in now if name in before and UNREACHABLE not in (now[name], before[name])]
        self.clusters = len(both)
        self.listed = clusters(old, new)
        self.differences = differences(old, new)
        changes = changed(*(by_rule(audit, both) for audit in (old, new)))
        self.changes = changes[:SHOWN]
        self.more_rules = len(changes) - len(self.changes)
        self.sums = [summary(changes, severity) for severity in WORST_FIRST]


def summary(changes: list[Change], severity: str) -> Change:
    """All rules of a severity together."""
    own = [each for each in changes if each.severity == severity]
    return Change(("", "", severity), sum(each.before for each in own), sum(each.now for each in own))


def by_rule(audit: Past, names: list[str]) -> dict[Key, int]:
    """Findings that nobody answers for, on these clusters."""
    counts = counting(audit.table("counts"))
    own = counts.filter(pc.is_in(counts["cluster"], pa.array(names, pa.string())))
    keys = ["rule", "name", "severity"]
    return {(row["rule"], row["name"], row["severity"]): row["findings"] for row in summed(own, keys).to_pylist()}


def changed(before: dict[Key, int], now: dict[Key, int]) -> list[Change]:
    """Rules with more or fewer findings, the most severe first, and of those the ones with more."""
    found = [Change(key, before.get(key, 0), now.get(key, 0)) for key in before.keys() | now.keys()]
    moved = [each for each in found if each.more]
    return sorted(moved, key=lambda each: (WORST_FIRST.index(each.severity), -each.more, each.rule))
