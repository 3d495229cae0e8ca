"""Number the buckets of a Spark shuffle so that its hash spreads them evenly over the partitions."""

from __future__ import annotations

MASK = 0xFFFFFFFF
SEED = 42
"""Of the hash that Spark parts rows by (org.apache.spark.sql.catalyst.expressions.HashPartitioning)."""


def spread(groups: int, partitions: int) -> list[int]:
    """Whole numbers, one for each group, of which Spark's hash gives every partition as many, or one less."""
    room = [-(-groups // partitions)] * partitions
    found: list[int] = []
    number = 0
    while len(found) < groups:
        place = hashed(number) % partitions
        if room[place]:
            room[place] -= 1
            found.append(number)
        number += 1
    return found


def hashed(number: int) -> int:
    """The hash of a bigint (Murmur3_x86_32.hashLong), signed as Java's int is."""
    low, high = number & MASK, number >> 32 & MASK
    mixed = _mixed(_mixed(SEED, low), high) ^ 8
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        mixed = (mixed ^ mixed >> shift) * factor & MASK
    return mixed - (1 << 32) if mixed >> 31 else mixed


def _mixed(hash: int, word: int) -> int:
    word = _turned(word * 0xCC9E2D51 & MASK, 15) * 0x1B873593 & MASK
    return (_turned(hash ^ word, 13) * 5 + 0xE6546B64) & MASK


def _turned(word: int, by: int) -> int:
    return (word << by | word >> 32 - by) & MASK
