"""Hash columns of integers row by row: equal rows have equal hashes of 64 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spark_audit.arrays import Codes


def hash_rows(columns: Sequence[Codes], at: int = 0) -> Codes:
    """One well hash_rows number per row for what several columns say together: the same columns, the same number."""
    found = np.zeros(len(columns[0]), dtype=np.int64)
    with np.errstate(over="ignore"):
        for factor, column in zip(FACTORS[at:], columns, strict=False):
            found += column * factor
    return found


FACTORS = np.random.default_rng(20261120).integers(1, 2**63, 64) * 2 + 1
"""Odd 64 bits for each column."""


def hash_each(numbers: Codes) -> Codes:
    """Well mixed 64 bits of each number (splitmix64)."""
    mixed = numbers.astype(np.uint64)
    with np.errstate(over="ignore"):
        mixed = mixed + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed = mixed ^ (mixed >> np.uint64(31))
    return mixed.view(np.int64)


def hash_with_position(numbers: Codes, starts: Codes) -> Codes:
    """Well mixed bits of each number and its position in its list."""
    position = np.arange(len(numbers)) - np.repeat(starts[:-1], np.diff(starts))
    with np.errstate(over="ignore"):
        return hash_each(hash_each(numbers) + position)
