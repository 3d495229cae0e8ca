"""Where something is null, at any depth, that the tables declare never to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from spark_audit.arrays.lists import list_of_each

if TYPE_CHECKING:
    from spark_audit.arrays import Mask

SPARED = ("topics", "shadowed")
"""Lists that count as empty where they are null."""


def holes(array: pa.Array, declared: pa.DataType) -> Mask | None:
    """Which values hold such a null, None where none does; to be null themselves is no matter here."""
    if pa.types.is_struct(declared):
        return _in_struct(array, declared)
    if pa.types.is_list(declared):
        flat = array.flatten()
        return _in_lists(array, either(nulls(flat), holes(flat, declared.value_type)))
    if pa.types.is_map(declared):
        pairs = array.cast(pa.list_(pa.struct([("key", declared.key_type), ("value", declared.item_type)])))
        return _in_lists(pairs, nulls(pairs.flatten().field("value")))
    return None


def _in_struct(array: pa.StructArray, declared: pa.StructType) -> Mask | None:
    bad: Mask | None = None
    for part in declared:
        if array.type.get_field_index(part.name) >= 0:
            own = array.field(part.name)
            bad = either(bad, holes(own, part.type))
            if not part.nullable and part.name not in SPARED:
                bad = either(bad, nulls(own))
    absent = nulls(array)
    return bad if bad is None or absent is None else bad & ~absent


def _in_lists(lists: pa.Array, bad: Mask | None) -> Mask | None:
    if bad is None:
        return None
    found = np.zeros(len(lists), dtype=bool)
    found[list_of_each(lists)[np.flatnonzero(bad)]] = True
    return found


def nulls(array: pa.Array) -> Mask | None:
    """Which values are null, None where none is."""
    return array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None


def either(one: Mask | None, other: Mask | None) -> Mask | None:
    """What one of two says."""
    return other if one is None else one if other is None else one | other
