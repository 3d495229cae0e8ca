"""The transition system: controller, replicas and producer, and every action with its guard.

A state is (controller, replicas, records, budget), all plain tuples:
controller  (up, leader, leader epoch, isr, elr, last known leader, fenced): sets of replicas are bit masks, -1 is none
replica     (flags, view of the leader, view of its epoch, view of the isr, log, high watermark, leader epoch start
            offset, flushed): what the view holds is what the replica has learned; isr only matters to a leader
records     per record UNSENT, ACKED, FAILED or PENDING + the replica whose answer the producer waits for
budget      how often each adverse event may still happen

A log is a tuple of (epoch << 3 | record); the high watermark is exclusive. Sources: Kafka's Partition, ReplicaManager,
PartitionChangeBuilder, ReplicationControlManager and ClusterControlManager; KIP-101, 279, 320, 497, 841, 903, 966.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeVar

from advisor.simulator.protocol.scenario import (
    CONTROLLER_DOWN,
    DISK,
    EVENTS,
    HIGH_WATERMARK,
    ISOLATE,
    KILL,
    LAG,
    POWER,
    POWER_ALL,
    SHUTDOWN,
    Scenario,
)

T = TypeVar("T")
Controller = tuple[bool, int, int, int, int, int, int]
Log = tuple[int, ...]
Replica = tuple[int, int, int, int, Log, int, int, int]
State = tuple[Controller, tuple[Replica, ...], tuple[int, ...], tuple[int, ...]]
Action = tuple[str, int, int]
UP, CUT, UNREGISTERED, UNCLEAN = 1, 2, 4, 8
UNSENT, ACKED, FAILED, PENDING = 0, 1, 2, 3
NOBODY = -1
SEVERAL = "shrink ISR by several"
"""The action whose third part is a set of replicas."""


def start(scenario: Scenario, events: tuple[int, ...]) -> State:
    """The initial state: all replicas up, in sync and empty; replica 0 leads in epoch 0."""
    everyone = (1 << scenario.replicas) - 1
    replicas = tuple((UP, 0, 0, everyone if r == 0 else 0, (), 0, 0, 0) for r in range(scenario.replicas))
    return (True, 0, 0, everyone, 0, NOBODY, 0), replicas, (UNSENT,) * scenario.records, events


def members(mask: int) -> list[int]:
    """The replicas of a bit mask, lowest first."""
    return [r for r in range(mask.bit_length()) if mask >> r & 1]


class Model:
    """The actions that a scenario allows.

    `follower_hw=False` leaves the followers' high watermarks out of the state: nothing but truncation to it (before
    0.11), reads and availability depend on them, and a new leader's only costs it a few steps more. (Who joins its ISR
    must have its epoch's first offset, which is never below the high watermark that it had as a follower.)
    `partial_power_loss=False` lets a power loss take all that was not flushed, never a part of it.
    """

    def __init__(self, scenario: Scenario, follower_hw: bool = True, partial_power_loss: bool = True) -> None:
        self.scenario = scenario
        self.everyone = (1 << scenario.replicas) - 1
        self.settled: dict[State, State] = {}
        self.alike: Sequence[object] = scenario.domains
        """For each replica what distinguishes it: those with equal marks may be renamed into each other."""
        self.partial_power_loss = partial_power_loss
        self.follower_hw = follower_hw or scenario.truncation == HIGH_WATERMARK or "leso" in scenario.without

    # ------------------------------------------------------------------ the controller's decision

    def change(
        self, controller: Controller, target: int, acceptable: int, unclean_members: int = 0
    ) -> list[Controller]:
        """What the controller makes of a new ISR: one outcome for each replica it may elect.

        Source: PartitionChangeBuilder.build. Kafka takes the first candidate in assignment order; any order counts here.
        """
        up, leader, epoch, isr, elr, last, fenced = controller
        scenario = self.scenario
        if scenario.elr:
            elr = 0 if target.bit_count() >= scenario.min_isr else (elr | isr) & ~target & ~unclean_members
        else:
            elr = 0
        electable = target or elr
        if leader != NOBODY and acceptable >> leader & 1 and electable >> leader & 1:
            kept_isr = target if target or scenario.elr else isr
            shrunk = scenario.bump_on_shrink and isr & ~target
            return [(up, leader, epoch + bool(shrunk), kept_isr, elr, NOBODY, fenced)]
        clean = acceptable & electable
        if clean:
            return [self._elect(controller, r, target, elr, from_elr=not target) for r in members(clean)]
        last_may_lead = last != NOBODY and (acceptable >> last & 1 or scenario.elects_fenced_last_leader)
        if scenario.elr and not elr and not target and last_may_lead:
            return [(up, last, epoch + 1, 1 << last, 0, NOBODY, fenced)]
        if scenario.unclean and acceptable:
            return [(up, r, epoch + 1, 1 << r, 0, NOBODY, fenced) for r in members(acceptable)]
        kept_isr = target if target or scenario.elr else isr
        if leader != NOBODY and last == NOBODY:
            last = leader if scenario.elr else NOBODY
        return [(up, NOBODY, epoch + (leader != NOBODY), kept_isr, elr, last, fenced)]

    def _elect(self, controller: Controller, leader: int, target: int, elr: int, from_elr: bool) -> Controller:
        up, _, epoch, _, _, _, fenced = controller
        if from_elr:
            return (up, leader, epoch + 1, 1 << leader, elr & ~(1 << leader), NOBODY, fenced)
        return (up, leader, epoch + 1, target, elr, NOBODY, fenced)

    # ------------------------------------------------------------------ what may happen next

    def steps(self, state: State) -> Iterator[tuple[Action, State]]:
        """Every possible action, with the state it leads to."""
        return chain(self.failures(state), self.work(state), self.healing(state))

    def work(self, state: State) -> Iterator[tuple[Action, State]]:
        """Actions of the producer and the log: produce, fetch, advance the high watermark."""
        controller, replicas, records, budget = state
        for r, replica in enumerate(replicas):
            flags, leader = replica[0], replica[1]
            if not flags & UP or leader == NOBODY:
                continue
            if leader == r:
                if UNSENT in records or self.scenario.retries:
                    yield from self.produce(state, r)
                advanced = self.advance(state, r)
                if advanced:
                    yield ("advance high watermark", r, NOBODY), advanced
            else:
                fetched = self.fetch(state, r)
                if fetched:
                    yield ("fetch", r, leader), fetched
        if self.scenario.acks == "0":
            for k, status in enumerate(records):
                if status == UNSENT:
                    yield ("lose unanswered record", k, NOBODY), (controller, replicas, put(records, k, ACKED), budget)
                    break

    def healing(self, state: State) -> Iterator[tuple[Action, State]]:
        """Actions without a budget: fencing, restarting, registering, learning, reconnecting, changing the ISR."""
        return chain(self.returning(state), self.settling(state))

    def returning(self, state: State) -> Iterator[tuple[Action, State]]:
        """The healing actions that restart or reconnect something."""
        controller, replicas, records, budget = state
        if not controller[0]:
            yield ("controller up", NOBODY, NOBODY), ((True, *controller[1:]), replicas, records, budget)
        for r, replica in enumerate(replicas):
            flags = replica[0]
            if not flags & UP:
                restarted = (flags | UP | UNREGISTERED, NOBODY, NOBODY, 0, *replica[4:])
                yield ("restart", r, NOBODY), (controller, put(replicas, r, restarted), records, budget)
            if flags & CUT:
                healed = (flags & ~CUT, *replica[1:])
                yield ("reconnect", r, NOBODY), (controller, put(replicas, r, healed), records, budget)

    def settling(self, state: State) -> Iterator[tuple[Action, State]]:
        """The healing actions that neither restart nor reconnect anything, with the controller up."""
        controller, replicas, records, budget = state
        if not controller[0]:
            return
        leader, fenced = controller[1], controller[6]
        for r, replica in enumerate(replicas):
            flags, bit = replica[0], 1 << r
            away = not flags & UP or flags & (CUT | UNREGISTERED)
            if away and not fenced & bit:
                for after in self.fence(controller, r):
                    yield ("fence", r, NOBODY), (after, replicas, records, budget)
            if flags & UP and not flags & CUT:
                if fenced & bit:
                    yield from self.register(state, r)
                elif flags & UNREGISTERED and self.scenario.bounce:
                    back = (flags & ~(UNREGISTERED | UNCLEAN), *replica[1:])
                    yield ("register unnoticed", r, NOBODY), (controller, put(replicas, r, back), records, budget)
                learned = self.learn(state, r)
                if learned:
                    yield ("learn", r, leader), learned
        if leader != NOBODY and self.is_true_leader(state, leader) and not replicas[leader][0] & CUT:
            yield from self.isr_changes(state, leader)

    # ------------------------------------------------------------------ logs

    def produce(self, state: State, r: int) -> Iterator[tuple[Action, State]]:
        """Append a record at a replica that believes it leads (clients reach it even when it is cut off)."""
        controller, replicas, records, budget = state
        flags, leader, epoch, isr, log, hw, leso, flushed = replicas[r]
        scenario = self.scenario
        if scenario.acks == "all" and isr.bit_count() < scenario.min_isr:
            return
        for k, status in enumerate(records):
            again = scenario.retries and status == FAILED
            if status != UNSENT and not again:
                continue
            if again and scenario.idempotent and any(entry & 7 == k for entry in log):
                continue
            after = (*log, epoch << 3 | k)
            grown = (flags, leader, epoch, isr, after, hw, leso, len(after) if scenario.flush else flushed)
            status_after = PENDING + r if scenario.acks == "all" else ACKED
            yield ("produce", r, k), (controller, put(replicas, r, grown), put(records, k, status_after), budget)
            if status == UNSENT:
                return

    def fetch(self, state: State, f: int) -> State | None:
        """A follower fetches once: it truncates a diverging log or appends a record, and takes the leader's HW."""
        controller, replicas, records, budget = state
        flags, leader, epoch, isr, log, hw, leso, flushed = replicas[f]
        source = replicas[leader]
        if flags & CUT or source[0] & (UP | CUT) != UP or source[1] != leader:
            return None
        if self.scenario.epoch_fenced and source[2] != epoch:
            return None
        theirs, size = source[4], len(log)
        if log != theirs[:size]:
            common = 0
            while common < len(theirs) and common < size and log[common] == theirs[common]:
                common += 1
            log = log[:common]
        elif size < len(theirs):
            log = theirs[: size + 1]
        elif not self.follower_hw or hw == min(source[5], size):
            return None
        size = len(log)
        flushed = size if self.scenario.flush else min(flushed, size)
        after = (flags, leader, epoch, isr, log, min(source[5], size) if self.follower_hw else 0, leso, flushed)
        return None if after == replicas[f] else (controller, put(replicas, f, after), records, budget)

    def advance(self, state: State, r: int) -> State | None:
        """A replica that believes it leads moves its HW by one: every member of its ISR has the record.

        Source: Partition.maybeIncrementLeaderHW; since 3.7 not below min.insync.replicas (KAFKA-15583).
        """
        controller, replicas, records, budget = state
        flags, leader, epoch, isr, log, hw, leso, flushed = replicas[r]
        if hw >= len(log) or (self.scenario.strict and isr.bit_count() < self.scenario.min_isr):
            return None
        for f in members(isr & ~(1 << r)):
            other = replicas[f]
            if other[2] != epoch or len(other[4]) <= hw or other[4][hw] != log[hw]:
                return None
        statuses = records
        for k, status in enumerate(records):
            if status == PENDING + r and log[hw] & 7 == k:
                statuses = put(statuses, k, ACKED if isr.bit_count() >= self.scenario.min_isr else FAILED)
        return controller, put(replicas, r, (flags, leader, epoch, isr, log, hw + 1, leso, flushed)), statuses, budget

    # ------------------------------------------------------------------ membership

    def fence(self, controller: Controller, r: int) -> list[Controller]:
        """The controller fences a broker whose session has expired."""
        up, leader, epoch, isr, elr, last, fenced = controller
        fenced |= 1 << r
        without = (up, leader, epoch, isr, elr, last, fenced)
        return self.change(without, isr & ~(1 << r), self.everyone & ~fenced)

    def register(self, state: State, r: int) -> Iterator[tuple[Action, State]]:
        """A fenced broker registers again (if it was restarted) and is unfenced.

        Source: ClusterControlManager.registerBroker, ReplicationControlManager.handleBrokerUnfenced.
        """
        controller, replicas, records, budget = state
        flags, bit = replicas[r][0], 1 << r
        fenced = controller[6]
        outcomes = [controller]
        if flags & UNREGISTERED:
            lossy = bit if self.scenario.elr and flags & UNCLEAN else 0
            outcomes = self.change(controller, controller[3] & ~bit, self.everyone & ~fenced & ~bit, lossy)
        back = (flags & ~(UNREGISTERED | UNCLEAN), *replicas[r][1:])
        for outcome in outcomes:
            unfenced = (*outcome[:6], outcome[6] & ~bit)
            if unfenced[1] == NOBODY:
                finals = self.change(unfenced, unfenced[3], self.everyone & ~unfenced[6])
            else:
                finals = [unfenced]
            for final in finals:
                yield ("register", r, NOBODY), (final, put(replicas, r, back), records, budget)

    def learn(self, state: State, r: int) -> State | None:
        """A replica learns the partition's newest leader and ISR."""
        controller, replicas, records, budget = state
        _, leader, epoch, isr, _, _, _ = controller
        flags, view, view_epoch, view_isr, log, hw, leso, flushed = replicas[r]
        if flags & UNREGISTERED:
            return None
        wanted = isr if leader == r else 0
        if (view, view_epoch, view_isr) == (leader, epoch, wanted):
            return None
        statuses = records
        if leader == r:
            leso = leso if view == r and view_epoch == epoch else len(log)
        else:
            statuses = fail_pending(records, r) if view == r else records
            if self.scenario.truncation == HIGH_WATERMARK and view_epoch != epoch and leader != NOBODY:
                log = log[:hw]
                flushed = min(flushed, len(log))
            leso = 0
            hw = hw if self.follower_hw else 0
        after = (flags, leader, epoch, wanted, log, hw, leso, flushed)
        return controller, put(replicas, r, after), statuses, budget

    def is_true_leader(self, state: State, r: int) -> bool:
        """Whether the controller's leader is up and knows that it leads."""
        controller, replicas = state[0], state[1]
        replica = replicas[r]
        return bool(replica[0] & UP) and controller[1] == r == replica[1] and controller[2] == replica[2]

    def isr_changes(self, state: State, r: int) -> Iterator[tuple[Action, State]]:
        """The leader's ISR changes: lagging followers leave, caught-up followers join."""
        controller, replicas, records, budget = state
        isr, fenced = controller[3], controller[6]
        log, hw, leso = replicas[r][4], replicas[r][5], replicas[r][6]
        for f in range(self.scenario.replicas):
            if f == r:
                continue
            bit, other = 1 << f, replicas[f]
            if isr & bit:
                for after in self.shrink(state, r, bit):
                    yield ("shrink ISR", r, f), after
            elif not other[0] & (CUT | UNREGISTERED) and other[0] & UP and not fenced & bit:
                caught_up = len(other[4]) >= hw and ("leso" in self.scenario.without or len(other[4]) >= leso)
                if other[2] == controller[2] and caught_up and self.agrees(other[4], log):
                    yield ("expand ISR", r, f), self.expand(state, r, isr | bit)
        for leaving in self.together(isr & ~(1 << r), isr.bit_count()):
            for after in self.shrink(state, r, leaving):
                yield (SEVERAL, r, leaving), after

    def together(self, followers: int, size: int) -> Iterator[int]:
        """The followers that may leave an ISR of that size in one request, where this differs from one by one.

        It does where the ISR falls below min.insync.replicas at once: all who leave are in the ELR then, which the
        first to leave alone would not be. Elsewhere the same states are reached one by one.
        Source: Partition.maybeShrinkIsr, PartitionChangeBuilder.maybePopulateTargetElr.
        """
        if self.scenario.elr and size > self.scenario.min_isr:
            for leaving in range(3, followers + 1):
                count = leaving.bit_count()
                if not leaving & ~followers and count > 1 and size - count < self.scenario.min_isr:
                    yield leaving

    def agrees(self, log: Log, leaders: Log) -> bool:
        """Whether a follower has truncated everything that the leader does not have."""
        return log == leaders[: len(log)]

    def shrink(self, state: State, r: int, leaving: int) -> Iterator[State]:
        """Followers leave the ISR after replica.lag.time.max.ms; each that is healthy costs a `lag`."""
        controller, replicas, records, budget = state
        followers = [replicas[f] for f in members(leaving)]
        if any(len(follower[4]) == len(replicas[r][4]) for follower in followers):
            return
        healthy = sum(follower[0] & (UP | CUT | UNREGISTERED) == UP for follower in followers)
        if healthy > budget[LAG]:
            return
        spent = put(budget, LAG, budget[LAG] - healthy) if healthy else budget
        for after in self.change(controller, controller[3] & ~leaving, self.everyone & ~controller[6]):
            leader = (*replicas[r][:3], after[3], *replicas[r][4:])
            yield after, put(replicas, r, leader), records, spent

    def expand(self, state: State, r: int, isr: int) -> State:
        """The ISR with one more member, which the leader counts from its request on (maximal ISR)."""
        controller, replicas, records, budget = state
        up, leader, epoch, _, elr, last, fenced = controller
        elr = 0 if not self.scenario.elr or isr.bit_count() >= self.scenario.min_isr else elr & ~isr
        leaders_isr = replicas[r][3] if "maximal-isr" in self.scenario.without else isr
        asking = (*replicas[r][:3], leaders_isr, *replicas[r][4:])
        return (up, leader, epoch, isr, elr, last, fenced), put(replicas, r, asking), records, budget

    # ------------------------------------------------------------------ failures

    def failures(self, state: State) -> Iterator[tuple[Action, State]]:
        """Every failure event that the budget still allows."""
        controller, replicas, records, budget = state
        if not any(budget):
            return
        for r, replica in enumerate(replicas):
            if replica[0] & UP:
                yield from self.crashes(state, r)
        if budget[CONTROLLER_DOWN] and controller[0]:
            spent = put(budget, CONTROLLER_DOWN, budget[CONTROLLER_DOWN] - 1)
            yield ("controller-down", NOBODY, NOBODY), ((False, *controller[1:]), replicas, records, spent)
        if budget[POWER_ALL]:
            spent = put(budget, POWER_ALL, budget[POWER_ALL] - 1)
            for domain in sorted(set(self.scenario.domains)):
                yield from self.power_all(controller, replicas, records, spent, domain)

    def crashes(self, state: State, r: int) -> Iterator[tuple[Action, State]]:
        """The failures that may hit one replica that is up."""
        controller, replicas, records, budget = state
        replica = replicas[r]
        dead = fail_pending(records, r)
        if not self.follower_hw:
            replica = (*replica[:5], 0, 0, replica[7])
        if budget[KILL]:
            down = (replica[0] & ~(UP | UNREGISTERED) | UNCLEAN, *replica[1:])
            yield (EVENTS[KILL], r, NOBODY), (controller, put(replicas, r, down), dead, less(budget, KILL))
        if budget[POWER]:
            for down in self.without_power(replica):
                yield (EVENTS[POWER], r, len(down[4])), (controller, put(replicas, r, down), dead, less(budget, POWER))
        if budget[DISK]:
            down = (replica[0] & ~(UP | UNREGISTERED) | UNCLEAN, *replica[1:4], (), 0, 0, 0)
            yield (EVENTS[DISK], r, NOBODY), (controller, put(replicas, r, down), dead, less(budget, DISK))
        if budget[ISOLATE] and not replica[0] & CUT:
            cut = (replica[0] | CUT, *replicas[r][1:])
            yield (EVENTS[ISOLATE], r, NOBODY), (controller, put(replicas, r, cut), records, less(budget, ISOLATE))
        if budget[SHUTDOWN] and controller[0] and not replica[0] & (CUT | UNREGISTERED):
            yield from self.shutdown(state, r)

    def without_power(self, replica: Replica) -> Iterator[Replica]:
        """A replica after a power loss: any unflushed part of its log may be gone."""
        flags, view, epoch, isr, log, hw, leso, flushed = replica
        down = flags & ~(UP | UNREGISTERED) | UNCLEAN
        for length in range(flushed, len(log) + 1 if self.partial_power_loss else flushed + 1):
            yield (down, view, epoch, isr, log[:length], min(hw, length), leso, min(flushed, length))

    def power_all(
        self,
        controller: Controller,
        replicas: tuple[Replica, ...],
        records: tuple[int, ...],
        spent: tuple[int, ...],
        domain: int,
    ) -> Iterator[tuple[Action, State]]:
        """A failure domain loses power: all its replicas at once."""
        outcomes = [replicas]
        for r, replica in enumerate(replicas):
            if self.scenario.domains[r] == domain and replica[0] & UP:
                outcomes = [put(before, r, down) for before in outcomes for down in self.without_power(replica)]
                records = fail_pending(records, r)
        for after in outcomes:
            yield (EVENTS[POWER_ALL], NOBODY, domain), (controller, after, records, spent)

    def shutdown(self, state: State, r: int) -> Iterator[tuple[Action, State]]:
        """A controlled shutdown: leadership moves first, everything is flushed, the broker leaves cleanly."""
        controller, replicas, records, budget = state
        bit = 1 << r
        if controller[6] & bit:
            return
        up, leader, epoch, isr, elr, last, fenced = controller
        leaving = (up, leader, epoch, isr, elr, last, fenced | bit)
        flags, view, view_epoch, view_isr, log, hw, leso, _ = replicas[r]
        down = (flags & ~(UP | UNCLEAN), view, view_epoch, view_isr, log, hw, leso, len(log))
        for after in self.change(leaving, isr & ~bit, self.everyone & ~leaving[6]):
            gone = fail_pending(records, r), less(budget, SHUTDOWN)
            yield (EVENTS[SHUTDOWN], r, NOBODY), (after, put(replicas, r, down), *gone)


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The tuple with one item replaced."""
    return (*items[:index], item, *items[index + 1 :])


def less(budget: tuple[int, ...], event: int) -> tuple[int, ...]:
    """The budget with one event spent."""
    return put(budget, event, budget[event] - 1)


def fail_pending(records: tuple[int, ...], r: int) -> tuple[int, ...]:
    """The records' statuses after a replica's pending acknowledgements have failed."""
    if PENDING + r not in records:
        return records
    return tuple(FAILED if status == PENDING + r else status for status in records)
