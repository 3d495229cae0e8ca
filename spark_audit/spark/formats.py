"""Check a Spark output format before any work is done."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from advisor.errors import UserError
from spark_audit.spark.interrupts import CUT_OFF

if TYPE_CHECKING:
    import pyarrow as pa

PARQUET = "parquet"
FILES = (PARQUET, "avro", "csv", "json", "orc", "text", "xml")
"""Formats that are files, wherever an option says that they go."""
PROBE_FOLDER = "probe"


def probe(
    spark: Any, tables: Mapping[str, pa.Schema], folder: str, format: str, options: Sequence[tuple[str, str]]
) -> None:
    """Write every table without rows into the folder, and remove them again. Raises UserError."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql.pandas.types import from_arrow_schema

    from spark_audit.spark.session import error_line

    fixed_options = {key: value for key, value in options if "{table}" not in value}
    if (format == PARQUET and not fixed_options) or (len(fixed_options) < len(options) and format not in FILES):
        return
    path = os.path.join(folder, PROBE_FOLDER)
    try:
        for name, schema in tables.items():
            rows = spark.createDataFrame([], from_arrow_schema(schema))
            rows.write.format(format).options(**fixed_options).save(f"file://{path}/{name}")
    except (PySparkException, Py4JError) as error:
        if CUT_OFF.is_set():
            raise
        raise UserError(f"--format {format}: {error_line(error)} (parquet, the default, holds all tables)") from None  # fmt: skip
    finally:
        shutil.rmtree(path, ignore_errors=True)
