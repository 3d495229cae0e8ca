"""Helpers for lists in Arrow and numpy: lengths, offsets, sums, positions of members."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa

from spark_audit.arrays import Codes


def lengths(lists: pa.ListArray) -> Codes:
    """The number of values in each list, 0 where it is null."""
    length_of_list: Codes = lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return length_of_list


def sum_each(numbers: Codes, starts: Codes) -> Codes:
    """The sum of each list's numbers, wrapped at 64 bits; 0 for an empty list. List i begins at starts[i]."""
    with np.errstate(over="ignore"):
        totals = np.concatenate((np.zeros(1, np.int64), np.cumsum(numbers, dtype=np.int64)))
        return totals[starts[1:]] - totals[starts[:-1]]


def positions_of(starts: Codes, sizes: Codes) -> Codes:
    """The positions of the members of some lists, list after list, given where each starts and its size."""
    ends = np.cumsum(sizes)
    positions: Codes = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(starts - (ends - sizes), sizes)
    return positions


def cut(numbers: Codes, positions: Codes) -> list[Codes]:
    """Split an array at these positions."""
    starts = [0, *positions.tolist(), len(numbers)]
    return [numbers[start:end] for start, end in itertools.pairwise(starts)]


def list_of_each(lists: pa.ListArray) -> Codes:
    """The index of the list that each flattened value belongs to."""
    return np.repeat(np.arange(len(lists)), lengths(lists))
