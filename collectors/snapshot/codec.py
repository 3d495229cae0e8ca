"""Encode the parts of a snapshot as plain data, and decode them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any, TypeVar

from advisor.catalog.target import release_of
from advisor.model import HIDDEN, KINDS, MASK, Broker, Entity, Setting, Target, Topic
from advisor.model.cluster import Group, Live, Partition
from advisor.secrets.disclosure import described_setting, shown_defaults, shown_levels
from advisor.secrets.masking import mask_addresses
from collectors.snapshot.records import BrokerRecord, ClusterRecord, Defaults, LiveRecord, Settings, TopicRecord

T = TypeVar("T")
Row = dict[str, Any]
BY_PARTITION = ("committed", "lag")
"""What a group says by topic and partition: rows of topic, partition and number."""


class Tables:
    """Tables of shared settings and defaults, each stored once, and values common to all subjects."""

    def __init__(
        self,
        settings: Sequence[Settings] = (),
        defaults: Sequence[Defaults] = (),
        cluster: ClusterRecord | None = None,
        target: Target | None = None,
    ) -> None:
        self.settings: list[Row] = []
        self.defaults: list[Row] = []
        self._places: dict[int, int] = {}
        self._alive: list[object] = []
        if cluster is not None:
            version, note = release_of(cluster.kafka_version)
            reason = f"{cluster.reason}; {note}" if note else cluster.reason
            self.target = target or Target(version, reason, given=True)
            self.cluster = cluster.id or cluster.address
            self.read = [settings_of(records) for records in settings]
            self.described = list(defaults)

    @staticmethod
    def at(table: Sequence[T], index: int | None) -> T | None:
        """One entry of a table, None for no index. Raises ValueError for an index that there is not."""
        if index is None:
            return None
        if not 0 <= index < len(table):
            raise ValueError(f"{index}: there are {len(table)} tables of settings or defaults, counted from 0")
        return table[index]

    def place(self, table: list[Row], shared: object, row: Row) -> int:
        """The index of a shared object in its table."""
        if id(shared) not in self._places:
            self._places[id(shared)] = len(table)
            self._alive.append(shared)
            table.append(row)
        return self._places[id(shared)]


def plain_settings(settings: Mapping[str, Setting]) -> Row:
    """Encode settings by key as value and level; hidden values are left out."""
    return {
        key: {"source": setting.source, "hidden": True}
        if setting.shape == HIDDEN or setting.shown == MASK
        else {"source": setting.source, "value": setting.shown}
        for key, setting in settings.items()
    }


def settings_of(records: Settings) -> dict[str, Setting]:
    """Decode settings; a secret that was edited into the file is masked, too."""
    return {key: described_setting(key, record.value, record.source) for key, record in records.items()}


def plain_broker(broker: Entity, tables: Tables) -> Row:
    """Encode a broker."""
    row: Row = {"id": int(broker.name), "kind": broker.kind, "settings": plain_settings(broker.settings)}
    if broker.described is not None:
        row["defaults"] = tables.place(tables.defaults, broker.described, shown_defaults(broker.described))
    if broker.missing is not None:
        row["missing"] = broker.missing
    overridden = getattr(broker, "overridden", {})
    if overridden:
        row["levels"] = {key: [list(level) for level in chain] for key, chain in overridden.items()}
    return row


def broker_of(record: BrokerRecord, tables: Tables) -> Broker:
    """Decode a broker. Raises ValueError."""
    if record.kind not in KINDS:
        raise ValueError(f"kind {record.kind}")
    broker = Broker(
        record.kind,
        str(record.id),
        None,
        settings_of(record.settings),
        tables.target,
        cluster=tables.cluster,
        described=tables.at(tables.described, record.defaults),
        missing=record.missing,
    )
    broker.overridden = shown_levels(record.levels or {})
    return broker


def plain_topic(topic: Topic, tables: Tables) -> Row:
    """Encode a topic: indexes into the tables, and its partitions as `Partition.__init__` orders their fields."""
    row: Row = {"name": topic.name, "internal": topic.internal}
    if topic.missing is not None:
        row["missing"] = topic.missing
    else:
        row["settings"] = tables.place(tables.settings, topic.settings, plain_settings(topic.settings))
        if topic.described is not None:
            row["defaults"] = tables.place(tables.defaults, topic.described, shown_defaults(topic.described))
    if topic.partitions is not None:
        row["partitions"] = [
            [p.id, p.leader, p.replicas, p.isr, p.elr, p.last_elr, p.offline, p.sizes] for p in topic.partitions
        ]
    return row


def topic_of(record: TopicRecord, tables: Tables) -> Topic:
    """Decode a topic. Raises ValueError."""
    settings = tables.at(tables.read, record.settings)
    topic = Topic(
        "topic",
        record.name,
        None,
        {} if settings is None else settings,
        tables.target,
        cluster=tables.cluster,
        described=tables.at(tables.described, record.defaults),
        missing=record.missing,
    )
    topic.internal = record.internal
    rows = record.partitions
    topic.partitions = None if rows is None else tuple(partition_of(row, topic.name) for row in rows)
    return topic


def partition_of(row: Any, topic: str) -> Partition:
    """Decode a partition; without sizes it is one of version 1. Raises ValueError."""
    if type(row) is not list or len(row) not in (7, 8) or type(row[0]) is not int or type(row[1]) is not int:
        raise ValueError(
            f"topic {topic}: a partition is [id, leader, replicas, ISR, ELR, last known ELR, offline, sizes]"
        )
    replicas, isr, elr, last_elr, offline = (None if ids is None else _ids(ids, topic) for ids in row[2:7])
    sizes = None if len(row) == 7 or row[7] is None else _sizes(row[7], len(replicas or ()), topic)
    return Partition(row[0], row[1], replicas or (), isr or (), elr, last_elr, offline, sizes)


def _sizes(sizes: Any, replicas: int, topic: str) -> tuple[int | None, ...]:
    if type(sizes) is not list or len(sizes) != replicas or any(type(size) not in (int, NoneType) for size in sizes):
        raise ValueError(f"topic {topic}: sizes are a list of bytes, or null, one for each replica")
    return tuple(sizes)


def _ids(ids: Any, topic: str) -> tuple[int, ...]:
    if type(ids) is not list or any(type(id) is not int for id in ids):
        raise ValueError(f"topic {topic}: brokers are a list of whole numbers")
    return tuple(ids)


def plain_live(facts: Live) -> Row:
    """Encode a cluster's state beside settings."""
    return {
        "nodes": [plain(node) for node in facts.nodes],
        "quorum": plain(facts.quorum),
        "features": facts.features,
        "supported_features": facts.supported,
        "log_dirs": [{"broker": id, "dirs": plain(dirs)} for id, dirs in facts.log_dirs.items()],
        "groups": None if facts.groups is None else [_plain_group(group) for group in facts.groups],
        "acls": plain(facts.acls),
        "reassignments": plain(facts.reassignments),
        "zookeeper": plain(facts.zookeeper),
        "unread": dict(facts.unread),
    }


def live_of(cluster: ClusterRecord, record: LiveRecord) -> Live:
    """Decode a cluster's state beside settings."""
    facts = Live(mask_addresses(cluster.address), cluster.id, cluster.collected, cluster.metadata)
    facts.nodes, facts.quorum, facts.zookeeper = record.nodes, record.quorum, record.zookeeper
    facts.features, facts.supported = record.features, record.supported_features
    facts.log_dirs = {row.broker: row.dirs for row in record.log_dirs}
    facts.groups, facts.acls, facts.reassignments = record.groups, record.acls, record.reassignments
    facts.unread = record.unread
    return facts


def plain(thing: Any) -> Any:
    """Encode the model's dataclasses, tuples and mappings."""
    if isinstance(thing, (tuple, list)):
        return [plain(item) for item in thing]
    if isinstance(thing, dict):
        return {str(key): plain(value) for key, value in thing.items()}
    slots = getattr(type(thing), "__slots__", ())
    return {name: plain(getattr(thing, name)) for name in slots} if slots else thing


def _plain_group(group: Group) -> Row:
    row: Row = {name: plain(getattr(group, name)) for name in Group.__slots__ if name not in BY_PARTITION}
    for name in BY_PARTITION:
        offsets = getattr(group, name)
        row[name] = None if offsets is None else [[topic, id, at] for (topic, id), at in offsets.items()]
    return row
