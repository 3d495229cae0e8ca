"""What all brokers of a cluster have in common is one finding of the cluster, over columns as for one cluster.

The judge of single clusters does the same: advisor.engine.shared_findings.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from advisor.engine.shared_findings import SHARED, is_of_broker
from spark_audit.arrays import Codes
from spark_audit.engine.combinations import SubjectNames
from spark_audit.engine.outcomes import RowBlock

Mask = npt.NDArray[np.bool_]


class BrokersOfClusters:
    """The brokers of some clusters, by row, and how many of each cluster could be read."""

    def __init__(self, cluster_of_row: Codes, is_readable: Mask, clusters: int) -> None:
        self.cluster_of_row = cluster_of_row
        self.is_readable = is_readable
        self.readable_per_cluster = np.bincount(cluster_of_row[is_readable], minlength=clusters)

    def sharing(self, rows: Codes) -> Mask:
        """Mask of the clusters all of whose readable brokers, several, are among some rows."""
        clusters = len(self.readable_per_cluster)
        among = np.bincount(self.cluster_of_row[rows[self.is_readable[rows]]], minlength=clusters)
        unread = np.bincount(self.cluster_of_row[rows[~self.is_readable[rows]]], minlength=clusters)
        shared: Mask = (among == self.readable_per_cluster) & (among > 1) & (unread == 0)
        return shared


def of_the_cluster(blocks: Sequence[RowBlock], brokers: BrokersOfClusters, clusters: SubjectNames) -> list[RowBlock]:
    """The blocks, with one row of the cluster in place of those of all its brokers."""
    by_fields: dict[Hashable, list[RowBlock]] = {}
    joined = []
    for block in blocks:
        if _is_of_brokers(block):
            by_fields.setdefault(tuple(block.fields[name] for name in SHARED), []).append(block)
        else:
            joined.append(block)
    for alike in by_fields.values():
        joined += _joined(alike, brokers, clusters)
    return joined


def _is_of_brokers(block: RowBlock) -> bool:
    if block.others or block.names.files is not None:
        return False
    return any(is_of_broker(kind, block.fields["key"]) for kind in block.names.distinct_kinds)


def _joined(blocks: Sequence[RowBlock], brokers: BrokersOfClusters, clusters: SubjectNames) -> list[RowBlock]:
    """The blocks of one finding: the rows of single brokers that stay, and those of clusters, as their first broker has it."""
    rows = np.concatenate([block.subjects for block in blocks])
    shared = brokers.sharing(rows)
    if not shared.any():
        return list(blocks)
    first_row = np.full(len(shared), len(brokers.cluster_of_row))
    np.minimum.at(first_row, brokers.cluster_of_row[rows], rows)
    joined = []
    for block in blocks:
        is_shared = shared[brokers.cluster_of_row[block.subjects]]
        first = block.subjects[is_shared & (first_row[brokers.cluster_of_row[block.subjects]] == block.subjects)]
        if len(first):
            joined.append(
                RowBlock(
                    block.fields, clusters, np.searchsorted(clusters.cluster_of_subject, brokers.cluster_of_row[first])
                )
            )
        if not is_shared.all():
            joined.append(RowBlock(block.fields, block.names, block.subjects[~is_shared]))
    return joined


def without_replaced(
    blocks: Sequence[RowBlock], replacing: Mapping[str, Sequence[str]]
) -> tuple[list[RowBlock], Codes]:
    """The blocks without findings that another one replaces, about the same name in a cluster; the cluster of each dropped."""
    replaced = {
        (id, *subject)
        for block in blocks
        for id in replacing.get(block.fields["rule"], ())
        for subject in _subjects(block)
    }
    replaced_rules = {row[0] for row in replaced}
    kept: list[RowBlock] = []
    dropped: list[int] = []
    for block in blocks:
        rule = block.fields["rule"]
        if rule not in replaced_rules:
            kept.append(block)
            continue
        stays = np.array([(rule, *subject) not in replaced for subject in _subjects(block)], dtype=bool)
        dropped += block.names.cluster_of_subject[block.subjects[~stays]].tolist()
        if stays.any():
            kept.append(RowBlock(block.fields, block.names, block.subjects[stays]))
    return kept, np.array(dropped, dtype=np.int64)


def _subjects(block: RowBlock) -> list[tuple[int, str | None]]:
    """The cluster and the name of each row."""
    clusters = block.names.cluster_of_subject[block.subjects].tolist()
    return [(cluster, block.names.names[row]) for cluster, row in zip(clusters, block.subjects.tolist(), strict=True)]
