"""A rollout played node by node: what each step does, and what goes wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from advisor.analysis.rollout.cluster import PartitionClass, RolloutCluster, RolloutNode
from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.outcome import LOSES, NEEDS_PASSES, REFUSES, UNAVAILABLE, Fault, UnknownFact
from advisor.analysis.rollout.partitions import MIN_ISR, partitions_of
from advisor.analysis.rollout.peers.clients import ClientFault, client_faults, has_stand_in
from advisor.analysis.rollout.peers.side import OTHER
from advisor.analysis.rollout.starting import Start, Starts
from advisor.analysis.rollout.transition import Transition

SHOWN = 100
"""Partitions that a step names; it counts them all."""

UNMIGRATED = "leaves ZooKeeper without a migration: it starts without its topics, and sets their logs aside as -stray"


@dataclass(eq=False)
class RolloutStep:
    """One node stopped and started with its new file; partitions by name, those of the time while it was down included."""

    node: str
    id: int
    starts: bool | None
    isr: dict[str, list[int]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    unreached: int = 0
    """How many of the partitions whose writes are refused take them, and have a leader that clients do not reach."""
    offline: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    serving: list[int] = field(default_factory=list)
    behind: list[int] = field(default_factory=list)
    """Nodes with replicas that are not in sync."""
    why: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    number: int = 1


@dataclass(eq=False)
class Course:
    """The steps of a rollout, what went wrong, what is not known; `ends_well` says that all serves at its end."""

    steps: list[RolloutStep] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    unknown: list[UnknownFact] = field(default_factory=list)
    ends_well: bool = True
    has_preparation: bool = False
    """Whether a node comes back without its replicas or its metadata, or has directories to format."""
    by_design: bool = False
    """Whether acks=all is refused, or partitions are offline, because every replica is needed."""


class Roll:
    """Plays a rollout of a cluster: patient, or without waiting for replicas that have to be copied."""

    def __init__(
        self,
        cluster: RolloutCluster,
        starts: Starts,
        waits: bool,
    ) -> None:
        self.cluster = cluster
        self.partitions: Sequence[PartitionClass] = partitions_of(cluster)
        self.larger = {number: len(each.names) for number, each in enumerate(self.partitions) if len(each.names) > 1}
        self.are_few = sum(len(each.names) for each in self.partitions) <= SHOWN
        self.state = Transition(cluster, self.partitions)
        self.starts = starts
        self.order = cluster.order()
        self.waits = waits
        self.course = Course()
        self._client_faults_by_class: dict[object, Sequence[ClientFault]] = {}
        self.cut_off: dict[int, bool] = {}
        """Nodes that clients do not reach as they did, and whether they are lost everywhere."""

    def play(self) -> Course:
        """The course, up to where a patient rollout does not go on."""
        for node in self.order:
            before = len(self.course.faults)
            self.course.steps.append(self._step(node))
            if self.waits and self.state.stuck():
                if len(self.course.faults) == before:
                    self._fault(
                        NEEDS_PASSES, f"the replicas of {node.name} never come back into the ISR: it cannot go on", True
                    )
                self.course.ends_well = False
                break
        self._end()
        return self.course

    def _step(self, node: RolloutNode) -> RolloutStep:
        state, start = self.state, self.starts.of(node)
        state.why.clear()
        before = len(state.lost)
        state.touched.clear()
        state.stop(node)
        down = state.stopped()
        state.start(node, start, self.waits)
        step = RolloutStep(node.name, node.id, self._starts(node, start))
        for why in self.state.endings[:1]:
            self._fault(UNAVAILABLE, why, True)
        self._client_faults(node)
        self._availability(node, down, before)
        step.faults = self.course.faults[self._seen :]
        step.why = [*start.refused, *state.why, *(fault.why for fault in step.faults)]
        step.why = list(dict.fromkeys(step.why))
        self._seen = len(self.course.faults)
        rows = {
            "refused": (state.refused, down[0] | self._unreached() | self._unsteady()),
            "offline": (state.offline, down[1]),
            "lost": (state.lost, set()),
        }
        step.counts = {what: self.count(now) + self.count(then - now) for what, (now, then) in rows.items()}
        step.unreached = self.count(self._unreached())
        step.counts["not_full"] = self.count(state.not_full | state.unsteady())
        step.refused, step.offline, step.lost = (self.names(now, then) for now, then in rows.values())
        step.isr = dict(self.isr())
        step.serving, step.behind = sorted(state.serving), self.behind()
        return step

    _seen = 0

    def _starts(self, node: RolloutNode, start: Start) -> bool | None:
        """Whether the node comes back; what it takes for that is a fault of a rollout that does not prepare it."""
        self.course.unknown += start.unknown
        self.course.has_preparation |= start.is_prepared
        for why in start.refused[:1]:
            self._fault(REFUSES, f"{node.name} does not start: {why}")
        if start.to_format and not self.waits:
            paths = ", ".join(start.to_format)
            self._fault(
                REFUSES, f"{node.name} does not start unless {paths} is formatted first (kafka-storage.sh format)"
            )
        if start.is_unmigrated:
            self._fault(LOSES, f"{node.name} {UNMIGRATED}")
        if start.misplaced and not self.waits:
            was, is_now = start.misplaced
            self._fault(
                REFUSES, f"{node.name} does not start: the metadata log is in {was}, and is looked for in {is_now}"
            )
        if node.id in self.state.ended or node.id not in self.state.up:
            return False
        may_end = node.id in self.state.may_end
        return None if may_end or any(row.decides for row in start.unknown) else True

    def _client_faults(self, node: RolloutNode) -> None:
        """What clients of the node lose for good."""
        if node.old is None or node.new is None or node.id not in self.state.serving:
            return
        for reach in self._faults_of_clients(node.id, node.old, node.new):
            is_left = reach.switched is None or has_stand_in(reach.switched, node.old, node.new)
            if self.cluster.clients_move and reach.is_moved_from and is_left:
                continue
            if reach.reaches is False:
                self._fault(UNAVAILABLE, f"{node.name}: {reach.why}")
                self.cut_off[node.id] = reach.everywhere
            else:
                self.course.unknown.append(UnknownFact(node.name, "listeners", reach.why))

    def _faults_of_clients(self, id: int, old: NodeConfig, new: NodeConfig) -> Sequence[ClientFault]:
        """What clients of a node that has started lose, which is the same for nodes of one class."""
        alike = self.state.class_of(id), old.version, new.version
        if alike not in self._client_faults_by_class:
            self._client_faults_by_class[alike] = list(client_faults(old, new))
        return self._client_faults_by_class[alike]

    def _availability(self, node: RolloutNode, down: tuple[set[int], set[int]], lost: int) -> None:
        """Partitions that stop at this step: while the node is down, after it, and for good."""
        state = self.state
        refused, offline = state.stopped()
        needed = {number for number in down[0] | down[1] if self.needs_all(number)}
        if needed:
            self.course.by_design = True
            self._fault(
                UNAVAILABLE, f"every replica of {self.some(needed)} is needed: writes stop while {node.name} restarts"
            )
        refusing, off = (down[0] | refused) - needed, (down[1] | offline) - needed
        if refusing - off:
            self._fault(UNAVAILABLE, f"{self.some(refusing - off, 'refuse', 'refuses')} acks=all at {node.name}", True)
        if off:
            self._fault(UNAVAILABLE, f"{self.some(off, 'are', 'is')} offline at {node.name}", True)
        if len(state.lost) > lost:
            gone = self.some(state.lost)
            self._fault(LOSES, f"{node.name} comes back empty and leads: the records of {gone} are gone")

    def _unsteady(self) -> set[int]:
        """The partitions that refuse acks=all now and then, as too few of their replicas send heartbeats in time."""
        state = self.state
        return {
            number
            for number in state.unsteady()
            if (leader := state.leader[number]) is not None
            and len({*state.isr[number]} - state.flapping) < state.needed(number, leader)
        }

    def _unreached(self) -> set[int]:
        """The partitions whose leaders clients do not reach."""
        if not self.cut_off:
            return set()
        everywhere = any(self.cut_off.values()) and len(self.cut_off) < len(self.state.serving)
        leaders = self.state.leader
        return {number for number in range(len(leaders)) if everywhere or leaders[number] in self.cut_off}

    def needs_all(self, number: int) -> bool:
        """Whether any restart stops a partition, whatever the change is."""
        partition = self.partitions[number]
        least = partition.min_isr
        if least is None:
            node = self.cluster.nodes.get(partition.replicas[0])
            least = (node.old.number(MIN_ISR) if node and node.old else None) or 1
        return least >= len(partition.replicas) or len(partition.replicas) == 1

    def _end(self) -> None:
        """What does not serve when every node has its new file."""
        state, course = self.state, self.course
        if state.offline or state.refused or state.stuck() or not state.has_leader:
            course.ends_well = False
        for a, b, reach in state.unreachable_pairs() if course.ends_well else ():
            why = f"node {a} cannot follow node {b} when it leads: {reach.why.replace(OTHER, f'node {b}')}"
            if reach.reaches is False:
                self._fault(UNAVAILABLE, why)
                course.ends_well = False
                break
            course.unknown.append(UnknownFact(f"node {a}", "advertised.listeners", why))
        if not course.ends_well and not course.faults:
            self._fault(UNAVAILABLE, f"{self.some(set(state.stuck()), 'stay', 'stays')} out of sync")
        course.unknown += [UnknownFact(None, None, why) for why in state.unknown]
        if not course.ends_well:
            course.faults = [fault._replace(passing=False) for fault in course.faults]

    def _fault(self, verdict: str, why: str, passing: bool = False) -> None:
        self.course.faults.append(Fault(verdict, why, passing))

    def some(self, numbers: set[int], verb: str = "", verb_of_one: str = "") -> str:
        """Partitions in a sentence, with a verb."""
        count = self.count(numbers)
        words = f"{count:,} partition" if count == 1 else f"{count:,} partitions"
        return f"{words} {verb_of_one if count == 1 else verb}".rstrip()

    def count(self, numbers: set[int]) -> int:
        """How many partitions these classes are."""
        return len(numbers) + sum(size - 1 for number, size in self.larger.items() if number in numbers)

    def names(self, *sets: set[int]) -> list[str]:
        """The names of partitions, the first ones."""
        numbers = {number for numbers in sets for number in islice(numbers, SHOWN)}
        names = (name for number in sorted(numbers) for name in self.partitions[number].names)
        return list(islice(names, SHOWN))

    def behind(self) -> list[int]:
        """The nodes that are out of the ISR of some partition."""
        short = islice(self.state.not_full, SHOWN)
        out = {id for number in short for id in {*self.partitions[number].replicas} - {*self.state.isr[number]}}
        return sorted(out | self.state.flapping)

    def isr(self) -> Iterator[tuple[str, list[int]]]:
        """The ISR of partitions: of all where they are few; else of one of each class, if classes are few; else where not full.

        One that changes with every heartbeat is left out.
        """
        classes = range(len(self.partitions)) if len(self.partitions) <= SHOWN else islice(self.state.not_full, SHOWN)
        unsteady = self.state.unsteady()
        for number in (each for each in sorted(classes) if each not in unsteady):
            for name in self.partitions[number].names if self.are_few else self.partitions[number].names[:1]:
                yield name, sorted(self.state.isr[number])
