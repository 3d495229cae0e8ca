"""Decide what a failure does to every partition; those that are alike are decided once."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator

from advisor.analysis.impact.failure import Failure
from advisor.analysis.impact.partition_outcome import (
    ANSWERS,
    NOT_KNOWN,
    SERVES,
    UNTOUCHED,
    PartitionOutcome,
    join,
    state_of,
    unknown_outcome,
)
from advisor.analysis.impact.quorum import QuorumImpact
from advisor.analysis.impact.topic_rules import TopicRules
from advisor.facts.partition import NO_ELR, STATE_UNKNOWN
from advisor.model.cluster import ALIVE, NOBODY, UNKNOWN, Live, Partition
from advisor.simulator.running.failover import Failover, fail
from advisor.simulator.running.replica_sets import Replica, Rules

BEYOND = "more replicas than are simulated, in a state that only the simulator can decide"


class PartitionJudge:
    """Decides partitions of one cluster under one failure."""

    def __init__(self, live: Live, failure: Failure, quorum: QuorumImpact) -> None:
        self.how = failure.how
        self.brokers = frozenset(failure.brokers)
        self.controlled = (False, True) if quorum.keeps is None else (quorum.keeps,)
        self.controlled_before = (quorum.had_majority,)
        self.no_quorum = quorum.unread if quorum.keeps is None else None
        self.features = live.unread.get("features", "the cluster did not say")
        self.alive = {node.id for node in live.nodes if node.state == ALIVE}
        self.unknown = {node.id for node in live.nodes if node.state == UNKNOWN}
        self._failovers: dict[Hashable, Failover | None] = {}
        self._outcomes: dict[Hashable, PartitionOutcome] = {}

    def outcome(self, partition: Partition, rules: TopicRules) -> PartitionOutcome:
        """What becomes of a partition."""
        at, last_elr, offline = partition.leader, partition.last_elr, partition.offline
        key = (at, partition.replicas, partition.isr, partition.elr, last_elr, offline, id(rules))
        outcome = self._outcomes.get(key)
        if outcome is None:
            outcome = self._outcomes[key] = self._decide(partition, rules)
        return outcome

    def _decide(self, partition: Partition, rules: TopicRules) -> PartitionOutcome:
        after = self._joined(partition, rules, self.brokers, self.controlled)
        before = self._joined(partition, rules, frozenset(), self.controlled_before)
        if after is None or before is None:
            return unknown_outcome(partition, BEYOND)
        is_hit = not self.brokers.isdisjoint(partition.replicas) or not all(self.controlled)
        state_before = state_of(before, UNTOUCHED)
        state = state_of(after, SERVES) if is_hit else state_before
        answers = {name: getattr(after, name) for name in ANSWERS}
        is_open = NOT_KNOWN in (*answers.values(), after.election)
        unknown = tuple(self._why(partition, rules)) if is_open else ()
        leader = partition.replicas[after.leader] if after.leader >= 0 else NOBODY
        returns = tuple(partition.replicas[r] for r in after.returns if not self._stays_up(partition.replicas[r]))
        least, most = (min(number, len(returns)) for number in after.needed)
        return PartitionOutcome(
            state,
            state_before,
            partition.leader,
            leader,
            after.election,
            **answers,
            returns=returns,
            returns_least=least,
            returns_most=most,
            unknown=unknown,
        )

    def _stays_up(self, broker: int) -> bool:
        return broker in self.alive and broker not in self.brokers

    def _joined(
        self, partition: Partition, rules: TopicRules, brokers: frozenset[int], controlled: tuple[bool, ...]
    ) -> Failover | None:
        """What all possibilities agree on; the other answers are unknown."""
        failovers = {
            self._failover(replicas, each)
            for replicas in self._possible_replicas(partition, brokers)
            for each in rules.possible(len(partition.replicas), controlled)
        }
        if None in failovers or not failovers:
            return None
        return join([failover for failover in failovers if failover is not None])

    def _failover(self, replicas: tuple[Replica, ...], rules: Rules) -> Failover | None:
        key = (replicas, rules)
        if key not in self._failovers:
            self._failovers[key] = fail(replicas, rules, self.how) or search(replicas, rules, self.how)
        return self._failovers[key]

    def _possible_replicas(self, partition: Partition, brokers: frozenset[int]) -> Iterator[tuple[Replica, ...]]:
        """The partition's replicas, in every state that they may be in."""
        replicas, isr = partition.replicas, partition.isr
        unclear = [broker for broker in replicas if broker in self.unknown]
        offline, last = partition.offline or (), (partition.last_elr or (NOBODY,))[-1]
        outside = tuple(broker for broker in replicas if broker not in isr)
        for elr in ((), outside) if partition.elr is None else (partition.elr,):
            for states in itertools.product((True, False), repeat=len(unclear)):
                up = {broker for broker, is_up in zip(unclear, states, strict=True) if is_up}
                yield tuple(
                    Replica(
                        broker == partition.leader,
                        broker in isr,
                        broker in elr,
                        (broker in self.alive or broker in up) and broker not in offline,
                        broker in brokers,
                        broker == last and partition.leader == NOBODY,
                    )
                    for broker in replicas
                )

    def _why(self, partition: Partition, rules: TopicRules) -> Iterator[str]:
        """What was not read that the answers may depend on."""
        yield from rules.unread
        if len(rules.elr) > 1 and partition.elr != ():
            yield f"features: {self.features}"
        if partition.elr is None and True in rules.elr:
            yield NO_ELR.reason
        if not self.unknown.isdisjoint(partition.replicas):
            yield STATE_UNKNOWN.reason
        if self.no_quorum:
            yield f"quorum: {self.no_quorum}"


def search(replicas: tuple[Replica, ...], rules: Rules, how: str) -> Failover | None:
    """Ask the simulator, which is loaded for that."""
    from advisor.simulator.running.failover_search import search_failover

    return search_failover(replicas, rules, how)
