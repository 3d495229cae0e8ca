"""Find nulls, at any depth, where the schema declares that there are none."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from spark_audit.arrays import Mask
from spark_audit.arrays.lists import list_of_each

NULLABLE_LISTS = ("topics", "shadowed")
"""Lists that count as empty where they are null."""


def find_nulls(array: pa.Array, declared: pa.DataType) -> Mask | None:
    """Mask of the values that hold such a null, None where none does; values that are null themselves do not count."""
    if pa.types.is_struct(declared):
        return _in_struct(array, declared)
    if pa.types.is_list(declared):
        flat = array.flatten()
        return _in_lists(array, either(nulls(flat), find_nulls(flat, declared.value_type)))
    if pa.types.is_map(declared):
        pairs = array.cast(pa.list_(pa.struct([("key", declared.key_type), ("value", declared.item_type)])))
        return _in_lists(pairs, nulls(pairs.flatten().field("value")))
    return None


def _in_struct(array: pa.StructArray, declared: pa.StructType) -> Mask | None:
    mask: Mask | None = None
    for field in declared:
        if array.type.get_field_index(field.name) >= 0:
            child = array.field(field.name)
            mask = either(mask, find_nulls(child, field.type))
            if not field.nullable and field.name not in NULLABLE_LISTS:
                mask = either(mask, nulls(child))
    absent = nulls(array)
    return mask if mask is None or absent is None else mask & ~absent


def _in_lists(lists: pa.Array, mask: Mask | None) -> Mask | None:
    if mask is None:
        return None
    bad_lists = np.zeros(len(lists), dtype=bool)
    bad_lists[list_of_each(lists)[np.flatnonzero(mask)]] = True
    return bad_lists


def nulls(array: pa.Array) -> Mask | None:
    """Mask of the nulls, None where there are none."""
    return array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None


def either(one: Mask | None, other: Mask | None) -> Mask | None:
    """The union of two masks, either of which may be None."""
    return other if one is None else one if other is None else one | other
