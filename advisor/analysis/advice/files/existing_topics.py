"""The step before a change of replication settings that topics which exist do not take over."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.analysis.advice.step import PlanStep
from advisor.edits.change import FileChange
from advisor.model import Snapshot, is_whole_number

EXISTING = ("default.replication.factor", "min.insync.replicas", "offsets.topic.replication.factor",
            "transaction.state.log.replication.factor")  # fmt: skip
"""Keys that count for topics that are created from then on; topics that exist keep what they have."""
FACTOR, ENOUGH = "replication.factor", 3
EXISTING_TOPICS = "existing-topics"


def rests_on_existing_topics(changes: Sequence[FileChange], before: Snapshot) -> bool:
    """Whether a change asks for replicas that a topic may not have; one whose resource states three of them has."""
    replicated = {
        (row.file, row.name)
        for row in before.entities
        if row.kind == "topic" and (factor := row.settings.get(FACTOR)) and is_enough(factor.value)
    }
    return any(row.key in EXISTING and (row.file, row.entity) not in replicated for row in changes)


def is_enough(factor: str) -> bool:
    """Whether a topic with so many replicas can require two of them in sync."""
    return is_whole_number(factor) and int(factor) >= ENOUGH


def existing_topics() -> PlanStep:
    """What a file does not change, and what has to be there before it does: replicas of topics that exist."""
    return PlanStep(
        EXISTING_TOPICS,
        "Bring topics that exist to three replicas",
        "replication factors count when a topic is created, and some brokers' settings are shadowed on a running cluster",
        by_hand=(
            "kafka-advisor snapshot --bootstrap-server HOST:PORT -o cluster.json.gz",
            "kafka-advisor advise cluster.json.gz",
        ),
        risk="min.insync.replicas=2 before a topic has three replicas stops its acks=all writes at the next restart",
    )
