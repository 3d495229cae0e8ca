"""Whether a running partition survives the next failure, told from its picture; the search proves what does not."""

from __future__ import annotations

from collections import Counter

from advisor.simulator.claims import CONSUME, LOSS, PRODUCE, READABLE, STRICT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from advisor.simulator.claims import Claim

LEADS, IN_SYNC, ELIGIBLE, ALIVE, DOMAIN = range(5)


def foreseen(claim: Claim) -> bool | None:
    """Whether a claim about the present comes true; None where only the search can tell.

    That is: for other questions, and for pictures that Kafka shows for a moment at most and that heal either way.
    """
    told = FORESEEN.get((claim.property, claim.events)) if claim.now is not None else None
    return told(claim) if told else None


def nobody_reads(claim: Claim) -> bool:
    """Nobody leads now, or one failure takes everybody who may lead.

    A leader that the controller takes for one and that is down stays so; a leaderless partition waits for a broker.
    Who may lead: the live ISR. Its ELR is out of sync, so nobody can count on it. With unclean election: all alive.
    """
    return not led(claim) or not left(claim, candidates(claim))


def nobody_writes(claim: Claim) -> bool | None:
    """One failure leaves fewer than min.insync.replicas, which is what acks=all asks for."""
    return too_few(claim, claim.min_isr)


def nobody_reads_what_is_new(claim: Claim) -> bool | None:
    """The high watermark rests: since 3.7 below min.insync.replicas, before that without a leader only."""
    return too_few(claim, claim.min_isr if claim.version == STRICT else 1)


def too_few(claim: Claim, needed: int) -> bool | None:
    """One failure leaves fewer in sync than needed, or the ISR has a member that is down.

    That one has all that the leader has: it is not taken out for lagging, and what is new waits for it. Who is left:
    the live ISR; with unclean election all alive, as those that may lead may join. A leader from outside the ISR, with
    unclean election, cuts the others' logs first: the search tells how that ends.
    """
    if not led(claim):
        return True
    if claim.unclean and not rows(claim)[leader(claim)][IN_SYNC]:
        return None
    if any(row[IN_SYNC] and not row[ALIVE] for row in rows(claim)):
        return True
    return left(claim, candidates(claim)) < needed


def record_lost(claim: Claim) -> bool | None:
    """One failure takes all live copies of an acknowledged record, and somebody leads without it afterwards.

    The record is with the ISR and the ELR. A member that is down is no copy to count on: when it restarts, the ISR does
    without it; killed as it was, the ELR too. Two live members of the ISR that no failure takes together are enough.
    Else a live member of the ELR will do, unless its place is lost first (see `fills`).
    """
    if unlike_kafka(claim):
        return lacks_it(claim) or None
    isr = live(claim, IN_SYNC)
    holders = isr + (live(claim, ELIGIBLE) if claim.elr else [])
    if left(claim, isr):
        return False
    if claim.elr and holders and leader(claim) is None:
        return None
    if left(claim, holders) and not fills(claim, isr or holders):
        return False
    return returns_empty(claim)


def returns_empty(claim: Claim) -> bool:
    """Whether somebody leads again after every copy is lost.

    Without ELR the last member of the ISR always may; with it the last known leader, if there is one; with unclean
    election anybody.
    """
    if claim.unclean:
        return True
    return leader(claim) is not None if claim.elr else any(row[IN_SYNC] for row in rows(claim))


def fills(claim: Claim, homes: list[int]) -> bool:
    """Whether the ISR may grow to min.insync.replicas beside a member that the same failure takes: that ends the ELR."""
    together = Counter(struck(claim, r) for r in range(claim.rf))
    return any(together[struck(claim, r)] >= claim.min_isr for r in homes)


def unlike_kafka(claim: Claim) -> bool:
    """A leader outside the ISR, an ELR beside a full ISR, or one where there is none and elections are unclean."""
    leads = leader(claim)
    if leads is not None and not rows(claim)[leads][IN_SYNC]:
        return True
    if not any(row[ELIGIBLE] and not row[IN_SYNC] for row in rows(claim)):
        return False
    in_sync = sum(row[IN_SYNC] for row in rows(claim))
    return in_sync >= claim.min_isr if claim.elr else claim.unclean


def lacks_it(claim: Claim) -> bool:
    """Whether the leader lacks the record now: it is up, and was neither in the ISR nor in the ELR."""
    return any(row[LEADS] and row[ALIVE] and not row[IN_SYNC] and not row[ELIGIBLE] for row in rows(claim))
