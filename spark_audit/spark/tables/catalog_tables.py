"""Tables of a Spark catalog that share a prefix: Iceberg, Delta or Hive; every row names the run that wrote it.

What a run writes waits in a table of its own, is appended to each table in one commit, and counts once the last of them,
the marker table, names the run.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from advisor.errors import UserError
from spark_audit.schema.results import AUDITS, FINDINGS, UNKNOWNS
from spark_audit.spark.tables.ddl import ddl, ddl_type
from spark_audit.spark.tables.write_request import Request
from spark_audit.storage.location import CATALOG, Location
from spark_audit.storage.runs import new_run, parse_marker

Frame = Any

RUN = pa.field("run", pa.string())
AUDIT_MARKER = "audits"
MARKERS = {AUDIT_MARKER: AUDITS}
ABOUT = pa.schema([("format", pa.string()), ("about", pa.string())])
"""The columns of other marker tables than `audits`: what the run says of itself, as JSON."""
STAGED = {"findings": FINDINGS, "unknowns": UNKNOWNS}


class CatalogTables:
    """The tables of one run; `run` is None for tables that another tool filled, whose rows all count."""

    def __init__(self, spark: Any, location: Location, run: str | None, request: Request | None = None) -> None:
        self.spark = spark
        self.shown = location.shown
        self.prefix = location.root
        self.run = run
        self.request = request
        self._staging = f"{self.prefix}staging_{run.replace('-', '_').lower()}" if request and run else None
        self._staged: set[str] = set()

    def read(self, name: str, schema: pa.Schema) -> Frame:
        """A table; a column that it lacks is null. Raises UserError."""
        if self._staging and name in self._staged:
            rows = self.spark.table(quoted(self._staging))
            return rows.where(rows["table"] == name).select(*schema.names)
        rows = open_table(self.spark, f"{self.prefix}{name}")
        if self.run is not None and RUN.name in rows.columns:
            rows = rows.where(rows[RUN.name] == self.run)
        return with_columns(rows, schema, f"{self.prefix}{name}")

    def was_changed(self) -> bool:
        """Nobody can know: a table does not say what became of a run's rows."""
        return False

    def write(self, rows: Frame) -> None:
        """Write rows of several tables at once, told apart by their column `table`."""
        assert self._staging is not None
        self._save(rows, self._staging, "table")
        self._staged = {*STAGED, "notes"}

    def add(self, name: str, rows: Frame) -> None:
        """Append to one table; the marker's is appended to when all is there, and what is not a table of its own waits."""
        assert self.request is not None
        if name not in self.request.tables:
            from pyspark.sql.functions import lit

            self.write(rows.withColumn("table", lit(name)))
            self._staged = {name}
        elif name != self.request.marker:
            self._append(name, rows)

    def finish(self, about: Mapping[str, Any]) -> None:
        """Append what waited, then the marker, by which all this is visible."""
        assert self.request is not None
        for name in self._staged & STAGED.keys():
            self._append(name, self.read(name, STAGED[name]))
        marker = self.request.marker
        schema = MARKERS.get(marker, ABOUT)
        row = {**about, "about": json.dumps(about, ensure_ascii=False)}
        rows = pa.Table.from_pylist([{name: row.get(name) for name in schema.names}], schema)
        self._append(marker, self.spark.createDataFrame(rows, ddl(schema)).coalesce(1))

    def audits(self) -> Iterator[tuple[CatalogTables, dict[str, Any]]]:
        """The tables of every audit in the catalog, the newest run of each, with its own row."""
        rows = self.spark.table(quoted(f"{self.prefix}{AUDIT_MARKER}")).orderBy(RUN.name).collect()
        for row in {row["audit"]: row for row in rows}.values():
            location = Location(f"{self.prefix}@{row['audit']}", CATALOG, self.prefix, row["audit"])
            yield CatalogTables(self.spark, location, row[RUN.name]), row.asDict(recursive=True)

    def close(self) -> None:
        """Drop what waited."""
        if self._staging:
            self.spark.sql(f"DROP TABLE IF EXISTS {quoted(self._staging)}")

    def forget(self, run: str) -> None:
        """Delete the rows of a run that another one has replaced, where the tables can."""
        from pyspark.errors import PySparkException

        for name in self.request.tables if self.request else ():
            with contextlib.suppress(PySparkException):  # Hive's tables cannot: these rows are not read
                self.spark.sql(f"DELETE FROM {quoted(f'{self.prefix}{name}')} WHERE run = '{run}'")

    def check(self, name: str, schema: pa.Schema) -> None:
        """Raise UserError where a table of that name is another than this tool's."""
        table = f"{self.prefix}{name}"
        if self._has(table):
            columns = self.spark.table(quoted(table)).columns
            absent = [column for column in (schema.names[0], RUN.name) if column not in columns]
            if absent:
                raise UserError(f"{table}: is another table: it has no column {absent[0]}; name another schema")

    def _append(self, name: str, rows: Frame) -> None:
        from pyspark.sql.functions import lit

        table = f"{self.prefix}{name}"
        rows = rows.withColumn(RUN.name, lit(self.run))
        if self._has(table):
            self._add_columns(table, rows)
        self._save(rows, table, RUN.name)

    def _add_columns(self, table: str, rows: Frame) -> None:
        """Add the columns that a table of an older release lacks."""
        known = self.spark.table(quoted(table)).columns
        types = [f"`{field.name}` {field.dataType.simpleString()}" for field in rows.schema if field.name not in known]
        if types:
            self.spark.sql(f"ALTER TABLE {quoted(table)} ADD COLUMNS ({', '.join(types)})")

    def _save(self, rows: Frame, table: str, partition: str) -> None:
        assert self.request is not None
        writer = rows.write.mode("append").partitionBy(partition).options(**dict(self.request.options))
        (writer.format(self.request.storage) if self.request.storage else writer).saveAsTable(quoted(table))

    def _has(self, table: str) -> bool:
        return bool(self.spark.catalog.tableExists(quoted(table)))


def quoted(table: str) -> str:
    """A name of a catalog, each part between backticks."""
    return ".".join(f"`{part}`" for part in table.split("."))


def open_table(spark: Any, table: str) -> Frame:
    """A table of a catalog. Raises UserError where there is none."""
    from pyspark.errors import AnalysisException

    try:
        rows = spark.table(quoted(table))
        rows.columns  # noqa: B018  (Spark Connect looks for the table only now)
    except AnalysisException as error:
        reason = " ".join(str(error).split())[:200]
        raise UserError(f"{table}: cannot be read: {reason}") from None
    return rows


def with_columns(rows: Frame, schema: pa.Schema, shown: str) -> Frame:
    """The columns of a table in order, null where it has none. Raises UserError where one has another type."""
    from pyspark.sql.functions import lit

    types = {field.name: field.dataType.simpleString() for field in rows.schema}
    for field in schema:
        expected = ddl_type(field.type).replace("`", "").replace(" ", "")
        actual = types.get(field.name, expected)
        if actual != expected and not (actual.startswith("array<struct<") and expected.startswith("array<struct<")):
            raise UserError(f"{shown}: its column {field.name} is {actual[:60]}, where {expected[:60]} is needed")
    absent = [field for field in schema if field.name not in types]
    if len(absent) == len(schema):
        raise UserError(f"{shown}: has no column {absent[0].name}")
    columns = [lit(None).cast(ddl_type(f.type)).alias(f.name) if f in absent else rows[f.name] for f in schema]
    return rows.select(*columns)


def find_run(spark: Any, location: Location, marker: str, formats: tuple[str, ...]) -> dict[str, Any] | None:
    """What the newest whole run says of itself, of the audit that is named; None where there is none. Raises UserError."""
    table = f"{location.root}{marker}"
    if not spark.catalog.tableExists(quoted(table)):
        return None
    rows = spark.table(quoted(table))
    if location.audit is not None:
        rows = rows.where(rows["audit"] == location.audit)
    row = rows.orderBy(rows[RUN.name].desc()).first()
    if row is None:
        return None
    fields = row.asDict(recursive=True)
    about = {} if marker == AUDIT_MARKER else parse_marker(fields.pop("about"), table, formats, "write it again")
    return {**about, **fields}


@contextlib.contextmanager
def open_catalog_target(spark: Any, request: Request, audit: str | None = None) -> Iterator[CatalogTables]:
    """The tables of a new run; of an audit, whose name is new or may be replaced. Raises UserError."""
    location = request.location._replace(audit=audit)
    before = find_run(spark, location, request.marker, request.markers) if audit else None
    if before is not None and not request.overwrite:
        raise UserError(f"{location.shown}: has an audit {audit}; give --name another one, or say --overwrite")
    tables = CatalogTables(spark, location, new_run(), request)
    for name, schema in request.tables.items():
        tables.check(name, schema)
    try:
        yield tables
    finally:
        tables.close()
    if before is not None:
        tables.forget(before[RUN.name])
