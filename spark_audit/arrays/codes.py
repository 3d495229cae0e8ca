"""Dictionary-encode values as integer codes, so that whole columns are compared and grouped at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from spark_audit.arrays.lists import cut

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from spark_audit.arrays import Codes


def combine(*columns: Codes) -> Codes:
    """One number per row for what several columns say together; numbers count from 0 in no particular order."""
    found, top = columns[0], None
    for column in columns[1:]:
        low, high = int(column.min(initial=0)), int(column.max(initial=0))
        if low == high:
            continue
        if top is None or top * (high - low + 1) > 2**62:
            found = distinct(found)[1]
            top = int(found.max(initial=0)) + 1
        found = found * (high - low + 1) + (column - low)
        top *= high - low + 1
    return distinct(found)[1]


def distinct(numbers: Codes) -> tuple[Codes, Codes]:
    """The place of the first of each different number, in the numbers' order, and each place's number among those."""
    low, high = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    if not len(numbers) or high - low > 4 * len(numbers) + 1000:
        _, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
        return first, inverse
    if low:
        numbers = numbers - low
    place = np.full(high - low + 1, -1, dtype=np.int64)
    place[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1)
    there = np.flatnonzero(place >= 0)
    rank = np.zeros(len(place), dtype=np.int64)
    rank[there] = np.arange(len(there))
    return place[there], rank[numbers]


def hash_distinct(numbers: Codes) -> tuple[Codes, Codes]:
    """As `distinct`, for numbers of any size, in no particular order."""
    encoded = pa.array(numbers).dictionary_encode()
    inverse = encoded.indices.to_numpy().astype(np.int64)
    first = np.zeros(len(encoded.dictionary), dtype=np.int64)
    first[inverse[::-1]] = np.arange(len(numbers) - 1, -1, -1)
    return first, inverse


def sort_order(numbers: Codes) -> Codes:
    """The places by their numbers, equal ones in their order; numbers count from 0."""
    short = numbers.astype(np.uint16) if len(numbers) and int(numbers.max()) < 2**16 else numbers
    return np.argsort(short, kind="stable")


def encode(answers: Sequence[Hashable]) -> tuple[list[int], list[Hashable]]:
    """Equal answers under one number."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(answer, len(numbers)) for answer in answers], list(numbers)


def split_by_group(rows: Codes, groups: Codes) -> Iterator[Codes]:
    """The rows in parts that agree in their group."""
    if not len(rows):
        return
    here = groups[rows]
    if (here == here[0]).all():
        yield rows
        return
    order = sort_order(here)
    ordered = here[order]
    yield from cut(rows[order], np.flatnonzero(np.diff(ordered)) + 1)


class CountsByCluster:
    """Kinds by the clusters that have them, and how often."""

    def __init__(self, kind: Codes, cluster: Codes, kinds: int) -> None:
        self._size = int(cluster.max(initial=0)) + 1
        pairs, self._many = np.unique(kind * self._size + cluster, return_counts=True)
        self._kind, self._cluster = np.divmod(pairs, self._size)
        self._kinds = kinds

    def numbers(self, kinds: Codes) -> Codes:
        """How often each cluster has one of these kinds, each of which is given once."""
        wanted = np.zeros(self._kinds, dtype=np.int64)
        wanted[kinds] = 1
        return np.bincount(self._cluster, self._many * wanted[self._kind], self._size).astype(np.int64)
