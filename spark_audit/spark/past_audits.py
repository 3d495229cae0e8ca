"""Open past audits that Spark reads: in files of any file system, or in tables of a catalog."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from advisor.errors import UserError
from spark_audit.results.audit_tables import AGAIN, AuditFiles, AuditTables, Filters, nullable, runs_beside
from spark_audit.results.history import PastAudit, check_about
from spark_audit.schema.results import MARKERS, TABLES
from spark_audit.spark.tables.catalog_tables import AUDIT_MARKER, CatalogTables
from spark_audit.spark.tables.file_tables import FileTables
from spark_audit.spark.tables.open_tables import Tables, open_source
from spark_audit.storage.file_store import open_store
from spark_audit.storage.location import FOLDER, Location, parse_location

Frame = Any


class SparkAudit:
    """The tables of a past audit, as a session reads them."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.shown = tables.shown

    def frame(self, name: str) -> Frame:
        """A table."""
        return self.tables.read(name, TABLES[name])

    def read(self, name: str, columns: Sequence[str], filters: Filters = ()) -> pa.Table:
        """Read some columns and rows of a table; a column that it lacks is null. Raises UserError."""
        rows = self.frame(name)
        for column, operator, value in filters:
            rows = rows.where(condition(rows[column], operator, value))
        schema = nullable(TABLES[name])
        return rows.select(*columns).toArrow().cast(pa.schema([schema.field(column) for column in columns]))

    def count(self, name: str) -> int:
        """The number of rows of a table."""
        return int(self.frame(name).count())

    def beside(self) -> Iterator[tuple[AuditTables, dict[str, Any]]]:
        """The other audits of a catalog or a folder of this machine, each with its own row; Spark lists no others."""
        if isinstance(self.tables, FileTables) and self.tables.location.kind == FOLDER:
            for run in runs_beside(open_store(self.tables.location)):
                yield AuditFiles(run), run.about
        if isinstance(self.tables, CatalogTables):
            for tables, about in self.tables.audits():
                if tables.run != self.tables.run:
                    yield SparkAudit(tables), about


def condition(column: Any, operator: str, value: Any) -> Any:
    """A filter as Spark has it."""
    if operator == "in":
        return column.isin(list(value))
    return {"==": column == value, ">=": column >= value, "<": column < value}[operator]


def open_past_audit(spark: Any, text: str, options: Iterable[tuple[str, str]] = ()) -> PastAudit:
    """Open an audit that is whole. Raises UserError."""
    audit = find_past_audit(spark, parse_location(text), options)
    if audit is None:
        raise UserError(f"{text}: holds no whole audit; name what `kafka-advisor audit --out` wrote")
    return audit


def find_past_audit(spark: Any, location: Location, options: Iterable[tuple[str, str]] = ()) -> PastAudit | None:
    """The audit at a location, in a catalog the newest unless one is named; None where there is none. Raises UserError."""
    opened = open_source(spark, location, MARKERS, AUDIT_MARKER, options, AGAIN)
    if opened is None:
        return None
    tables, about = opened
    return PastAudit(SparkAudit(tables), check_about(about, location.shown))
