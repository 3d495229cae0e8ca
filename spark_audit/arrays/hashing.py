"""Hash columns of integers row by row, 64 bits: equal rows have equal hashes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spark_audit.arrays import Codes


def hash_rows(columns: Sequence[Codes], at: int = 0) -> Codes:
    """Hash each row of several columns: the sum of value times the column's factor, from FACTORS[at] on."""
    hashes = np.zeros(len(columns[0]), dtype=np.int64)
    with np.errstate(over="ignore"):
        for factor, column in zip(FACTORS[at:], columns, strict=False):
            hashes += column * factor
    return hashes


FACTORS = np.random.default_rng(20261120).integers(1, 2**63, 64) * 2 + 1
"""One random odd 64-bit factor per column, from a fixed seed: hashes are the same in every process."""


def hash_each(numbers: Codes) -> Codes:
    """Hash each number to 64 bits (splitmix64)."""
    bits = numbers.astype(np.uint64)
    with np.errstate(over="ignore"):
        bits = bits + np.uint64(0x9E3779B97F4A7C15)
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        bits = bits ^ (bits >> np.uint64(31))
    return bits.view(np.int64)


def hash_with_position(numbers: Codes, starts: Codes) -> Codes:
    """Hash each number with its position in its list; list i begins at starts[i]."""
    position = np.arange(len(numbers)) - np.repeat(starts[:-1], np.diff(starts))
    with np.errstate(over="ignore"):
        return hash_each(hash_each(numbers) + position)
