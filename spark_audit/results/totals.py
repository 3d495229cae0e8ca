"""The small tables of an audit from what its workers noted: one row per cluster, per cluster and rule, and for all."""

from __future__ import annotations

import functools
import json
from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from advisor import __version__
from advisor.engine.verdicts import CRASH
from advisor.model.finding import WORST_FIRST, grade, score_of
from spark_audit.schema.results import AUDITS, CLUSTERS, COUNTS
from spark_audit.schema.snapshots import PARTIAL, UNREACHABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from advisor.rule import Rule
    from spark_audit.results.plan import Plan
    from spark_audit.results.waivers import Waivers
    from spark_audit.storage.load import Fleet

    Row = dict[str, Any]
    Note = dict[str, Any]

TALLY = pa.schema(
    [(name, pa.string()) for name in ("cluster", "rule", "name", "family", "severity")]
    + [("waiver", pa.int64()), ("findings", pa.int64())]
)
"""What a note says of findings: `waiver` is the place of the one that covers them, -1 where none does."""


class Sums:
    """What all notes say together."""

    def __init__(self, notes: Iterable[Note] = ()) -> None:
        self.outcomes: dict[str, list[int]] = {}
        self.held: set[str] = set()
        self._tallies: list[pa.Table] = []
        for note in notes:
            self.take(note)

    def take(self, note: Note) -> None:
        """Add what a note says."""
        self.held |= set(note["held"])
        for cluster, *numbers in note["outcomes"]:
            own = self.outcomes.setdefault(cluster, [0, 0, 0])
            for place, number in enumerate(numbers):
                own[place] += number
        if note["counts"]:
            self._tallies.append(pa.table(list(zip(*note["counts"], strict=True)), schema=TALLY))

    @functools.cached_property
    def counts(self) -> pa.Table:
        """How many findings each cluster has of each rule, by severity and waiver (see TALLY)."""
        every = pa.concat_tables([TALLY.empty_table(), *self._tallies])
        return every.group_by(TALLY.names[:-1]).aggregate([("findings", "sum")]).rename_columns(TALLY.names)

    def waived(self) -> dict[int, int]:
        """How many findings each waiver covers, by its place."""
        return {place: number for place, number in self._by("waiver") if place >= 0}

    def severities(self) -> dict[str, dict[str, int]]:
        """Per cluster how many findings of each severity count; `waived` are all others."""
        found: dict[str, dict[str, int]] = {}
        for cluster, severity, waiver, number in self._by("cluster", "severity", "waiver"):
            own = found.setdefault(cluster, dict.fromkeys((*WORST_FIRST, "waived"), 0))
            own["waived" if waiver >= 0 else severity] += number
        return found

    def _by(self, *names: str) -> Iterator[tuple[Any, ...]]:
        """The sums of findings by some columns."""
        found = self.counts.group_by(names).aggregate([("findings", "sum")])
        return zip(*(found.column(name).to_pylist() for name in (*names, "findings_sum")), strict=True)


def counts_of(sums: Sums, audit: str) -> pa.Table:
    """How many findings each cluster has of each rule."""
    keys = COUNTS.names[1:-1]
    every = sums.counts.append_column("waived", pc.greater_equal(sums.counts.column("waiver"), 0))
    found = every.group_by(keys).aggregate([("findings", "sum")]).sort_by([(name, "ascending") for name in keys])
    columns = [found.column(name) for name in (*keys, "findings_sum")]
    return pa.table([pa.repeat(audit, found.num_rows), *columns], schema=COUNTS)


def clusters_of(sums: Sums, fleet: Fleet, parts: Mapping[str, Any], audit: str) -> pa.Table:
    """One row per cluster."""
    severities = sums.severities()
    sizes = {name: fleet.sizes(name) for name in ("brokers", "clients")}
    wanted = ["cluster", "labels", "status", "reason", "collected", "kafka_version"]
    rows = fleet.small()["clusters"].select(wanted).to_pylist()
    rows.sort(key=lambda row: str(row["cluster"]))
    found = [_cluster(row, severities, sums, sizes, parts, audit) for row in rows]
    return pa.Table.from_pylist(found, CLUSTERS)


def _cluster(
    row: Row,
    severities: Mapping[str, dict[str, int]],
    sums: Sums,
    sizes: Mapping[str, Counter[str]],
    parts: Mapping[str, Any],
    audit: str,
) -> Row:
    name = row["cluster"]
    own = severities.get(name, dict.fromkeys((*WORST_FIRST, "waived"), 0))
    passed, not_applicable, unknown = sums.outcomes.get(name, [0, 0, 0])
    score = score_of({severity: own[severity] for severity in WORST_FIRST})[0]
    reached = row["status"] != UNREACHABLE
    part = parts.get(name, {})
    return {
        **row,
        "labels": row["labels"] or [],
        "audit": audit,
        "topics": part.get("topics", 0),
        "partitions": part.get("partitions", 0),
        "brokers": sizes["brokers"][name],
        "clients": sizes["clients"][name],
        **own,
        "unknown": unknown + (not reached),
        "passed": passed,
        "not_applicable": not_applicable,
        "score": score if reached else None,
        "grade": grade(score) if reached else None,
    }


def unreachable_rows(fleet: Fleet, audit: str) -> list[Row]:
    """What is unknown of clusters that could not be reached: everything."""
    return [
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
        for row in fleet.small()["clusters"].select(["cluster", "labels", "status", "reason"]).to_pylist()
        if row["status"] == UNREACHABLE
    ]


def audit_of(
    sums: Sums, clusters: pa.Table, plan: Plan, rules: Sequence[Rule], waivers: Waivers, about: Mapping[str, Any]
) -> pa.Table:
    """The audit's own row."""
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
        "crashed": int(pc.any(pc.equal(sums.counts.column("rule"), CRASH)).as_py() or 0),
        "rules": sorted(rule.id for rule in rules),
        "skipped": sorted(rule.id for rule in rules if not set(rule.inputs) <= sums.held),
        "waivers": json.dumps(used(sums, waivers), ensure_ascii=False),
    }
    return pa.Table.from_pylist([row], AUDITS)


def ruleset(plan: Plan, rules: Sequence[Rule]) -> str:
    """SHA-256 of everything but the clusters that findings depend on."""
    said = [plan.profile, sorted(plan.severities.items()), plan.modules, sorted(rule.id for rule in rules), __version__]
    return sha256(json.dumps(said, default=list).encode()).hexdigest()


def used(sums: Sums, waivers: Waivers) -> list[Row]:
    """Every waiver with what became of it."""
    covered = sums.waived()
    return [
        {
            "rule": waiver.rule,
            "cluster": waiver.cluster,
            "label": waiver.labels,
            "subject": waiver.subject,
            "reason": waiver.reason,
            "until": str(waiver.until) if waiver.until else None,
            "expired": not waiver.holds(waivers.today),
            "findings": covered.get(place, 0),
        }
        for place, waiver in enumerate(waivers.waivers)
    ]
