"""What a step of a plan changes: settings of topics and brokers, replicas, feature levels, lines of files; and applying it to a snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import NamedTuple

from advisor.edits.change import FileChange
from advisor.model import (
    DYNAMIC_BROKER,
    DYNAMIC_DEFAULT_BROKER,
    DYNAMIC_TOPIC,
    LIVE,
    SERVER_KINDS,
    STATIC_BROKER,
    Broker,
    Entity,
    Setting,
    Snapshot,
    Topic,
)
from advisor.model.cluster import Live, Partition

TOPIC, BROKER, CLUSTER, STATIC = "topic", "broker", "cluster", "file"


class ConfigChange(NamedTuple):
    """Settings to set, or with None to delete, on a topic, a broker, on all brokers at once (`cluster`), or in their files.

    Those of files count once a broker is restarted; without a name they are those of every broker.
    """

    scope: str
    name: str
    settings: tuple[tuple[str, str | None], ...]


class Reassignment(NamedTuple):
    """A partition's replicas before and after, in assignment order; `size` in bytes, None if unknown."""

    topic: str
    partition: int
    old: tuple[int, ...]
    new: tuple[int, ...]
    size: int | None

    @property
    def added(self) -> tuple[int, ...]:
        """The brokers that get a replica."""
        return tuple(broker for broker in self.new if broker not in self.old)


class FeatureChange(NamedTuple):
    """A feature and the level to finalize (KIP-584)."""

    feature: str
    level: int


Change = ConfigChange | Reassignment | FeatureChange | FileChange
LEVELS = {TOPIC: DYNAMIC_TOPIC, BROKER: DYNAMIC_BROKER, CLUSTER: DYNAMIC_DEFAULT_BROKER, STATIC: STATIC_BROKER}


def apply(changes: Sequence[Change], snapshot: Snapshot) -> Snapshot:
    """The snapshot as it would be read after the changes, once every replica is in sync; the given one stays as it is."""
    configs = [change for change in changes if isinstance(change, ConfigChange)]
    moves = {(change.topic, change.partition): change.new for change in changes if isinstance(change, Reassignment)}
    moved_topics = {topic for topic, _ in moves}
    entities = [changed_entity(entity, configs, moves, moved_topics) for entity in snapshot.entities]
    levels = {change.feature: change.level for change in changes if isinstance(change, FeatureChange)}
    live = with_features(snapshot.live, levels) if snapshot.live and levels else snapshot.live
    return Snapshot(snapshot.name, entities, snapshot.suppressions, live, snapshot.joined)


def with_features(live: Live, levels: Mapping[str, int]) -> Live:
    """A cluster's state with other finalized levels."""
    after = copy(live)
    after.features = {**(live.features or {}), **levels}
    return after


def changed_entity(
    entity: Entity,
    configs: Iterable[ConfigChange],
    moves: Mapping[tuple[str, int], tuple[int, ...]],
    moved_topics: Iterable[str],
) -> Entity:
    """An entity after the changes; the same object where nothing changes."""
    own = [change for change in configs if concerns(change, entity)]
    if not own and entity.name not in moved_topics:
        return entity
    after = copy(entity)
    for change in own:
        if isinstance(after, Broker):
            after.overridden = {**getattr(after, "overridden", {}), **overridden_by(change, after)}
        after.settings = changed_settings(after, change)
    if isinstance(after, Topic) and after.partitions and entity.name in moved_topics:
        after.partitions = tuple(
            with_replicas(partition, moves.get((entity.name, partition.id))) for partition in after.partitions
        )
    return after


def concerns(change: ConfigChange, entity: Entity) -> bool:
    """Whether a change is one of an entity; a cluster-wide one is of all brokers, and of topics that inherit."""
    if change.scope == TOPIC:
        return isinstance(entity, Topic) and entity.name == change.name
    if change.scope in (BROKER, STATIC):
        return entity.kind in SERVER_KINDS and change.name in ("", entity.name)
    return entity.kind in SERVER_KINDS or isinstance(entity, Topic)


def changed_settings(entity: Entity, change: ConfigChange) -> dict[str, Setting]:
    """The entity's settings after a change."""
    settings = dict(entity.settings)
    level = LEVELS[change.scope]
    for key, value in change.settings:
        present = settings.get(key)
        if isinstance(entity, Topic) and change.scope == CLUSTER and (not inherits(entity, key) or value is None):
            continue
        if value is not None:
            settings[key] = Setting(key, value, level, LIVE)
        elif present is not None and present.source == level:
            settings.pop(key)
    return settings


def overridden_by(change: ConfigChange, broker: Broker) -> dict[str, tuple[tuple[str, str | None], ...]]:
    """The lines of a broker's file that new dynamic settings stand above."""
    chains: dict[str, tuple[tuple[str, str | None], ...]] = {}
    for key, value in change.settings:
        below = broker.settings.get(key)
        if value is not None and below is not None and below.source == STATIC_BROKER != LEVELS[change.scope]:
            chains[key] = ((LEVELS[change.scope], value), (STATIC_BROKER, below.value))
    return chains


def inherits(topic: Topic, key: str) -> bool:
    """Whether a topic takes a key from its brokers: it has none of its own, and the key is one of topics."""
    from advisor import catalog

    setting = topic.settings.get(key)
    if setting is not None:
        return setting.source != DYNAMIC_TOPIC
    return catalog.lookup("topic", topic.target.version, key) is not None


def with_replicas(partition: Partition, replicas: tuple[int, ...] | None) -> Partition:
    """A partition with other replicas, all in sync; the preferred one leads."""
    if replicas is None:
        return partition
    after = copy(partition)
    size = size_of(partition)
    after.replicas = after.isr = replicas
    after.leader = replicas[0]
    after.elr, after.offline = (None if ids is None else () for ids in (partition.elr, partition.offline))
    after.sizes = None if size is None else (size,) * len(replicas)
    return after


def size_of(partition: Partition) -> int | None:
    """The bytes of a partition: those of its largest replica; None where no broker said."""
    return max((size for size in partition.sizes or () if size is not None), default=None)
