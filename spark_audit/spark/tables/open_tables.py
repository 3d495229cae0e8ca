"""Open what Spark reads and writes: files of any file system, or tables of a catalog."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from spark_audit.spark.tables.catalog_tables import RUN, CatalogTables, find_run, open_catalog_target
from spark_audit.spark.tables.file_tables import FileTables, find_about, open_file_target
from spark_audit.spark.tables.write_request import Request
from spark_audit.storage.location import CATALOG, Location

Tables: TypeAlias = FileTables | CatalogTables


@contextlib.contextmanager
def open_target(spark: Any, request: Request, audit: str | None = None) -> Iterator[Tables]:
    """The tables of a new run. Raises UserError where there is one that is whole already."""
    if request.location.kind == CATALOG:
        with open_catalog_target(spark, request, audit) as tables:
            yield tables
    else:
        with open_file_target(spark, request) as files:
            yield files


def open_source(
    spark: Any,
    location: Location,
    formats: tuple[str, ...],
    marker: str,
    options: Iterable[tuple[str, str]],
    remedy: str,
) -> tuple[Tables, dict[str, Any]] | None:
    """The tables of the newest whole run and what it says of itself; None where there is none. Raises UserError."""
    if location.kind == CATALOG:
        about = find_run(spark, location, marker, formats)
        return None if about is None else (CatalogTables(spark, location, about[RUN.name]), about)
    about = find_about(spark, location, formats, remedy)
    if about is None:
        return None
    return FileTables(spark, location, dict(options), str(about.get("storage", "parquet")), about.get("run")), about
