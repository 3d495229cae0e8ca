"""What a rule is judged on: combinations of subjects of one cluster, those that answer alike judged once."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from spark_audit.arrays.codes import CountsByCluster, combine, distinct, sort_order, split_by_group
from spark_audit.arrays.lists import positions_of
from spark_audit.engine.row_groups import RowGroup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from advisor.config import Config
    from advisor.rule.subject import Question
    from spark_audit.arrays import Codes
    from spark_audit.engine.tree_walk import Columns, Unsaid

    Texts = Sequence[str] | Any
    """In a list, or in an Arrow array."""
    Items = tuple[list[tuple[object, RowGroup]], list[tuple[Unsaid, Codes]]]
    """What `each=` gives, with the kinds of combinations that have it; and what it could not say, with theirs."""
    Said = Callable[[Columns, list[Question], Codes], list[Codes]]


class Names:
    """Who subjects are: the place of their cluster, kind, name, and file."""

    def __init__(self, cluster: Codes, kinds: Texts, names: Texts, files: Sequence[str | None] | None = None) -> None:
        self.cluster = cluster
        self.kinds = kinds
        self.names = names
        self.files = files

    @functools.cached_property
    def numbers(self) -> tuple[Codes, pa.StringArray]:
        """Each subject's name as its place among the different ones, and those."""
        encoded = pa.array(self.names, pa.string()).dictionary_encode()
        return encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64), encoded.dictionary


@dataclass(eq=False)
class Seat:
    """One input of a rule: `row` is each combination's row in the columns, `subject` its place among the names."""

    columns: Columns
    row: Codes
    subject: Codes
    names: Names

    def take(self, rows: Codes) -> Seat:
        """Some of the combinations."""
        return Seat(self.columns, self.row[rows], self.subject[rows], self.names)


class Combinations:
    """Combinations of inputs, one per place in `cluster`; `first` is one of each kind of them.

    `items` are what `each=` of some rules was found to give.
    """

    def __init__(self, seats: Sequence[Seat], cluster: Codes) -> None:
        self.seats = tuple(seats)
        self.cluster = cluster
        self.size = len(cluster)
        one = seats[0].row if len(seats) == 1 else combine(*(seat.row for seat in seats))
        kinds = one if self.size else np.zeros(0, np.int64)
        self.first, self.kind = distinct(kinds)
        self._order = sort_order(self.kind)
        self._counts = np.bincount(self.kind, minlength=len(self.first))
        self._starts = np.cumsum(self._counts) - self._counts
        self._rows = [seat.row[self.first] for seat in self.seats]
        self.items: dict[object, Items] = {}
        self.whole = RowGroup(np.arange(len(self.first)))

    def all_of(self, kinds: Codes) -> Codes:
        """The combinations of these kinds."""
        return self._order[positions_of(self._starts[kinds], self._counts[kinds])]

    @functools.cached_property
    def by_cluster(self) -> CountsByCluster:
        """The kinds by the clusters that have such combinations."""
        return CountsByCluster(self.kind, self.cluster, len(self.first))

    def row(self, index: int) -> Codes:
        """Each kind's row in the columns of one input."""
        return self._rows[index]

    def inputs(self, kind: int) -> tuple[Config, ...]:
        """The ordinary Configs of one of a kind."""
        return tuple(seat.columns.config(int(rows[kind])) for seat, rows in zip(self.seats, self._rows, strict=True))

    def resting(self, kinds: Codes, questions: Sequence[tuple[int, Question]]) -> Iterator[Codes]:
        """These kinds in parts that agree in what the answers to these questions rest on; places among `kinds`."""
        return self._parts(kinds, questions, lambda columns, own, rows: [each[rows] for each in columns.rests_on(own)])

    def showing(self, kinds: Codes, questions: Sequence[tuple[int, Question]]) -> Iterator[Codes]:
        """These kinds in parts that agree in what evidence for these questions shows; places among `kinds`."""
        return self._parts(kinds, questions, lambda columns, own, rows: columns.shown_by(own, rows))

    def _parts(self, kinds: Codes, questions: Sequence[tuple[int, Question]], said: Said) -> Iterator[Codes]:
        places = np.arange(len(kinds))
        if len(kinds) > 1:
            yield from split_by_group(places, self._agreeing(kinds, questions, said))
        elif len(kinds):
            yield places

    def _agreeing(self, kinds: Codes, questions: Sequence[tuple[int, Question]], said: Said) -> Codes:
        asked: list[list[Question]] = [[] for _ in self.seats]
        for index, question in questions:
            asked[index].append(question)
        found = [np.zeros(len(kinds), np.int64)]
        for seat, rows, own in zip(self.seats, self._rows, asked, strict=True):
            if own or len(self.seats) == 1:
                found += said(seat.columns, own, rows[kinds])
        return combine(*found, *self._alike(kinds))

    def _alike(self, kinds: Codes) -> Iterator[Codes]:
        """Where two inputs are one subject: a client that is producer and consumer in one."""
        for place, seat in enumerate(self.seats):
            for other in range(place):
                if self.seats[other].columns is seat.columns:
                    yield (self._rows[place][kinds] == self._rows[other][kinds]).astype(np.int64)


def product(seats: Sequence[Seat], clusters: int) -> Combinations:
    """Every combination of the inputs' subjects within each cluster."""
    found = [seats[0]]
    cluster = seats[0].names.cluster[seats[0].subject]
    for seat in seats[1:]:
        theirs = seat.names.cluster[seat.subject]
        order = sort_order(theirs)
        sizes = np.bincount(theirs, minlength=clusters)
        starts = np.cumsum(sizes) - sizes
        many = sizes[cluster]
        left = np.repeat(np.arange(len(cluster)), many)
        right = order[positions_of(starts[cluster], many)]
        found = [*(each.take(left) for each in found), seat.take(right)]
        cluster = cluster[left]
    return Combinations(found, cluster)


def joined(client: Seat, wanted: Sequence[Sequence[str]], topic: Seat, clusters: int) -> Combinations:
    """Each client with the topics of its cluster that it was said to use; a name may hold * and ?."""
    homes = client.names.cluster[client.subject]
    parts = [_named(homes, client, wanted, topic), *_matched(homes, client, wanted, topic)]
    left, right = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
    _, first = np.unique(left * len(topic.row) + right, return_index=True)
    rows = left[first]
    return Combinations([client.take(rows), topic.take(right[first])], homes[rows])


def _named(homes: Codes, client: Seat, wanted: Sequence[Sequence[str]], topic: Seat) -> tuple[Codes, Codes]:
    """Clients and topics of which the client gives the name."""
    said = [wanted[subject] for subject in client.subject.tolist()]
    codes, known = topic.names.numbers
    left = np.repeat(np.arange(len(said)), [len(names) for names in said])
    names = pc.index_in(pa.array([name for names in said for name in names], pa.string()), value_set=known)
    code = names.fill_null(len(known)).to_numpy(zero_copy_only=False).astype(np.int64)
    size = len(known) + 1
    there = pa.array(topic.names.cluster[topic.subject] * size + codes[topic.subject])
    found = pc.index_in(pa.array(homes[left] * size + code), value_set=there)
    met = found.is_valid().to_numpy(zero_copy_only=False)
    return left[met], found.drop_null().to_numpy(zero_copy_only=False).astype(np.int64)


def _matched(homes: Codes, client: Seat, wanted: Sequence[Sequence[str]], topic: Seat) -> Iterator[tuple[Codes, Codes]]:
    """Clients and topics whose names a pattern of the client's fits."""
    of_topic = topic.names.cluster[topic.subject]
    for at, subject in enumerate(client.subject.tolist()):
        patterns = [name for name in wanted[subject] if set(name) & set("*?[")]
        if patterns:
            here = np.flatnonzero(of_topic == homes[at])
            names = called(topic.names, topic.subject[here])
            fits = [any(fnmatchcase(name, pattern) for pattern in patterns) for name in names]
            rows = here[np.array(fits, dtype=bool)]
            yield np.full(len(rows), at), rows


def called(names: Names, subjects: Codes) -> list[str]:
    """The names of some subjects."""
    if isinstance(names.names, pa.Array):
        return list(names.names.take(subjects).to_pylist())
    return [names.names[subject] for subject in subjects.tolist()]
