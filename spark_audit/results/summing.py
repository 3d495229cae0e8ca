"""The small tables of an audit from what its workers noted: one row per cluster, per cluster and rule, and for all."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256

import numpy as np
import pyarrow as pa

from advisor import __version__
from advisor.finding import grade
from advisor.reports.score import score_of
from spark_audit.results.tables import AUDITS, CLUSTERS, COUNTS, SEVERITIES
from spark_audit.tables import PARTIAL, UNREACHABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from advisor.rule import Rule
    from spark_audit.results.waivers import Waivers
    from spark_audit.runners.work import Note, Plan
    from spark_audit.snapshots.store import Fleet

    Row = dict[str, Any]

CRASH = "KA000"


class Sums:
    """What all notes say together."""

    def __init__(self, notes: Iterable[Note] = ()) -> None:
        self.outcomes: dict[str, list[int]] = {}
        self.counts: Counter[tuple[str, ...]] = Counter()
        self.waived: Counter[int] = Counter()
        self.held: set[str] = set()
        for note in notes:
            self.take(note)

    def take(self, note: Note) -> None:
        """Add what a note says."""
        self.held |= set(note["held"])
        for cluster, *numbers in note["outcomes"]:
            own = self.outcomes.setdefault(cluster, [0, 0, 0])
            for place, number in enumerate(numbers):
                own[place] += number
        for cluster, rule, name, family, severity, waiver, number in note["counts"]:
            self.counts[cluster, rule, name, family, severity, str(waiver >= 0)] += number
            if waiver >= 0:
                self.waived[waiver] += number

    def severities(self) -> dict[str, dict[str, int]]:
        """Per cluster how many findings of each severity count; `waived` are all others."""
        found: dict[str, dict[str, int]] = {}
        for (cluster, _, _, _, severity, waived), number in self.counts.items():
            own = found.setdefault(cluster, dict.fromkeys((*SEVERITIES, "waived"), 0))
            own["waived" if waived == "True" else severity] += number
        return found


def counts_of(sums: Sums, audit: str) -> pa.Table:
    """How many findings each cluster has of each rule."""
    rows = [(audit, *key[:5], key[5] == "True", number) for key, number in sums.counts.items()]
    columns = zip(*rows, strict=True) if rows else [()] * len(COUNTS)
    found = pa.Table.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, COUNTS, strict=True)], schema=COUNTS
    )
    return found.sort_by([(name, "ascending") for name in COUNTS.names[1:-1]])


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
    own = severities.get(name, dict.fromkeys((*SEVERITIES, "waived"), 0))
    passed, not_applicable, unknown = sums.outcomes.get(name, [0, 0, 0])
    score = score_of({severity: own[severity] for severity in SEVERITIES})[0]
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
            *SEVERITIES,
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
        "crashed": len({key[1:3] for key in sums.counts if key[1] == CRASH}),
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
    return [
        {
            "rule": waiver.rule,
            "cluster": waiver.cluster,
            "label": waiver.labels,
            "subject": waiver.subject,
            "reason": waiver.reason,
            "until": str(waiver.until) if waiver.until else None,
            "expired": not waiver.holds(waivers.today),
            "findings": sums.waived[place],
        }
        for place, waiver in enumerate(waivers.waivers)
    ]
