"""Claims of rules for the simulator: these failures violate that property of this configuration."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.model import Version

ReplicaStates = tuple[tuple[bool, bool, bool, bool, int], ...]
"""A running partition's replicas, each: leads, in the ISR, in the ELR, alive, failure domain."""
LOSS, PRODUCE, CONSUME, READABLE = (
    "no-acked-loss",
    "available-to-produce",
    "available-to-consume",
    "new-records-readable",
)
STRICT, LOOSE = (4, 1), (3, 6)
"""Releases that stand for all that behave alike: since 3.7 nothing is confirmed below min.insync.replicas."""
TOGETHER = "power-loss-all"
"""The one failure that takes all of a failure domain; for any other the domains make no difference."""
MOST_REPLICAS = 5
"""Of a running partition, whose present state only a search may decide."""


class Claim:
    """A property that a configuration violates after some failures, whichever replica they hit.

    `now` is the state of a running partition's replicas to begin with; without it all are in sync. `elr` counts only there.
    """

    __slots__ = ("acks", "elr", "events", "min_isr", "now", "property", "rf", "unclean", "version")

    def __init__(
        self,
        property: str,
        events: tuple[str, ...],
        *,
        rf: int,
        min_isr: int = 1,
        acks: str = "all",
        unclean: bool = False,
        version: Version = STRICT,
        now: ReplicaStates | None = None,
        elr: bool = False,
    ) -> None:
        self.now = now if now is None or TOGETHER in events else tuple((*row[:-1], 0) for row in now)
        self.elr = elr
        self.property = property
        self.events = events
        self.rf = rf
        self.acks = acks
        self.unclean = unclean
        self.version = STRICT if version >= (3, 7) else LOOSE
        self.min_isr = min(min_isr, rf) if self.version == STRICT else min_isr

    @property
    def key(self) -> str:
        """The claim in one line."""
        release = "strict" if self.version == STRICT else "loose"
        mode = "unclean" if self.unclean else "clean"
        failures = ",".join(self.events)
        now = f" elr={self.elr} {self.now}" if self.now is not None else ""
        return (
            f"{self.property} rf{self.rf} min{self.min_isr} acks-{self.acks} {mode} {release} {failures}{now}".strip()
        )
