"""What a rule is judged on: combinations of subjects of one cluster, those that answer alike judged once."""

from __future__ import annotations

from fnmatch import fnmatchcase

import numpy as np

from spark_audit.codes import combined, gathered, parted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.asking import Question
    from advisor.config import Config
    from spark_audit.codes import Codes
    from spark_audit.walk import Columns


class Names:
    """Who subjects are: the place of their cluster, kind, name, and file."""

    def __init__(
        self, cluster: Codes, kinds: Sequence[str], names: Sequence[str], files: Sequence[str | None] | None = None
    ) -> None:
        self.cluster = cluster
        self.kinds = kinds
        self.names = names
        self.files = files


class Seat:
    """One input of a rule: `row` is each combination's row in the columns, `subject` its place among the names."""

    def __init__(self, columns: Columns, row: Codes, subject: Codes, names: Names) -> None:
        self.columns = columns
        self.row = row
        self.subject = subject
        self.names = names

    def take(self, rows: Codes) -> Seat:
        """Some of the combinations."""
        return Seat(self.columns, self.row[rows], self.subject[rows], self.names)


class Combinations:
    """Combinations of inputs, one per place in `cluster`; `first` is one of each kind of them."""

    def __init__(self, seats: Sequence[Seat], cluster: Codes) -> None:
        self.seats = tuple(seats)
        self.cluster = cluster
        self.size = len(cluster)
        kinds = combined(*(seat.row for seat in seats)) if self.size else np.zeros(0, np.int64)
        _, self.first, self.kind = np.unique(kinds, return_index=True, return_inverse=True)
        self._order = np.argsort(self.kind, kind="stable")
        self._counts = np.bincount(self.kind, minlength=len(self.first))
        self._starts = np.cumsum(self._counts) - self._counts
        self._rows = [seat.row[self.first] for seat in self.seats]

    @property
    def kinds(self) -> Codes:
        """Every kind of combination."""
        return np.arange(len(self.first))

    def all_of(self, kinds: Codes) -> Codes:
        """The combinations of these kinds."""
        return self._order[gathered(self._starts[kinds], self._counts[kinds])]

    def row(self, index: int) -> Codes:
        """Each kind's row in the columns of one input."""
        return self._rows[index]

    def inputs(self, kind: int) -> tuple[Config, ...]:
        """The ordinary Configs of one of a kind."""
        return tuple(seat.columns.config(int(rows[kind])) for seat, rows in zip(self.seats, self._rows, strict=True))

    def parts(self, kinds: Codes, questions: Sequence[tuple[int, Question]]) -> Iterator[Codes]:
        """These kinds in parts that agree in what the answers to these questions rest on; places among `kinds`."""
        places = np.arange(len(kinds))
        if len(kinds) > 1:
            yield from parted(places, self._rests_on(kinds, questions))
        elif len(kinds):
            yield places

    def _rests_on(self, kinds: Codes, questions: Sequence[tuple[int, Question]]) -> Codes:
        asked: list[list[Question]] = [[] for _ in self.seats]
        for index, question in questions:
            asked[index].append(question)
        found = [np.zeros(len(kinds), np.int64)]
        for seat, rows, own in zip(self.seats, self._rows, asked, strict=True):
            if own or len(self.seats) == 1:
                found += [column[rows[kinds]] for column in seat.columns.rests_on(own)]
        return combined(*found, *self._alike(kinds))

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
        order = np.argsort(theirs, kind="stable")
        sizes = np.bincount(theirs, minlength=clusters)
        starts = np.cumsum(sizes) - sizes
        many = sizes[cluster]
        left = np.repeat(np.arange(len(cluster)), many)
        right = order[gathered(starts[cluster], many)]
        found = [*(each.take(left) for each in found), seat.take(right)]
        cluster = cluster[left]
    return Combinations(found, cluster)


def joined(client: Seat, wanted: Sequence[Sequence[str]], topic: Seat, clusters: int) -> Combinations:
    """Each client with the topics of its cluster that it was said to use; a name may hold * and ?."""
    left: list[int] = []
    right: list[int] = []
    homes, of_topic = client.names.cluster[client.subject], topic.names.cluster[topic.subject]
    order = np.argsort(of_topic, kind="stable")
    sizes = np.bincount(of_topic, minlength=clusters)
    starts = np.cumsum(sizes) - sizes
    for place in np.unique(homes).tolist():
        here = order[starts[place] : starts[place] + sizes[place]].tolist()
        names = [topic.names.names[int(topic.subject[at])] for at in here]
        at_name = dict(zip(names, here, strict=True))
        for at in np.flatnonzero(homes == place).tolist():
            for found in matching(wanted[int(client.subject[at])], at_name):
                left.append(at)
                right.append(found)
    rows = np.array(left, dtype=np.int64)
    return Combinations([client.take(rows), topic.take(np.array(right, dtype=np.int64))], homes[rows])


def matching(patterns: Sequence[str], at_name: dict[str, int]) -> list[int]:
    """The topics that a client's patterns mean, in the order of the topics."""
    found = {at_name[name] for name in patterns if name in at_name}
    for pattern in patterns:
        if "*" in pattern or "?" in pattern or "[" in pattern:
            found.update(at for name, at in at_name.items() if fnmatchcase(name, pattern))
    return sorted(found)
