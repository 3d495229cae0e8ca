"""Convert described configs into brokers and topics, and infer the brokers' release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from advisor import catalog
from advisor.catalog.features import LEVELS, METADATA_VERSION
from advisor.catalog.target import NOT_SAID
from advisor.model import (
    DYNAMIC_BROKER,
    DYNAMIC_DEFAULT_BROKER,
    DYNAMIC_TOPIC,
    STATIC_BROKER,
    Broker,
    Setting,
    Target,
    Topic,
    Version,
)
from advisor.model.cluster import DEAD, FENCED, Live, Partition
from advisor.secrets.disclosure import described_setting, shown_levels
from collectors.files import detect
from collectors.kafka.deadline import Unread

Entries = Mapping[str, Any]
Chains = Mapping[int, Mapping[str, tuple[tuple[str, str | None], ...]]]
SOURCES = {1: DYNAMIC_TOPIC, 2: DYNAMIC_BROKER, 3: DYNAMIC_DEFAULT_BROKER, 4: STATIC_BROKER}
"""Kafka's numbers for the levels of settings; 5 is its own default. Source: ConfigSource (DescribeConfigs)."""
INTERNAL = ("__consumer_offsets", "__transaction_state", "__share_group_state")
AWAY = {DEAD: "the broker is down", FENCED: "the broker is fenced: registered, and down or not caught up"}
OVERRIDDEN = ("min.insync.replicas", "unclean.leader.election.enable", "log.retention.ms", "message.max.bytes")
"""Settings whose lower levels are looked at: what stands in a file and does not count."""


def setting_of(key: str, entry: Any, cache: dict[Any, Setting]) -> Setting | None:
    """Convert a described config entry, None for a default. Sensitive and unknown ones have no value."""
    if entry.source not in SOURCES:
        return None
    cache_key = (key, entry.value, entry.source)
    if cache_key not in cache:
        value = None if entry.is_sensitive else entry.value
        cache[cache_key] = described_setting(key, value, SOURCES[entry.source])
    return cache[cache_key]


def has_authorizer(configs: Mapping[int, Entries | Unread]) -> bool | None:
    """Whether the brokers have an authorizer, None where their settings cannot be read."""
    for entries in configs.values():
        if not isinstance(entries, Unread) and "authorizer.class.name" in entries:
            return bool(entries["authorizer.class.name"].value)
    return None


def release_of(configs: Mapping[int, Entries | Unread], live: Live) -> Target:
    """The brokers' release: the one whose keys they described, else by metadata.version."""
    for entries in configs.values():
        if not isinstance(entries, Unread):
            version = by_keys(entries)
            return Target(version, "the release whose settings the brokers describe", given=True)
    level = (live.supported or {}).get(METADATA_VERSION)
    if level is not None:
        version = next((version for version, highest in LEVELS.items() if level <= highest), catalog.NEWEST)
        return Target(version, f"the release whose highest metadata.version is {level}", given=True)
    return Target(catalog.NEWEST, NOT_SAID)


def by_keys(entries: Entries) -> Version:
    """The release whose broker keys match best: most of these and fewest others, the newest of equals."""
    keys = set(entries)

    def strangers(version: Version) -> int:
        return len(keys ^ set(catalog.definitions("broker", version)))

    return min(reversed(catalog.VERSIONS), key=strangers)


def brokers_of(live: Live, configs: Mapping[int, Entries | Unread], target: Target, chains: Chains) -> list[Broker]:
    """Every known broker with its settings, or the reason why they could not be read."""
    cluster = live.name
    cache: dict[Any, Setting] = {}
    brokers = []
    for node in live.nodes:
        entries = configs.get(node.id)
        if entries is None or isinstance(entries, Unread):
            why = str(entries) if entries is not None else AWAY.get(node.state, node.state)
            broker = Broker("broker", str(node.id), None, {}, target, cluster=cluster, missing=why)
            broker.overridden = {}
        else:
            broker = _broker(node.id, entries, target, cluster, cache)
            levels = {key: chain for key, chain in chains.get(node.id, {}).items() if len(chain) > 1}
            broker.overridden = shown_levels(levels)
        brokers.append(broker)
    return brokers


def _broker(id: int, entries: Entries, target: Target, cluster: str, cache: dict[Any, Setting]) -> Broker:
    settings = settings_of(entries, cache)
    if "node.id" in settings and "process.roles" in settings:
        settings.pop("broker.id", None)  # KafkaConfig fills it in
    kind = detect.kind_of(settings) if "process.roles" in settings else "broker"
    described = {key: entry.value for key, entry in entries.items() if key not in settings}
    return Broker(kind or "broker", str(id), None, settings, target, cluster=cluster, described=described)


def settings_of(entries: Entries, cache: dict[Any, Setting]) -> dict[str, Setting]:
    """The settings that are set at any level, by key."""
    settings = ((key, setting_of(key, entry, cache)) for key, entry in sorted(entries.items()))
    return {key: setting for key, setting in settings if setting is not None}


class InternedTopics:
    """Creates the topics of one cluster; those with equal settings share one settings object."""

    __slots__ = ("_cache", "_described", "_settings", "cluster", "target")

    def __init__(self, target: Target, cluster: str) -> None:
        self.target = target
        self.cluster = cluster
        self._cache: dict[Any, Setting] = {}
        self._settings: dict[Any, dict[str, Setting]] = {}
        self._described: dict[Any, dict[str, str | None]] = {}

    def topic(self, name: str, partitions: Sequence[Partition] | None, entries: Entries | Unread | None) -> Topic:
        """A topic with its settings, or with the reason why they cannot be read."""
        if entries is None or isinstance(entries, Unread):
            why = str(entries) if entries is not None else "the cluster did not say"
            return self._share(
                Topic("topic", name, None, {}, self.target, cluster=self.cluster, missing=why), partitions
            )
        own = settings_of(entries, self._cache)
        settings = self._settings.setdefault(tuple((key, id(setting)) for key, setting in own.items()), own)
        defaults = {key: entry.value for key, entry in sorted(entries.items()) if key not in own}
        described = self._described.setdefault(tuple(defaults.items()), defaults)
        topic = Topic("topic", name, None, settings, self.target, cluster=self.cluster, described=described)
        return self._share(topic, partitions)

    def hidden(self, name: str, why: str) -> Topic:
        """A topic that exists, but of which nothing could be read."""
        return self._share(Topic("topic", name, None, {}, self.target, cluster=self.cluster, missing=why), None)

    def _share(self, topic: Topic, partitions: Sequence[Partition] | None) -> Topic:
        topic.partitions = partitions
        topic.internal = topic.name in INTERNAL
        return topic


def topics_of(
    interned: InternedTopics,
    partitions: Mapping[str, Sequence[Partition] | None],
    configs: Mapping[str, Entries | Unread],
) -> list[Topic]:
    """All visible topics, sorted by name."""
    return [interned.topic(name, rows, configs.get(name)) for name, rows in sorted(partitions.items())]
