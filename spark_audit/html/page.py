"""The fleet's HTML report: what the template shows of one audit, from its clusters and counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from advisor.model.finding import WORST_FIRST
from advisor.rule import Rule
from spark_audit.results.gains import mean_gains, order_of_fixing, shown_gain
from spark_audit.results.history import PastAudit
from spark_audit.schema.snapshots import OK, UNREACHABLE

Row = Mapping[str, Any]

HEAT, COMMON, GAPS, WAIVERS, STEPS = 200, 50, 200, 200, 3
"""Rows of each table; a line says how many more there are."""
LEVELS = (10, 100)
"""The counts from which a cell of the heat map is darker."""


class Cell:
    """The findings of a family on a cluster: how many, and the worst severity."""

    def __init__(self, count: int, severity: str) -> None:
        self.count = count
        self.severity = severity

    @property
    def level(self) -> int:
        """How dark the cell is: 0 to 2."""
        return sum(self.count >= least for least in LEVELS)


class HeatRow:
    """A cluster's row in the heat map; a cell is None where there are no findings."""

    def __init__(self, row: Row, cells: Sequence[Cell | None]) -> None:
        self.row = row
        self.cells = cells


class CommonRule:
    """A rule's row among the most common findings, with what its documentation says."""

    def __init__(self, row: Row, rule: Rule | None, is_first: bool = True) -> None:
        self.row = row
        self.anchor = row["rule"] if is_first else ""
        self.title = rule.documentation().title.rstrip(".") if rule else ""
        self.fix = rule.documentation().text("Fix") if rule else ""


class FleetSection:
    """The values that the template shows of one audit."""

    def __init__(self, audit: PastAudit) -> None:
        about = audit.about
        rows = [row | {"labels": labels(row)} for row in audit.table("clusters").to_pylist()]
        scored = sorted((row for row in rows if row["score"] is not None), key=worst_first_key)
        counts = not_waived(audit.table("counts"))
        self.grades = sorted(Counter(row["grade"] for row in scored).items())
        self.judged = len(scored)
        self.families = families(counts)
        self.heat = heat_map(scored[:HEAT], counts, self.families)
        self.gaps = sorted((row for row in rows if row["status"] != OK), key=lambda row: (row["status"] != UNREACHABLE, row["cluster"]))  # fmt: skip
        self.shown_gaps = self.gaps[:GAPS]
        rules = by_rule(counts)
        self.common = with_documentation(rules[:COMMON])
        self.gains = mean_gains(rows)
        self.steps = steps_of(self.common, self.gains)
        self.more_rules = len(rules) - len(self.common)
        waivers = json.loads(about["waivers"])
        self.waivers = sorted(waivers, key=lambda row: not row["expired"])[:WAIVERS]
        self.more_waivers = len(waivers) - len(self.waivers)
        self.expired = sum(row["expired"] for row in waivers)

    def gain_of(self, line: CommonRule) -> str:
        """What fixing a rule adds to the mean score."""
        return shown_gain(self.gains.get(line.row["rule"]))


def steps_of(lines: Sequence[CommonRule], gains: Mapping[str, float]) -> list[CommonRule]:
    """What is down now, then the rules that win most when they fail no more; in the order given where that is equal."""
    lines = [line for line in lines if line.row["severity"] != "info" and line.anchor]
    return sorted(lines, key=lambda line: order_of_fixing(line.row["rule"], gains))[:STEPS]


def labels(row: Row) -> str:
    """A cluster's labels as one line."""
    return " ".join(f"{key}={value}" for key, value in row["labels"] or ())


def worst_first_key(row: Row) -> tuple[Any, ...]:
    """A sort key that puts the worst cluster first."""
    return (row["score"], *(-row[severity] for severity in WORST_FIRST), row["cluster"])


def not_waived(counts: pa.Table) -> pa.Table:
    """The counts of findings that are not waived."""
    return counts.filter(pc.invert(counts["waived"]))


def families(counts: pa.Table) -> list[str]:
    """The families that have findings, the one with the worst first."""
    counts_of_family: dict[str, list[int]] = {}
    for row in sum_findings(counts, ["family", "severity"]).to_pylist():
        counts_of_family.setdefault(row["family"], [0] * len(WORST_FIRST))[WORST_FIRST.index(row["severity"])] -= row[
            "findings"
        ]
    return sorted(counts_of_family, key=lambda family: (counts_of_family[family], family))


def sum_findings(counts: pa.Table, keys: list[str]) -> pa.Table:
    """Sum findings by some columns."""
    return counts.group_by(keys).aggregate([("findings", "sum")]).rename_columns([*keys, "findings"])


def heat_map(rows: Sequence[Row], counts: pa.Table, families: Sequence[str]) -> list[HeatRow]:
    """The heat map's rows, one per cluster."""
    of_clusters = counts.filter(pc.is_in(counts["cluster"], pa.array([row["cluster"] for row in rows], pa.string())))
    cells: dict[tuple[str, str], Cell] = {}
    for row in sum_findings(of_clusters, ["cluster", "family", "severity"]).to_pylist():
        cell = cells.setdefault((row["cluster"], row["family"]), Cell(0, row["severity"]))
        cell.count += row["findings"]
        cell.severity = min(cell.severity, row["severity"], key=WORST_FIRST.index)
    return [HeatRow(row, [cells.get((row["cluster"], family)) for family in families]) for row in rows]


def by_rule(counts: pa.Table) -> list[Row]:
    """Rules by severity, then by how many clusters have findings of them."""
    keys = ["rule", "name", "family", "severity"]
    rows = counts.group_by(keys).aggregate([("findings", "sum"), ("cluster", "count_distinct")])
    rules: list[Row] = rows.rename_columns([*keys, "findings", "clusters"]).to_pylist()
    return sorted(rules, key=lambda row: (WORST_FIRST.index(row["severity"]), -row["clusters"], -row["findings"], row["rule"]))  # fmt: skip


def with_documentation(rows: Sequence[Row]) -> list[CommonRule]:
    """Rows of rules with their documentation; that of the user's rules is not here.

    A rule that has findings of several severities has as many rows, and its anchor in the first.
    """
    rules, ids = known_rules(), [row["rule"] for row in rows]
    return [
        CommonRule(row, rules.get(id), is_first=ids.index(id) == number)
        for number, (id, row) in enumerate(zip(ids, rows, strict=True))
    ]


def known_rules() -> dict[str, Rule]:
    """The rules of this release, by id."""
    from rules import all_rules

    return {rule.id: rule for rule in all_rules(())}
