"""A cluster as nodes stop and come back one after the other: who serves, which replicas are in sync, who leads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from advisor.analysis.rollout.cluster import PartitionClass, RolloutCluster, RolloutNode
from advisor.analysis.rollout.partitions import MIN_ISR
from advisor.analysis.rollout.peers.reach import Reach, broker_reaches
from advisor.analysis.rollout.peers.side import OTHER, Side
from advisor.analysis.rollout.quorum import Quorum
from advisor.analysis.rollout.starting import Start
from advisor.analysis.rollout.values.faults import HEARTBEAT, SESSION
from advisor.model import Version

SHORT, REFUSES, OFFLINE = 1, 2, 4
"""What is noted of a partition: not every replica in sync, acks=all refused, no leader."""
NAMED = 3
"""Nodes that are named of those that something is alike of."""
REASONS = 20
"""Reasons that are kept of a step."""
CAPPED = (3, 7)
"""The release from which on min.insync.replicas counts for as many replicas as there are at most."""


class Transition:
    """The state of every node and partition; `stop` and `start` move it, reasons are in `why`."""

    def __init__(self, cluster: RolloutCluster, partitions: Sequence[PartitionClass]) -> None:
        self.cluster = cluster
        self.partitions = partitions
        self.sides = {node.id: Side(node.old, node.old) for node in cluster.nodes.values() if node.old is not None}
        self.up = set(self.sides)
        self.quorum = Quorum(cluster)
        self.serving = {node.id for node in cluster.brokers if node.id in self.sides}
        self.isr = [list(each.isr) for each in partitions]
        self.leader = [each.leader for each in partitions]
        self.empty: list[set[int]] = [set() for _ in partitions]
        self.eligible: list[set[int]] = [set() for _ in partitions]
        """Replicas that left an ISR below min.insync.replicas, which has kept records from being acknowledged since (KIP-966)."""
        self.full_before = [len(each.isr) == len(each.replicas) for each in partitions]
        self.not_full: set[int] = set()
        self.refused: set[int] = set()
        self.offline: set[int] = set()
        self.lost: set[int] = set()
        self.why: dict[str, None] = {}
        self.unknown: dict[str, None] = {}
        self.ended: set[int] = set()
        """Brokers that end because a controller denies them what brokers do."""
        self.endings: list[str] = []
        """Why controllers may end, or a node of a dynamic quorum does."""
        self.may_end: set[int] = set()
        """Controllers that may end."""
        self.has_leader = True
        self.by_node: dict[int, list[int]] = {}
        for number, each in enumerate(partitions):
            for id in each.replicas:
                self.by_node.setdefault(id, []).append(number)
        self._reach: dict[tuple[int, int], Reach] = {}
        self._numbers: dict[object, int] = {}
        self._class = {id: self._class_of(side) for id, side in self.sides.items()}
        self._refilling: set[int] = set()
        self._by_zookeeper = not cluster.is_kraft
        self._controller = cluster.active
        self._unfenced: set[int] = set()
        """Brokers that are gone, which no controller could take out of the ISR."""
        self.departed: set[int] = set()
        """Brokers that left ZooKeeper without a migration: the others go on without them."""
        self.flapping: set[int] = set()
        """Brokers that are fenced between two heartbeats, as the controller that leads sees it."""
        self._noted = [0] * len(partitions)
        self._sizes = [len(each.replicas) for each in partitions]
        self._by_state = (SHORT, self.not_full), (REFUSES, self.refused), (OFFLINE, self.offline)
        self.touched: dict[int, int] = {}
        """Partitions that a step changed, with what was noted of them before it."""
        self._release = cluster.version
        self._has_elr = cluster.has_elr
        self._is_uncapped = self._release < CAPPED
        self._required = [self._required_of(each) for each in partitions]
        for number in range(len(partitions)):
            self.note(number)

    def reach(self, a: int, b: int) -> Reach:
        """Whether one broker reaches another, by what decides about it, which is the same for many."""
        key = self._class[a], self._class[b]
        if key not in self._reach:
            self._reach[key] = broker_reaches(self.sides[a], self.sides[b])
        return self._reach[key]

    def class_of(self, id: int) -> int:
        """The number of a node's class as it is now: nodes of one class reach others, and are reached, alike."""
        return self._class[id]

    def _class_of(self, side: Side) -> int:
        """The number of a node's class: nodes of one class are reached alike."""
        return self._numbers.setdefault(side.outline(), len(self._numbers))

    def _required_of(self, partition: PartitionClass) -> int | None:
        """The in-sync replicas that acks=all takes; None where the file of the leader decides."""
        if partition.min_isr is None:
            return None
        return self._capped(partition.min_isr, partition, self._release)

    def _capped(self, least: int, partition: PartitionClass, version: Version) -> int:
        return min(least, len(partition.replicas)) if version >= CAPPED else least

    def stop(self, node: RolloutNode) -> None:
        """Stop a node: what it leads moves to the next in-sync replica, if a controller can say so."""
        self.up.discard(node.id)
        if node.id in self.serving:
            self.leave([node.id], self.has_leader)

    def start(self, node: RolloutNode, start: Start, waits: bool) -> None:
        """Start a node with its new file; `waits` until its replicas are complete."""
        unprepared = bool(start.misplaced or (start.to_format and not start.is_moved)) and not waits
        if node.new is None or start.refused or unprepared:
            self.settle(node.id)
            return
        ends = self.quorum.unknown_endpoint(node.id, Side(node.new, node.old), self.sides)
        if ends:
            self.settle(node.id)
            self.endings = [f"{node.name}: {ends}"]
            return
        self.sides[node.id] = Side(node.new, node.old)
        self._class[node.id] = self._class_of(self.sides[node.id])
        self.up.add(node.id)
        if start.is_unmigrated:
            self.departed.add(node.id)
        if (start.without_replicas or start.is_unmigrated) and node.old is not None and node.old.is_broker:
            for number in self.by_node.get(node.id, ()):
                self.empty[number].add(node.id)
                self._refilling.add(number)
        if start.without_metadata and node.is_controller:
            self.quorum.emptied.add(node.id)
        self.settle(node.id)
        if waits:
            if self.has_leader:
                self.quorum.emptied.clear()
            self.refill()

    def settle(self, changed: int) -> None:
        """Let controllers elect their leader, and brokers register with it or be fenced."""
        state = self.quorum.settle(self.sides, self.up, changed, self._class)
        self.has_leader = state.leader is not None
        self.why |= dict.fromkeys((*state.why, *state.ends))
        self.endings, self.may_end = state.ends, state.may_end
        self.unknown |= dict.fromkeys(state.unknown)
        brokers = {id for id in self.up if self.sides[id].now.is_broker}
        brokers = brokers - self.departed or brokers
        self.ended.clear()
        if not self.has_leader:
            self.leave(list(self.serving) if state.diverges else self.serving - brokers, False)
            return
        self.flapping = self.fenced_between_heartbeats(brokers)
        cut_off = self.unreached_by_controller(brokers) if self._by_zookeeper else self.refused_by_quorum(brokers)
        self.why |= dict.fromkeys(f"node {id}: {why.why}" for id, why in list(cut_off.items())[:NAMED])
        self.ended |= {id for id, why in cut_off.items() if why.denied and not self._by_zookeeper}
        lost = {id for id in self.serving if id not in brokers or id in cut_off}
        joined = brokers - cut_off.keys() - self.serving
        self.serving |= joined
        self.leave(lost | (self._unfenced - joined), True)
        self.join(joined)

    def fenced_between_heartbeats(self, brokers: set[int]) -> set[int]:
        """The brokers whose heartbeats the controller does not wait for."""
        leader = self.quorum.leader
        session = leader.now.number(SESSION) if leader else None
        if session is None or self._by_zookeeper:
            return set()
        fenced = {id for id in brokers if (self.sides[id].now.number(HEARTBEAT) or 0) >= session}
        self.why |= dict.fromkeys(f"node {id} is fenced between two heartbeats" for id in sorted(fenced)[:NAMED])
        return fenced

    def unsteady(self) -> set[int]:
        """The partitions whose ISR changes with every heartbeat, so that writes stop and go on."""
        return {number for id in self.flapping for number in self.by_node.get(id, ())}

    def refused_by_quorum(self, brokers: set[int]) -> dict[int, Reach]:
        """The brokers that the controller does not let in, and why."""
        return {id: why for id in brokers if (why := self.quorum.refusal(self.sides[id]))}

    def unreached_by_controller(self, brokers: set[int]) -> dict[int, Reach]:
        """With ZooKeeper, the brokers that the controller, one of them, cannot tell what to lead and to follow, and why.

        It stays with a broker until that stops; which of the others is next is not known: the one that is restarted last.
        """
        if self._controller not in brokers:
            order = [node.id for node in self.cluster.order() if node.id in brokers]
            self._controller = order[-1] if order else max(brokers, default=None)
        teller = self._controller
        ways = {id: self.reach(teller, id) for id in brokers} if teller is not None else {}
        return {
            id: way._replace(why=f"controller {teller} cannot reach it: {way.why.replace(OTHER, f'node {id}')}")
            for id, way in ways.items()
            if way.reaches is False
        }

    def leave(self, ids: Iterable[int], elects: bool) -> None:
        """Brokers that are fenced or down: they leave every ISR, without eligible replicas but as its last member."""
        gone = list(ids)
        self.serving.difference_update(gone)
        self._unfenced.update(gone)
        self._unfenced.difference_update(gone if elects else ())
        for id in gone:
            for number in self.by_node.get(id, ()):
                if elects and (self._has_elr or len(self.isr[number]) > 1):
                    self.drop(number, id)
                if self.leader[number] == id:
                    self.leader[number] = None
                if elects and self.leader[number] is None:
                    self.elect(number)
                self.note(number)

    def join(self, ids: set[int]) -> None:
        """Brokers that are registered again: partitions without a leader get one, replicas follow their leaders."""
        self._unfenced -= ids
        for id in ids:
            for number in self.by_node.get(id, ()):
                leader = self.leader[number]
                if leader is None:
                    self.elect(number)
                else:
                    self.follow(number, id, leader)
                self.note(number)

    def drop(self, number: int, id: int) -> None:
        """Take a replica out of the ISR; below min.insync.replicas it stays eligible."""
        isr = self.isr[number]
        if id in isr:
            isr.remove(id)
            if self._has_elr and len(isr) < (self._required[number] or 1):
                self.eligible[number].add(id)

    def candidate(self, number: int) -> int | None:
        """The first replica in sync that serves; where none is in sync, an eligible one."""
        isr, serving = self.isr[number], self.serving
        for id in self.partitions[number].replicas:
            if id in isr and id in serving:
                return id
        return None if isr else self._eligible_candidate(number)

    def _eligible_candidate(self, number: int) -> int | None:
        """The first eligible replica that serves, of which one that is complete goes first."""
        complete = self.eligible[number] - self.empty[number]
        able = [id for id in self.partitions[number].replicas if id in complete] or sorted(self.eligible[number])
        return next((id for id in able if id in self.serving), None)

    def elect(self, number: int) -> None:
        """Let a replica lead; then see who can follow."""
        leader = self.leader[number] = self.candidate(number)
        if leader is None:
            return
        replicas = self.partitions[number].replicas
        if leader not in self.isr[number]:
            self.isr[number][:] = [leader]
            self.eligible[number].discard(leader)
        if leader in self.empty[number]:
            self.lost.add(number)
            self.empty[number] = set()
        for id in replicas:
            if id != leader and id in self.serving:
                self.follow(number, id, leader)

    def follow(self, number: int, id: int, leader: int) -> None:
        """Let a replica follow its leader: in sync if it reaches it and is complete, out of the ISR if it does not."""
        reach, isr = self.reach(id, leader), self.isr[number]
        if reach.reaches is not True:
            self._remember(reach, id, leader)
        if reach.reaches is False:
            self.drop(number, id)
        elif id not in isr and id not in self.empty[number]:
            isr.append(id)
            if len(isr) >= (self._required[number] or 1):
                self.eligible[number].clear()

    def _remember(self, reach: Reach, id: int, leader: int) -> None:
        """Keep some reasons why replicas do not follow, or may not."""
        if reach.reaches is None:
            self.unknown[reach.why.replace(OTHER, "a restarted node")] = None
        elif len(self.why) < REASONS:
            self.why[f"node {id} cannot follow node {leader}: {reach.why.replace(OTHER, f'node {leader}')}"] = None

    def refill(self) -> None:
        """Wait: replicas that were empty are complete."""
        for number in sorted(self._refilling):
            leader = self.leader[number]
            if leader is not None:
                ids, self.empty[number] = self.empty[number], set()
                self._refilling.discard(number)
                for id in ids & self.serving:
                    self.follow(number, id, leader)
                self.note(number)

    def note(self, number: int) -> None:
        """Note what a partition serves now, where that is not what it was."""
        count, leader = len(self.isr[number]), self.leader[number]
        now = SHORT if count < self._sizes[number] else 0
        if leader is None:
            now |= OFFLINE
        elif self.waits_for_the_gone(number) or (
            (now or self._is_uncapped) and count < (self._required[number] or self.needed(number, leader))
        ):
            now |= REFUSES
        was = self._noted[number]
        if now == was:
            return
        if number not in self.touched:
            self.touched[number] = was
        self._noted[number] = now
        for state, numbers in self._by_state:
            if (now ^ was) & state:
                (numbers.add if now & state else numbers.discard)(number)

    def waits_for_the_gone(self, number: int) -> bool:
        """Whether acks=all waits for a replica that is down, and that no controller takes out of the ISR."""
        return bool(self._unfenced) and not self._unfenced.isdisjoint(self.isr[number])

    def stopped(self) -> tuple[set[int], set[int]]:
        """The partitions that refuse acks=all and those that are offline now, and did not when the step began."""
        new = [(number, self._noted[number] & ~was) for number, was in self.touched.items()]
        return {number for number, state in new if state & REFUSES}, {
            number for number, state in new if state & OFFLINE
        }

    def needed(self, number: int, leader: int) -> int:
        """The in-sync replicas that acks=all takes, by the topic or by the file of its leader."""
        required = self._required[number]
        if required is not None:
            return required
        node = self.sides[leader].now
        return self._capped(node.number(MIN_ISR) or 1, self.partitions[number], node.version)

    def stuck(self) -> list[int]:
        """The partitions that were in sync before the change and are not now."""
        return sorted(number for number in self.not_full if self.full_before[number])

    def all_reach_each_other(self) -> bool:
        """Whether nodes of every class that serve reach those of every class."""
        of_class: dict[int, list[int]] = {}
        for id in sorted(self.serving):
            of_class.setdefault(self._class[id], []).append(id)
        some = [id for ids in of_class.values() for id in ids[:2]]
        return all(self.reach(a, b).reaches for a in some for b in some if a != b)

    def unreachable_pairs(self) -> Iterator[tuple[int, int, Reach]]:
        """Followers that would not reach a replica if it led, now that the rollout is over."""
        if self.all_reach_each_other():
            return
        pairs = {(a, b) for each in self.partitions for a in each.replicas for b in each.replicas if a != b}
        for a, b in sorted(pairs):
            if a in self.serving and b in self.serving:
                reach = self.reach(a, b)
                if reach.reaches is not True:
                    yield a, b, reach
