"""The step that requires two in-sync replicas, once there are three."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.analysis.advice.aims import SET
from advisor.analysis.advice.changes import CLUSTER, TOPIC, Change, ConfigChange
from advisor.analysis.advice.step import Step
from advisor.analysis.advice.step_inputs import MIN_ISR, WANTED_REPLICAS, StepInputs
from advisor.facts.cluster import min_isr_of
from advisor.model import (
    DYNAMIC_TOPIC,
    Topic,
)

WANTED_MIN_ISR = 2


def min_isr(inputs: StepInputs) -> list[Step]:
    """Require two in-sync replicas, once there are three; on topics or cluster-wide, never in brokers' files."""
    if not any(aim.key == MIN_ISR for _, aim in inputs.asked(SET)):
        return []
    ready = [topic for topic in inputs.topics if is_ready(topic)]
    small = [topic for topic in inputs.topics if topic.partitions is None or fewest_replicas(topic) < WANTED_REPLICAS]
    required = ((MIN_ISR, str(WANTED_MIN_ISR)),)
    cluster_wide = [ConfigChange(CLUSTER, "", required)]
    cluster_wide += [ConfigChange(TOPIC, topic.name, required) for topic in ready if has_own(topic, MIN_ISR)]
    by_topic = [ConfigChange(TOPIC, topic.name, required) for topic in ready]
    ways = [by_topic] if small or inputs.unknown else [cluster_wide, by_topic]
    return [min_isr_step(way) for way in ways if ready]


def min_isr_step(changes: Sequence[Change]) -> Step:
    """One way to require two in-sync replicas; brokers' files may still say how many replicas new topics get."""
    return Step(
        "min-isr",
        "Require two replicas in sync for acks=all",
        "with min.insync.replicas=1 the leader alone may acknowledge a record, and lose it with its host",
        tuple(changes),
        risk="while two of three replicas of a partition are down, it refuses acks=all writes",
        needs=("internal-replicas", "replicas", "broker-files"),
    )


def is_ready(topic: Topic) -> bool:
    """Whether a topic has replicas enough, and requires only one in sync."""
    return bool(topic.partitions) and fewest_replicas(topic) >= WANTED_REPLICAS and min_isr_of(topic) == 1


def fewest_replicas(topic: Topic) -> int:
    """The least number of replicas of a topic's partitions."""
    return min((len(partition.replicas) for partition in topic.partitions or ()), default=0)


def has_own(topic: Topic, key: str) -> bool:
    """Whether a key is set on the topic itself."""
    setting = topic.settings.get(key)
    return setting is not None and setting.source == DYNAMIC_TOPIC
