"""Dictionary-encode values as integer codes, so that whole columns are compared and grouped at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import numpy as np
import pyarrow as pa

from spark_audit.arrays import Codes
from spark_audit.arrays.lists import cut

FEW = 50
"""Rows up to which a dictionary is faster than arrays."""


def combine(*columns: Codes) -> Codes:
    """Combine several columns of codes into one: rows that agree in all columns have one code.

    Codes count from 0, in no particular order. Columns are multiplied out while the product stays below 2^62, so that
    int64 cannot overflow; beyond that the product is numbered anew.
    """
    if len(columns[0]) <= FEW:
        return np.array(encode(list(zip(*(column.tolist() for column in columns), strict=True)))[0], dtype=np.int64)
    combined, bound = columns[0], None
    for column in columns[1:]:
        low, high = int(column.min(initial=0)), int(column.max(initial=0))
        if low == high:
            continue
        if bound is None or bound * (high - low + 1) > 2**62:
            combined = distinct(combined)[1]
            bound = int(combined.max(initial=0)) + 1
        combined = combined * (high - low + 1) + (column - low)
        bound *= high - low + 1
    return distinct(combined)[1]


def distinct(numbers: Codes) -> tuple[Codes, Codes]:
    """The distinct values, in their order: the first row of each, and per row the index of its value among them.

    A lookup table takes the place of a sort where the values span at most 4 times the rows (+ 1,000), which bounds its
    memory.
    """
    if len(numbers) <= FEW:
        return _distinct_of_few(numbers.tolist())
    low, high = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    if not len(numbers) or high - low > 4 * len(numbers) + 1000:
        _, first_row, value_of_row = np.unique(numbers, return_index=True, return_inverse=True)
        return first_row, value_of_row
    if low:
        numbers = numbers - low
    first_row_of_value = np.full(high - low + 1, -1, dtype=np.int64)
    first_row_of_value[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1)
    present = np.flatnonzero(first_row_of_value >= 0)
    rank = np.zeros(len(first_row_of_value), dtype=np.int64)
    rank[present] = np.arange(len(present))
    return first_row_of_value[present], rank[numbers]


def _distinct_of_few(numbers: list[int]) -> tuple[Codes, Codes]:
    values = sorted(set(numbers))
    index_of_value = {value: index for index, value in enumerate(values)}
    first_row = [numbers.index(value) for value in values]
    value_of_row = [index_of_value[number] for number in numbers]
    return np.array(first_row, dtype=np.int64), np.array(value_of_row, dtype=np.int64)


def hash_distinct(numbers: Codes) -> tuple[Codes, Codes]:
    """As `distinct`, by hash, for values of any size; the values are in no particular order."""
    encoded = pa.array(numbers).dictionary_encode()
    value_of_row = encoded.indices.to_numpy().astype(np.int64)
    first_row = np.zeros(len(encoded.dictionary), dtype=np.int64)
    first_row[value_of_row[::-1]] = np.arange(len(numbers) - 1, -1, -1)
    return first_row, value_of_row


def sort_order(numbers: Codes) -> Codes:
    """A stable argsort of codes that count from 0; 16 bits, where they suffice, take numpy's radix sort."""
    narrow = numbers.astype(np.uint16) if len(numbers) and int(numbers.max()) < 2**16 else numbers
    return np.argsort(narrow, kind="stable")


def encode(answers: Sequence[Hashable]) -> tuple[list[int], list[Hashable]]:
    """Dictionary-encode answers: the code of each, and the distinct answers by code."""
    code_of_answer: dict[Hashable, int] = {}
    return [code_of_answer.setdefault(answer, len(code_of_answer)) for answer in answers], list(code_of_answer)


def split_by_code(rows: Codes, codes: Codes) -> Iterator[Codes]:
    """Split rows by their codes; rows of equal codes stay in order."""
    if not len(rows):
        return
    code_of_row = codes[rows]
    if (code_of_row == code_of_row[0]).all():
        yield rows
        return
    order = sort_order(code_of_row)
    sorted_codes = code_of_row[order]
    yield from cut(rows[order], np.flatnonzero(np.diff(sorted_codes)) + 1)


class CountsByCluster:
    """How often each cluster has each signature: `_cluster[i]` has `_signature[i]` `_counts[i]` times."""

    def __init__(self, signature_of_row: Codes, cluster_of_row: Codes, signatures: int) -> None:
        self._clusters = int(cluster_of_row.max(initial=0)) + 1
        pairs, self._counts = np.unique(signature_of_row * self._clusters + cluster_of_row, return_counts=True)
        self._signature, self._cluster = np.divmod(pairs, self._clusters)
        self._signatures = signatures

    def count(self, signatures: Codes) -> Codes:
        """How often each cluster has one of these signatures, each of which is given once."""
        is_counted = np.zeros(self._signatures, dtype=np.int64)
        is_counted[signatures] = 1
        return np.bincount(self._cluster, self._counts * is_counted[self._signature], self._clusters).astype(np.int64)
