"""Helpers for Arrow dictionary arrays: codes, dictionaries without repeated or unused values."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from spark_audit.arrays import Codes
from spark_audit.arrays.lists import lengths

NULL = -1
"""The code of null."""


def compact(array: pa.Array) -> pa.Array:
    """Drop unused values from the dictionaries of an array, at any depth; type and values stay the same."""
    if pa.types.is_dictionary(array.type):
        return _drop_unused(array)
    if pa.types.is_list(array.type) and _has_dictionary(array.type):
        offsets = pa.array(np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths(array)))), pa.int32())
        return pa.ListArray.from_arrays(offsets, compact(array.flatten()), mask=_nulls(array))
    if pa.types.is_struct(array.type) and _has_dictionary(array.type):
        children = [compact(child) for child in array.flatten()]
        return pa.StructArray.from_arrays(children, fields=list(array.type), mask=_nulls(array))
    return array


def _drop_unused(array: pa.DictionaryArray) -> pa.DictionaryArray:
    """Keep the dictionary values that some row refers to, and number them anew."""
    used = np.zeros(len(array.dictionary), dtype=bool)
    used[array.indices.drop_null().to_numpy()] = True
    if used.all():
        return array
    new_code_of_old = pa.array(np.cumsum(used) - 1, pa.int32())
    return pa.DictionaryArray.from_arrays(new_code_of_old.take(array.indices), array.dictionary.filter(pa.array(used)))


def _nulls(array: pa.Array) -> pa.BooleanArray | None:
    return array.is_null() if array.null_count else None


def _has_dictionary(type: pa.DataType) -> bool:
    """Whether a type is a dictionary, or has one at any depth."""
    child_types = [type.field(index).type for index in range(type.num_fields)]
    return pa.types.is_dictionary(type) or any(map(_has_dictionary, child_types))


def indices(encoded: pa.DictionaryArray) -> Codes:
    """The codes of a dictionary array, NULL for null."""
    codes: Codes = encoded.indices.fill_null(NULL).to_numpy(zero_copy_only=False).astype(np.int64)
    return codes


def codes_of(column: pa.Array) -> Codes:
    """Dictionary-encode a column; its codes, NULL for null."""
    return indices(column.dictionary_encode())


def unify_dictionary(texts: pa.Array) -> pa.DictionaryArray:
    """Dictionary-encode texts with every value once in the dictionary: what files hold may repeat some."""
    encoded = texts.dictionary_encode()
    if len(encoded.dictionary.unique()) == len(encoded.dictionary):
        return encoded
    return encoded.cast(pa.string()).dictionary_encode()
