"""The drift section of the fleet's HTML report: counts per rule of two audits, over the clusters that both read."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from advisor.model.finding import WORST_FIRST
from spark_audit.html.page import not_waived, sum_findings
from spark_audit.results.comparability import cluster_differences, differences, status_by_cluster
from spark_audit.results.history import PastAudit
from spark_audit.schema.snapshots import UNREACHABLE

Key = tuple[str, str, str]

RULES_SHOWN = 50
"""Rules shown; a line says how many more there are."""


class RuleDrift:
    """The findings of a rule in the earlier and in the later audit."""

    def __init__(self, key: Key, before: int, now: int) -> None:
        self.rule, self.name, self.severity = key
        self.before = before
        self.now = now

    @property
    def more(self) -> int:
        """How many more findings there are; negative where there are fewer."""
        return self.now - self.before


class DriftSection:
    """The values that the template shows of the drift."""

    def __init__(self, old: PastAudit, new: PastAudit) -> None:
        self.old = old
        status_before, status_now = (status_by_cluster(audit) for audit in (old, new))
        both = [
            name
            for name in status_now
            if name in status_before and UNREACHABLE not in (status_now[name], status_before[name])
        ]
        self.clusters = len(both)
        self.listed = cluster_differences(old, new)
        self.differences = differences(old.about, new.about)
        changes = changes_by_rule(*(findings_by_rule(audit, both) for audit in (old, new)))
        self.changes = changes[:RULES_SHOWN]
        self.more_rules = len(changes) - len(self.changes)
        self.sums = [sum_by_severity(changes, severity) for severity in WORST_FIRST]


def sum_by_severity(changes: list[RuleDrift], severity: str) -> RuleDrift:
    """The change of all rules of one severity."""
    same_severity = [change for change in changes if change.severity == severity]
    return RuleDrift(
        ("", "", severity), sum(change.before for change in same_severity), sum(change.now for change in same_severity)
    )


def findings_by_rule(audit: PastAudit, names: list[str]) -> dict[Key, int]:
    """Findings per rule on these clusters, without those that are waived."""
    counts = not_waived(audit.table("counts"))
    of_clusters = counts.filter(pc.is_in(counts["cluster"], pa.array(names, pa.string())))
    keys = ["rule", "name", "severity"]
    return {
        (row["rule"], row["name"], row["severity"]): row["findings"]
        for row in sum_findings(of_clusters, keys).to_pylist()
    }


def changes_by_rule(before: dict[Key, int], now: dict[Key, int]) -> list[RuleDrift]:
    """The rules with more or fewer findings, the most severe first, then those that grew most."""
    all_changes = [RuleDrift(key, before.get(key, 0), now.get(key, 0)) for key in before.keys() | now.keys()]
    nonzero = [change for change in all_changes if change.more]
    return sorted(nonzero, key=lambda change: (WORST_FIRST.index(change.severity), -change.more, change.rule))
