"""Partition signatures: what rules may know of a partition, naming no broker, so that many share one."""

from __future__ import annotations

from collections.abc import Hashable

from advisor.model.cluster import ALIVE, NOBODY, UNKNOWN, Live, Partition
from advisor.rule.subject import Absent, Unreadable

FactsOf = dict[str, Hashable]
State = tuple[tuple[bool, bool, bool, bool, int], ...]
"""Per replica: leads, in the ISR, in the ELR, alive, failure domain."""
USES = {
    "__consumer_offsets": "offsets",
    "__transaction_state": "transactions",
    "__share_group_state": "share",
    "__cluster_metadata": "metadata",
    "__remote_log_metadata": "remote",
}
USER, INTERNAL = "user", "internal"
NO_RACKS = Absent("no broker says its rack")
SOME_RACKS = Unreadable("not every broker says its rack")
NO_ELR = Unreadable("the cluster did not say which eligible leader replicas there are")
NO_OFFLINE = Unreadable("the cluster did not say which replicas are offline")
STATE_UNKNOWN = Unreadable("a broker is in no ISR, and no output says whether it is alive")


def use_of(topic: str, internal: bool) -> str:
    """The use of a topic: consumer offsets, transactions and so on, or `user`."""
    return USES.get(topic, INTERNAL if internal else USER)


def brokers_alive(live: Live) -> Hashable:
    """How many brokers are alive."""
    if any(node.state == UNKNOWN for node in live.nodes):
        return STATE_UNKNOWN
    return sum(node.state == ALIVE for node in live.nodes)


class SignatureFacts:
    """The facts of one cluster's partitions, one object per signature; brokers and racks are looked up once."""

    __slots__ = ("_facts_by_signature", "alive", "brokers_alive", "elr", "racks", "racks_there", "unknown")

    def __init__(self, live: Live) -> None:
        self.alive = frozenset(node.id for node in live.nodes if node.state == ALIVE)
        self.unknown = frozenset(node.id for node in live.nodes if node.state == UNKNOWN)
        self.brokers_alive = brokers_alive(live)
        self.racks = {node.id: node.rack for node in live.nodes if node.rack}
        self.racks_there = len({node.rack for node in live.nodes if node.rack})
        self.elr = bool((live.features or {}).get("eligible.leader.replicas.version"))
        self._facts_by_signature: dict[Hashable, FactsOf] = {}

    def facts(self, partition: Partition, use: str) -> FactsOf:
        """The facts of a partition; partitions of one signature get the same object."""
        key = (partition.leader, partition.replicas, partition.isr, partition.elr, partition.offline, use)
        facts = self._facts_by_signature.get(key)
        if facts is None:
            fresh = self._facts_of(partition, use)
            facts = self._facts_by_signature[key] = self._facts_by_signature.setdefault(tuple(fresh.values()), fresh)
        return facts

    def _facts_of(self, partition: Partition, use: str) -> FactsOf:
        replicas, isr, leader = partition.replicas, partition.isr, partition.leader
        preferred = replicas[0] if replicas else NOBODY
        any_unknown = not self.unknown.isdisjoint(replicas)
        return {
            "use": use,
            "replicas": len(replicas),
            "live replicas": STATE_UNKNOWN if any_unknown else sum(r in self.alive for r in replicas),
            "in-sync replicas": len(isr),
            "eligible leader replicas": NO_ELR if partition.elr is None else len(partition.elr),
            "offline replicas": NO_OFFLINE if partition.offline is None else len(partition.offline),
            "leader": "none" if leader == NOBODY else "preferred" if leader == preferred else "other",
            "preferred leader": self._preferred(partition, preferred),
            "racks": self._racks(replicas),
            "racks there are": self.racks_there,
            "brokers alive": self.brokers_alive,
            "elr": self.elr,
            "state": STATE_UNKNOWN if any_unknown else self._state(partition),
        }

    def _preferred(self, partition: Partition, preferred: int) -> Hashable:
        if preferred in self.unknown:
            return STATE_UNKNOWN
        if preferred not in self.alive:
            return "down"
        return "in sync" if preferred in partition.isr else "out of sync"

    def _racks(self, replicas: tuple[int, ...]) -> Hashable:
        if not self.racks:
            return NO_RACKS
        if any(r not in self.racks for r in replicas):
            return SOME_RACKS
        counts: dict[str, int] = {}
        for r in replicas:
            counts[self.racks[r]] = counts.get(self.racks[r], 0) + 1
        return tuple(sorted(counts.values(), reverse=True))

    def _state(self, partition: Partition) -> State:
        elr, down = partition.elr or (), partition.offline or ()
        rows = [
            (r == partition.leader, r in partition.isr, r in elr, r in self.alive and r not in down, self.racks.get(r))
            for r in partition.replicas
        ]
        rows.sort(key=lambda row: (not row[0], not row[1], not row[2], not row[3], row[4] or ""))
        domains: dict[object, int] = {}
        return tuple(
            (leads, in_sync, eligible, up, domains.setdefault(rack if rack else number, len(domains)))
            for number, (leads, in_sync, eligible, up, rack) in enumerate(rows)
        )
