"""Arrow lists and their offsets: lengths, sums, positions of members."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from spark_audit.arrays import Codes


def lengths(lists: pa.ListArray) -> Codes:
    """How many values each list has, 0 where it is null."""
    found: Codes = lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def sum_each(numbers: Codes, starts: Codes) -> Codes:
    """The sum of each list's numbers, wrapped; 0 for an empty one."""
    with np.errstate(over="ignore"):
        totals = np.concatenate((np.zeros(1, np.int64), np.cumsum(numbers, dtype=np.int64)))
        return totals[starts[1:]] - totals[starts[:-1]]


def positions_of(starts: Codes, sizes: Codes) -> Codes:
    """Places of the members of some lists, list after list, from where each starts and how long it is."""
    ends = np.cumsum(sizes)
    found: Codes = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(starts - (ends - sizes), sizes)
    return found


def cut(numbers: Codes, places: Codes) -> list[Codes]:
    """The parts between these places."""
    starts = [0, *places.tolist(), len(numbers)]
    return [numbers[start:end] for start, end in itertools.pairwise(starts)]


def list_of_each(lists: pa.ListArray) -> Codes:
    """The list that each of the flattened values is of."""
    return np.repeat(np.arange(len(lists)), lengths(lists))
