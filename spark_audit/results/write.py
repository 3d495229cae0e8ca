"""Write an audit's rows as files of its run."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from spark_audit.schema.results import TABLES
from spark_audit.storage.run_output import RunOutput
from spark_audit.storage.table_files import write_rows


def write_part(output: RunOutput, name: str, tables: Mapping[str, pa.Table]) -> None:
    """Write the rows of each table as one more file, unless there are none."""
    for table, rows in tables.items():
        if rows.num_rows:
            write_rows(output.store, f"{output.table(table)}/{name}.{output.storage}", rows, TABLES[table])
