"""Types of the tables in memory: repeated texts are dictionary-encoded, columns that no rule asks for are left out."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq

from spark_audit.schema.snapshots import RELAXED

REPEATED = {"clusters": "defaults", "brokers": "settings", "topics": "settings", "clients": "settings"}
"""The column of each table in which many rows repeat the same texts."""


def dictionary_encoded_type(type: pa.DataType) -> pa.DataType:
    """A type with all its texts dictionary-encoded."""
    if pa.types.is_struct(type):
        return pa.struct([pa.field(child.name, dictionary_encoded_type(child.type)) for child in type])
    if pa.types.is_list(type):
        return pa.list_(dictionary_encoded_type(type.value_type))
    return pa.dictionary(pa.int32(), type) if pa.types.is_string(type) else type


DICTIONARY_ENCODED = {
    name: pa.schema(
        [
            pa.field(each.name, dictionary_encoded_type(each.type) if each.name == REPEATED[name] else each.type)
            for each in table
        ]
    )
    for name, table in RELAXED.items()
}
"""The tables' columns, the repeated texts dictionary-encoded."""
UNUSED = ("last_elr",)
"""Columns of partitions that no rule asks for; they need not be read."""


def without_unused(schema: pa.Schema) -> pa.Schema:
    """The columns of topics without those that no rule asks for."""
    index = schema.get_field_index("partitions")
    children = [child for child in schema.field(index).type.value_type if child.name not in UNUSED]
    return schema.set(index, pa.field("partitions", pa.list_(pa.struct(children))))


def fit_type(declared: pa.DataType, actual: pa.DataType) -> pa.DataType:
    """The declared type, where texts may be dictionary-encoded and unused columns left out, as in the actual type."""
    if pa.types.is_struct(declared) and pa.types.is_struct(actual):
        children = [child for child in declared if child.name not in UNUSED or actual.get_field_index(child.name) >= 0]
        return pa.struct(
            [pa.field(child.name, fit_type(child.type, _child_type(actual, child.name))) for child in children]
        )
    if pa.types.is_list(declared) and (pa.types.is_list(actual) or pa.types.is_large_list(actual)):
        return pa.list_(fit_type(declared.value_type, actual.value_type))
    return actual if pa.types.is_dictionary(actual) and actual.value_type == declared else declared


def _child_type(type: pa.DataType, name: str) -> pa.DataType:
    index = type.get_field_index(name)
    return type.field(index).type if index >= 0 else pa.null()


def text_leaves(schema: pq.ParquetSchema, column: str) -> list[str]:
    """The paths of the texts in a column of a file, at any depth."""
    leaves = (schema.column(index) for index in range(len(schema)))
    return [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY" and leaf.path.split(".")[0] == column]
