"""Partitions as columns: each is one of few pictures of replicas, so that millions of them are some hundred questions.

What a picture depends on is worked out for all partitions at once, as one number each; those that agree in it look
alike, and one of them is drawn by advisor.facts.partition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from advisor.model.cluster import Partition
from spark_audit.arrays.codes import distinct, encode, hash_distinct
from spark_audit.arrays.hashing import hash_each, hash_rows, hash_with_position
from spark_audit.arrays.lists import lengths, positions_of, sum_each

if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any

    from spark_audit.arrays import Codes, Ids, Mask
    from spark_audit.engine.clusters import Clusters
    from spark_audit.engine.topic_columns import TopicColumns

    Facts = dict[str, Hashable]

WIDE = 8
"""Replicas up to which a partition's picture is worked out as a number."""
LOOKS = 20_000
"""Looks of partitions that are remembered."""
LISTS = ("replicas", "isr", "elr", "offline")
EMPTY = -9
"""Stands where a list has ended."""
FIRST = 5
"""Partitions of a topic that a finding names."""


class Brokers:
    """The brokers of some clusters by their ids: which are alive, and on which rack."""

    def __init__(self, clusters: Clusters) -> None:
        nodes = clusters.nodes()
        flat = nodes.flatten()
        owner = np.repeat(np.arange(len(nodes)), lengths(nodes))
        listed = flat.field("id").to_numpy(zero_copy_only=False).astype(np.int64)
        self.ids: Codes = np.unique(np.concatenate((listed, np.array(clusters.broker_ids(), dtype=np.int64))))
        self.size = len(self.ids) + 1
        place = self.places(listed)
        self.alive = np.zeros((len(nodes), self.size), dtype=bool)
        self.alive[owner, place] = np.array([state == "alive" for state in flat.field("state").to_pylist()], dtype=bool)
        racks = flat.field("rack").to_pylist()
        ranks = {rack: rank for rank, rack in enumerate(sorted({rack for rack in racks if rack}), 1)}
        self.racks = np.zeros((len(nodes), self.size), dtype=np.int64)
        self.racks[owner, place] = np.array([ranks.get(rack, 0) for rack in racks], dtype=np.int64)

    def places(self, ids: Codes | Ids) -> Codes:
        """Each id's place; the last one is for ids that no cluster names."""
        if not len(self.ids):
            return np.zeros(ids.shape, dtype=np.int64)
        found = np.searchsorted(self.ids, ids).clip(0, len(self.ids) - 1)
        return np.where(self.ids[found] == ids, found, len(self.ids))


class Partitions:
    """All partitions of some topics; `owner` is the topic of each, `picture` its number in `facts`.

    Many are placed alike: `row` is each one's among the different `placements`.
    """

    def __init__(self, topics: TopicColumns, clusters: Clusters, needed: Codes, looks: dict[int, Facts]) -> None:
        self.topics = topics
        self.flat = topics.batch.column("partitions").flatten()
        self.owner = np.repeat(np.arange(topics.rows, dtype=np.int32), np.maximum(topics.counts, 0))
        self.ids, self.leader = numbers_of(self.flat, "id"), numbers_of(self.flat, "leader")
        first, self.row = self._distinct(needed)
        many = np.bincount(self.row, minlength=len(first))
        self.placements = Placements(self, clusters, first, many, looks)
        self.picture = self.placements.picture[self.row]
        self.facts = self.placements.facts

    def _distinct(self, needed: Codes) -> tuple[Codes, Codes]:
        """One partition of each placement, and the placement of each partition."""
        topics = self.topics
        of_topic = hash_rows([topics.cluster, topics.uses, needed])
        sizes = [lengths_of(self.flat, name) for name in LISTS]
        wide = np.maximum.reduce(sizes) > WIDE
        columns = [self.leader, *sizes]
        for name, size in zip(LISTS, sizes, strict=True):
            columns += list(matrix_of(self.flat, name, size, wide).T)
        found = hash_rows(columns, 3) + of_topic[self.owner] if len(self.owner) else np.zeros(0, np.int64)
        found[wide] = hash_each(np.flatnonzero(wide))
        return hash_distinct(found)

    def looks(self) -> Looks:
        """The pictures that each topic has."""
        return Looks(self.owner, self.picture, self.ids, self.facts)

    def places_of(self, topic: int) -> tuple[int, int]:
        """Where a topic's partitions start, and where they end."""
        start, end = np.searchsorted(self.owner, np.array((topic, topic + 1), dtype=np.int32))
        return int(start), int(end)


def numbers_of(flat: pa.StructArray, name: str) -> Codes:
    """A column of whole numbers."""
    found: Codes = flat.field(name).to_numpy(zero_copy_only=False)
    return found


def lengths_of(flat: pa.StructArray, name: str) -> Codes:
    """How long a column's lists are, -1 for null."""
    column = flat.field(name)
    many = column.value_lengths()
    found: Codes = (many.fill_null(-1) if column.null_count else many).to_numpy(zero_copy_only=False)
    return found


def matrix_of(flat: pa.StructArray, name: str, sizes: Codes, wide: Mask) -> Ids:
    """A list's brokers side by side, EMPTY where it is shorter or too wide."""
    width = int(sizes[~wide].max(initial=0)) if len(wide) else 0
    values: Ids = flat.field(name).flatten().to_numpy(zero_copy_only=False).astype(np.int32, copy=False)
    if len(sizes) * width == len(values) and (sizes == width).all():
        return values.reshape(len(sizes), width)
    found = np.full((len(sizes), width), EMPTY, dtype=np.int32)
    lengths = np.maximum(sizes, 0).astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    for place in range(width):
        rows = np.flatnonzero((lengths > place) & ~wide)
        found[rows, place] = values[starts[rows] + place]
    return found


class Placements:
    """Partitions as they are placed on brokers, each once; `many` says how many partitions there are of each."""

    def __init__(
        self, partitions: Partitions, clusters: Clusters, first: Codes, many: Codes, looks: dict[int, Facts]
    ) -> None:
        self.known_looks = looks
        self.topics = partitions.topics
        self.clusters = clusters
        self.many = many
        self.flat = partitions.flat.take(pa.array(first))
        self.owner = partitions.owner[first]
        self.cluster = self.topics.cluster[self.owner] if len(first) else np.zeros(0, np.int64)
        self.leader = numbers_of(self.flat, "leader").astype(np.int64)
        self.brokers = Brokers(clusters)
        self.sizes = {name: lengths_of(self.flat, name).astype(np.int64) for name in LISTS}
        self.wide = np.maximum.reduce([self.sizes[name] for name in LISTS]) > WIDE
        self.matrix = {name: matrix_of(self.flat, name, self.sizes[name], self.wide) for name in LISTS}
        self.known = self.brokers.places(self.matrix["replicas"])
        self.picture, self.facts = self._pictures()

    def among(self, name: str) -> Mask:
        """Which replicas are in another list, one column per place."""
        replicas, others = self.matrix["replicas"], self.matrix[name]
        found = np.zeros(replicas.shape, dtype=bool)
        for other in range(others.shape[1]):
            found |= replicas == others[:, other : other + 1]
        there: Mask = found & (replicas != EMPTY)
        return there

    def _pictures(self) -> tuple[Codes, list[Facts]]:
        looks = self._looks()
        first, inverse = distinct(looks)
        drawn = [self._drawn(at, look) for at, look in zip(first.tolist(), looks[first].tolist(), strict=True)]
        numbers, places = encode([tuple(facts.values()) for facts in drawn])
        of_place = dict(zip(numbers, drawn, strict=True))
        return np.array(numbers or [0], dtype=np.int64)[inverse], [of_place[place] for place in range(len(places))]

    def _drawn(self, at: int, look: int) -> Facts:
        """The facts of a partition; what looks like it elsewhere has the same."""
        if look not in self.known_looks or self.wide[at]:
            from spark_audit.engine.topic_columns import USE_NAMES

            if len(self.known_looks) >= LOOKS:
                self.known_looks.clear()
            pictures = self.clusters.pictures(int(self.cluster[at]))
            self.known_looks[look] = pictures.facts(self.partition(at), USE_NAMES[self.topics.uses[self.owner[at]]])
        return self.known_looks[look]

    def _looks(self) -> Codes:
        """One number per partition for all that its picture depends on."""
        replicas, known = self.matrix["replicas"], self.known
        here = self.cluster[:, None]
        present = replicas != EMPTY
        alive, racks = self.brokers.alive[here, known] & present, self.brokers.racks[here, known]
        self.in_sync = self.among("isr")
        flags = (replicas == self.leader[:, None], self.in_sync, self.among("elr"), alive & ~self.among("offline"))
        bits = sum((~flag).astype(np.int64) << (3 - place) for place, flag in enumerate(flags))
        rows = np.sort(np.where(present, bits << 20 | racks, np.int64(1) << 40), axis=1)
        look = hash_each(self._row_numbers(rows))
        self.preferred = replicas[:, 0] if replicas.shape[1] else np.full(len(replicas), EMPTY)
        lacking = (present & (racks == 0)).any(axis=1)
        leads = np.where(self.leader == -1, 0, np.where(self.leader == self.preferred, 1, 2))
        self.preferred_alive = alive[:, 0] if alive.shape[1] else np.zeros(len(replicas), dtype=bool)
        self.preferred_in_sync = self.in_sync[:, 0] if alive.shape[1] else np.zeros(len(replicas), dtype=bool)
        said = (
            *self.sizes.values(),
            alive.sum(axis=1),
            leads,
            self.preferred_alive * 2 + self.preferred_in_sync,
            lacking,
            self._of_clusters()[self.cluster],
            self.topics.uses[self.owner],
            self.wide,
        )
        for column in said:
            look = hash_each(look + column.astype(np.int64))
        look[self.wide] = self._wide_looks()
        return look

    def _row_numbers(self, rows: Codes) -> Codes:
        """One number for the replicas' flags in order, with which of them share a rack."""
        found = np.zeros(len(rows), dtype=np.int64)
        racks = rows & ((1 << 20) - 1)
        for place in range(rows.shape[1]):
            domain = np.full(len(rows), place)
            for earlier in range(place - 1, -1, -1):
                shared = (racks[:, earlier] == racks[:, place]) & (racks[:, place] != 0)
                domain = np.where(shared, earlier, domain)
            entry = (rows[:, place] >> 20 & 15) << 3 | domain
            found = found << 7 | np.where(rows[:, place] >> 40 & 1, 127, entry)
        return found

    def _of_clusters(self) -> Codes:
        """One number per cluster for what pictures show of it."""
        seen = [self.clusters.pictures(place) for place in range(len(self.clusters.names))]
        said = [hash((each.racks_there, len(each.alive), each.elr, bool(each.racks))) for each in seen]
        return np.array(said or [0], dtype=np.int64)

    def _wide_looks(self) -> Codes:
        """Partitions of many replicas look alike where all their lists are equal."""
        rows = np.flatnonzero(self.wide)
        look = hash_each(self.cluster[rows] * 64 + self.topics.uses[self.owner[rows]]) + self.leader[rows]
        some = self.flat.take(pa.array(rows))
        for name in LISTS:
            values = some.field(name).flatten().to_numpy(zero_copy_only=False).astype(np.int64)
            sizes = self.sizes[name][rows]
            starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.maximum(sizes, 0))))
            look = hash_each(hash_each(look + sizes) + sum_each(hash_with_position(values, starts), starts))
        return look

    def partition(self, at: int) -> Partition:
        """A partition as the model has it."""
        row: dict[str, Any] = self.flat[at].as_py()
        lists = [None if row[name] is None else tuple(row[name]) for name in LISTS]
        return Partition(row["id"], row["leader"], lists[0] or (), lists[1] or (), lists[2], None, lists[3])


class Looks:
    """The (topic, picture) pairs there are, topic by topic: `count` partitions each, of which `ids` are the lowest.

    `shown` says how many of the ids are each pair's, FIRST at the most.
    """

    def __init__(self, owner: Ids, picture: Codes, ids: Codes, facts: list[Facts]) -> None:
        self.facts = facts
        size = len(facts) or 1
        order, together = _ordered(owner.astype(np.int64) * size + picture, owner, ids)
        starts = np.flatnonzero(np.diff(together, prepend=-1)) if len(together) else np.zeros(0, np.int64)
        self.topic, picture = np.divmod(together[starts], size)
        self.picture = picture.astype(np.int32)
        self.count = np.diff(starts, append=len(together)).astype(np.int32)
        self.shown = np.minimum(self.count, FIRST)
        self.ids = ids[order[positions_of(starts, self.shown)]].astype(np.int32)


def _ordered(together: Codes, owner: Ids, ids: Codes) -> tuple[Codes, Codes]:
    """The partitions by topic and picture, the lowest first; of most topics they stand that way already."""
    if (np.diff(together) < 0).any() or not ((np.diff(ids) > 0) | (np.diff(owner) > 0)).all():
        order = np.lexsort((ids, together))
        return order, together[order]
    return np.arange(len(together)), together
