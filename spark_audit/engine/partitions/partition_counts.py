"""Count partitions per cluster, over columns and batch by batch.

A batch may hold some topics of a cluster only: its counts are partial, and travel as plain data.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from advisor.facts.cluster import PartitionCounts
from advisor.model.cluster import NOBODY
from spark_audit.arrays import Codes, Column, Ids, Mask
from spark_audit.engine.columns.partial_counts import BY_BROKER, PartialCounts
from spark_audit.engine.columns.topic_columns import TopicColumns
from spark_audit.engine.partitions.partition_columns import NO_REPLICA, DistinctPartitions, Partitions


def count_partitions(
    partitions: Partitions, min_isr: Column, signature_of_topic: Codes, wanted: Mapping[int, set[str]]
) -> list[PartialCounts]:
    """The counts that one batch adds to each of its clusters; `wanted` are topics that consumer groups speak of."""
    topics, distinct_partitions = partitions.topics, partitions.distinct_partitions
    clusters = distinct_partitions.clusters
    cluster_count = len(clusters.names)
    counts_of_cluster: list[PartialCounts] = [{"cluster": name, "topics": 0} for name in clusters.names]
    for cluster, topics_of_cluster in enumerate(np.bincount(topics.cluster_of_row, minlength=cluster_count).tolist()):
        counts_of_cluster[cluster]["topics"] = topics_of_cluster
    for name, tally_of_cluster in _by_broker(
        distinct_partitions, min_isr_of(min_isr, signature_of_topic, distinct_partitions)
    ).items():
        for cluster in range(cluster_count):
            tally_of_broker = tally_of_cluster[cluster]
            counted_brokers = np.flatnonzero(tally_of_broker[:-1])
            broker_ids = distinct_partitions.brokers.ids[counted_brokers].tolist()
            numbers = tally_of_broker[counted_brokers].tolist()
            counts_of_cluster[cluster][name] = dict(zip(broker_ids, numbers, strict=True))
    misled_per_cluster = _sum_by_index(
        distinct_partitions.cluster_of_row,
        distinct_partitions.partitions_per_row * _misled(distinct_partitions),
        cluster_count,
    ).tolist()
    partitions_per_cluster = _sum_by_index(
        distinct_partitions.cluster_of_row, distinct_partitions.partitions_per_row, cluster_count
    ).tolist()
    for cluster in range(cluster_count):
        counts_of_cluster[cluster] |= {
            "partitions": partitions_per_cluster[cluster],
            "misled": misled_per_cluster[cluster],
        }
    _names(topics, counts_of_cluster, wanted)
    _unknowns(topics, min_isr, signature_of_topic, counts_of_cluster)
    _offsets(partitions, counts_of_cluster)
    _count_wide(distinct_partitions, min_isr_of(min_isr, signature_of_topic, distinct_partitions), counts_of_cluster)
    return counts_of_cluster


def _sum_by_index(index_of_row: Codes, weight_of_row: Codes, size: int) -> Codes:
    return np.bincount(index_of_row, weights=weight_of_row, minlength=size).astype(np.int64)


def _misled(partitions: DistinctPartitions) -> Mask:
    """Mask of partitions that another than the preferred leader leads, though that one is alive and in sync."""
    led_by_other = (partitions.leader_of_row != NOBODY) & (partitions.leader_of_row != partitions.preferred)
    misled: Mask = led_by_other & partitions.preferred_alive & partitions.preferred_in_sync & ~partitions.wide
    return misled


def _by_broker(partitions: DistinctPartitions, min_isr: tuple[Codes, Mask]) -> dict[str, Codes]:
    """Per cluster and broker: partitions led, replicas, and partitions that stop without the broker."""
    brokers, size, width = partitions.brokers, len(partitions.clusters.names), partitions.brokers.width
    narrow = ~partitions.wide

    def tally(broker_of_row: Codes, rows: Codes) -> Codes:
        cells = _sum_by_index(
            partitions.cluster_of_row[rows] * width + broker_of_row, partitions.partitions_per_row[rows], size * width
        )
        return cells.reshape(size, width)

    def listed(broker_of_replica: Codes, ids: Ids, row_mask: Mask) -> Codes:
        rows, columns = np.nonzero((ids != NO_REPLICA) & row_mask[:, None])
        return tally(broker_of_replica[rows, columns], rows)

    narrow_rows = np.flatnonzero(narrow)
    replicas, isr = partitions.lengths["replicas"], partitions.lengths["isr"]
    tallies = {
        "leaders": tally(brokers.index_of(partitions.leader_of_row[narrow_rows]), narrow_rows) * brokers.alive,
        "replicas": listed(partitions.broker_of_replica, partitions.matrix["replicas"], narrow) * brokers.alive,
    }
    least_in_sync = np.minimum(min_isr[0], replicas)
    at_minimum = min_isr[1] & (partitions.leader_of_row != NOBODY) & (isr == least_in_sync) & narrow
    in_sync = brokers.index_of(partitions.matrix["isr"])
    for name, chosen in (
        ("deprived", at_minimum & (replicas > least_in_sync)),
        ("stops", at_minimum & (replicas <= least_in_sync)),
    ):
        tallies[name] = listed(in_sync, partitions.matrix["isr"], chosen)
    return tallies


def min_isr_of(min_isr: Column, signature_of_topic: Codes, partitions: DistinctPartitions) -> tuple[Codes, Mask]:
    """Per row its min.insync.replicas, and whether it is known."""
    codes, answers = min_isr
    number_of_code = np.array([answer if isinstance(answer, int) else 0 for answer in answers] or [0], dtype=np.int64)
    known_of_code = np.array([isinstance(answer, int) for answer in answers] or [False], dtype=bool)
    code_of_row = codes[signature_of_topic][partitions.topic_of_row]
    return number_of_code[code_of_row], known_of_code[code_of_row]


def _names(topics: TopicColumns, counts_of_cluster: list[PartialCounts], wanted: Mapping[int, set[str]]) -> None:
    for cluster, counts in enumerate(counts_of_cluster):
        counts["internal"], counts["names"] = [], []
        if wanted.get(cluster):
            topics_of_cluster = np.flatnonzero(topics.cluster_of_row == cluster)
            names = topics.names.take(topics_of_cluster).to_pylist()
            counts["names"] = sorted(wanted[cluster].intersection(names))
    for row in np.flatnonzero(topics.batch.column("internal").fill_null(False).to_numpy(zero_copy_only=False)).tolist():
        counts_of_cluster[int(topics.cluster_of_row[row])]["internal"].append(topics.names[row].as_py())


def _unknowns(
    topics: TopicColumns, min_isr: Column, signature_of_topic: Codes, counts_of_cluster: list[PartialCounts]
) -> None:
    """Per cluster the first topic by name whose partitions, or whose min.insync.replicas, could not be read."""
    codes, answers = min_isr
    unknown_of_code = np.array([not isinstance(answer, int) for answer in answers] or [True], dtype=bool)
    for name, unknown_topics in (
        ("hidden", np.flatnonzero(topics.partitions_per_topic < 0)),
        ("unsettled", np.flatnonzero((topics.partitions_per_topic >= 0) & unknown_of_code[codes][signature_of_topic])),
    ):
        for topic in unknown_topics.tolist():
            counts = counts_of_cluster[int(topics.cluster_of_row[topic])]
            name_and_reason = [topics.names[topic].as_py(), topics.missing(topic)]
            if name not in counts or name_and_reason[0] < counts[name][0]:
                counts[name] = name_and_reason


def _offsets(partitions: Partitions, counts_of_cluster: list[PartialCounts]) -> None:
    """The partitions of the offsets topic, each with its leader."""
    topics = partitions.topics
    from spark_audit.engine.columns.topic_columns import USES_BY_CODE

    for topic in np.flatnonzero(
        (topics.use_of_topic == USES_BY_CODE.index("offsets")) & (topics.partitions_per_topic >= 0)
    ).tolist():
        partitions_of_topic = slice(*partitions.slice_of_topic(topic))
        leaders = partitions.leader_of_partition[partitions_of_topic].tolist()
        pairs = zip(partitions.ids[partitions_of_topic].tolist(), leaders, strict=True)
        counts_of_cluster[int(topics.cluster_of_row[topic])]["offsets"] = [list(pair) for pair in pairs]


def _count_wide(
    partitions: DistinctPartitions, min_isr: tuple[Codes, Mask], counts_of_cluster: list[PartialCounts]
) -> None:
    """Count partitions of more than MAX_REPLICAS one by one."""
    for row in np.flatnonzero(partitions.wide).tolist():
        cluster = int(partitions.cluster_of_row[row])
        counted = PartitionCounts(partitions.clusters.live(cluster))
        counted.count(partitions.as_partition(row), int(min_isr[0][row]) if min_isr[1][row] else None)
        counts = counts_of_cluster[cluster]
        for name in BY_BROKER:
            for id, number in getattr(counted, name).items():
                if number:
                    counts[name][id] = counts[name].get(id, 0) + number
        counts["misled"] += counted.misled
