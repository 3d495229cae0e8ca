"""What stops or loses records while brokers restart one after the other: replication factors and min.insync.replicas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from advisor.analysis.upgrade.plan import (
    ROLLING,
    SHOULD,
    UNKNOWN,
    RowSubject,
    UpgradeRow,
    new_row,
    row_subject_of,
    row_subject_of_cluster,
)
from advisor.analysis.upgrade.verdicts import Verdicts
from advisor.model import Entity, Snapshot
from advisor.model.finding import EntityName

RULES = (
    *("KA102", "KA103", "KA151", "KA156", "KA201", "KA202", "KA401", "KA402", "KA407"),
    *("KA160", "KA221", "KA222", "KA223", "KA224", "KA410"),
)
"""The rules on replication factors and min.insync.replicas of files, and of partitions as they are now."""


def rolling_rows(snapshot: Snapshot, verdicts: Verdicts) -> Iterator[UpgradeRow]:
    """The findings of these rules on a cluster as it runs today."""
    report = verdicts.report(snapshot, RULES)
    entities = {(entity.kind, entity.name): entity for entity in snapshot.entities}
    for finding in report.findings:
        row_subject = row_subject_named(finding.entity, entities, snapshot)
        row_subject = row_subject._replace(file=finding.file, line=finding.line)
        yield UpgradeRow(SHOULD, ROLLING, finding, row_subjects=(row_subject,))
    named_elsewhere = set(snapshot.live.unread.values() if snapshot.live else ())
    named_elsewhere |= {entity.missing for entity in snapshot.entities if entity.missing is not None}
    for reason, key, name in dict.fromkeys((row.reason, row.key, row.entity) for row in report.unknown):
        if reason not in named_elsewhere:
            message = f"{reason}: what a restart does to its replicas is not judged"
            yield new_row(UNKNOWN, ROLLING, key, message, row_subject_named(name, entities, snapshot))


def row_subject_named(name: EntityName, entities: Mapping[EntityName, Entity], snapshot: Snapshot) -> RowSubject:
    """A row's subject by its kind and name, which may be the cluster."""
    entity = entities.get(name)
    return row_subject_of(entity, snapshot.name) if entity else row_subject_of_cluster(snapshot)
