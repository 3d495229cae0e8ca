"""Brokers, topics and groups of what outputs show; what they leave open is a fragment's, or unknown."""

from __future__ import annotations

from collections.abc import Hashable
from copy import copy

from advisor import catalog
from advisor.model import DYNAMIC_BROKER, METADATA, Broker, Setting, Target, Topic
from advisor.model.cluster import Group, Live
from advisor.secrets.disclosure import described_setting, shown_levels
from collectors.files import detect
from collectors.kafka.entities import INTERNAL, OVERRIDDEN, by_keys
from collectors.outputs.facts import Described, Facts, GroupOutput, TopicOutput

BROKERS_DECIDE = "the output shows the topic's own settings: the brokers decide the others"
HIDDEN_BY_HOURS = ("retention.ms", "segment.ms", "segment.jitter.ms")
"""Keys that kafka-topics leaves out where a broker sets them in hours or minutes: absent, their value is not known."""
NEARLY_ALL = 0.9
GROUP_NOT_SHOWN = "this output of kafka-consumer-groups does not show it: --describe shows offsets, --state the rest"
NOT_SHOWN = "no output shows the broker's other settings"
NO_SETTINGS = "no output shows the topic's settings: kafka-topics --describe without a filter does"


def mark_cut_off(facts: Facts) -> None:
    """Take what was cut off for a part: kafka-configs --all prints every key that the release has."""
    for described in facts.brokers.values():
        described.whole = described.whole and _is_complete(described, "broker")
    for topic in facts.topics.values():
        if topic.settings is not None and topic.settings.whole and not _is_complete(topic.settings, "topic"):
            topic.settings.whole, topic.settings.own_only = False, True


def _is_complete(described: Described, component: str) -> bool:
    release = by_keys(described.values) if component == "broker" else catalog.VERSIONS[0]
    return len(described.values) >= NEARLY_ALL * len(catalog.definitions(component, release))


def broker_of(id: int, facts: Facts, target: Target, live: Live) -> Broker:
    """A broker, with the settings that outputs show of it and of all brokers."""
    described = facts.brokers.get(id) or Described()
    settings = _settings(described)
    if not described.whole and facts.cluster_wide is not None:
        dynamic = {key: setting for key, setting in settings.items() if setting.source == DYNAMIC_BROKER}
        settings = {**settings, **_settings(facts.cluster_wide), **dynamic}
    kind, fragment = "broker", NOT_SHOWN
    if described.whole:
        roles = "process.roles" in settings
        kind, fragment = (detect.kind_of(settings) if roles else None) or "broker", ""
        if roles and "node.id" in settings:
            settings.pop("broker.id", None)  # KafkaConfig fills it in
    broker = Broker(kind, str(id), None, settings, target, cluster=live.name, fragment=fragment)
    broker.described = _defaults(described) if described.whole else None
    chains = {key: described.levels[key] for key in OVERRIDDEN if len(described.levels.get(key, ())) > 1}
    broker.overridden = shown_levels(chains)
    return broker


def _settings(described: Described) -> dict[str, Setting]:
    """The settings that are set at any level above Kafka's default."""
    return {
        key: described_setting(key, None if key in described.hidden else described.values[key], levels[0][0])
        for key, levels in sorted(described.levels.items())
        if levels
    }


def _defaults(described: Described) -> dict[str, str | None]:
    return {key: value for key, value in sorted(described.values.items()) if not described.levels.get(key)}


def topics_of(facts: Facts, target: Target, live: Live) -> list[Topic]:
    """All topics, sorted by name; those that outputs show alike share their settings, and are judged once."""
    alike: dict[Hashable, Topic] = {}
    topics = []
    for name, output in sorted(facts.topics.items()):
        content = _content(output)
        if content not in alike:
            alike[content] = _topic(output, target, live)
        topic = copy(alike[content])
        topic.name = name
        topic.partitions = tuple(output.partitions[id] for id in sorted(output.partitions)) or None
        topic.internal = name in INTERNAL
        topics.append(topic)
    return topics


def _content(output: TopicOutput) -> Hashable:
    """All that outputs show of a topic's settings; a topic without partitions has its replication factor among them."""
    factor = None if output.partitions else output.replication_factor
    described = output.settings
    if described is None:
        return factor
    rows = frozenset((key, value, described.levels[key]) for key, value in described.values.items())
    return factor, rows, frozenset(described.hidden), described.whole, described.own_only


def _topic(output: TopicOutput, target: Target, live: Live) -> Topic:
    """A topic of which outputs show these settings; without partitions its own line says how many replicas it has."""
    described = output.settings
    missing = NO_SETTINGS if described is None else None
    settings = _settings(described) if described is not None else {}
    topic = Topic("topic", "", None, settings, target, cluster=live.name, missing=missing)
    if described is not None:
        topic.described = _defaults(described) if described.whole else dict.fromkeys(HIDDEN_BY_HOURS)
        topic.fragment = BROKERS_DECIDE if described.own_only else ""
    if not output.partitions and output.replication_factor is not None:
        factor = str(output.replication_factor)
        topic.settings["replication.factor"] = described_setting("replication.factor", factor, METADATA)
    return topic


def group_of(name: str, output: GroupOutput) -> Group:
    """A consumer group; what its outputs do not show is unread."""
    return Group(
        name,
        output.state,
        members=output.members,
        coordinator=output.coordinator,
        committed=output.committed or None,
        lag=output.lag or None,
        unread=GROUP_NOT_SHOWN,
    )
