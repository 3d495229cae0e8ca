"""Topics of running clusters beside what they were before: each group of them split by its members' former settings."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from advisor.config import Config
from advisor.config.subject_group import SubjectGroup
from advisor.model import Member, Snapshot, Topic

PARTITIONS = "partition count"
"""The fact that says how many partitions a topic has, where it had another number."""


class FormerTopic(NamedTuple):
    """A topic before a change: the group that was judged for it, its place in that, and its number of partitions."""

    group: SubjectGroup
    member: Member
    partitions: int | None


def former_topics(
    snapshots: Sequence[Snapshot], inputs: Sequence[Mapping[str, list[Config]]]
) -> dict[str, FormerTopic]:
    """The topics of running clusters, by name."""
    counts = {name: count for snapshot in snapshots for name, count in partition_counts(snapshot).items()}
    groups = [
        group for of_snapshot in inputs for group in of_snapshot.get("topic", ()) if isinstance(group, SubjectGroup)
    ]
    return {
        member.name: FormerTopic(group, member, counts.get(member.name)) for group in groups for member in group.members
    }


def partition_counts(snapshot: Snapshot) -> dict[str, int]:
    """How many partitions each topic of a running cluster has, where it could be read."""
    topics = [entity for entity in snapshot.entities if isinstance(entity, Topic)] if snapshot.live else []
    return {topic.name: len(topic.partitions) for topic in topics if topic.partitions is not None}


def split_by_former(
    group: SubjectGroup, former: Mapping[str, FormerTopic], counts: Mapping[str, int]
) -> list[SubjectGroup]:
    """The group in parts whose members had the same settings before, and the same change of their partitions."""
    parts: dict[Hashable, list[Member]] = {}
    for member in group.members:
        old = former.get(member.name)
        parts.setdefault((id(old.group) if old else None, changed_count(old, counts.get(member.name))), []).append(
            member
        )
    return [_part(group, members, former.get(members[0].name), counts) for members in parts.values()]


def changed_count(old: FormerTopic | None, now: int | None) -> tuple[int, int] | None:
    """The number of partitions before and now, where both are known and differ."""
    before = old.partitions if old else None
    return (before, now) if before is not None and now is not None and before != now else None


def _part(
    group: SubjectGroup, members: Sequence[Member], old: FormerTopic | None, counts: Mapping[str, int]
) -> SubjectGroup:
    part = SubjectGroup(group.entity, group.facts, members)
    if old is None:
        return part
    part.before = old.group.for_member(old.member)
    changed = changed_count(old, counts.get(members[0].name))
    if changed:
        part.before.facts, part.facts = (
            {**side.facts, PARTITIONS: count} for side, count in zip((part.before, part), changed, strict=True)
        )
    return part
