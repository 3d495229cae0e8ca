"""An order in which all brokers can be restarted, one at a time, and what makes it unsafe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from advisor.analysis.impact.failure import Failure, voters_of
from advisor.analysis.impact.quorum import QuorumImpact, quorum_after
from advisor.analysis.impact.topic_rules import TopicRules, rules_of
from advisor.facts.cluster import NO_PARTITIONS
from advisor.model import Snapshot, Topic
from advisor.model.cluster import ALIVE, NOBODY, UNKNOWN, ZOOKEEPER, Live, Partition
from advisor.simulator.running.failover import KILL

BROKER, COMBINED, CONTROLLER, ACTIVE = "broker", "broker and controller", "controller", "active controller"


class Blocked(NamedTuple):
    """Partitions that stop acks=all writes while one replica restarts: `replicas` in all, `in_sync` now, `needed`."""

    topic: str
    replicas: int
    in_sync: int
    needed: int
    partitions: tuple[int, ...]

    @property
    def by_design(self) -> bool:
        """Whether every replica is needed, so that any restart stops writes however healthy the topic is."""
        return self.replicas <= self.needed


@dataclass(eq=False)
class RestartStep:
    """One node to restart; `blocked` are partitions that it would stop, `quorum` what is left of it meanwhile."""

    id: int
    role: str
    rack: str | None
    blocked: list[Blocked]
    quorum: QuorumImpact

    @property
    def is_safe(self) -> bool | None:
        """Whether nothing stops; None where that is unknown."""
        if self.blocked or self.quorum.keeps is False:
            return False
        return None if self.quorum.keeps is None else True


@dataclass(eq=False)
class RollingRestart:
    """The steps in order; `broken` are topics whose partitions do not serve now, `unknown` what was not read."""

    live: Live
    steps: list[RestartStep]
    broken: list[Blocked]
    down: list[int]
    unknown: list[str] = field(default_factory=list)

    @property
    def is_safe(self) -> bool | None:
        """Whether every step is safe, and everything serves before the first; None where that is unknown."""
        if self.broken or any(step.is_safe is False for step in self.steps):
            return False
        return None if self.unknown or any(step.is_safe is None for step in self.steps) else True


def rolling_restart(snapshot: Snapshot) -> RollingRestart:
    """The order: brokers rack by rack, then the voters of the quorum, the active controller last."""
    live = snapshot.live
    assert live is not None
    topics = [(topic, rules_of(topic, live)) for topic in snapshot.entities if isinstance(topic, Topic)]
    blocked_by_broker, broken = partitions_at_risk(topics)
    steps = [
        RestartStep(id, role, rack, blocked_by_broker.get(id, []), quorum_without(id, live))
        for id, role, rack in nodes_in_order(live)
    ]
    down = [node.id for node in live.nodes if node.state not in (ALIVE, UNKNOWN)]
    return RollingRestart(live, steps, broken, down, list(unknown_of(live, topics)))


def quorum_without(id: int, live: Live) -> QuorumImpact:
    """The quorum while a node restarts."""
    voters = voters_of(live)
    return quorum_after(Failure(KILL, {id}, {id} & voters), live)


def nodes_in_order(live: Live) -> Iterator[tuple[int, str, str | None]]:
    """Every node that is up, in the order of the restart, with its role and rack."""
    voters, racks = voters_of(live), {node.id: node.rack for node in live.nodes}
    active = active_controller(live)
    up = {node.id for node in live.nodes if node.state in (ALIVE, UNKNOWN)}
    ids = up | voters - {node.id for node in live.nodes if node.id not in up}
    for id in sorted(ids, key=lambda id: (id == active, id in voters, racks.get(id) or "", id)):
        role = ACTIVE if id == active else CONTROLLER if id not in up else COMBINED if id in voters else BROKER
        yield id, role, racks.get(id)


def active_controller(live: Live) -> int | None:
    """The node that is the controller now."""
    if live.metadata == ZOOKEEPER:
        return live.zookeeper.controller if live.zookeeper else None
    return live.quorum.leader if live.quorum else None


def partitions_at_risk(topics: Sequence[tuple[Topic, TopicRules]]) -> tuple[dict[int, list[Blocked]], list[Blocked]]:
    """By broker the partitions that its restart stops; and those that do not serve now."""
    blocked: dict[int, dict[tuple[str, int, int, int], list[int]]] = {}
    broken: dict[tuple[str, int, int, int], list[int]] = {}
    for topic, rules in topics:
        for partition in topic.partitions or ():
            needed = needed_of(partition, rules)
            if needed is None:
                continue
            row = (topic.name, len(partition.replicas), len(partition.isr), needed)
            if partition.leader == NOBODY or len(partition.isr) < needed:
                broken.setdefault(row, []).append(partition.id)
            elif len(partition.isr) == needed:
                for broker in partition.isr:
                    blocked.setdefault(broker, {}).setdefault(row, []).append(partition.id)
    return {broker: rows_of(rows) for broker, rows in blocked.items()}, rows_of(broken)


def rows_of(partitions_by_row: dict[tuple[str, int, int, int], list[int]]) -> list[Blocked]:
    """Rows by topic; those that any restart stops last."""
    rows = [Blocked(*row, tuple(ids)) for row, ids in partitions_by_row.items()]
    return sorted(rows, key=lambda row: (row.by_design, row.topic))


def needed_of(partition: Partition, rules: TopicRules) -> int | None:
    """The in-sync replicas that acks=all requires, None where that was not read."""
    if not rules.min_isr:
        return None
    return min(rules.min_isr[0], len(partition.replicas)) if rules.strict else rules.min_isr[0]


def unknown_of(live: Live, topics: Sequence[tuple[Topic, TopicRules]]) -> Iterator[str]:
    """What was not read that the order takes."""
    yield from (f"{name}: {live.unread[name]}" for name in ("topics", "all topics") if name in live.unread)
    for topic, rules in topics:
        if topic.partitions is None:
            yield f"topic {topic.name}: {topic.missing or NO_PARTITIONS}"
        elif not rules.min_isr:
            yield rules.unread[0]
    if live.metadata == ZOOKEEPER and active_controller(live) is None:
        yield "the active controller: ZooKeeper was not read (--zookeeper)"
