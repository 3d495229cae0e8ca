"""Partitions as columns: each is one of few pictures of replicas, so that millions of them are some hundred questions.

What a picture depends on is worked out for all partitions at once, as one number each; those that agree in it look
alike, and one of them is drawn by advisor.pictures.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from advisor.config import Config
from advisor.crowd import INNER
from advisor.live import Partition
from spark_audit.codes import gathered, hashed, numbered, order_hashed, summed
from spark_audit.columns import answered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable
    from typing import Any

    from advisor.asking import Question
    from spark_audit.clusters import Clusters
    from spark_audit.codes import Codes, Column, Ids, Mask
    from spark_audit.subjects import TopicColumns

WIDE = 8
"""Replicas up to which a partition's picture is worked out as a number."""
LISTS = ("replicas", "isr", "elr", "offline")
EMPTY = -9
"""Stands where a list has ended."""


class Brokers:
    """The brokers of some clusters by their ids: which are alive, and on which rack."""

    def __init__(self, clusters: Clusters) -> None:
        nodes = clusters.nodes()
        flat = nodes.flatten()
        lengths = nodes.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        owner = np.repeat(np.arange(len(nodes)), lengths)
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
    """All partitions of some topics; `owner` is the topic of each, `picture` its number in `facts`."""

    def __init__(self, topics: TopicColumns, clusters: Clusters) -> None:
        self.topics = topics
        self.clusters = clusters
        self.flat = topics.batch.column("partitions").flatten()
        self.owner = np.repeat(np.arange(topics.rows), np.maximum(topics.counts, 0))
        self.cluster = topics.cluster[self.owner] if len(self.owner) else np.zeros(0, np.int64)
        self.ids = self.numbers("id")
        self.leader = self.numbers("leader")
        self.brokers = Brokers(clusters)
        self.sizes = {name: self._lengths(name) for name in LISTS}
        widest = np.maximum.reduce([self.sizes[name] for name in LISTS])
        self.wide = widest > WIDE
        self.width = {name: int(self.sizes[name][~self.wide].max(initial=0)) if len(self.wide) else 0 for name in LISTS}
        self.matrix = {name: self._matrix(name) for name in LISTS}
        self.known = self.brokers.places(self.matrix["replicas"])
        self.picture, self.facts = self._pictures()

    def numbers(self, name: str) -> Codes:
        """A column of whole numbers."""
        found: Codes = self.flat.field(name).to_numpy(zero_copy_only=False).astype(np.int64)
        return found

    def _lengths(self, name: str) -> Codes:
        found: Codes = (
            self.flat.field(name).value_lengths().fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        )
        return found

    def _matrix(self, name: str) -> Ids:
        """A list's brokers side by side, EMPTY where it is shorter or too wide."""
        sizes, width = np.maximum(self.sizes[name], 0), self.width[name]
        values = self.flat.field(name).flatten().to_numpy(zero_copy_only=False).astype(np.int32)
        if len(sizes) * width == len(values) and (sizes == width).all():
            square: Ids = values.reshape(len(sizes), width)
            return square
        found = np.full((len(sizes), width), EMPTY, dtype=np.int32)
        starts = np.cumsum(sizes) - sizes
        kept = np.where(self.wide, 0, sizes)
        rows = np.repeat(np.arange(len(sizes)), kept)
        found[rows, gathered(np.zeros(len(kept), np.int64), kept)] = values[gathered(starts, kept)]
        return found

    def among(self, name: str) -> Mask:
        """Which replicas are in another list, one column per place."""
        replicas, others = self.matrix["replicas"], self.matrix[name]
        found = np.zeros(replicas.shape, dtype=bool)
        for other in range(others.shape[1]):
            found |= replicas == others[:, other : other + 1]
        there: Mask = found & (replicas != EMPTY)
        return there

    def _pictures(self) -> tuple[Codes, list[dict[str, Hashable]]]:
        _, first, inverse = np.unique(self._looks(), return_index=True, return_inverse=True)
        uses = self.topics.uses
        from spark_audit.subjects import USE_NAMES

        drawn = [
            self.clusters.pictures(int(self.cluster[at])).facts(
                self.partition(int(at)), USE_NAMES[uses[self.owner[at]]]
            )
            for at in first
        ]
        numbers, places = numbered([tuple(facts.values()) for facts in drawn])
        of_place = dict(zip(numbers, drawn, strict=True))
        return np.array(numbers or [0], dtype=np.int64)[inverse], [of_place[place] for place in range(len(places))]

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
        look = hashed(self._row_numbers(rows))
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
            look = hashed(look + column.astype(np.int64))
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
        said = [(each.racks_there, len(each.alive), each.elr, bool(each.racks)) for each in seen]
        return np.array(numbered(said)[0] or [0], dtype=np.int64)

    def _wide_looks(self) -> Codes:
        """Partitions of many replicas look alike where all their lists are equal."""
        rows = np.flatnonzero(self.wide)
        look = hashed(self.cluster[rows] * 64 + self.topics.uses[self.owner[rows]]) + self.leader[rows]
        some = self.flat.take(pa.array(rows))
        for name in LISTS:
            values = some.field(name).flatten().to_numpy(zero_copy_only=False).astype(np.int64)
            sizes = self.sizes[name][rows]
            starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.maximum(sizes, 0))))
            look = hashed(hashed(look + sizes) + summed(order_hashed(values, starts), starts))
        return look

    def partition(self, at: int) -> Partition:
        """A partition as the model has it."""
        row: dict[str, Any] = self.flat[at].as_py()
        lists = [None if row[name] is None else tuple(row[name]) for name in LISTS]
        return Partition(row["id"], row["leader"], lists[0] or (), lists[1] or (), lists[2], None, lists[3])


def _never(question: Question) -> Column:
    raise AssertionError(f"{question} is no fact that follows from settings")


class PartitionKinds:
    """The different partitions there are: pairs of a kind of topic and a picture.

    `row` is the pair of each (topic, picture) in `topic`; a topic's rows stand together, `count` partitions each, the
    lowest of them `first`.
    """

    def __init__(self, partitions: Partitions, kinds: TopicColumns, kind_of: Codes) -> None:
        self.kinds = kinds
        self.facts = partitions.facts
        self._ids = partitions.ids
        size = len(self.facts) or 1
        together = partitions.owner * size + partitions.picture
        self._order = np.lexsort((partitions.ids, together))
        ordered = together[self._order]
        self._starts = np.flatnonzero(np.diff(ordered, prepend=-1)) if len(ordered) else np.zeros(0, np.int64)
        self.count = np.diff(self._starts, append=len(ordered))
        self.topic, picture = np.divmod(ordered[self._starts], size)
        self.first = self._ids[self._order[self._starts]]
        pairs, self.row = np.unique(kind_of[self.topic] * size + picture, return_inverse=True)
        self.kind, self.picture = np.divmod(pairs, size)
        self.rows = len(pairs)
        self._columns: dict[Question, Column] = {}
        self._configs: dict[int, Config] = {}

    def members(self, rows: Codes, most: int) -> tuple[Codes, Codes]:
        """The lowest partitions, `most` at the most, of each of these (topic, picture) rows: ids and how many."""
        sizes = np.minimum(self.count[rows], most)
        return self._ids[self._order[gathered(self._starts[rows], sizes)]], sizes

    def config(self, row: int) -> Config:
        """The row's ordinary Config: its topic's settings and its picture's facts."""
        if row not in self._configs:
            topic = self.kinds.config(int(self.kind[row])).entity
            self._configs[row] = Config(topic, self.facts[int(self.picture[row])])
        return self._configs[row]

    def column(self, question: Question, walked: Callable[[Question], Column]) -> Column:
        """Every row's answer: of its picture where a fact is asked for, else of its topic."""
        if question not in self._columns:
            self._columns[question] = self._answers(question, walked)
        return self._columns[question]

    def _answers(self, question: Question, walked: Callable[[Question], Column]) -> Column:
        what, key = question
        if what == "live" and self.facts and key in self.facts[0]:
            numbers, answers = numbered([facts[str(key)] for facts in self.facts])
            return np.array(numbers, dtype=np.int64)[self.picture], answers
        if what == "live":
            numbers, answers = numbered([answered(self.config(row), question) for row in range(self.rows)])
            return np.array(numbers, dtype=np.int64), answers
        if isinstance(key, tuple):
            return walked(question)
        codes, answers = self.kinds.column(question, walked)
        return codes[self.kind] if self.rows else codes, answers

    def hidden(self) -> Mask:
        """The rows whose topic's settings could not be read."""
        return self.kinds.hidden()[self.kind]

    def rests_on(self, questions: Iterable[Question]) -> list[Codes]:
        """Columns of everything that evidence for these questions shows; a picture only for what it says of itself."""
        asked = list(questions)
        facts = [question for question in asked if question[0] == "live" and question not in INNER]
        own = [question for question in asked if question[0] != "live" and question[1] not in self.facts[0]]
        columns = [self.column(question, _never)[0] for question in facts]
        return [*(column[self.kind] for column in self.kinds.rests_on(own)), *columns]
