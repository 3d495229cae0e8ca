"""Partitions as columns: millions of them have a few hundred partition signatures, which rules are evaluated on.

Partitions are reduced in two steps. Those of equal replica lists, leader and topic settings are one distinct partition.
Distinct partitions whose facts depend on equal values have one 64-bit signature hash; advisor.facts.partition derives
the facts of one of them for all.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pyarrow as pa

from advisor.model.cluster import Partition
from spark_audit.arrays import Codes, Ids, Mask
from spark_audit.arrays.codes import distinct, encode, hash_distinct
from spark_audit.arrays.hashing import hash_each, hash_rows, hash_with_position
from spark_audit.arrays.lists import lengths, positions_of, sum_each
from spark_audit.engine.columns.clusters import Clusters
from spark_audit.engine.columns.topic_columns import TopicColumns

Facts = dict[str, Hashable]

MAX_REPLICAS = 8
"""Replicas up to which signatures are computed over columns: 8 x 7 bits fit an int64. Wider ones go one by one."""
CACHED_SIGNATURES = 20_000
"""Signatures whose facts are kept from batch to batch: bounds memory."""
RACK_BITS = 20
"""A replica is one integer, so that sorting a row brings equal replicas together: bits 0 to 19 are its rack's code,
bits 20 to 23 its flags (from the highest: not the leader, not in sync, not eligible, not available), bit 40 means that
there is no replica.
"""
FLAGS = 4
NO_REPLICA_BIT = 40
POSITION_BITS = 3
"""In the packed row 3 bits hold a position among 8, beside the 4 flags: 7 bits a replica."""
PACKED_BITS = FLAGS + POSITION_BITS
LISTS = ("replicas", "isr", "elr", "offline")
NO_REPLICA = -9
"""Fills the replica matrix where a list has ended; no broker id is negative but -1."""
PARTITIONS_SHOWN = 5
"""Partitions of a topic that a finding names."""


class Brokers:
    """The brokers of some clusters, by index: which are alive, and on which rack.

    Both matrices have a row per cluster and a column per broker id, the last for ids that no cluster names; racks count
    from 1 in the order of their names, 0 is none.
    """

    def __init__(self, clusters: Clusters) -> None:
        nodes = clusters.nodes()
        flat = nodes.flatten()
        cluster_of_node = np.repeat(np.arange(len(nodes)), lengths(nodes))
        id_of_node = flat.field("id").to_numpy(zero_copy_only=False).astype(np.int64)
        self.ids: Codes = np.unique(np.concatenate((id_of_node, np.array(clusters.broker_ids(), dtype=np.int64))))
        self.width = len(self.ids) + 1
        broker_of_node = self.index_of(id_of_node)
        self.alive = np.zeros((len(nodes), self.width), dtype=bool)
        self.alive[cluster_of_node, broker_of_node] = np.array(
            [state == "alive" for state in flat.field("state").to_pylist()], dtype=bool
        )
        racks = flat.field("rack").to_pylist()
        code_of_rack = {rack: code for code, rack in enumerate(sorted({rack for rack in racks if rack}), 1)}
        self.racks = np.zeros((len(nodes), self.width), dtype=np.int64)
        self.racks[cluster_of_node, broker_of_node] = np.array(
            [code_of_rack.get(rack, 0) for rack in racks], dtype=np.int64
        )

    def index_of(self, ids: Codes | Ids) -> Codes:
        """The index of each id; the last one for ids that no cluster names."""
        if not len(self.ids):
            return np.zeros(ids.shape, dtype=np.int64)
        candidate = np.searchsorted(self.ids, ids).clip(0, len(self.ids) - 1)
        return np.where(self.ids[candidate] == ids, candidate, len(self.ids))


class Partitions:
    """All partitions of some topics; `signature_of_partition` indexes `facts`.

    Many are equal: `distinct_of_partition` is each one's row in `distinct_partitions`.
    """

    def __init__(
        self, topics: TopicColumns, clusters: Clusters, min_isr_of_topic: Codes, cached_facts: dict[int, Facts]
    ) -> None:
        self.topics = topics
        self.flat = topics.batch.column("partitions").flatten()
        self.topic_of_partition = np.repeat(
            np.arange(topics.rows, dtype=np.int32), np.maximum(topics.partitions_per_topic, 0)
        )
        self.ids, self.leader_of_partition = integer_column(self.flat, "id"), integer_column(self.flat, "leader")
        first_of_distinct, self.distinct_of_partition = self._distinct(min_isr_of_topic)
        partitions_per_distinct = np.bincount(self.distinct_of_partition, minlength=len(first_of_distinct))
        self.distinct_partitions = DistinctPartitions(
            self, clusters, first_of_distinct, partitions_per_distinct, cached_facts
        )
        self.signature_of_partition = self.distinct_partitions.signature_of_row[self.distinct_of_partition]
        self.facts = self.distinct_partitions.facts

    def _distinct(self, min_isr_of_topic: Codes) -> tuple[Codes, Codes]:
        """One partition of each distinct content, and the distinct content of each partition."""
        topics = self.topics
        hash_of_topic = hash_rows([topics.cluster_of_row, topics.use_of_topic, min_isr_of_topic])
        length_columns = [lengths_of(self.flat, name) for name in LISTS]
        wide = np.maximum.reduce(length_columns) > MAX_REPLICAS
        columns = [self.leader_of_partition, *length_columns]
        for name, size in zip(LISTS, length_columns, strict=True):
            columns += list(replica_matrix(self.flat, name, size, wide).T)
        hashes = (
            hash_rows(columns, 3) + hash_of_topic[self.topic_of_partition]
            if len(self.topic_of_partition)
            else np.zeros(0, np.int64)
        )
        hashes[wide] = hash_each(np.flatnonzero(wide))
        return hash_distinct(hashes)

    def group_by_topic(self) -> TopicPartitionGroups:
        """The subject groups of each topic: its partitions by their signature."""
        return TopicPartitionGroups(self.topic_of_partition, self.signature_of_partition, self.ids, self.facts)

    def slice_of_topic(self, topic: int) -> tuple[int, int]:
        """Where a topic's partitions start and end."""
        start, end = np.searchsorted(self.topic_of_partition, np.array((topic, topic + 1), dtype=np.int32))
        return int(start), int(end)


def integer_column(flat: pa.StructArray, name: str) -> Codes:
    """A column of integers as numpy has it."""
    numbers: Codes = flat.field(name).to_numpy(zero_copy_only=False)
    return numbers


def lengths_of(flat: pa.StructArray, name: str) -> Codes:
    """The length of each list in a column, -1 for null."""
    column = flat.field(name)
    value_lengths = column.value_lengths()
    length_of_list: Codes = (value_lengths.fill_null(-1) if column.null_count else value_lengths).to_numpy(
        zero_copy_only=False
    )
    return length_of_list


def replica_matrix(flat: pa.StructArray, name: str, length_of_row: Codes, wide: Mask) -> Ids:
    """A column of lists as a matrix, one row per partition: NO_REPLICA where a list is shorter, or too wide."""
    width = int(length_of_row[~wide].max(initial=0)) if len(wide) else 0
    values: Ids = flat.field(name).flatten().to_numpy(zero_copy_only=False).astype(np.int32, copy=False)
    if len(length_of_row) * width == len(values) and (length_of_row == width).all():
        return values.reshape(len(length_of_row), width)
    matrix = np.full((len(length_of_row), width), NO_REPLICA, dtype=np.int32)
    lengths = np.maximum(length_of_row, 0).astype(np.int64)
    first_value = np.cumsum(lengths) - lengths
    for position in range(width):
        rows = np.flatnonzero((lengths > position) & ~wide)
        matrix[rows, position] = values[first_value[rows] + position]
    return matrix


class DistinctPartitions:
    """Partitions of distinct content, one row each; `partitions_per_row` says how many partitions have it."""

    def __init__(
        self,
        partitions: Partitions,
        clusters: Clusters,
        first_of_distinct: Codes,
        partitions_per_distinct: Codes,
        cached_facts: dict[int, Facts],
    ) -> None:
        self.cached_facts = cached_facts
        self.topics = partitions.topics
        self.clusters = clusters
        self.partitions_per_row = partitions_per_distinct
        self.flat = partitions.flat.take(pa.array(first_of_distinct))
        self.topic_of_row = partitions.topic_of_partition[first_of_distinct]
        self.cluster_of_row = (
            self.topics.cluster_of_row[self.topic_of_row] if len(first_of_distinct) else np.zeros(0, np.int64)
        )
        self.leader_of_row = integer_column(self.flat, "leader").astype(np.int64)
        self.brokers = Brokers(clusters)
        self.lengths = {name: lengths_of(self.flat, name).astype(np.int64) for name in LISTS}
        self.wide = np.maximum.reduce([self.lengths[name] for name in LISTS]) > MAX_REPLICAS
        self.matrix = {name: replica_matrix(self.flat, name, self.lengths[name], self.wide) for name in LISTS}
        self.broker_of_replica = self.brokers.index_of(self.matrix["replicas"])
        self.signature_of_row, self.facts = self._signatures()

    def replicas_in(self, name: str) -> Mask:
        """Mask of the replicas that are in another list, one column per position."""
        replicas, others = self.matrix["replicas"], self.matrix[name]
        mask = np.zeros(replicas.shape, dtype=bool)
        for position in range(others.shape[1]):
            mask |= replicas == others[:, position : position + 1]
        present: Mask = mask & (replicas != NO_REPLICA)
        return present

    def _signatures(self) -> tuple[Codes, list[Facts]]:
        """The signature of each row, and the facts by signature: rows of equal facts share one."""
        hash_of_row = self._signature_hashes()
        first_of_hash, hash_index_of_row = distinct(hash_of_row)
        facts_of_hash = [
            self._facts_of(row, hash)
            for row, hash in zip(first_of_hash.tolist(), hash_of_row[first_of_hash].tolist(), strict=True)
        ]
        signature_of_hash, distinct_values = encode([tuple(facts.values()) for facts in facts_of_hash])
        facts_of_signature = dict(zip(signature_of_hash, facts_of_hash, strict=True))
        return np.array(signature_of_hash or [0], dtype=np.int64)[hash_index_of_row], [
            facts_of_signature[signature] for signature in range(len(distinct_values))
        ]

    def _facts_of(self, row: int, hash: int) -> Facts:
        """Derive the facts of a row; rows of one signature hash share them."""
        if hash not in self.cached_facts or self.wide[row]:
            from spark_audit.engine.columns.topic_columns import USES_BY_CODE

            if len(self.cached_facts) >= CACHED_SIGNATURES:
                self.cached_facts.clear()
            pictures = self.clusters.pictures(int(self.cluster_of_row[row]))
            self.cached_facts[hash] = pictures.facts(
                self.as_partition(row), USES_BY_CODE[self.topics.use_of_topic[self.topic_of_row[row]]]
            )
        return self.cached_facts[hash]

    def _signature_hashes(self) -> Codes:
        """Per row a 64-bit hash of everything that its facts depend on (see RACK_BITS for a replica's layout)."""
        replicas, broker_of_replica = self.matrix["replicas"], self.broker_of_replica
        cluster_column = self.cluster_of_row[:, None]
        present = replicas != NO_REPLICA
        alive = self.brokers.alive[cluster_column, broker_of_replica] & present
        racks = self.brokers.racks[cluster_column, broker_of_replica]
        self.in_sync = self.replicas_in("isr")
        flags = (
            replicas == self.leader_of_row[:, None],
            self.in_sync,
            self.replicas_in("elr"),
            alive & ~self.replicas_in("offline"),
        )
        flag_bits = sum((~flag).astype(np.int64) << (FLAGS - 1 - position) for position, flag in enumerate(flags))
        sorted_replicas = np.sort(
            np.where(present, flag_bits << RACK_BITS | racks, np.int64(1) << NO_REPLICA_BIT), axis=1
        )
        hashes = hash_each(self._pack_replicas(sorted_replicas))
        self.preferred = replicas[:, 0] if replicas.shape[1] else np.full(len(replicas), NO_REPLICA)
        without_rack = (present & (racks == 0)).any(axis=1)
        leader_kind = np.where(self.leader_of_row == -1, 0, np.where(self.leader_of_row == self.preferred, 1, 2))
        self.preferred_alive = alive[:, 0] if alive.shape[1] else np.zeros(len(replicas), dtype=bool)
        self.preferred_in_sync = self.in_sync[:, 0] if alive.shape[1] else np.zeros(len(replicas), dtype=bool)
        columns = (
            *self.lengths.values(),
            alive.sum(axis=1),
            leader_kind,
            self.preferred_alive * 2 + self.preferred_in_sync,
            without_rack,
            self._hash_of_cluster()[self.cluster_of_row],
            self.topics.use_of_topic[self.topic_of_row],
            self.wide,
        )
        for column in columns:
            hashes = hash_each(hashes + column.astype(np.int64))
        hashes[self.wide] = self._hash_wide()
        return hashes

    def _pack_replicas(self, sorted_replicas: Codes) -> Codes:
        """Pack sorted replicas into one integer per row: 8 replicas x 7 bits = 56 bits.

        Of a replica's 7 bits the upper 4 are its flags, the lower 3 the first position on the same rack, or its own;
        127 stands for no replica.
        """
        packed = np.zeros(len(sorted_replicas), dtype=np.int64)
        racks = sorted_replicas & ((1 << RACK_BITS) - 1)
        for position in range(sorted_replicas.shape[1]):
            domain = np.full(len(sorted_replicas), position)
            for earlier in range(position - 1, -1, -1):
                shared = (racks[:, earlier] == racks[:, position]) & (racks[:, position] != 0)
                domain = np.where(shared, earlier, domain)
            flags = sorted_replicas[:, position] >> RACK_BITS & (1 << FLAGS) - 1
            entry = flags << POSITION_BITS | domain
            none = sorted_replicas[:, position] >> NO_REPLICA_BIT & 1
            packed = packed << PACKED_BITS | np.where(none, (1 << PACKED_BITS) - 1, entry)
        return packed

    def _hash_of_cluster(self) -> Codes:
        """Per cluster a hash of what the facts of its partitions depend on."""
        cluster_facts = [self.clusters.pictures(cluster) for cluster in range(len(self.clusters.names))]
        hash_of_cluster = [
            hash((cluster.racks_there, len(cluster.alive), cluster.elr, bool(cluster.racks)))
            for cluster in cluster_facts
        ]
        return np.array(hash_of_cluster or [0], dtype=np.int64)

    def _hash_wide(self) -> Codes:
        """Per row of more than MAX_REPLICAS a hash of all its lists: these share facts only where all are equal."""
        rows = np.flatnonzero(self.wide)
        hashes = (
            hash_each(self.cluster_of_row[rows] * 64 + self.topics.use_of_topic[self.topic_of_row[rows]])
            + self.leader_of_row[rows]
        )
        wide_partitions = self.flat.take(pa.array(rows))
        for name in LISTS:
            values = wide_partitions.field(name).flatten().to_numpy(zero_copy_only=False).astype(np.int64)
            sizes = self.lengths[name][rows]
            first_value = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.maximum(sizes, 0))))
            hashes = hash_each(
                hash_each(hashes + sizes) + sum_each(hash_with_position(values, first_value), first_value)
            )
        return hashes

    def as_partition(self, index: int) -> Partition:
        """A row as a Partition of the model."""
        fields: dict[str, Any] = self.flat[index].as_py()
        lists = [None if fields[name] is None else tuple(fields[name]) for name in LISTS]
        return Partition(fields["id"], fields["leader"], lists[0] or (), lists[1] or (), lists[2], None, lists[3])


class TopicPartitionGroups:
    """The subject groups of each topic: its partitions of one signature, topic by topic.

    Per group `partitions_per_group`, and as `ids` the lowest `ids_per_group` of them, PARTITIONS_SHOWN at the most.
    """

    def __init__(self, topic_of_partition: Ids, signature_of_partition: Codes, ids: Codes, facts: list[Facts]) -> None:
        self.facts = facts
        signatures = len(facts) or 1
        order, group_key = _sort_by_group(
            topic_of_partition.astype(np.int64) * signatures + signature_of_partition, topic_of_partition, ids
        )
        first_of_group = np.flatnonzero(np.diff(group_key, prepend=-1)) if len(group_key) else np.zeros(0, np.int64)
        self.topic_of_group, signature_of_partition = np.divmod(group_key[first_of_group], signatures)
        self.signature_of_group = signature_of_partition.astype(np.int32)
        self.partitions_per_group = np.diff(first_of_group, append=len(group_key)).astype(np.int32)
        self.ids_per_group = np.minimum(self.partitions_per_group, PARTITIONS_SHOWN)
        self.ids = ids[order[positions_of(first_of_group, self.ids_per_group)]].astype(np.int32)


def _sort_by_group(group_key: Codes, topic_of_partition: Ids, ids: Codes) -> tuple[Codes, Codes]:
    """Sort partitions by topic, signature and id; most topics' are sorted already."""
    if (np.diff(group_key) < 0).any() or not ((np.diff(ids) > 0) | (np.diff(topic_of_partition) > 0)).all():
        order = np.lexsort((ids, group_key))
        return order, group_key[order]
    return np.arange(len(group_key)), group_key
