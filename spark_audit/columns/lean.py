"""Some rows of a table whose texts stand once for all rows, without the texts that none of them says."""

from __future__ import annotations

import numpy as np
import pyarrow as pa


def lean(array: pa.Array) -> pa.Array:
    """The same values in the same type; the dictionaries of texts, at any depth, hold no others."""
    if pa.types.is_dictionary(array.type):
        return _said(array)
    if pa.types.is_list(array.type) and _holds_texts(array.type):
        lengths = array.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
        offsets = pa.array(np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))), pa.int32())
        return pa.ListArray.from_arrays(offsets, lean(array.flatten()), mask=_nulls(array))
    if pa.types.is_struct(array.type) and _holds_texts(array.type):
        parts = [lean(array.field(place)) for place in range(array.type.num_fields)]
        return pa.StructArray.from_arrays(parts, fields=list(array.type), mask=_nulls(array))
    return array


def _said(array: pa.DictionaryArray) -> pa.DictionaryArray:
    codes = array.indices.fill_null(0).to_numpy()
    there = np.zeros(len(array.dictionary), dtype=bool)
    if array.null_count < len(array):
        there[codes] = True
    if there.all():
        return array
    numbers = np.cumsum(there) - 1
    mask = array.indices.is_null().to_numpy(zero_copy_only=False)
    found = pa.array(numbers[codes] if len(numbers) else codes, pa.int32(), mask=mask)
    return pa.DictionaryArray.from_arrays(found, array.dictionary.take(pa.array(np.flatnonzero(there))))


def _nulls(array: pa.Array) -> pa.BooleanArray | None:
    return array.is_null() if array.null_count else None


def _holds_texts(type: pa.DataType) -> bool:
    parts = [type.field(place).type for place in range(type.num_fields)]
    return pa.types.is_dictionary(type) or any(map(_holds_texts, parts))
