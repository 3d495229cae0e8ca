"""The step that requires two in-sync replicas, once there are three."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.analysis.advice.aims import REPLICAS, SET
from advisor.analysis.advice.changes import CLUSTER, TOPIC, Change, ConfigChange
from advisor.analysis.advice.step import PlanStep
from advisor.analysis.advice.step_inputs import MIN_ISR, WANTED_REPLICAS, StepInputs
from advisor.analysis.impact.restart_changes import losing_failures
from advisor.facts.cluster import min_isr_of
from advisor.model import (
    DYNAMIC_TOPIC,
    Topic,
)
from advisor.simulator.protocol.scenario import MOST_REPLICAS

WANTED_MIN_ISR = 2


def min_isr(inputs: StepInputs) -> list[PlanStep]:
    """Require two in-sync replicas, once there are three; on topics or cluster-wide, never in brokers' files."""
    if not any(aim.key == MIN_ISR for _, aim in inputs.asked(SET)):
        return []
    ready = [topic for topic in inputs.topics if is_ready(topic)]
    small = [topic for topic in inputs.topics if topic.partitions is None or fewest_replicas(topic) < WANTED_REPLICAS]
    required = ((MIN_ISR, str(WANTED_MIN_ISR)),)
    cluster_wide = [ConfigChange(CLUSTER, "", required)]
    cluster_wide += [ConfigChange(TOPIC, topic.name, required) for topic in ready if has_own(topic, MIN_ISR)]
    by_topic = [ConfigChange(TOPIC, topic.name, required) for topic in ready]
    ways = [by_topic] if small or inputs.unread_replicas else [cluster_wide, by_topic]
    return [min_isr_step(way) for way in ways if ready]


def min_isr_below_replicas(inputs: StepInputs) -> list[PlanStep]:
    """Require one replica less than there are, where all of three or more are required: else no broker may be restarted."""
    names = {finding.entity[1] for finding, _ in inputs.asked(REPLICAS) if finding.entity[0] == "topic"}
    topics = [topic for topic in inputs.topics if topic.name in names and requires_all(topic)]
    if not topics:
        return []
    counts = {(fewest_replicas(topic), min_isr_of(topic) or 0) for topic in topics}
    losses = (
        f"of {replicas} replicas an acks=all record is then lost after {losing_failures(replicas, least - 1)} "
        f"(now after {losing_failures(replicas, least)})"
        for replicas, least in sorted(counts)
    )
    return [
        PlanStep(
            "min-isr-below-replicas",
            "Require one replica less than there are",
            "where acks=all waits for every replica, the restart of one broker stops all writes",
            tuple(ConfigChange(TOPIC, topic.name, ((MIN_ISR, str(fewest_replicas(topic) - 1)),)) for topic in topics),
            risk="; ".join(losses),
        )
    ]


def requires_all(topic: Topic) -> bool:
    """Whether a topic has three replicas or more, and requires all of them."""
    replicas = fewest_replicas(topic)
    return WANTED_REPLICAS <= replicas <= MOST_REPLICAS and min_isr_of(topic) == replicas


def min_isr_step(changes: Sequence[Change]) -> PlanStep:
    """One way to require two in-sync replicas; brokers' files may still say how many replicas new topics get."""
    return PlanStep(
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
