"""Steps that move replicas: racks first, internal topics before user topics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.advice.aims import RACKS, REPLICAS
from advisor.analysis.advice.changes import Reassignment
from advisor.analysis.advice.placement import Brokers, NoRoom, brokers_of, place
from advisor.analysis.advice.restarts import nodes_to_restart
from advisor.analysis.advice.step import Cost, PlanStep, cost_of_moves
from advisor.analysis.advice.step_inputs import WANTED_REPLICAS, StepInputs
from advisor.facts.cluster import NO_PARTITIONS, min_isr_of
from advisor.model import (
    Topic,
)

FIRST = ("__consumer_offsets", "__transaction_state")
"""The internal topics on which every consumer and every transaction depends: they come first."""


def racks(inputs: StepInputs) -> list[PlanStep]:
    """Racks must be known before replicas are spread over them."""
    silent = [node.id for node in inputs.live.nodes if not node.rack]
    if not inputs.spread or not silent:
        return []
    ids = ", ".join(map(str, silent))
    subject = f"brokers {ids} have" if len(silent) > 1 else f"broker {ids} has"
    inputs.obstacles.append(f"{subject} no broker.rack: replicas cannot be spread over racks yet")
    return [
        PlanStep(
            "racks",
            "Set broker.rack on every broker"
            if len(silent) == len(inputs.live.nodes)
            else f"Set broker.rack on broker{'s' if len(silent) > 1 else ''} {ids}",
            "Kafka and this plan spread replicas over racks only where every broker says its own",
            by_hand=(f"set broker.rack in the file of broker{'s' if len(silent) > 1 else ''} {ids}",),
            restarts=nodes_to_restart(set(map(str, silent)), inputs),
            cost=Cost(restarts=len(silent)),
            risk="each restart takes a replica of every partition on that broker away for some minutes",
        )
    ]


def replicas(inputs: StepInputs, internal: bool) -> list[PlanStep]:
    """Give topics the replicas that they lack; internal ones first."""
    names = {
        finding.entity[1]
        for finding, aim in inputs.asked(REPLICAS, *([RACKS] if inputs.spread else []))
        if finding.entity[0] == "topic"
    }
    topics = [topic for topic in inputs.topics if topic.name in names and is_internal(topic) == internal]
    if not topics:
        return []
    unread = inputs.unread_replicas
    if unread or any(topic.partitions is None for topic in inputs.topics):
        why = unread[0] if unread else NO_PARTITIONS
        inputs.unknown.append(f"no replica is placed, because not all of them were read: {why}")
        return []
    brokers = brokers_of(inputs.live, inputs.topics)
    if inputs.spread and brokers.spread_over_racks and brokers.rack_count < WANTED_REPLICAS:
        inputs.hinder(
            f"{brokers.rack_count} racks: of three replicas two share one, and its loss stops acks=all writes with "
            "min.insync.replicas=2; it takes a third rack to survive the loss of one"
        )
    moves = tuple(all_moves(sorted(topics, key=order), brokers, inputs))
    if not moves:
        return []
    return [
        PlanStep(
            "internal-replicas" if internal else "replicas",
            f"Add replicas to {'internal' if internal else 'user'} topics",
            "a topic with fewer than three replicas loses records or stops with one broker or its disk",
            moves,
            cost=cost_of_moves(moves, inputs.throttle),
            risk="the replicas are copied over the clients' network, at the throttle; each partition gets its new replica "
            "before it gives up an old one, and keeps its leader",
            needs=() if internal else ("internal-replicas",),
        )
    ]


def order(topic: Topic) -> tuple[bool, str]:
    """Sort key: the topics on which all others depend first."""
    return topic.name not in FIRST, topic.name


def is_internal(topic: Topic) -> bool:
    """Whether a topic is Kafka's own."""
    return topic.internal or topic.name.startswith("__")


def all_moves(topics: Sequence[Topic], brokers: Brokers, inputs: StepInputs) -> Iterator[Reassignment]:
    """The reassignments of all topics; what cannot be placed stands in the way of the goal."""
    for topic in topics:
        least = min_isr_of(topic) or 1
        wanted = max(WANTED_REPLICAS, least + 1)
        if wanted > len(brokers.racks):
            count = len(brokers.racks)
            inputs.obstacles.append(
                f"topic {topic.name}: {wanted} replicas need {wanted} live brokers, and there are {count}"
            )
            continue
        try:
            yield from place(topic.name, topic.partitions or (), wanted, brokers, inputs.spread)
        except NoRoom as why:
            inputs.obstacles.append(str(why))
