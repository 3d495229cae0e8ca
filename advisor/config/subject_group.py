"""Subject groups: subjects of a running cluster with the same answers, judged once for all."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from advisor.config import Config
from advisor.config.effective_settings import EffectiveSettings
from advisor.model import METADATA, Entity, Member
from advisor.model.finding import Evidence
from advisor.rule.subject import Question

if TYPE_CHECKING:
    from advisor.model.cluster import Partition

INNER = (("live", "state"), ("live", "elr"))
"""Questions for the simulator's sake: the replicas' own line says the same."""
PARTITIONS_SHOWN = 1
"""Partitions of a topic whose replicas stand in the evidence."""


class SubjectGroup(Config):
    """What its members have in common; `for_member` makes one member's own Config."""

    __slots__ = ("partitions",)

    def __init__(self, entity: Entity, facts: Mapping[str, Hashable], members: Iterable[Member]) -> None:
        super().__init__(entity, facts)
        self.members = tuple(members)
        self.partitions: Sequence[Partition] = ()

    def for_member(self, member: Member) -> SubjectGroup:
        """The group's answers under one member's own name."""
        own = SubjectGroup.__new__(SubjectGroup)
        for name in (*EffectiveSettings.__slots__, *Config.__slots__):
            setattr(own, name, getattr(self, name))
        own.name = (self.entity.kind, member.name)
        own.members = ()
        own.partitions = member.partitions
        return own

    def evidence(self, question: Question) -> list[Evidence]:
        """The evidence for an answer; a partition's facts show its replicas as the cluster describes them."""
        rows = [] if self.partitions and question in INNER else super().evidence(question)
        if question[0] not in ("live", "text") or not self.partitions or question[1] not in self.facts:
            return rows
        return rows + [
            Evidence(self.name, f"partition {partition.id}", partition_line(partition), METADATA, None, None)
            for partition in self.partitions[:PARTITIONS_SHOWN]
        ]


def partition_line(partition: Partition) -> str:
    """Describe a partition in one line, as kafka-topics.sh does."""
    ids = ",".join
    line = (
        f"leader {partition.leader if partition.leader >= 0 else 'none'}, "
        f"replicas {ids(map(str, partition.replicas))}, in sync {ids(map(str, partition.isr)) or 'none'}"
    )
    return line + (f", eligible {ids(map(str, partition.elr))}" if partition.elr else "")
