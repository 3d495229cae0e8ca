"""Features: the levels that the target needs, those to raise afterwards, in their order, and what they change."""

from __future__ import annotations

from collections.abc import Iterator

from advisor import catalog
from advisor.analysis.upgrade.cluster_upgrade import ClusterUpgrade
from advisor.analysis.upgrade.min_isr import broker_file_rows
from advisor.analysis.upgrade.plan import AFTER, FEATURE, MUST, SILENT, UNKNOWN, UpgradeRow, text_of
from advisor.analysis.upgrade.releases import highest_level
from advisor.analysis.upgrade.requirements import NO_ZOOKEEPER
from advisor.catalog.features import (
    ELIGIBLE_LEADER_REPLICAS,
    FEATURES,
    KRAFT_VERSION,
    LEAST_LEVEL_OF_4,
    METADATA_VERSION,
    Feature,
)
from advisor.facts import KRAFT

TOOL = "kafka-features.sh --bootstrap-server HOST:PORT"


def feature_rows(cluster: ClusterUpgrade) -> Iterator[UpgradeRow]:
    """The rows about features, for clusters that are in KRaft mode at the end."""
    if cluster.managed:
        return
    if cluster.mode == KRAFT:
        yield from required_level(cluster)
    unread = cluster.mode == KRAFT and cluster.snapshot.live is not None and cluster.snapshot.live.features is None
    if not unread and (cluster.mode == KRAFT or cluster.crosses(NO_ZOOKEEPER)):
        yield from levels_to_raise(cluster)
        yield from eligible_leader_replicas(cluster)


def required_level(cluster: ClusterUpgrade) -> Iterator[UpgradeRow]:
    """The metadata.version without which 4.0 and newer do not start."""
    level, live = cluster.level(METADATA_VERSION), cluster.snapshot.live
    needed = f"{text_of(catalog.FIRST_KRAFT)}-IV3"
    if level is None and (live is not None or cluster.crosses(NO_ZOOKEEPER)):
        why = live.unread.get("features", "the cluster did not say") if live else "no file holds it"
        message = f"{METADATA_VERSION} is not known ({why}): `{TOOL} describe` shows it, and 4.0 and newer need {needed} or newer"
        yield cluster.row(UNKNOWN, FEATURE, METADATA_VERSION, message, source="KIP-778")
    elif level is not None and level < LEAST_LEVEL_OF_4 and cluster.to >= NO_ZOOKEEPER:
        message = f"at level {level}, older than {needed}: raise it first, `{TOOL} upgrade --metadata {text_of(catalog.FIRST_KRAFT)}`"
        yield cluster.row(MUST, FEATURE, METADATA_VERSION, message, source="KIP-778")


def levels_to_raise(cluster: ClusterUpgrade) -> Iterator[UpgradeRow]:
    """metadata.version first, which the other features need, kraft.version last and only where it is wanted."""
    yield from metadata_version(cluster)
    for order, feature in enumerate(FEATURES, 2):
        level = feature.level(cluster.to)
        if level > level_today(cluster, feature):
            message = f"raise it to {level}, after {METADATA_VERSION}: {feature.brings}"
            yield cluster.row(AFTER, FEATURE, feature.name, message, source=feature.source, urgency=order)
    if cluster.may_become_dynamic:
        message = "raise it to 1 last, and only if controllers shall be added and removed while the quorum runs"
        yield cluster.row(AFTER, FEATURE, KRAFT_VERSION, message, source="KIP-853", urgency=len(FEATURES) + 2)


def metadata_version(cluster: ClusterUpgrade) -> Iterator[UpgradeRow]:
    """The command that raises metadata.version, from 4.0 on with all other features."""
    highest, release = highest_level(cluster.to), text_of(cluster.to)
    if (cluster.level(METADATA_VERSION) or highest_level(cluster.oldest)) >= highest:
        return
    what, how = f"raise it to {highest}", f"`{TOOL} upgrade --metadata {release}`"
    if cluster.is_strimzis:
        what, how = (
            f"raise it to the newest of {release}",
            f"spec.kafka.metadataVersion, which takes its name (level {highest})",
        )
    elif cluster.to >= NO_ZOOKEEPER:
        how = f"`{TOOL} upgrade --release-version {release}`, which raises all features below, too"
    message = f"{what} when all nodes have run {release} well: {how}"
    yield cluster.row(AFTER, FEATURE, METADATA_VERSION, message, source="KIP-778", urgency=1)


def level_today(cluster: ClusterUpgrade, feature: Feature) -> int:
    """The level of a feature as the cluster has it, of files the highest that their release sets."""
    level = cluster.level(feature.name)
    return feature.level(cluster.oldest) if level is None else level


def eligible_leader_replicas(cluster: ClusterUpgrade) -> Iterator[UpgradeRow]:
    """What changes with eligible leader replicas, which come on with the other features."""
    feature = next(each for each in FEATURES if each.name == ELIGIBLE_LEADER_REPLICAS)
    old, new = level_today(cluster, feature), feature.level(cluster.to)
    if new > old:
        first = text_of(min(feature.levels))
        message = (
            f"on once the features are raised to {first} or newer: one cluster-wide min.insync.replicas then counts"
        )
        levels = (str(old), str(new))
        yield cluster.row(SILENT, FEATURE, feature.name, message, source=feature.source, urgency=1, change=levels)
        yield from broker_file_rows(cluster)
