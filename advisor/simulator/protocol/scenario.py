"""Scenario: the simulated configuration, and the protocol differences of its Kafka version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from advisor.errors import BadScenario

if TYPE_CHECKING:
    from advisor.model import Version

EVENTS = (
    "kill",
    "power-loss",
    "disk-loss",
    "isolate",
    "lag",
    "controlled-shutdown",
    "controller-down",
    "power-loss-all",
)
"""Adverse events; a budget says how often each may happen."""
KILL, POWER, DISK, ISOLATE, LAG, SHUTDOWN, CONTROLLER_DOWN, POWER_ALL = range(len(EVENTS))
MOST_REPLICAS = 7
MOST_RECORDS = 3
HIGH_WATERMARK, EPOCH_ONE_ROUND, EPOCH = "high watermark", "epoch, one round", "epoch"
GUARDS = ("leso", "maximal-isr", "strict-hw")
"""Who joins the ISR has the leader's epoch start; the leader counts who it asks for; HW rests below min.isr."""


class Scenario:
    """One partition's configuration with the toggles of its version. All replicas start in sync and empty, 0 leads.

    `domains` gives each replica its failure domain; without it all share one. `without` names GUARDS that are left
    out, to show that each of them is needed.
    """

    __slots__ = (
        "acks",
        "bounce",
        "bump_on_shrink",
        "domains",
        "elects_fenced_last_leader",
        "elr",
        "epoch_fenced",
        "flush",
        "idempotent",
        "metadata",
        "min_isr",
        "records",
        "replicas",
        "retries",
        "strict",
        "truncation",
        "unclean",
        "version",
        "without",
    )

    def __init__(
        self,
        replicas: int = 3,
        min_isr: int = 1,
        acks: str = "all",
        *,
        unclean: bool = False,
        elr: bool = False,
        flush: bool = False,
        version: Version = (4, 1),
        metadata: str = "kraft",
        records: int = 1,
        bounce: bool = False,
        domains: Sequence[int] = (),
        idempotent: bool = True,
        retries: bool = False,
        without: Sequence[str] = (),
    ) -> None:
        check_range("replication factor", replicas, MOST_REPLICAS)
        check_range("records", records, MOST_RECORDS)
        if min_isr < 1:
            raise BadScenario(f"min.insync.replicas is at least 1, not {min_isr}")
        if acks not in ("0", "1", "all"):
            raise BadScenario(f"acks is 0, 1 or all, not {acks[:60]}")
        if metadata not in ("kraft", "zookeeper"):
            raise BadScenario(f"metadata is kraft or zookeeper, not {metadata[:60]}")
        if domains and len(domains) != replicas:
            raise BadScenario(f"{len(domains)} racks for {replicas} replicas: name one for each")
        missing = [name for name in without if name not in GUARDS]
        if missing:
            raise BadScenario(f"no such guard: {missing[0]} (there are {', '.join(GUARDS)})")
        self.replicas = replicas
        self.acks = acks
        self.version = version
        self.metadata = metadata
        self.strict = version >= (3, 7) and "strict-hw" not in without
        self.min_isr = min(min_isr, replicas) if version >= (3, 7) else min_isr
        ignored = metadata == "kraft" and version < (3, 9)
        self.unclean = unclean and not ignored
        self.elr = elr
        self.flush = flush
        self.truncation = HIGH_WATERMARK if version < (0, 11) else EPOCH_ONE_ROUND if version < (2, 0) else EPOCH
        self.epoch_fenced = version >= (2, 1)
        self.bump_on_shrink = version < (3, 6)
        self.elects_fenced_last_leader = version == (4, 0)
        self.bounce = bounce
        self.records = records
        self.domains = tuple(domains) or (0,) * replicas
        self.idempotent = idempotent
        self.retries = retries
        self.without = frozenset(without)


def check_range(what: str, value: int, most: int) -> None:
    """Refuse a value below 1 or beyond what is computed."""
    if not 1 <= value <= most:
        raise BadScenario(f"{what} {value}: from 1 to {most} can be computed")


def budget(events: Mapping[str, int]) -> tuple[int, ...]:
    """How often each event may happen, in the order of EVENTS."""
    unknown = [name for name in events if name not in EVENTS]
    if unknown:
        raise BadScenario(f"no such event: {unknown[0]} (there are {', '.join(EVENTS)})")
    if any(count < 0 for count in events.values()):
        raise BadScenario("an event cannot happen less than never")
    return tuple(events.get(name, 0) for name in EVENTS)
