"""Some rows of a table whose texts stand once for all rows, without the texts that none of them says."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from spark_audit.arrays.codes import lengths


def lean(array: pa.Array) -> pa.Array:
    """The same values in the same type; the dictionaries of texts, at any depth, hold no others."""
    if pa.types.is_dictionary(array.type):
        return _said(array)
    if pa.types.is_list(array.type) and _holds_texts(array.type):
        offsets = pa.array(np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths(array)))), pa.int32())
        return pa.ListArray.from_arrays(offsets, lean(array.flatten()), mask=_nulls(array))
    if pa.types.is_struct(array.type) and _holds_texts(array.type):
        parts = [lean(part) for part in array.flatten()]
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
