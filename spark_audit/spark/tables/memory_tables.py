"""Tables of a fleet that the driver has in memory: snapshot files of single clusters."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from spark_audit.spark.tables.ddl import ddl
from spark_audit.storage.load import Fleet


class MemoryTables:
    """The tables of snapshot files."""

    def __init__(self, spark: Any, fleet: Fleet) -> None:
        self.spark = spark
        self.fleet = fleet

    def read(self, name: str, schema: pa.Schema) -> Any:
        """A table."""
        return memory_frame(self.spark, self.fleet.table(name).select(schema.names).cast(schema))

    def was_changed(self) -> bool:
        """Nobody changes what is in memory."""
        return False


def memory_frame(spark: Any, rows: pa.Table) -> Any:
    """A table in memory as Spark has it."""
    batches = rows.combine_chunks().to_batches()
    batches = batches or [pa.RecordBatch.from_pylist([], rows.schema)]  # Spark refuses columns without a chunk
    return spark.createDataFrame(pa.Table.from_batches(batches), ddl(rows.schema))
