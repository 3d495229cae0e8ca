"""Formats of Spark's: what cannot be written in one is said before any work is done."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from advisor.errors import UserError
from spark_audit.spark.interrupts import CUT_OFF

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import pyarrow as pa

PARQUET = "parquet"
FILES = (PARQUET, "avro", "csv", "json", "orc", "text", "xml")
"""Formats that are files, wherever an option says that they go."""
PROBE = "probe"


def probe(
    spark: Any, tables: Mapping[str, pa.Schema], folder: str, format: str, options: Sequence[tuple[str, str]]
) -> None:
    """Write every table without rows into the folder, and take them away again. Raises Refused."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql.pandas.types import from_arrow_schema

    from spark_audit.spark.session import said

    given = {key: value for key, value in options if "{table}" not in value}
    if (format == PARQUET and not given) or (len(given) < len(options) and format not in FILES):
        return
    place = os.path.join(folder, PROBE)
    try:
        for name, schema in tables.items():
            rows = spark.createDataFrame([], from_arrow_schema(schema))
            rows.write.format(format).options(**given).save(f"file://{place}/{name}")
    except (PySparkException, Py4JError) as error:
        if CUT_OFF.is_set():
            raise
        raise UserError(f"--format {format}: {said(error)} (parquet, the default, holds all tables)") from None  # fmt: skip
    finally:
        shutil.rmtree(place, ignore_errors=True)
