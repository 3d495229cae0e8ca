"""Write an audit's rows as files of its run."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

from spark_audit.schema.results import TABLES
from spark_audit.storage.run_output import RunOutput
from spark_audit.storage.table_files import write_rows

PARTS = ("findings", "unknowns")
"""Tables that have many files, each with the rows of some clusters."""


def write_part(output: RunOutput, name: str, tables: Mapping[str, pa.Table]) -> None:
    """Write the rows of each table as one more file; of findings and unknowns none where there are no rows."""
    for table, rows in tables.items():
        if rows.num_rows or table not in PARTS:
            write_rows(output.store, f"{output.table(table)}/{name}.{output.storage}", rows, TABLES[table])
