"""Topics of running clusters beside what they were before: each group of them split by its members' former settings."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from advisor.config import Config
from advisor.config.subject_group import SubjectGroup
from advisor.model import Member, Snapshot, Topic
from advisor.rule.subject import Unreadable

PARTITIONS, REPLICAS = "partition count", "replica count"
"""The facts that say how many partitions a topic has, and how many replicas the one with the fewest, where it had others."""
TOPICS, DELETED = "topic count", "topics deleted"
"""The facts of a cluster that say how many topics it has, and name those that it has no longer."""

Counts = dict[str, int]


class FormerTopic(NamedTuple):
    """A topic before a change: the group that was judged for it, its place in that, and its counts."""

    group: SubjectGroup
    member: Member
    counts: Counts


def former_topics(
    snapshots: Sequence[Snapshot], inputs: Sequence[Mapping[str, list[Config]]]
) -> dict[str, FormerTopic]:
    """The topics of running clusters, by name."""
    counts = {name: of_topic for snapshot in snapshots for name, of_topic in counts_by_topic(snapshot).items()}
    groups = [
        group for of_snapshot in inputs for group in of_snapshot.get("topic", ()) if isinstance(group, SubjectGroup)
    ]
    return {
        member.name: FormerTopic(group, member, counts.get(member.name, {}))
        for group in groups
        for member in group.members
    }


def counts_by_topic(snapshot: Snapshot) -> dict[str, Counts]:
    """The partitions and replicas of each topic of a running cluster, where they could be read; while replicas move none are counted."""
    live = snapshot.live
    if live is None:
        return {}
    moving = {topic for topic, _ in live.reassignments or ()}
    counts: dict[str, Counts] = {}
    for topic in snapshot.entities:
        if isinstance(topic, Topic) and topic.partitions:
            counts[topic.name] = {PARTITIONS: len(topic.partitions)}
            if topic.name not in moving:
                counts[topic.name][REPLICAS] = min(len(partition.replicas) for partition in topic.partitions)
    return counts


def compare_topics(before: Config, today: Config, former: Snapshot, snapshot: Snapshot) -> None:
    """Note as facts of a running cluster which topics it has no longer; nothing where it is another cluster than before."""
    if former.live is None or snapshot.live is None or former.live.cluster_id != snapshot.live.cluster_id:
        return
    unread = (side.live.unread for side in (former, snapshot) if side.live is not None)
    reason = next((why[name] for why in unread for name in ("topics", "all topics") if name in why), None)
    old, new = ({entity.name for entity in side.entities if isinstance(entity, Topic)} for side in (former, snapshot))
    deleted = Unreadable(reason) if reason else tuple(sorted(old - new))
    before.facts = {**before.facts, TOPICS: len(old)}
    today.facts = {**today.facts, TOPICS: len(new), DELETED: deleted}


def split_by_former(
    group: SubjectGroup, former: Mapping[str, FormerTopic], counts: Mapping[str, Counts]
) -> list[SubjectGroup]:
    """The group in parts whose members had the same settings before, and the same change of their partitions and replicas."""
    parts: dict[Hashable, list[Member]] = {}
    for member in group.members:
        old = former.get(member.name)
        parts.setdefault((id(old.group) if old else None, _changed(old, counts.get(member.name, {}))), []).append(
            member
        )
    return [_part(group, members, former.get(members[0].name), counts) for members in parts.values()]


def _changed(old: FormerTopic | None, counts: Counts) -> tuple[tuple[str, int, int], ...]:
    """The facts whose numbers are known before and now, and differ, with both."""
    before = old.counts if old else {}
    return tuple((fact, before[fact], now) for fact, now in counts.items() if before.get(fact, now) != now)


def _part(
    group: SubjectGroup, members: Sequence[Member], old: FormerTopic | None, counts: Mapping[str, Counts]
) -> SubjectGroup:
    part = SubjectGroup(group.entity, group.facts, members)
    if old is None:
        return part
    part.before = old.group.for_member(old.member)
    for fact, before, now in _changed(old, counts.get(members[0].name, {})):
        part.before.facts, part.facts = {**part.before.facts, fact: before}, {**part.facts, fact: now}
    return part
