"""Open past audits that Spark reads: in files of any file system, or in tables of a catalog."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from advisor.errors import UserError
from spark_audit.results.audit_tables import AGAIN, AuditTables, Filters, nullable
from spark_audit.results.history import PastAudit, check_about
from spark_audit.schema.results import MARKERS, TABLES
from spark_audit.spark.file_tables import FileTables, find_about
from spark_audit.storage.location import parse_location

Frame = Any


class SparkAudit:
    """The tables of a past audit, as a session reads them."""

    def __init__(self, tables: FileTables) -> None:
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

    def beside(self) -> Iterable[tuple[AuditTables, dict[str, Any]]]:
        """Spark lists no folders."""
        return ()


def condition(column: Any, operator: str, value: Any) -> Any:
    """A filter as Spark has it."""
    if operator == "in":
        return column.isin(list(value))
    return {"==": column == value, ">=": column >= value, "<": column < value}[operator]


def open_past_audit(spark: Any, text: str, options: Iterable[tuple[str, str]] = ()) -> PastAudit:
    """Open an audit that is whole. Raises UserError."""
    location = parse_location(text)
    about = find_about(spark, location, MARKERS, AGAIN)
    if about is None:
        raise UserError(f"{text}: holds no whole audit; name what `kafka-advisor audit --out` wrote")
    tables = FileTables(spark, location, dict(options), str(about.get("storage", "parquet")), about.get("run"))
    return PastAudit(SparkAudit(tables), check_about(about, text))
