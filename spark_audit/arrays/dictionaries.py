"""Arrow dictionary arrays: the codes of values, one dictionary without repetitions, none that no row refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from spark_audit.arrays.lists import lengths

if TYPE_CHECKING:
    from spark_audit.arrays import Codes


NULL = -1
"""The code of a null."""


def compact(array: pa.Array) -> pa.Array:
    """The same values in the same type; the dictionaries of texts, at any depth, hold no others."""
    if pa.types.is_dictionary(array.type):
        return _said(array)
    if pa.types.is_list(array.type) and _holds_texts(array.type):
        offsets = pa.array(np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths(array)))), pa.int32())
        return pa.ListArray.from_arrays(offsets, compact(array.flatten()), mask=_nulls(array))
    if pa.types.is_struct(array.type) and _holds_texts(array.type):
        parts = [compact(part) for part in array.flatten()]
        return pa.StructArray.from_arrays(parts, fields=list(array.type), mask=_nulls(array))
    return array


def _said(array: pa.DictionaryArray) -> pa.DictionaryArray:
    there = np.zeros(len(array.dictionary), dtype=bool)
    there[array.indices.drop_null().to_numpy()] = True
    if there.all():
        return array
    numbers = pa.array(np.cumsum(there) - 1, pa.int32())
    return pa.DictionaryArray.from_arrays(numbers.take(array.indices), array.dictionary.filter(pa.array(there)))


def _nulls(array: pa.Array) -> pa.BooleanArray | None:
    return array.is_null() if array.null_count else None


def _holds_texts(type: pa.DataType) -> bool:
    parts = [type.field(place).type for place in range(type.num_fields)]
    return pa.types.is_dictionary(type) or any(map(_holds_texts, parts))


def indices(encoded: pa.DictionaryArray) -> Codes:
    """The numbers of a dictionary's values, NULL for null."""
    found: Codes = encoded.indices.fill_null(NULL).to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def codes_of(column: pa.Array) -> Codes:
    """Equal values under one number, NULL for null."""
    return indices(column.dictionary_encode())


def unify_dictionary(texts: pa.Array) -> pa.DictionaryArray:
    """Texts as places in a dictionary in which each stands once; what was read so may have some twice."""
    encoded = texts.dictionary_encode()
    if len(encoded.dictionary.unique()) == len(encoded.dictionary):
        return encoded
    return encoded.cast(pa.string()).dictionary_encode()
