"""The records of a snapshot (snapshot.schema.json describes them to others); the model's own dataclasses among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from advisor.model.cluster import Acl, Group, LogDir, Node, Quorum, ZooKeeperFacts


@dataclass(slots=True)
class ClusterRecord:
    """What was read, when, and its release with the reason."""

    address: str
    id: str | None
    collected: str
    metadata: str | None
    kafka_version: str
    reason: str


@dataclass(slots=True)
class SettingRecord:
    """A setting's level and value; a secret is hidden and has none."""

    source: str
    value: str | None = None
    hidden: bool | None = None


Settings = dict[str, SettingRecord]
Defaults = dict[str, str | None]
Levels = dict[str, tuple[tuple[str, str | None], ...]]
"""Per key what its effective value overrides: level and value, the effective one first."""


@dataclass(slots=True)
class BrokerRecord:
    """A broker; `defaults` is an index into the table of defaults."""

    id: int
    kind: str
    settings: Settings
    defaults: int | None = None
    missing: str | None = None
    levels: Levels | None = None


@dataclass(slots=True)
class TopicRecord:
    """A topic; `settings` and `defaults` are indexes into tables, partitions are read by `codec.partition_of`."""

    name: str
    internal: bool
    settings: int | None = None
    defaults: int | None = None
    missing: str | None = None
    partitions: list[Any] | None = None


@dataclass(slots=True)
class LogDirsRecord:
    """The log directories of a broker."""

    broker: int
    dirs: tuple[LogDir, ...]


@dataclass(slots=True)
class DetailsRecord:
    """What a fleet's table of clusters has in one column."""

    log_dirs: tuple[LogDirsRecord, ...]
    groups: tuple[Group, ...] | None
    acls: tuple[Acl, ...] | None
    reassignments: tuple[tuple[str, int], ...] | None
    zookeeper: ZooKeeperFacts | None


@dataclass(slots=True)
class LiveRecord(DetailsRecord):
    """A cluster's state beside its settings."""

    nodes: tuple[Node, ...]
    quorum: Quorum | None
    features: dict[str, int] | None
    supported_features: dict[str, int] | None
    unread: dict[str, str]


@dataclass(slots=True)
class SnapshotRecord(LiveRecord):
    """A snapshot; settings and defaults that many topics share stand once, in tables."""

    cluster: ClusterRecord
    brokers: list[BrokerRecord]
    topics: list[TopicRecord]
    settings: list[Settings]
    defaults: list[Defaults]
