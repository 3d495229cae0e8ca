"""Numbers that stand for values: equal values have equal numbers, so that whole columns are compared at once."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from typing import Any

    Codes = np.ndarray[Any, np.dtype[np.int64]]
    Ids = np.ndarray[Any, np.dtype[np.int32]]
    Mask = np.ndarray[Any, np.dtype[np.bool_]]
    Column = tuple[Codes, list[Hashable]]
    """Per row the number of its answer, and the answers."""


def combined(*columns: Codes) -> Codes:
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


FACTORS = np.random.default_rng(20261120).integers(1, 2**63, 64) * 2 + 1
"""Odd 64 bits for each column."""


def mixed(columns: Sequence[Codes], at: int = 0) -> Codes:
    """One well mixed number per row for what several columns say together: the same columns, the same number."""
    found = np.zeros(len(columns[0]), dtype=np.int64)
    with np.errstate(over="ignore"):
        for factor, column in zip(FACTORS[at:], columns, strict=False):
            found += column * factor
    return found


def hash_distinct(numbers: Codes) -> tuple[Codes, Codes]:
    """As `distinct`, for numbers of any size, in no particular order."""
    encoded = pa.array(numbers).dictionary_encode()
    inverse = encoded.indices.to_numpy().astype(np.int64)
    first = np.zeros(len(encoded.dictionary), dtype=np.int64)
    first[inverse[::-1]] = np.arange(len(numbers) - 1, -1, -1)
    return first, inverse


def in_order(numbers: Codes) -> Codes:
    """The places by their numbers, equal ones in their order; numbers count from 0."""
    short = numbers.astype(np.uint16) if len(numbers) and int(numbers.max()) < 2**16 else numbers
    return np.argsort(short, kind="stable")


def numbered(answers: Sequence[Hashable]) -> tuple[list[int], list[Hashable]]:
    """Equal answers under one number."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(answer, len(numbers)) for answer in answers], list(numbers)


def parted(rows: Codes, groups: Codes) -> Iterator[Codes]:
    """The rows in parts that agree in their group."""
    if not len(rows):
        return
    here = groups[rows]
    if (here == here[0]).all():
        yield rows
        return
    order = in_order(here)
    ordered = here[order]
    yield from cut(rows[order], np.flatnonzero(np.diff(ordered)) + 1)


def cut(numbers: Codes, places: Codes) -> list[Codes]:
    """The parts between these places."""
    starts = [0, *places.tolist(), len(numbers)]
    return [numbers[start:end] for start, end in itertools.pairwise(starts)]


def hashed(numbers: Codes) -> Codes:
    """Well mixed 64 bits of each number (splitmix64)."""
    mixed = numbers.astype(np.uint64)
    with np.errstate(over="ignore"):
        mixed = mixed + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed = mixed ^ (mixed >> np.uint64(31))
    return mixed.view(np.int64)


def order_hashed(numbers: Codes, starts: Codes) -> Codes:
    """Well mixed bits of each number and its place in its list."""
    place = np.arange(len(numbers)) - np.repeat(starts[:-1], np.diff(starts))
    with np.errstate(over="ignore"):
        return hashed(hashed(numbers) + place)


def lengths(lists: pa.ListArray) -> Codes:
    """How many values each list has, 0 where it is null."""
    found: Codes = lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def summed(numbers: Codes, starts: Codes) -> Codes:
    """The sum of each list's numbers, wrapped; 0 for an empty one."""
    with np.errstate(over="ignore"):
        totals = np.concatenate((np.zeros(1, np.int64), np.cumsum(numbers, dtype=np.int64)))
        return totals[starts[1:]] - totals[starts[:-1]]


def gathered(starts: Codes, sizes: Codes) -> Codes:
    """Places of the members of some lists, list after list, from where each starts and how long it is."""
    ends = np.cumsum(sizes)
    found: Codes = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(starts - (ends - sizes), sizes)
    return found


class ByCluster:
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
