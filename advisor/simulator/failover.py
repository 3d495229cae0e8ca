"""What becomes of a running partition when chosen replicas fail together, in closed form.

Assumed order of events: the replicas fail at one moment; the controller fences their brokers, takes them out of the ISR
and elects; everybody else stays up. A live replica out of the ISR may catch up or not: what takes it is only possible.
Source: PartitionChangeBuilder, ReplicationControlManager, Election (ZooKeeper), Partition; KIP-966.
"""

from __future__ import annotations

from typing import NamedTuple

KILL, POWER, DISK = "kill", "power-loss", "disk-loss"
HOW = (KILL, POWER, DISK)
YES, NO, POSSIBLE = "yes", "no", "possible"
NONE, MAYBE, CERTAIN = "none", "possible", "certain"
"""Whether acknowledged records are lost."""
KEPT, IN_SYNC, ELIGIBLE, UNCLEAN, NOBODY, OPEN = "kept", "in sync", "eligible", "unclean", "nobody", "open"
"""How the next leader comes to lead: it stays, or is elected from the ISR, from the ELR, or from what is alive; open
where several things may happen."""


class Replica(NamedTuple):
    """A replica as it is now, in assignment order; `fails` where the failure takes its broker or disk.

    `led_last` marks the last known leader of a partition that has none (KIP-966).
    """

    leads: bool
    in_sync: bool
    eligible: bool
    alive: bool
    fails: bool
    led_last: bool = False


class Rules(NamedTuple):
    """What the partition's settings and the cluster's release say of it.

    `min_isr` is the effective one, `controlled` whether the metadata quorum has a majority after the failure, `strict`
    that nothing is readable below min.insync.replicas (3.7 or newer).
    """

    min_isr: int
    unclean: bool
    elr: bool
    strict: bool
    controlled: bool = True


class Failover(NamedTuple):
    """What holds after the failure, and whether records that were acknowledged are lost, by the producer's acks.

    `leader` is an index of the replicas, -1 for nobody; `newest` says whether consumers read what is written from then
    on; `returns` are the replicas that are down where that stops something: without a leader those of which one leads again,
    at the latest once all are back; with one, those of which some must be in sync again for acks=all writes.
    """

    leader: int
    election: str
    readable: str
    writable_all: str
    writable_one: str
    newest: str
    lost_all: str
    lost_one: str
    returns: tuple[int, ...]


class Picture:
    """The replicas before and after a failure, as sets of indexes in assignment order."""

    __slots__ = ("alive", "eligible", "fails", "how", "isr", "last_leader", "leader", "replicas", "rules", "up")

    def __init__(self, replicas: tuple[Replica, ...], rules: Rules, how: str) -> None:
        self.rules = rules
        self.how = how
        self.replicas = set(range(len(replicas)))
        self.leader = next((r for r, replica in enumerate(replicas) if replica.leads), -1)
        self.last_leader = {r for r, replica in enumerate(replicas) if replica.leads or replica.led_last}
        self.isr = {r for r, replica in enumerate(replicas) if replica.in_sync}
        self.eligible = {r for r, replica in enumerate(replicas) if replica.eligible and not replica.in_sync}
        self.up = {r for r, replica in enumerate(replicas) if replica.alive}
        self.fails = {r for r, replica in enumerate(replicas) if replica.fails}
        self.alive = self.up - self.fails

    @property
    def is_momentary(self) -> bool:
        """Whether Kafka shows such a state for a moment at most: what follows then only a search can tell."""
        if self.leader == -1:
            is_last_unknown = self.rules.elr and not self.last_leader
            unsettled = bool(self.candidates) or bool(self.isr) == self.rules.elr or is_last_unknown
        else:
            unsettled = self.leader not in self.isr
        beside = len(self.isr) >= self.rules.min_isr or not self.rules.elr
        return unsettled or (bool(self.eligible) and beside)

    @property
    def candidates(self) -> set[int]:
        """Who of the replicas that are up may be elected now."""
        electable = self.isr & self.up or (self.eligible & self.up if self.rules.elr else set())
        if self.rules.elr and not self.isr | self.eligible:
            electable = self.last_leader & self.up
        return electable or (self.up if self.rules.unclean else set())


def fail(replicas: tuple[Replica, ...], rules: Rules, how: str) -> Failover | None:
    """What holds after the failure; None where only a search can tell."""
    picture = Picture(replicas, rules, how)
    if picture.is_momentary:
        return None
    if not rules.controlled:
        return without_controller(picture)
    if picture.leader in picture.alive:
        return led(picture, picture.leader, picture.isr & picture.alive, KEPT)
    return elect(picture)


def elect(picture: Picture) -> Failover:
    """The controller elects: from the ISR, else from the ELR, else anybody where that is allowed."""
    alive, rules = picture.alive, picture.rules
    in_sync = picture.isr & alive
    if in_sync:
        return led(picture, min(in_sync), in_sync, IN_SYNC)
    eligible = picture.eligible & alive if rules.elr else set()
    if eligible:
        return led(picture, min(eligible), {min(eligible)}, ELIGIBLE)
    if rules.unclean and alive:
        return led(picture, min(alive), {min(alive)}, UNCLEAN)
    return leaderless(picture)


def led(picture: Picture, leader: int, isr: set[int], election: str) -> Failover:
    """There is a leader, and an ISR which live replicas may join."""
    rules = picture.rules
    writable = at_least(rules.min_isr, len(isr), len(isr | picture.alive))
    lost_one = NONE if election == KEPT or picture.leader == -1 else MAYBE
    return Failover(
        leader,
        election,
        YES,
        writable,
        YES,
        writable if rules.strict else YES,
        MAYBE if election == UNCLEAN else NONE,
        lost_one,
        () if writable == YES else tuple(sorted(picture.replicas - picture.alive)),
    )


def at_least(needed: int, there: int, possible: int) -> str:
    """Whether there are as many in sync as needed, or may be once others have caught up."""
    return YES if there >= needed else POSSIBLE if possible >= needed else NO


def leaderless(picture: Picture) -> Failover:
    """Nobody leads until replicas of the ISR (and the ELR) are back, or with unclean election any replica.

    Where several fail together, the first to be fenced is followed for a moment by one that is down as well.
    """
    holders = picture.isr | (picture.eligible if picture.rules.elr else set()) or picture.last_leader
    followers = picture.isr | picture.eligible & picture.up if picture.leader != -1 else set()
    lost_all = lost_with(picture, followers or picture.isr or picture.last_leader)
    if picture.rules.unclean:
        followers = picture.replicas if picture.leader != -1 else followers
        lost_all = MAYBE if picture.replicas - holders - picture.last_leader else lost_with(picture, picture.replicas)
    lost_one = MAYBE if followers - {picture.leader} else lost_with(picture, {picture.leader})
    lost_one = lost_all if lost_one == NONE or lost_all == CERTAIN else lost_one
    return Failover(-1, NOBODY, NO, NO, NO, NO, lost_all, lost_one, tuple(sorted(holders)))


def lost_with(picture: Picture, holders: set[int]) -> str:
    """Whether what these replicas hold is lost when they are back: a kill leaves it in the page cache."""
    hit = holders & picture.fails
    if picture.how == KILL or not hit:
        return NONE
    if picture.how == POWER:
        return MAYBE if hit & picture.up else NONE
    return CERTAIN if picture.fails >= picture.replicas else MAYBE


def without_controller(picture: Picture) -> Failover:
    """Nobody is fenced or elected, and no ISR changes, until the metadata quorum has a majority again."""
    elected = led(picture, picture.leader, picture.isr, KEPT) if picture.leader in picture.alive else elect(picture)
    if picture.leader not in picture.alive:
        return elected._replace(leader=-1, election=NOBODY, readable=NO, writable_all=NO, writable_one=NO, newest=NO)
    if picture.isr <= picture.alive:
        writable = at_least(picture.rules.min_isr, len(picture.isr), len(picture.isr))
        return elected._replace(writable_all=writable, newest=writable if picture.rules.strict else YES)
    return elected._replace(writable_all=NO, newest=NO)
