"""What all brokers of a running cluster have in common is one finding of the cluster."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from advisor.facts.cluster import OF_BROKERS
from advisor.model import SERVER_KINDS, Snapshot
from advisor.model.finding import Evidence, Finding

SHARED = ("rule", "key", "message", "value", "required", "severity", "confidence", "refused")
"""Fields in which the findings of all brokers have to be equal."""


def is_of_broker(kind: str, key: str | None) -> bool:
    """Whether a finding is about a setting of a broker: its state, and what a restart of it stops, is its own."""
    return kind in SERVER_KINDS and key not in OF_BROKERS


def of_the_cluster(findings: Sequence[Finding], snapshot: Snapshot) -> list[Finding]:
    """The findings of a cluster, with one in place of those that all brokers share whose settings were read."""
    brokers = {entity.name for entity in snapshot.entities if entity.kind in SERVER_KINDS and entity.missing is None}
    by_fields: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        if is_of_broker(finding.entity[0], finding.key) and finding.file is None and not finding.with_:
            by_fields.setdefault(tuple(getattr(finding, field) for field in SHARED), []).append(finding)
    shared = [rows for rows in by_fields.values() if len(rows) > 1 and {row.entity[1] for row in rows} == brokers]
    replaced = {id(row) for rows in shared for row in rows}
    return [*(row for row in findings if id(row) not in replaced), *(_joined(rows, snapshot) for rows in shared)]


def _joined(rows: Sequence[Finding], snapshot: Snapshot) -> Finding:
    """The finding of the first broker, as one of the cluster."""
    names = tuple(row.entity[1] for row in rows)
    first, broker = rows[0], rows[0].entity
    evidence, first.entity, first.shared_by = (
        first.evidence,
        ("cluster", snapshot.live.name if snapshot.live else snapshot.name),
        names,
    )
    first.evidence = tuple(
        Evidence(first.entity if row.entity == broker else row.entity, row.key, row.value, row.source, None, None)
        for row in evidence
    )
    return first
