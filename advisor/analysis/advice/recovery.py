"""The first step of a cluster in which something is down: every replica back into its ISR."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.analysis.advice.aims import IN_SYNC, Aim
from advisor.analysis.advice.step import PlanStep
from advisor.model import Snapshot, Topic
from advisor.model.cluster import ALIVE, NOBODY, UNKNOWN, Live
from advisor.model.finding import Finding

RECOVER = "recover"
"""The id of the step of a cluster in which something is down."""


def is_whole(snapshot: Snapshot, live: Live) -> bool:
    """Whether every broker is up and every replica that was read is in sync; whatever rules are selected."""
    if any(node.state not in (ALIVE, UNKNOWN) for node in live.nodes):
        return False
    partitions = (
        partition for topic in snapshot.entities if isinstance(topic, Topic) for partition in topic.partitions or ()
    )
    return all(row.leader != NOBODY and set(row.isr) == set(row.replicas) for row in partitions)


def recover(aims: Sequence[tuple[Finding, Aim]], live: Live) -> PlanStep:
    """The first step of a cluster in which something is down: nothing else is safe before."""
    down = [str(node.id) for node in live.nodes if node.state not in (ALIVE, UNKNOWN)]
    sentences = [f"start broker {id} with its old disks, after reading its log" for id in down]
    asked = [finding for finding, aim in aims if aim.what == IN_SYNC]
    sentences += [f"{' '.join(row.entity)}: {row.fix.partition('. ')[0]}" for row in asked if row.entity[0] != "broker"]
    return PlanStep(
        RECOVER,
        "Bring every replica back into its ISR",
        "while replicas are missing, every other change may stop writes or lose records",
        by_hand=tuple(
            dict.fromkeys(sentences or ["wait until kafka-topics.sh --describe shows every replica in its ISR"])
        ),
        removes=asked,
        risk="do not elect uncleanly, and do not reassign anything before",
    )
