"""Consumer groups and transactions: what becomes of the partitions that their coordinators lead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from advisor.analysis.impact.partition_outcome import PartitionOutcome
from advisor.analysis.impact.topics import TopicImpact
from advisor.facts.cluster import OFFSETS, partition_of
from advisor.model.cluster import NOBODY, Group, Live
from advisor.simulator.running.failover import NO, POSSIBLE, YES

TRANSACTIONS, SHARE = "__transaction_state", "__share_group_state"
STOPS, NO_COMMITS, MAY_FAIL_COMMITS, MOVES, STAYS, NOT_KNOWN = (
    "stops",
    "cannot commit",
    "may fail to commit",
    "moves to another broker",
    "untouched",
    "unknown",
)
COORDINATED = {TRANSACTIONS: "transactions", SHARE: "share groups' state"}


class GroupImpact(NamedTuple):
    """What becomes of a consumer group: its coordinator leads `partition` of __consumer_offsets."""

    name: str
    partition: int | None
    state: str
    unknown: tuple[str, ...] = ()


class CoordinatorImpact(NamedTuple):
    """How many partitions of an internal topic are in each state; what hashes there shares it."""

    topic: str
    states: dict[str, int]
    partitions: int


def groups_after(live: Live, topics: Sequence[TopicImpact]) -> list[GroupImpact]:
    """What becomes of every consumer group."""
    offsets = next((topic for topic in topics if topic.name == OFFSETS), None)
    outcome_of_partition = outcomes_by_partition(offsets) if offsets else {}
    why = (offsets.unread if offsets else live.unread.get("topics")) or f"{OFFSETS} cannot be seen"
    return [group_after(group, outcome_of_partition, why) for group in live.groups or ()]


def group_after(group: Group, outcome_of_partition: dict[int, PartitionOutcome], why: str) -> GroupImpact:
    """What becomes of one group."""
    if not outcome_of_partition:
        return GroupImpact(group.name, None, NOT_KNOWN, (why,))
    partition = partition_of(group.name, len(outcome_of_partition))
    outcome = outcome_of_partition.get(partition)
    if outcome is None:
        return GroupImpact(group.name, partition, NOT_KNOWN, (f"partition {partition} of {OFFSETS} was not read",))
    return GroupImpact(group.name, partition, state_of_coordinator(outcome), outcome.unknown)


def state_of_coordinator(outcome: PartitionOutcome) -> str:
    """What becomes of a coordinator, which writes with acks=all. Source: GroupMetadataManager, TransactionStateManager."""
    if outcome.readable in (NO, POSSIBLE):
        return STOPS
    if outcome.writable_all == NO:
        return NO_COMMITS
    if outcome.writable_all == POSSIBLE:
        return MAY_FAIL_COMMITS
    if outcome.readable != YES or outcome.writable_all != YES:
        return NOT_KNOWN
    return STAYS if outcome.leader == outcome.leader_before != NOBODY else MOVES


def outcomes_by_partition(topic: TopicImpact) -> dict[int, PartitionOutcome]:
    """The outcome of each partition by its id."""
    return {partition.id: outcome for outcome, partitions in topic.partitions.items() for partition in partitions}


def coordinators_after(topics: Iterable[TopicImpact]) -> list[CoordinatorImpact]:
    """What becomes of transactions and share groups, by the partitions of their topics."""
    return [coordinator_after(topic) for topic in topics if topic.name in COORDINATED and topic.partitions]


def coordinator_after(topic: TopicImpact) -> CoordinatorImpact:
    """How many partitions of an internal topic are in each state."""
    states: dict[str, int] = {}
    for outcome, partitions in topic.partitions.items():
        state = state_of_coordinator(outcome)
        states[state] = states.get(state, 0) + len(partitions)
    return CoordinatorImpact(topic.name, states, sum(states.values()))
