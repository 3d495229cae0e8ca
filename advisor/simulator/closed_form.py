"""Whether a running partition survives the next failure, told from its picture; the search proves what does not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from advisor.model.claim import CONSUME, LOSS, PRODUCE, READABLE, STRICT

if TYPE_CHECKING:
    from collections.abc import Callable

    from advisor.model.claim import Claim, Picture

KILL, DISK, POWER_ALL = "kill", "disk-loss", "power-loss-all"


class Now:
    """A picture as sets of replicas, and at most one failure: of a replica, or of a failure domain's power.

    `eligible` are the members of the ELR, or what is shown as such although ELR is off: they have what is acknowledged.
    """

    __slots__ = ("alive", "claim", "eligible", "isr", "leader", "together")

    def __init__(self, claim: Claim, picture: Picture) -> None:
        self.claim = claim
        self.leader = next((r for r, row in enumerate(picture) if row[0]), None)
        self.isr = {r for r, row in enumerate(picture) if row[1]}
        self.eligible = {r for r, row in enumerate(picture) if row[2] and not row[1]}
        self.alive = {r for r, row in enumerate(picture) if row[3]}
        whole = claim.events == (POWER_ALL,)
        self.together = [row[4] if whole else r for r, row in enumerate(picture)]

    @property
    def led(self) -> bool:
        """Whether a replica that is up leads."""
        return self.leader in self.alive

    @property
    def outsider(self) -> bool:
        """Whether a replica leads that is not in the ISR."""
        return self.leader is not None and self.leader not in self.isr

    @property
    def candidates(self) -> set[int]:
        """Who may lead: the live ISR, with unclean election all that are alive."""
        return self.alive if self.claim.unclean else self.alive & self.isr

    def left(self, replicas: set[int]) -> int:
        """How many of some replicas the worst failure leaves."""
        if not self.claim.events:
            return len(replicas)
        return len(replicas) - max(Counter(self.together[r] for r in replicas).values(), default=0)


def foreseen(claim: Claim) -> bool | None:
    """Whether a claim about the present comes true; None where only the search can tell.

    That is: for other questions, and for pictures that Kafka shows for a moment at most.
    """
    told = FORESEEN.get((claim.property, claim.events))
    return told(Now(claim, claim.now)) if told and claim.now is not None else None


def nobody_reads(now: Now) -> bool:
    """Nobody leads now, or one failure takes everybody who may lead.

    Without a leader, or with one that is down, nothing changes until a broker returns. A live member of the ELR is out
    of sync: nobody can count on it, it may be cut off.
    """
    return not now.led or not now.left(now.candidates)


def nobody_writes(now: Now) -> bool | None:
    """One failure leaves fewer than min.insync.replicas, which is what acks=all asks for."""
    return too_few(now, now.claim.min_isr)


def newest_unread(now: Now) -> bool | None:
    """The high watermark rests: since 3.7 below min.insync.replicas, before that only without a leader."""
    return too_few(now, now.claim.min_isr if now.claim.version == STRICT else 1)


def too_few(now: Now, needed: int) -> bool | None:
    """One failure leaves fewer in sync than needed, or the ISR waits for a member that is down already.

    Such a member has all that the leader has: it is not taken out for lagging, and what is new waits for it. With
    unclean election all that are alive may lead, and so catch up and join. How it ends where one that was not in sync
    leads already, and the others cut their logs to its, only the search can tell.
    """
    if not now.led:
        return True
    if now.outsider and now.claim.unclean:
        return None
    return not now.isr <= now.alive or now.left(now.candidates) < needed


def record_lost(now: Now) -> bool | None:
    """One failure takes every live copy of an acknowledged record, and somebody leads without it.

    The ISR and the ELR have the record. A member that is down is no copy to count on: it leaves the ISR when it
    registers again and, killed as it was, the ELR too. Two live members of the ISR that no failure takes together are
    enough, for nobody else leads while one of them lives. Else it takes a live member of the ELR, if the ELR lasts.
    The search tells what only lasts for a moment under ELR: there is no leader and somebody is to be elected, or the
    ISR has a member that is down, which still counts for its size and keeps the ELR from being elected.
    """
    if now.outsider or out_of_step(now):
        lacks_it = now.led and now.leader not in now.isr | now.eligible
        return True if lacks_it else None
    in_sync = now.alive & now.isr
    holders = in_sync | (now.alive & now.eligible if now.claim.elr else set())
    if now.left(in_sync):
        return False
    if now.claim.elr and now.leader is None and holders:
        return None
    if not now.left(holders):
        return leads_again(now)
    return fills(now) if now.isr <= now.alive else None


def out_of_step(now: Now) -> bool:
    """Whether there is an ELR beside an ISR that is large enough, or where no ELR is and elections are unclean."""
    beside = len(now.isr) >= now.claim.min_isr if now.claim.elr else now.claim.unclean
    return bool(now.eligible) and beside


def fills(now: Now) -> bool:
    """Whether the ISR may grow to min.insync.replicas with replicas that fail together: that empties the ELR."""
    size = Counter(now.together)
    return any(size[now.together[r]] >= now.claim.min_isr for r in now.isr)


def leads_again(now: Now) -> bool:
    """Whether somebody leads after every copy is lost.

    With unclean election anybody; without, the last member of the ISR or, under ELR, the last known leader.
    """
    if now.claim.unclean:
        return True
    return now.leader is not None if now.claim.elr else bool(now.isr)


FORESEEN: dict[tuple[str, tuple[str, ...]], Callable[[Now], bool | None]] = {
    (LOSS, (DISK,)): record_lost,
    (LOSS, (POWER_ALL,)): record_lost,
    (PRODUCE, ()): nobody_writes,
    (PRODUCE, (KILL,)): nobody_writes,
    (PRODUCE, (POWER_ALL,)): nobody_writes,
    (CONSUME, ()): nobody_reads,
    (CONSUME, (KILL,)): nobody_reads,
    (CONSUME, (POWER_ALL,)): nobody_reads,
    (READABLE, (KILL,)): newest_unread,
}
"""Who tells whether the property is violated after the events."""
