"""Write tables of an audit as Parquet files."""

from __future__ import annotations

import os
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.parquet as pq


def write_part(folder: str, name: str, tables: Mapping[str, pa.Table]) -> list[str]:
    """Write a worker's rows of each table as one more file; the files, relative to the folder."""
    files = []
    for table, rows in tables.items():
        if rows.num_rows:
            files.append(os.path.join(table, f"{name}.parquet"))
            os.makedirs(os.path.join(folder, table), exist_ok=True)
            path = os.path.join(folder, files[-1])
            with pq.ParquetWriter(path, rows.schema, compression="zstd", store_schema=False) as writer:
                writer.write_table(rows)
                writer.add_key_value_metadata(rows.schema.metadata)
    return files


def write_tables(folder: str, tables: Mapping[str, pa.Table]) -> None:
    """Write one file per table, beside those of the workers."""
    for name, table in tables.items():
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        pq.write_table(table, os.path.join(folder, name, "part-audit.parquet"), compression="zstd")
