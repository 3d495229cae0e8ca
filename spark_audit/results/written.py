"""Tables of an audit as Parquet files."""

from __future__ import annotations

import os

import pyarrow.parquet as pq

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa


def write(folder: str, tables: Mapping[str, pa.Table]) -> None:
    """One file for each table, beside those that are there."""
    for name, table in tables.items():
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        pq.write_table(table, os.path.join(folder, name, "part-audit.parquet"), compression="zstd")
