"""Partial counts: what a batch adds to the counts over all partitions of a cluster; plain data that is added up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from advisor.facts.cluster import PartitionCounts
from advisor.model.cluster import Live, Partition

PartialCounts = dict[str, Any]


def counted_from(live: Live, counts: PartialCounts) -> PartitionCounts:
    """The counts of a cluster as advisor.facts.cluster has them when it counts objects."""
    counted = PartitionCounts(live)
    for name in BY_BROKER:
        getattr(counted, name).update({int(id): number for id, number in counts[name].items()})
    counted.topics, counted.partitions, counted.misled = counts["topics"], counts["partitions"], counts["misled"]
    counted.names, counted.internal = set(counts["names"]), set(counts["internal"])
    if "offsets" in counts:
        counted.offsets = [Partition(id, leader, (), ()) for id, leader in counts["offsets"]]
    if "hidden" in counts:
        counted.hide(*counts["hidden"])
    if "unsettled" in counts:
        counted.leave_open(*counts["unsettled"])
    counted.settle()
    return counted


def add_counts(partial_counts: Iterable[PartialCounts]) -> dict[str, PartialCounts]:
    """Add up the partial counts of each cluster."""
    counts_of_cluster: dict[str, PartialCounts] = {}
    for partial in partial_counts:
        total = counts_of_cluster.setdefault(partial["cluster"], partial)
        if total is not partial:
            _add(total, partial)
    return counts_of_cluster


def _add(total: PartialCounts, partial: PartialCounts) -> None:
    for name in ("topics", "partitions", "misled"):
        total[name] += partial[name]
    for name in BY_BROKER:
        for id, number in partial[name].items():
            total[name][id] = total[name].get(id, 0) + number
    for name in ("internal", "names"):
        total[name] += partial[name]
    for name in ("hidden", "unsettled"):
        if name in partial and (name not in total or partial[name][0] < total[name][0]):
            total[name] = partial[name]
    if "offsets" in partial:
        total["offsets"] = partial["offsets"]


BY_BROKER = ("leaders", "replicas", "stops", "deprived")
