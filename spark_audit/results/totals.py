"""Totals of an audit: add up what workers noted into the small tables clusters, counts and audits."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from advisor import __version__
from advisor.engine.score import POINTS, grade_of, score_of
from advisor.engine.verdicts import CRASH
from advisor.model.finding import WORST_FIRST
from advisor.rule import Rule
from spark_audit.arrays import Codes
from spark_audit.results.plan import AuditPlan
from spark_audit.results.waivers import waivers_as_json
from spark_audit.schema.results import AUDITS, CLUSTERS, COUNTS, UNKNOWNS
from spark_audit.schema.snapshots import CLUSTER_COLUMNS, PARTIAL, UNREACHABLE

Row = dict[str, Any]
Note = dict[str, Any]
Sizes = Mapping[str, Counter[str]]
"""Brokers and clients of each cluster."""

TALLY = pa.schema(
    [(name, pa.string()) for name in ("cluster", "rule", "name", "family", "severity")]
    + [("waiver", pa.int64()), ("findings", pa.int64()), ("subjects", pa.int64())]
)
"""The findings that a note counts; `waiver` is the index of the waiver that covers them, -1 where none does.

`subjects` are those of the findings that count for the score: one of each subject."""
KEYS = TALLY.names[:-2]


class Totals:
    """The sum of all workers' notes."""

    def __init__(self, notes: Iterable[Note] = ()) -> None:
        self.outcomes: dict[str, list[int]] = {}
        self.inputs: dict[str, set[str]] = {}
        self._tallies: list[pa.Table] = []
        self._passed: dict[str, list[tuple[Sequence[str], Codes]]] = {}
        for note in notes:
            self.add(note)

    def add(self, note: Note) -> None:
        """Add a note."""
        for cluster, inputs in note["inputs"].items():
            self.inputs.setdefault(cluster, set()).update(inputs)
        for cluster, *numbers in note["outcomes"]:
            totals = self.outcomes.setdefault(cluster, [0, 0, 0])
            for index, number in enumerate(numbers):
                totals[index] += number
        for rule, passed in note["passed"].items():
            self._passed.setdefault(rule, []).append((note["clusters"], np.array(passed, dtype=np.int64)))
        if note["counts"]:
            self._tallies.append(pa.table(list(zip(*note["counts"], strict=True)), schema=TALLY))

    @functools.cached_property
    def counts(self) -> pa.Table:
        """Findings of each cluster by rule, severity and waiver (see TALLY)."""
        tallies = pa.concat_tables([TALLY.empty_table(), *self._tallies])
        sums = [("findings", "sum"), ("subjects", "sum")]
        return tallies.group_by(KEYS).aggregate(sums).rename_columns(TALLY.names)

    @functools.cached_property
    def waivers(self) -> dict[str, list[Row]]:
        """Per cluster the waivers that cover findings there, by their number from 1, and how many findings."""
        rows_of_cluster: dict[str, list[Row]] = {}
        for cluster, waiver, number in sorted(self._sum_by("cluster", "waiver")):
            if waiver >= 0:
                rows_of_cluster.setdefault(cluster, []).append({"waiver": waiver + 1, "findings": number})
        return rows_of_cluster

    @functools.cached_property
    def severities(self) -> dict[str, dict[str, int]]:
        """Per cluster the findings of each severity, and those that are waived."""
        severities_of_cluster: dict[str, dict[str, int]] = {}
        for cluster, severity, waiver, number in self._sum_by("cluster", "severity", "waiver"):
            severities = severities_of_cluster.setdefault(cluster, dict.fromkeys((*WORST_FIRST, "waived"), 0))
            severities["waived" if waiver >= 0 else severity] += number
        return severities_of_cluster

    @functools.cached_property
    def points(self) -> dict[str, dict[str, float]]:
        """Per cluster the points of each failing rule: those of its findings, over all that the rule judged there."""
        rows = list(self._sum_by("rule", "cluster", "severity", "waiver", of="subjects"))
        judged: Counter[tuple[str, str]] = Counter()
        points: dict[tuple[str, str], float] = {}
        for rule, cluster, severity, waiver, number in rows:
            judged[rule, cluster] += number
            if waiver < 0:
                points[rule, cluster] = points.get((rule, cluster), 0.0) + POINTS[severity] * number
        for rule in {rule for rule, _ in points}:
            for clusters, passed in self._passed.get(rule, ()):
                for cluster, number in zip(clusters, passed.tolist(), strict=True):
                    judged[rule, cluster] += number
        by_cluster: dict[str, dict[str, float]] = {}
        for (rule, cluster), total in sorted(points.items()):
            by_cluster.setdefault(cluster, {})[rule] = total / judged[rule, cluster]
        return by_cluster

    def _sum_by(self, *names: str, of: str = "findings") -> Iterator[tuple[Any, ...]]:
        """Sum findings, or those that count for the score, by some columns."""
        summed = self.counts.group_by(names).aggregate([(of, "sum")])
        return zip(*(summed.column(name).to_pylist() for name in (*names, f"{of}_sum")), strict=True)


def counts_table(sums: Totals, audit: str) -> pa.Table:
    """The table `counts`: findings of each cluster by rule and severity."""
    keys = COUNTS.names[1:-1]
    counted = sums.counts.append_column("waived", pc.greater_equal(sums.counts.column("waiver"), 0))
    summed = counted.group_by(keys).aggregate([("findings", "sum")]).sort_by([(name, "ascending") for name in keys])
    columns = [summed.column(name) for name in (*keys, "findings_sum")]
    return pa.table([pa.repeat(audit, summed.num_rows), *columns], schema=COUNTS)


def clusters_table(
    sums: Totals, clusters: pa.Table, sizes: Sizes, counts_of_cluster: Mapping[str, Any], audit: str
) -> pa.Table:
    """The table `clusters`: one row per cluster of the snapshots' own; `sizes` are its brokers and clients."""
    rows = clusters.select(CLUSTER_COLUMNS).to_pylist()
    rows.sort(key=lambda row: str(row["cluster"]))
    results = [_cluster(row, sums, sizes, counts_of_cluster, audit) for row in rows]
    return pa.Table.from_pylist(results, CLUSTERS)


def _cluster(row: Row, sums: Totals, sizes: Sizes, counts_of_cluster: Mapping[str, Any], audit: str) -> Row:
    name = row["cluster"]
    counted = sums.severities.get(name, dict.fromkeys((*WORST_FIRST, "waived"), 0))
    passed, not_applicable, unknown = sums.outcomes.get(name, [0, 0, 0])
    points = sums.points.get(name, {})
    score = score_of(points.values())
    reached = row["status"] != UNREACHABLE
    counts = counts_of_cluster.get(name, {})
    return {
        **row,
        "labels": row["labels"] or [],
        "audit": audit,
        "topics": counts.get("topics", 0),
        "partitions": counts.get("partitions", 0),
        "brokers": sizes["brokers"][name],
        "clients": sizes["clients"][name],
        **counted,
        "unknown": unknown + (not reached),
        "passed": passed,
        "not_applicable": not_applicable,
        "score": round(score) if reached else None,
        "grade": grade_of(score, (severity for severity in WORST_FIRST if counted[severity])) if reached else None,
        "inputs": sorted(sums.inputs.get(name, ())),
        "waivers": sums.waivers.get(name, []),
        "points": [{"rule": rule, "points": cost} for rule, cost in points.items()],
    }


def unreachable_unknowns(clusters: pa.Table, audit: str) -> pa.Table:
    """Rows of `unknowns` for clusters that could not be reached: every rule is unknown."""
    rows = [
        {
            "audit": audit,
            "cluster": row["cluster"],
            "labels": row["labels"] or [],
            "rule": "*",
            "name": "every-rule",
            "family": "*",
            "kind": "cluster",
            "subject": row["cluster"],
            "with": [],
            "reason": row["reason"] or "it could not be reached",
        }
        for row in clusters.select(["cluster", "labels", "status", "reason"]).to_pylist()
        if row["status"] == UNREACHABLE
    ]
    return pa.Table.from_pylist(rows, UNKNOWNS)


def has_crashes(counts: pa.Table) -> bool:
    """Whether a rule raised; `counts` is the audit's table."""
    return CRASH in counts.column("rule").unique().to_pylist()


def audit_table(
    tables: Mapping[str, pa.Table], plan: AuditPlan, rules: Sequence[Rule], about: Mapping[str, Any]
) -> pa.Table:
    """The table `audits`: the audit's own row, from its other small tables."""
    clusters = tables["clusters"]
    inputs = set(pc.list_flatten(clusters.column("inputs")).to_pylist())
    total = {
        name: int(np.sum(clusters.column(name).to_numpy()))
        for name in (
            "topics",
            "partitions",
            "brokers",
            "clients",
            *WORST_FIRST,
            "waived",
            "unknown",
            "passed",
            "not_applicable",
        )
    }
    status = Counter(clusters.column("status").to_pylist())
    row = {
        **total,
        **about,
        "version": __version__,
        "ruleset": ruleset(plan, rules),
        "profile": plan.profile,
        "clusters": clusters.num_rows,
        "unreachable": status[UNREACHABLE],
        "partial": status[PARTIAL],
        "crashed": int(has_crashes(tables["counts"])),
        "rules": sorted(rule.id for rule in rules),
        "skipped": sorted(rule.id for rule in rules if not rule.is_of_change and not set(rule.inputs) <= inputs),
        "waivers": json.dumps(waivers_as_json(tables["waivers"]), ensure_ascii=False),
    }
    return pa.Table.from_pylist([row], AUDITS)


def ruleset(plan: AuditPlan, rules: Sequence[Rule]) -> str:
    """SHA-256 of everything beside the clusters that findings depend on."""
    choices = [
        [plan.profile, sorted((label, sorted(values.items())) for label, values in plan.profiles_by_label.items())]
        if plan.profiles_by_label
        else plan.profile,
        sorted(plan.severities.items()),
        plan.modules,
        sorted(rule.id for rule in rules),
        __version__,
    ]
    return sha256(json.dumps(choices, default=list).encode()).hexdigest()
