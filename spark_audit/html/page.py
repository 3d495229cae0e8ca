"""What the fleet's page shows of one audit, from its clusters and counts."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from advisor.model.finding import WORST_FIRST
from spark_audit.schema.snapshots import OK, UNREACHABLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from spark_audit.results.history import Past

    Row = Mapping[str, Any]

HEAT, WORST, COMMON, GAPS, WAIVERS = 200, 20, 50, 200, 200
"""Rows of each table; a line says how many more there are."""


class Cell:
    """Findings of a family on a cluster: how many, and the worst of their severities."""

    def __init__(self, count: int, severity: str) -> None:
        self.count = count
        self.severity = severity


class Warm:
    """A cluster's line in the heat map; a cell is None where there is nothing."""

    def __init__(self, row: Row, cells: Sequence[Cell | None]) -> None:
        self.row = row
        self.cells = cells


class Common:
    """A rule's line among the most common ones."""

    def __init__(self, row: Row, title: str) -> None:
        self.row = row
        self.title = title


class Fleet:
    """All of it."""

    def __init__(self, audit: Past) -> None:
        about = audit.about
        rows = [row | {"labels": labels(row)} for row in audit.table("clusters").to_pylist()]
        judged = sorted((row for row in rows if row["score"] is not None), key=badness)
        counts = counting(audit.table("counts"))
        self.grades = sorted(Counter(row["grade"] for row in judged).items())
        self.judged = len(judged)
        self.worst = judged[:WORST]
        self.families = families(counts)
        self.heat = heat(judged[:HEAT], counts, self.families)
        self.gaps = sorted((row for row in rows if row["status"] != OK), key=lambda row: (row["status"] != UNREACHABLE, row["cluster"]))  # fmt: skip
        self.shown_gaps = self.gaps[:GAPS]
        every = by_rule(counts)
        self.common = titled(every[:COMMON])
        self.more_rules = len(every) - len(self.common)
        waivers = json.loads(about["waivers"])
        self.waivers = sorted(waivers, key=lambda row: not row["expired"])[:WAIVERS]
        self.more_waivers = len(waivers) - len(self.waivers)
        self.expired = sum(row["expired"] for row in waivers)


def labels(row: Row) -> str:
    """A cluster's labels as one line."""
    return " ".join(f"{key}={value}" for key, value in row["labels"] or ())


def badness(row: Row) -> tuple[Any, ...]:
    """The worst cluster is the least."""
    return (row["score"], *(-row[severity] for severity in WORST_FIRST), row["cluster"])


def counting(counts: pa.Table) -> pa.Table:
    """The counts that nobody answers for."""
    return counts.filter(pc.invert(counts["waived"]))


def families(counts: pa.Table) -> list[str]:
    """The families that have findings, the one with the worst first."""
    found: dict[str, list[int]] = {}
    for row in summed(counts, ["family", "severity"]).to_pylist():
        found.setdefault(row["family"], [0] * len(WORST_FIRST))[WORST_FIRST.index(row["severity"])] -= row["findings"]
    return sorted(found, key=lambda family: (found[family], family))


def summed(counts: pa.Table, keys: list[str]) -> pa.Table:
    """How many findings, by some columns."""
    return counts.group_by(keys).aggregate([("findings", "sum")]).rename_columns([*keys, "findings"])


def heat(rows: Sequence[Row], counts: pa.Table, families: Sequence[str]) -> list[Warm]:
    """A line for each of the clusters."""
    own = counts.filter(pc.is_in(counts["cluster"], pa.array([row["cluster"] for row in rows], pa.string())))
    cells: dict[tuple[str, str], Cell] = {}
    for row in summed(own, ["cluster", "family", "severity"]).to_pylist():
        cell = cells.setdefault((row["cluster"], row["family"]), Cell(0, row["severity"]))
        cell.count += row["findings"]
        cell.severity = min(cell.severity, row["severity"], key=WORST_FIRST.index)
    return [Warm(row, [cells.get((row["cluster"], family)) for family in families]) for row in rows]


def by_rule(counts: pa.Table) -> list[Row]:
    """Rules by severity, then by how many clusters have findings of them."""
    keys = ["rule", "name", "family", "severity"]
    rows = counts.group_by(keys).aggregate([("findings", "sum"), ("cluster", "count_distinct")])
    found: list[Row] = rows.rename_columns([*keys, "findings", "clusters"]).to_pylist()
    return sorted(found, key=lambda row: (WORST_FIRST.index(row["severity"]), -row["clusters"], -row["findings"], row["rule"]))  # fmt: skip


def titled(rows: Sequence[Row]) -> list[Common]:
    """With what the rules' own documentation calls them; rules of the user's have none here."""
    from rules import all_rules

    rules = {rule.id: rule for rule in all_rules(())}
    return [Common(row, rules[row["rule"]].documentation().title if row["rule"] in rules else "") for row in rows]
