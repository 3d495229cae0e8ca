"""The replicas of a running partition before and after a failure, as sets of their indexes."""

from __future__ import annotations

from typing import NamedTuple


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


class ReplicaSets:
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
