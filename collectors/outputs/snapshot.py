"""A snapshot of the cluster that outputs show; what they leave open is unknown, never assumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from advisor import catalog
from advisor.model import (
    DEPLOYMENT,
    DYNAMIC_BROKER,
    METADATA,
    SERVER_KINDS,
    Broker,
    Entity,
    Setting,
    Snapshot,
    Target,
    Topic,
)
from advisor.model.cluster import DEAD, KRAFT, ZOOKEEPER, Group, Live
from collectors.files import detect
from collectors.kafka.entities import INTERNAL, OVERRIDDEN, by_keys, release_of
from collectors.outputs import read
from collectors.outputs.facts import Described, Facts, GroupOutput
from collectors.outputs.numbers import broker_id
from collectors.secrets.disclosure import described_setting, shown_levels

BROKERS_DECIDE = "the output shows the topic's own settings: the brokers decide the others"
HIDDEN_BY_HOURS = ("retention.ms", "segment.ms", "segment.jitter.ms")
"""Keys that kafka-topics leaves out where a broker sets them in hours or minutes: absent, their value is not known."""
NEARLY_ALL = 0.9
GROUP_NOT_SHOWN = "this output of kafka-consumer-groups does not show it: --describe shows offsets, --state the rest"
NOT_SHOWN = "no output shows the broker's other settings"
NO_SETTINGS = "no output shows the topic's settings: kafka-topics --describe without a filter does"
NOT_ALL_TOPICS = "outputs of tools may show a part of the topics"
UNREAD = {
    "quorum": "no output of kafka-metadata-quorum",
    "features": "no output of kafka-features",
    "log dirs": "no output of kafka-log-dirs",
    "acls": "no output shows the access rules",
}


def snapshot_of(facts: Facts, name: str, target: Target | None, nodes: Iterable[Entity] = ()) -> Snapshot | None:
    """The cluster of some facts, with nodes whose files were read; None where nothing in it can be judged."""
    files = {int(node.name): node for node in nodes if is_numbered_node(node)}
    for id in files:
        facts.node(id)
    facts.settle_states()
    live = _live(facts, name, files)
    _mark_cut_off(facts)
    target = target or _target(facts, live)
    brokers = [files.get(id) or _broker(id, facts, target, live) for id in _broker_ids(facts, files)]
    topics = [_topic(topic, facts, target, live) for topic in sorted(facts.topics)]
    entities = [*brokers, *topics]
    if not entities and (facts.groups or facts.quorum or facts.features):
        entities = [Entity(DEPLOYMENT, live.name, None, {}, target, cluster=live.name)]
    return Snapshot(live.name, entities, live=live) if entities else None


def clusters_of(
    outputs: Sequence[tuple[str, str, Target | None]], nodes: Sequence[Entity], one_cluster: bool
) -> Iterator[tuple[str, Snapshot | None]]:
    """(name, cluster) of each (path, text, target), or of all together with some nodes whose files were read."""
    if one_cluster:
        others = len(outputs) - 1
        names = outputs[0][0] + (f" and {others} more" if others else "")
        yield names, snapshot_of(read(text for _, text, _ in outputs), names, outputs[0][2], nodes)
        return
    for path, text, target in outputs:
        yield path, snapshot_of(read([text]), path, target)


def is_numbered_node(entity: Entity) -> bool:
    """Whether an entity is a node that can be told by its id."""
    return entity.kind in SERVER_KINDS and broker_id(entity.name) is not None


def _broker_ids(facts: Facts, files: Mapping[int, Entity]) -> list[int]:
    """The brokers of which more is known than their name."""
    dead = {id for id, node in facts.nodes.items() if node.state == DEAD}
    shared = set(facts.nodes) if facts.cluster_wide is not None else set()
    return sorted({*facts.brokers, *facts.log_dirs, *files, *dead, *shared})


def _live(facts: Facts, name: str, files: Mapping[int, Entity]) -> Live:
    live = Live(name, facts.cluster_id, "", _mode(facts, files))
    live.nodes = tuple(facts.nodes[id] for id in sorted(facts.nodes))
    live.quorum, live.features, live.supported = facts.quorum, facts.features or None, facts.supported or None
    live.log_dirs = facts.log_dirs
    live.groups = tuple(_group(name, facts.groups[name]) for name in sorted(facts.groups))
    live.reassignments = tuple(sorted(facts.reassignments)) if facts.topics and not facts.partial else None
    shown = {"quorum": facts.quorum, "features": facts.features, "log dirs": facts.log_dirs, "acls": None}
    live.unread = {part: why for part, why in UNREAD.items() if not shown[part]}
    live.unread["all topics"] = NOT_ALL_TOPICS
    return live


def _group(name: str, output: GroupOutput) -> Group:
    return Group(
        name,
        output.state,
        members=output.members,
        coordinator=output.coordinator,
        committed=output.committed or None,
        lag=output.lag or None,
        unread=GROUP_NOT_SHOWN,
    )


def _mode(facts: Facts, files: Mapping[int, Entity]) -> str | None:
    described = [broker.values for broker in facts.brokers.values() if broker.whole]
    settings: list[Mapping[str, object]] = [*described, *(file.settings for file in files.values())]
    if facts.quorum is not None or "metadata.version" in facts.features:
        return KRAFT
    if any(values.get("process.roles") for values in settings) or _has_elr(facts):
        return KRAFT
    return ZOOKEEPER if any(values.get("zookeeper.connect") for values in settings) else None


def _has_elr(facts: Facts) -> bool:
    return any(row.elr is not None for topic in facts.topics.values() for row in topic.partitions.values())


def _target(facts: Facts, live: Live) -> Target:
    return release_of({id: broker.values for id, broker in facts.brokers.items() if broker.whole}, live)


def _mark_cut_off(facts: Facts) -> None:
    """Take what was cut off for a part: kafka-configs --all prints every key that the release has."""
    for described in facts.brokers.values():
        described.whole = described.whole and _is_complete(described, "broker")
    for topic in facts.topics.values():
        if topic.settings is not None and topic.settings.whole and not _is_complete(topic.settings, "topic"):
            topic.settings.whole, topic.settings.own_only = False, True


def _is_complete(described: Described, component: str) -> bool:
    release = by_keys(described.values) if component == "broker" else catalog.VERSIONS[0]
    return len(described.values) >= NEARLY_ALL * len(catalog.definitions(component, release))


def _broker(id: int, facts: Facts, target: Target, live: Live) -> Broker:
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


def _topic(name: str, facts: Facts, target: Target, live: Live) -> Topic:
    output = facts.topics[name]
    described = output.settings
    missing = NO_SETTINGS if described is None else None
    settings = _settings(described) if described is not None else {}
    topic = Topic("topic", name, None, settings, target, cluster=live.name, missing=missing)
    if described is not None:
        topic.described = _defaults(described) if described.whole else dict.fromkeys(HIDDEN_BY_HOURS)
        topic.fragment = BROKERS_DECIDE if described.own_only else ""
    if not output.partitions and output.replication_factor is not None:
        factor = str(output.replication_factor)
        topic.settings["replication.factor"] = described_setting("replication.factor", factor, METADATA)
    topic.partitions = tuple(output.partitions[id] for id in sorted(output.partitions)) or None
    topic.internal = name in INTERNAL
    return topic
