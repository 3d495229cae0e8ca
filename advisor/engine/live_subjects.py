"""The subjects of a running cluster by the names that rules know them by, each with the facts that rules may ask.

Ten thousand topics are few different ones: those that answer every question alike are one Crowd, and are asked once.
What exists and could not be read is a subject all the same: whatever a rule asks it is unknown, and why.
Facts (`subject.live(name)`) are made in advisor.facts.partition (partition) and advisor.facts.cluster (all others).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.config import Config
from advisor.config.cluster_config import ClusterConfig
from advisor.config.subject_group import SubjectGroup
from advisor.facts.cluster import (
    NO_PARTITIONS,
    Counted,
    broker_facts,
    cluster_facts,
    ensemble_facts,
    group_facts,
    quorum_facts,
    topic_facts,
)
from advisor.facts.partition import Pictures, use_of
from advisor.model import SERVER_KINDS, Entity, Member, Topic
from advisor.model.cluster import ZOOKEEPER

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from advisor.model import Snapshot, Target
    from advisor.model.cluster import Live, Partition

    Inputs = dict[str, list[Config]]

ALL = "*"
"""The name of what should be there and could not be read."""


def inputs_of(snapshot: Snapshot, names_of: Callable[[str], tuple[str, ...]]) -> Inputs:
    """The subjects of a running cluster, and the clients that were joined to it, by the names of a rule's inputs."""
    live = snapshot.live
    assert live is not None
    found: Inputs = {}
    topics = [entity for entity in snapshot.entities if isinstance(entity, Topic)]
    counted = Counted(live, topics)
    for entity in snapshot.entities:
        if entity.kind in SERVER_KINDS:
            config = Config(entity, broker_facts(entity, live, counted))
        elif isinstance(entity, Topic):
            continue
        else:
            config = Config(entity)
        for name in names_of(entity.kind):
            found.setdefault(name, []).append(config)
    target = snapshot.entities[0].target
    _topics(found, topics, live, target)
    _cluster(found, snapshot, live, counted)
    _groups(found, live, counted, target)
    if live.zookeeper is not None or "zookeeper" in live.unread:
        found["ensemble"] = [_subject("ensemble", live, target, ensemble_facts(live), live.unread.get("zookeeper"))]
    return found


def _subject(kind: str, live: Live, target: Target, facts: dict[str, Hashable], missing: str | None) -> Config:
    return Config(Entity(kind, live.name, None, {}, target, cluster=live.name, missing=missing), facts)


def _topics(found: Inputs, topics: Sequence[Topic], live: Live, target: Target) -> None:
    crowds: dict[Hashable, tuple[Topic, dict[str, Hashable], list[Member]]] = {}
    for topic in topics:
        facts = topic_facts(topic)
        key = (id(topic.settings), id(topic.described), topic.missing, *facts.values())
        crowds.setdefault(key, (topic, facts, []))[2].append(Member(topic.name))
    if topics:
        found["topic"] = [SubjectGroup(*crowd) for crowd in crowds.values()]
        found["partition"] = _partitions(topics, Pictures(live))
        found.setdefault("config", []).extend(found["topic"])
    if "topics" in live.unread:
        rest = Topic("topic", ALL, None, {}, target, cluster=live.name, missing=live.unread["topics"])
        for name in ("topic", "partition"):
            found.setdefault(name, []).append(SubjectGroup(rest, {}, [Member(ALL)]))


def _partitions(topics: Sequence[Topic], pictures: Pictures) -> list[Config]:
    crowds: dict[Hashable, tuple[Topic, dict[str, Hashable], dict[str, list[Partition]]]] = {}
    for topic in topics:
        use = use_of(topic.name, topic.internal)
        if topic.partitions is None:
            crowds[topic.name] = (unseen(topic), {}, {topic.name: []})
        for partition in topic.partitions or ():
            facts = pictures.facts(partition, use)
            key = (id(topic.settings), id(topic.described), topic.missing, id(facts))
            members = crowds.setdefault(key, (topic, facts, {}))[2]
            members.setdefault(topic.name, []).append(partition)
    return [
        SubjectGroup(topic, facts, [Member(name, partitions) for name, partitions in members.items()])
        for topic, facts, members in crowds.values()
    ]


def unseen(topic: Topic) -> Topic:
    """The topic as the subject of rules on partitions, of which none could be read."""
    why = topic.missing or NO_PARTITIONS
    return Topic("topic", topic.name, None, {}, topic.target, cluster=topic.cluster, missing=why)


def _cluster(found: Inputs, snapshot: Snapshot, live: Live, counted: Counted) -> None:
    nodes = found.get("node", [])
    readable = [node for node in nodes if node.entity.missing is None] or nodes[:1]
    facts = cluster_facts(live, counted)
    if readable:
        found["cluster"] = [ClusterConfig("cluster", live.name, readable, facts)]
    if live.metadata != ZOOKEEPER:
        missing = None if live.quorum is not None else live.unread.get("quorum", "the cluster did not say")
        found["quorum"] = [_subject("quorum", live, snapshot.entities[0].target, quorum_facts(live), missing)]


def _groups(found: Inputs, live: Live, counted: Counted, target: Target) -> None:
    crowds: dict[Hashable, tuple[dict[str, Hashable], list[Member]]] = {}
    for group in live.groups or ():
        facts = group_facts(group, counted)
        crowds.setdefault(tuple(facts.values()), (facts, []))[1].append(Member(group.name))
    entity = Entity("group", ALL, None, {}, target, cluster=live.name)
    found["group"] = [SubjectGroup(entity, *crowd) for crowd in crowds.values()]
    if "groups" in live.unread:
        rest = Entity("group", ALL, None, {}, target, cluster=live.name, missing=live.unread["groups"])
        found["group"].append(SubjectGroup(rest, {}, [Member(ALL)]))
