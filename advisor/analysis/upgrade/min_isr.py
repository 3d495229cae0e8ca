"""min.insync.replicas in brokers' files, which eligible leader replicas take out of force."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.findings import finding_by
from advisor.analysis.upgrade.cluster_upgrade import ClusterUpgrade
from advisor.analysis.upgrade.plan import SETTING, SILENT, UpgradeRow, row_subject_of
from advisor.analysis.upgrade.releases import snapshot_at
from advisor.model import STATIC_BROKER, Entity, Setting
from advisor.model.finding import Finding

KEY = "min.insync.replicas"
SHADOWED = "KA106"
OF_CONTROLLERS = "the controllers' value"
WHY = "once eligible leader replicas are on, the cluster-wide value counts, which the controllers take from their own files, 1 where these do not set it"


def broker_file_rows(cluster: ClusterUpgrade) -> Iterator[UpgradeRow]:
    """A row for each broker whose file sets the key, unless the controllers' files that were read agree."""
    shadowed = shadowed_in_files(cluster) if cluster.snapshot.live is None else running_brokers(cluster)
    for entity in shadowed:
        setting = entity.settings[KEY]
        row_subject = row_subject_of(entity, cluster.snapshot.name, setting.origin.line)
        yield UpgradeRow(SILENT, SETTING, change_of(setting, cluster), "KIP-966", row_subjects=(row_subject,))


def change_of(setting: Setting, cluster: ClusterUpgrade) -> Finding:
    """The finding that a broker's own value is out of force."""
    rule = cluster.verdicts.rules[SHADOWED]
    return finding_by(rule, KEY, WHY, "low", value=setting.shown, used=OF_CONTROLLERS)


def shadowed_in_files(cluster: ClusterUpgrade) -> list[Entity]:
    """The brokers of which the rule on shadowed files speaks at the target."""
    report = cluster.verdicts.report(snapshot_at(cluster.snapshot, cluster.to), (SHADOWED,))
    names = {finding.entity for finding in report.findings}
    return [entity for entity in cluster.nodes if (entity.kind, entity.name) in names and KEY in entity.settings]


def running_brokers(cluster: ClusterUpgrade) -> list[Entity]:
    """The running brokers without the controller role whose own file decides the key today."""
    return [
        entity
        for entity in cluster.nodes
        if entity.kind == "broker" and KEY in entity.settings and entity.settings[KEY].source == STATIC_BROKER
    ]
