"""What becomes of a running partition when chosen replicas fail together, in closed form.

Assumed order of events: the replicas fail at one moment; the controller fences their brokers, takes them out of the ISR
and elects; everybody else stays up. A live replica out of the ISR may catch up or not: what takes it is only possible.
Source: PartitionChangeBuilder, ReplicationControlManager, Election (ZooKeeper), Partition; KIP-966.
"""

from __future__ import annotations

from typing import NamedTuple

from advisor.simulator.running.replica_sets import Replica, ReplicaSets, Rules

KILL, POWER, DISK = "kill", "power-loss", "disk-loss"
HOW = (KILL, POWER, DISK)
YES, NO, POSSIBLE = "yes", "no", "possible"
NONE, MAYBE, CERTAIN = "none", "possible", "certain"
"""Whether acknowledged records are lost."""
KEPT, IN_SYNC, ELIGIBLE, UNCLEAN, NOBODY, OPEN = "kept", "in sync", "eligible", "unclean", "nobody", "open"
"""How the next leader comes to lead: it stays, or is elected from the ISR, from the ELR, or from what is alive; open
where several things may happen."""


class Failover(NamedTuple):
    """What holds after the failure, and whether records that were acknowledged are lost, by the producer's acks.

    `leader` is an index of the replicas, -1 for none; `newest` says whether consumers read what is written from then
    on; `returns` are the replicas that are down where that stops something: without a leader those of which one leads again;
    with one, those of which some must be in sync again for acks=all writes. `needed` says how many of them that takes at the
    least, and how many are certainly enough.
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
    needed: tuple[int, int]


def fail(replicas: tuple[Replica, ...], rules: Rules, how: str) -> Failover | None:
    """What holds after the failure; None where only a search can tell."""
    sets = ReplicaSets(replicas, rules, how)
    if sets.is_momentary:
        return None
    if not rules.controlled:
        return without_controller(sets)
    if sets.leader in sets.alive:
        return led(sets, sets.leader, sets.isr & sets.alive, KEPT)
    return elect(sets)


def elect(sets: ReplicaSets) -> Failover:
    """The controller elects: from the ISR, else from the ELR, else anybody where that is allowed."""
    alive, rules = sets.alive, sets.rules
    in_sync = sets.isr & alive
    if in_sync:
        return led(sets, min(in_sync), in_sync, IN_SYNC)
    eligible = sets.eligible & alive if rules.elr else set()
    if eligible:
        return led(sets, min(eligible), {min(eligible)}, ELIGIBLE)
    if rules.unclean and alive:
        return led(sets, min(alive), {min(alive)}, UNCLEAN)
    return leaderless(sets)


def led(sets: ReplicaSets, leader: int, isr: set[int], election: str) -> Failover:
    """There is a leader, and an ISR which live replicas may join."""
    rules = sets.rules
    writable = at_least(rules.min_isr, len(isr), len(isr | sets.alive))
    lost_one = NONE if election == KEPT or sets.leader == -1 else MAYBE
    returns = () if writable == YES else tuple(sorted(sets.replicas - sets.alive))
    return Failover(
        leader,
        election,
        YES,
        writable,
        YES,
        writable if rules.strict else YES,
        MAYBE if election == UNCLEAN else NONE,
        lost_one,
        returns,
        (
            min(len(returns), max(0, rules.min_isr - len(isr | sets.alive))),
            min(len(returns), max(0, rules.min_isr - len(isr))),
        ),
    )


def at_least(needed: int, there: int, possible: int) -> str:
    """Whether there are as many in sync as needed, or may be once others have caught up."""
    return YES if there >= needed else POSSIBLE if possible >= needed else NO


def leaderless(sets: ReplicaSets) -> Failover:
    """Nobody leads until replicas of the ISR (and the ELR) are back, or with unclean election any replica.

    Where several fail together, the first to be fenced is followed for a moment by one that is down as well: only the last
    one leads again, and which that was nothing says. So one broker may be enough, and all of them are.
    """
    holders = sets.isr | (sets.eligible if sets.rules.elr else set()) or sets.last_leader
    followers = sets.isr | sets.eligible & sets.up if sets.leader != -1 else set()
    lost_all = lost_with(sets, followers or sets.isr or sets.last_leader)
    if sets.rules.unclean:
        followers = sets.replicas if sets.leader != -1 else followers
        lost_all = MAYBE if sets.replicas - holders - sets.last_leader else lost_with(sets, sets.replicas)
    lost_one = MAYBE if followers - {sets.leader} else lost_with(sets, {sets.leader})
    lost_one = lost_all if lost_one == NONE or lost_all == CERTAIN else lost_one
    returns = tuple(sorted(sets.replicas if sets.rules.unclean else holders))
    is_last_known = sets.rules.unclean or (sets.leader == -1 and not sets.rules.elr)
    needed = (min(1, len(returns)), min(1, len(returns)) if is_last_known else len(returns))
    return Failover(-1, NOBODY, NO, NO, NO, NO, lost_all, lost_one, returns, needed)


def lost_with(sets: ReplicaSets, holders: set[int]) -> str:
    """Whether what these replicas hold is lost when they are back: a kill leaves it in the page cache."""
    hit = holders & sets.fails
    if sets.how == KILL or not hit:
        return NONE
    if sets.how == POWER:
        return MAYBE if hit & sets.up else NONE
    return CERTAIN if sets.fails >= sets.replicas else MAYBE


def without_controller(sets: ReplicaSets) -> Failover:
    """Nobody is fenced or elected, and no ISR changes, until the metadata quorum has a majority again."""
    elected = led(sets, sets.leader, sets.isr, KEPT) if sets.leader in sets.alive else elect(sets)
    if sets.leader not in sets.alive:
        return elected._replace(leader=-1, election=NOBODY, readable=NO, writable_all=NO, writable_one=NO, newest=NO)
    if sets.isr <= sets.alive:
        writable = at_least(sets.rules.min_isr, len(sets.isr), len(sets.isr))
        return elected._replace(writable_all=writable, newest=writable if sets.rules.strict else YES)
    return elected._replace(writable_all=NO, newest=NO)
