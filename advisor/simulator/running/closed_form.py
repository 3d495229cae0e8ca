"""Closed forms: whether a running partition survives the next failure, without a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from advisor.model.claim import CONSUME, LOSS, PRODUCE, READABLE, STRICT, Claim, ReplicaStates

KILL, DISK, POWER_ALL = "kill", "disk-loss", "power-loss-all"


class PresentState:
    """The present replicas as sets, and at most one failure: of a replica, or of a failure domain's power.

    `eligible` are the members of the ELR, or what is shown as such although ELR is off: they have what is acknowledged.
    """

    __slots__ = ("alive", "claim", "eligible", "isr", "leader", "together")

    def __init__(self, claim: Claim, replicas: ReplicaStates) -> None:
        self.claim = claim
        self.leader = next((r for r, row in enumerate(replicas) if row[0]), None)
        self.isr = {r for r, row in enumerate(replicas) if row[1]}
        self.eligible = {r for r, row in enumerate(replicas) if row[2] and not row[1]}
        self.alive = {r for r, row in enumerate(replicas) if row[3]}
        all_at_once = claim.events == (POWER_ALL,)
        self.together = [row[4] if all_at_once else r for r, row in enumerate(replicas)]

    @property
    def has_leader(self) -> bool:
        """Whether a replica that is up leads."""
        return self.leader in self.alive

    @property
    def led_from_outside_isr(self) -> bool:
        """Whether the leader is not in the ISR."""
        return self.leader is not None and self.leader not in self.isr

    @property
    def candidates(self) -> set[int]:
        """The replicas that may lead: the live ISR; with unclean election all live ones."""
        return self.alive if self.claim.unclean else self.alive & self.isr

    def survivors(self, replicas: set[int]) -> int:
        """How many of these replicas survive the worst single failure."""
        if not self.claim.events:
            return len(replicas)
        return len(replicas) - max(Counter(self.together[r] for r in replicas).values(), default=0)


def answer_in_closed_form(claim: Claim) -> bool | None:
    """Whether a claim about the present holds; None where only a search can tell.

    That is: for other questions, and for states that Kafka shows for a moment at most.
    """
    closed_form = CLOSED_FORMS.get((claim.property, claim.events))
    return closed_form(PresentState(claim, claim.now)) if closed_form and claim.now is not None else None


def nobody_reads(now: PresentState) -> bool:
    """Whether there is no leader, or one failure takes every candidate.

    Without a leader, or with one that is down, nothing changes until a broker returns. A live member of the ELR is out
    of sync: it cannot be relied on, it may be cut off.
    """
    return not now.has_leader or not now.survivors(now.candidates)


def nobody_writes(now: PresentState) -> bool | None:
    """Whether one failure leaves fewer replicas than min.insync.replicas, so that acks=all writes fail."""
    return too_few(now, now.claim.min_isr)


def newest_unread(now: PresentState) -> bool | None:
    """Whether the high watermark stops: since 3.7 below min.insync.replicas, before only without a leader."""
    return too_few(now, now.claim.min_isr if now.claim.version == STRICT else 1)


def too_few(now: PresentState, needed: int) -> bool | None:
    """One failure leaves fewer in sync than needed, or the ISR waits for a member that is down already.

    Such a member has all that the leader has: it is not taken out for lagging, and what is new waits for it. With
    unclean election all that are alive may lead, and so catch up and join. How it ends where one that was not in sync
    leads already, and the others cut their logs to its, only the search can tell.
    """
    if not now.has_leader:
        return True
    if now.led_from_outside_isr and now.claim.unclean:
        return None
    return not now.isr <= now.alive or now.survivors(now.candidates) < needed


def record_lost(now: PresentState) -> bool | None:
    """Whether one failure takes every live replica of an acknowledged record while another one can lead.

    The ISR and the ELR have the record. A member that is down is not a replica to count on: it leaves the ISR when it
    registers again and, killed as it was, the ELR too. Two live members of the ISR that no failure takes together are
    enough, for no other replica leads while one of them lives. Else it takes a live member of the ELR, if the ELR lasts.
    The search tells what only lasts for a moment under ELR: there is no leader and a leader is to be elected, or the
    ISR has a member that is down, which still counts for its size and keeps the ELR from being elected.
    """
    if now.led_from_outside_isr or out_of_step(now):
        lacks_it = now.has_leader and now.leader not in now.isr | now.eligible
        return True if lacks_it else None
    in_sync = now.alive & now.isr
    holders = in_sync | (now.alive & now.eligible if now.claim.elr else set())
    if now.survivors(in_sync):
        return False
    if now.claim.elr and now.leader is None and holders:
        return None
    if not now.survivors(holders):
        return leads_again(now)
    return fills(now) if now.isr <= now.alive else None


def out_of_step(now: PresentState) -> bool:
    """Whether the ELR is inconsistent: beside a large enough ISR, or with unclean elections and no ELR."""
    beside = len(now.isr) >= now.claim.min_isr if now.claim.elr else now.claim.unclean
    return bool(now.eligible) and beside


def fills(now: PresentState) -> bool:
    """Whether the ISR may reach min.insync.replicas with replicas that fail together, which empties the ELR."""
    size = Counter(now.together)
    return any(size[now.together[r]] >= now.claim.min_isr for r in now.isr)


def leads_again(now: PresentState) -> bool:
    """Whether a replica leads again after every replica of the record is lost.

    With unclean election anybody; without, the last member of the ISR or, under ELR, the last known leader.
    """
    if now.claim.unclean:
        return True
    return now.leader is not None if now.claim.elr else bool(now.isr)


CLOSED_FORMS: dict[tuple[str, tuple[str, ...]], Callable[[PresentState], bool | None]] = {
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
