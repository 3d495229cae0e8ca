"""The facts of brokers, quorums, ensembles and groups as the engine over columns wants them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.config import Config
from advisor.engine.live_subjects import ALL
from advisor.facts.cluster import broker_facts, ensemble_facts, group_facts, quorum_facts
from advisor.model import Entity
from advisor.model.cluster import ZOOKEEPER
from spark_audit.engine.client_columns import ObjectColumns
from spark_audit.engine.topic_columns import BrokerColumns

if TYPE_CHECKING:
    from collections.abc import Hashable

    from advisor.model.cluster import Live
    from spark_audit.engine.clusters import Clusters


def broker_rows(clusters: Clusters) -> BrokerColumns:
    """All brokers; without counts their facts are left out."""
    batch = clusters.tables.rows("brokers", clusters.names)
    columns = BrokerColumns(batch, clusters.contexts)
    if clusters.counts is not None:
        columns.told_of = [_broker_facts(columns, row, clusters) for row in range(columns.rows)]
    return columns


def _broker_facts(columns: BrokerColumns, row: int, clusters: Clusters) -> dict[str, Hashable]:
    place = int(columns.cluster[row])
    return broker_facts(columns.bare(row), clusters.live(place), clusters.counted(place))


def quorum_rows(clusters: Clusters) -> ObjectColumns:
    """The metadata quorums; a cluster may not have said whether it has one."""
    found, places = [], []
    for place in range(len(clusters.names)):
        live = clusters.live(place)
        if live.metadata != ZOOKEEPER:
            missing = None if live.quorum is not None else live.unread.get("quorum", "the cluster did not say")
            found.append(_subject("quorum", clusters, place, quorum_facts(live), missing))
            places.append(place)
    return ObjectColumns(found, places)


def ensemble_rows(clusters: Clusters) -> ObjectColumns:
    """The ZooKeeper ensembles that were looked at."""
    found, places = [], []
    for place in range(len(clusters.names)):
        live = clusters.live(place)
        if live.zookeeper is not None or "zookeeper" in live.unread:
            found.append(_subject("ensemble", clusters, place, ensemble_facts(live), live.unread.get("zookeeper")))
            places.append(place)
    return ObjectColumns(found, places)


def group_rows(clusters: Clusters) -> ObjectColumns:
    """The groups of consumers; where they could not be listed one stands for all."""
    found, places = [], []
    for place in range(len(clusters.names)):
        live = clusters.live(place)
        for name, facts, missing in _groups(live, clusters, place):
            context = clusters.contexts[place]
            entity = Entity("group", name, None, {}, context.target, cluster=context.cluster, missing=missing)
            found.append(Config(entity, facts))
            places.append(place)
    return ObjectColumns(found, places)


def _groups(live: Live, clusters: Clusters, place: int) -> list[tuple[str, dict[str, Hashable], str | None]]:
    counted = clusters.counted(place)
    found = [(group.name, group_facts(group, counted), None) for group in live.groups or ()]
    return [*found, *([(ALL, {}, live.unread["groups"])] if "groups" in live.unread else [])]


def _subject(kind: str, clusters: Clusters, place: int, facts: dict[str, Hashable], missing: str | None) -> Config:
    context = clusters.contexts[place]
    return Config(
        Entity(kind, context.cluster, None, {}, context.target, cluster=context.cluster, missing=missing), facts
    )
