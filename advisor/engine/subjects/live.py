"""The subjects of a running cluster, by the input names of rules, each with its facts.

Ten thousand topics are few different ones: those that answer every question alike are one subject group, judged once.
What exists and could not be read is a subject all the same: whatever a rule asks it is unknown, and why.
Facts (`subject.live(name)`) are made in advisor.facts.partition (partition) and advisor.facts.cluster (all others).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from advisor.config import Config, client_facts
from advisor.config.cluster_config import ClusterConfig
from advisor.config.subject_group import SubjectGroup
from advisor.facts.cluster import (
    NO_PARTITIONS,
    PartitionCounts,
    broker_facts,
    cluster_facts,
    ensemble_facts,
    group_facts,
    quorum_facts,
    topic_facts,
)
from advisor.facts.partition import SignatureFacts, use_of
from advisor.model import SERVER_KINDS, Entity, Member, Snapshot, Target, Topic
from advisor.model.cluster import ZOOKEEPER, Live, Partition

Inputs = dict[str, list[Config]]
ALL = "*"
"""The name of what should be there and could not be read."""


def inputs_of(snapshot: Snapshot, names_of: Callable[[str], tuple[str, ...]]) -> Inputs:
    """The subjects of a running cluster and of the clients joined to it, by the input names of rules."""
    live = snapshot.live
    assert live is not None
    inputs: Inputs = {}
    topics = [entity for entity in snapshot.entities if isinstance(entity, Topic)]
    counts = PartitionCounts(live, topics)
    for entity in snapshot.entities:
        if entity.kind in SERVER_KINDS:
            config = Config(entity, broker_facts(entity, live, counts))
        elif isinstance(entity, Topic):
            continue
        else:
            config = Config(entity, client_facts(entity))
        for name in names_of(entity.kind):
            inputs.setdefault(name, []).append(config)
    target = snapshot.entities[0].target
    _topics(inputs, topics, live, target)
    _cluster(inputs, snapshot, live, counts)
    _groups(inputs, live, counts, target)
    if live.zookeeper is not None or "zookeeper" in live.unread:
        inputs["ensemble"] = [_subject("ensemble", live, target, ensemble_facts(live), live.unread.get("zookeeper"))]
    return inputs


def _subject(kind: str, live: Live, target: Target, facts: dict[str, Hashable], missing: str | None) -> Config:
    return Config(Entity(kind, live.name, None, {}, target, cluster=live.name, missing=missing), facts)


def _topics(inputs: Inputs, topics: Sequence[Topic], live: Live, target: Target) -> None:
    subject_groups: dict[Hashable, tuple[Topic, dict[str, Hashable], list[Member]]] = {}
    for topic in topics:
        facts = topic_facts(topic, live)
        key = (id(topic.settings), id(topic.described), topic.missing, *facts.values())
        subject_groups.setdefault(key, (topic, facts, []))[2].append(Member(topic.name))
    if topics:
        inputs["topic"] = [SubjectGroup(*subject_group) for subject_group in subject_groups.values()]
        inputs["partition"] = _partitions(topics, SignatureFacts(live))
        inputs.setdefault("config", []).extend(inputs["topic"])
    if "topics" in live.unread:
        unread = Topic("topic", ALL, None, {}, target, cluster=live.name, missing=live.unread["topics"])
        for name in ("topic", "partition"):
            inputs.setdefault(name, []).append(SubjectGroup(unread, {}, [Member(ALL)]))


def _partitions(topics: Sequence[Topic], signatures: SignatureFacts) -> list[Config]:
    subject_groups: dict[Hashable, tuple[Topic, dict[str, Hashable], dict[str, list[Partition]]]] = {}
    for topic in topics:
        use = use_of(topic.name, topic.internal)
        if topic.partitions is None:
            unread = subject_groups.setdefault(topic.missing, (unread_partitions(topic), {}, {}))
            unread[2][topic.name] = []
        for partition in topic.partitions or ():
            facts = signatures.facts(partition, use)
            key = (id(topic.settings), id(topic.described), topic.missing, id(facts))
            members = subject_groups.setdefault(key, (topic, facts, {}))[2]
            members.setdefault(topic.name, []).append(partition)
    return [
        SubjectGroup(topic, facts, [Member(name, partitions) for name, partitions in members.items()])
        for topic, facts, members in subject_groups.values()
    ]


def unread_partitions(topic: Topic) -> Topic:
    """A stand-in for a topic, or for several, whose partitions could not be read: everything asked of it is unknown."""
    why = topic.missing or NO_PARTITIONS
    return Topic("topic", topic.name, None, {}, topic.target, cluster=topic.cluster, missing=why)


def _cluster(inputs: Inputs, snapshot: Snapshot, live: Live, counts: PartitionCounts) -> None:
    nodes = inputs.get("node", [])
    readable = [node for node in nodes if node.entity.missing is None and not node.entity.fragment] or nodes[:1]
    facts = cluster_facts(live, counts)
    if readable:
        inputs["cluster"] = inputs["running_cluster"] = [ClusterConfig("cluster", live.name, readable, facts)]
    if live.metadata != ZOOKEEPER:
        missing = None if live.quorum is not None else live.unread.get("quorum", "the cluster did not say")
        inputs["quorum"] = [_subject("quorum", live, snapshot.entities[0].target, quorum_facts(live), missing)]


def _groups(inputs: Inputs, live: Live, counts: PartitionCounts, target: Target) -> None:
    subject_groups: dict[Hashable, tuple[dict[str, Hashable], list[Member]]] = {}
    for consumer_group in live.groups or ():
        facts = group_facts(consumer_group, counts)
        subject_groups.setdefault(tuple(facts.values()), (facts, []))[1].append(Member(consumer_group.name))
    entity = Entity("group", ALL, None, {}, target, cluster=live.name)
    inputs["group"] = [SubjectGroup(entity, *subject_group) for subject_group in subject_groups.values()]
    if "groups" in live.unread:
        unread = Entity("group", ALL, None, {}, target, cluster=live.name, missing=live.unread["groups"])
        inputs["group"].append(SubjectGroup(unread, {}, [Member(ALL)]))
