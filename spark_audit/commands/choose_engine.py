"""Choose who works: this machine, or Spark."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from advisor.errors import UserError
from spark_audit.storage.location import CATALOG, Location, parse_location
from spark_audit.storage.table_files import FORMATS, PARQUET

Options = Any

LOCAL, SPARK = "local", "spark"
TABLES = ("delta", "iceberg")
SPARK_ONLY = ("hdfs", "viewfs")
"""Schemes that Python reads only where Hadoop's native library is installed."""


def choose_engine(options: Options, names: Sequence[str]) -> str:
    """The engine that was asked for, else this machine's, unless something that only Spark has is named."""
    names_spark = options.master is not None or options.remote is not None
    if options.engine:
        if options.engine == LOCAL and names_spark:
            raise UserError("--master and --remote are Spark's: say --engine spark, too")
        return str(options.engine)
    if names_spark or has_session() or any(map(needs_spark, map(parse_location, names))):
        return SPARK
    return LOCAL


def has_session() -> bool:
    """Whether a Spark session is there: one that spark-submit begins, or one of the program that called."""
    if "PYSPARK_GATEWAY_PORT" in os.environ or "SPARK_REMOTE" in os.environ:
        return True
    if "pyspark" not in sys.modules:
        return False
    from spark_audit.spark.session import active_session

    return active_session() is not None


def needs_spark(location: Location) -> bool:
    """Whether only Spark reads or writes there."""
    return location.kind == CATALOG or location.root.partition("://")[0].lower() in SPARK_ONLY


def check_format(format: str | None, out: Location) -> str:
    """The format of what is written; that of a catalog's tables may be left to it. Raises UserError."""
    if out.kind == CATALOG:
        return format or ""
    if (format or PARQUET) in FORMATS:
        return format or PARQUET
    if format in TABLES:
        raise UserError(f"--format {format} is one of tables of a catalog: --out catalog.schema.")
    raise UserError(f"--format {format}: files are {' or '.join(FORMATS)}, tables of a catalog {' or '.join(TABLES)}")
