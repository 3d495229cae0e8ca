"""The tables as memory holds them: texts that many rows have stand once, and what no rule asks is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from spark_audit.schema.snapshots import RELAXED

if TYPE_CHECKING:
    import pyarrow.parquet as pq

REPEATED = {"clusters": "defaults", "brokers": "settings", "topics": "settings", "clients": "settings"}
"""The column of each table whose texts many rows have in common."""


def shared(type: pa.DataType) -> pa.DataType:
    """A column's type as memory holds it where every text stands once."""
    if pa.types.is_struct(type):
        return pa.struct([pa.field(part.name, shared(part.type)) for part in type])
    if pa.types.is_list(type):
        return pa.list_(shared(type.value_type))
    return pa.dictionary(pa.int32(), type) if pa.types.is_string(type) else type


SHARED = {
    name: pa.schema(
        [pa.field(each.name, shared(each.type) if each.name == REPEATED[name] else each.type) for each in table]
    )
    for name, table in RELAXED.items()
}
"""The tables' columns where texts that many rows have in common stand once."""

UNASKED = ("last_elr",)
"""What of a partition no rule asks, and need not be read."""


def asked(schema: pa.Schema) -> pa.Schema:
    """The topics' columns without what no rule asks."""
    place = schema.get_field_index("partitions")
    parts = [part for part in schema.field(place).type.value_type if part.name not in UNASKED]
    return schema.set(place, pa.field("partitions", pa.list_(pa.struct(parts))))


def fitting(declared: pa.DataType, found: pa.DataType) -> pa.DataType:
    """The declared type, but that texts may stand once each, and that what no rule asks may be left out."""
    if pa.types.is_struct(declared) and pa.types.is_struct(found):
        parts = [part for part in declared if part.name not in UNASKED or found.get_field_index(part.name) >= 0]
        return pa.struct([pa.field(part.name, fitting(part.type, _part(found, part.name))) for part in parts])
    if pa.types.is_list(declared) and (pa.types.is_list(found) or pa.types.is_large_list(found)):
        return pa.list_(fitting(declared.value_type, found.value_type))
    return found if pa.types.is_dictionary(found) and found.value_type == declared else declared


def _part(type: pa.DataType, name: str) -> pa.DataType:
    place = type.get_field_index(name)
    return type.field(place).type if place >= 0 else pa.null()


def texts_of(schema: pq.ParquetSchema, column: str) -> list[str]:
    """The texts in a column of a file, at any depth."""
    leaves = (schema.column(place) for place in range(len(schema)))
    return [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY" and leaf.path.split(".")[0] == column]
