"""What a failure does to every topic: its partitions by what becomes of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from advisor.analysis.impact.partition_outcome import WORST_FIRST, PartitionOutcome
from advisor.analysis.impact.partitions import PartitionJudge
from advisor.analysis.impact.topic_rules import TopicRules, rules_of
from advisor.facts.cluster import NO_PARTITIONS
from advisor.model import Topic
from advisor.model.cluster import Live, Partition


class TopicImpact(NamedTuple):
    """A topic's partitions by what becomes of them; `unread` says why there are none."""

    name: str
    partitions: dict[PartitionOutcome, list[Partition]]
    unread: str | None

    def states(self) -> dict[str, int]:
        """How many partitions are in each state, the worst first."""
        counts: dict[str, int] = {}
        for outcome, partitions in self.partitions.items():
            counts[outcome.state] = counts.get(outcome.state, 0) + len(partitions)
        return {state: counts[state] for state in WORST_FIRST if state in counts}


def topics_after(topics: Sequence[Topic], live: Live, judge: PartitionJudge) -> list[TopicImpact]:
    """What becomes of every topic's partitions; settings that topics share are read once."""
    rules_by_settings: dict[Hashable, TopicRules] = {}
    impacts = []
    for topic in topics:
        alike = (id(topic.settings), id(topic.described), topic.missing)
        if alike not in rules_by_settings:
            rules_by_settings[alike] = rules_of(topic, live)
        impacts.append(topic_after(topic, rules_by_settings[alike], judge))
    return impacts


def topic_after(topic: Topic, rules: TopicRules, judge: PartitionJudge) -> TopicImpact:
    """What becomes of a topic's partitions."""
    if topic.partitions is None:
        return TopicImpact(topic.name, {}, topic.missing or NO_PARTITIONS)
    partitions: dict[PartitionOutcome, list[Partition]] = {}
    for partition in topic.partitions:
        partitions.setdefault(judge.outcome(partition, rules), []).append(partition)
    return TopicImpact(topic.name, partitions, None)
