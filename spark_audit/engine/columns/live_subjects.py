"""Brokers, quorums, ensembles and consumer groups as columns, with their facts."""

from __future__ import annotations

from collections.abc import Hashable

from advisor.config import Config
from advisor.engine.subjects.live import ALL
from advisor.facts.cluster import broker_facts, ensemble_facts, group_facts, quorum_facts
from advisor.model import Entity
from advisor.model.cluster import ZOOKEEPER, Live
from spark_audit.engine.columns.client_columns import ConfigColumns
from spark_audit.engine.columns.clusters import Clusters
from spark_audit.engine.columns.topic_columns import BrokerColumns


def broker_rows(clusters: Clusters) -> BrokerColumns:
    """All brokers as columns; without facts where partitions are not counted yet."""
    batch = clusters.tables.rows("brokers", clusters.names)
    columns = BrokerColumns(batch, clusters.contexts)
    if clusters.counts is not None:
        columns.facts_of_row = [_broker_facts(columns, row, clusters) for row in range(columns.rows)]
    return columns


def _broker_facts(columns: BrokerColumns, row: int, clusters: Clusters) -> dict[str, Hashable]:
    cluster = int(columns.cluster_of_row[row])
    return broker_facts(columns.without_settings(row), clusters.live(cluster), clusters.counted(cluster))


def quorum_rows(clusters: Clusters) -> ConfigColumns:
    """The metadata quorums as columns; unreadable where a cluster did not say whether it has one."""
    configs, cluster_of_row = [], []
    for cluster in range(len(clusters.names)):
        live = clusters.live(cluster)
        if live.metadata != ZOOKEEPER:
            missing = None if live.quorum is not None else live.unread.get("quorum", "the cluster did not say")
            configs.append(_subject("quorum", clusters, cluster, quorum_facts(live), missing))
            cluster_of_row.append(cluster)
    return ConfigColumns(configs, cluster_of_row)


def ensemble_rows(clusters: Clusters) -> ConfigColumns:
    """The ZooKeeper ensembles that were looked at, as columns."""
    configs, cluster_of_row = [], []
    for cluster in range(len(clusters.names)):
        live = clusters.live(cluster)
        if live.zookeeper is not None or "zookeeper" in live.unread:
            configs.append(_subject("ensemble", clusters, cluster, ensemble_facts(live), live.unread.get("zookeeper")))
            cluster_of_row.append(cluster)
    return ConfigColumns(configs, cluster_of_row)


def consumer_group_rows(clusters: Clusters) -> ConfigColumns:
    """The consumer groups as columns; where they could not be listed, one stands for all of the cluster."""
    configs, cluster_of_row = [], []
    for cluster in range(len(clusters.names)):
        live = clusters.live(cluster)
        for name, facts, missing in _consumer_groups(live, clusters, cluster):
            context = clusters.contexts[cluster]
            entity = Entity("group", name, None, {}, context.target, cluster=context.cluster, missing=missing)
            configs.append(Config(entity, facts))
            cluster_of_row.append(cluster)
    return ConfigColumns(configs, cluster_of_row)


def _consumer_groups(live: Live, clusters: Clusters, cluster: int) -> list[tuple[str, dict[str, Hashable], str | None]]:
    counted = clusters.counted(cluster)
    consumer_groups = [(group.name, group_facts(group, counted), None) for group in live.groups or ()]
    return [*consumer_groups, *([(ALL, {}, live.unread["groups"])] if "groups" in live.unread else [])]


def _subject(kind: str, clusters: Clusters, cluster: int, facts: dict[str, Hashable], missing: str | None) -> Config:
    context = clusters.contexts[cluster]
    return Config(
        Entity(kind, context.cluster, None, {}, context.target, cluster=context.cluster, missing=missing), facts
    )
