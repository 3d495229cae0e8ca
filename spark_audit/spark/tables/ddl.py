"""Arrow schemas as Spark's DDL, so that only what Spark documents is needed of it."""

from __future__ import annotations

import pyarrow as pa

PLAIN = {
    pa.string(): "string",
    pa.bool_(): "boolean",
    pa.int32(): "int",
    pa.int64(): "bigint",
    pa.float64(): "double",
    pa.binary(): "binary",
}


def ddl(schema: pa.Schema) -> str:
    """The columns of a table, any of them nullable, as `DataFrameReader.schema` and `mapInArrow` take them."""
    return ", ".join(f"`{field.name}` {ddl_type(field.type)}" for field in schema)


def ddl_type(type: pa.DataType) -> str:
    """A type of Arrow as Spark names it."""
    if pa.types.is_struct(type):
        return f"struct<{', '.join(f'`{child.name}`: {ddl_type(child.type)}' for child in type)}>"
    if pa.types.is_map(type):
        return f"map<{ddl_type(type.key_type)}, {ddl_type(type.item_type)}>"
    if pa.types.is_list(type):
        return f"array<{ddl_type(type.value_type)}>"
    return PLAIN[type]
