"""Tables of a run in files, at a path or URI of any file system that Spark knows."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

import pyarrow as pa

from advisor.errors import UserError
from spark_audit.spark.tables.ddl import ddl
from spark_audit.spark.tables.write_request import Request
from spark_audit.storage.file_store import open_store
from spark_audit.storage.location import FOLDER, Location
from spark_audit.storage.run_output import RunOutput
from spark_audit.storage.runs import MARKER, StoredRun, new_run, open_run, parse_marker, table_folder

Frame = Any
Finish = Callable[[Mapping[str, Any]], None]


class FileTables:
    """The tables of one run at a location; `run` is None for tables of earlier versions, which lie beside their marker."""

    def __init__(
        self,
        spark: Any,
        location: Location,
        options: Mapping[str, str],
        format: str,
        run: str | None,
        finish: Finish | None = None,
    ) -> None:
        self.spark = spark
        self.location = location
        self.shown = location.shown
        self.root = spark_path(location)
        self.options = dict(options)
        self.format = format
        self.run = run
        self._finish = finish

    def read(self, name: str, schema: pa.Schema) -> Frame:
        """A table, empty where it has no files; a column that they lack is null."""
        reader = self.spark.read.format(self.format).options(**self.options)
        if self.run is None:
            return reader.schema(ddl(schema)).load(escape(f"{self.root}/{name}"))
        rows = reader.schema(f"{ddl(schema)}, `table` string").load(escape(f"{self.root}/run={self.run}"))
        return rows.where(rows["table"] == name).select(*schema.names)

    def was_changed(self) -> bool:
        """Whether files may have been changed since the marker was written, which is last."""
        if self.location.kind == FOLDER:
            return StoredRun(open_store(self.location), {"run": self.run}).was_changed()
        return self.run is None or self._modified(f"run={self.run}") > self._modified(MARKER)

    def _modified(self, name: str) -> datetime:
        files = self.spark.read.format("binaryFile").option("recursiveFileLookup", True).options(**self.options)
        rows = files.load(escape(f"{self.root}/{name}")).selectExpr("max(modificationTime)").collect()
        return rows[0][0] or datetime.max

    def write(self, rows: Frame) -> None:
        """Write rows of several tables at once, told apart by their column `table`."""
        self._writer(rows).partitionBy("table").save(f"{self.root}/run={self.run}")

    def add(self, name: str, rows: Frame) -> None:
        """Write one table."""
        self._writer(rows).save(f"{self.root}/{table_folder(self.run, name)}")

    def _writer(self, rows: Frame) -> Any:
        return rows.write.format(self.format).options(**self.options).mode("append")

    def finish(self, about: Mapping[str, Any]) -> None:
        """Write the marker, by which all this is visible; one that was there is replaced."""
        if self._finish is not None:
            self._finish(about)
            return
        text = json.dumps({**about, "run": self.run, "storage": self.format}, ensure_ascii=False)
        marker = self.spark.createDataFrame([(text,)], "value string").coalesce(1)
        marker.write.mode("overwrite").text(f"{self.root}/{MARKER}")


def escape(path: str) -> str:
    """A path as Spark reads it: what it would take for a pattern is meant as it stands."""
    return re.sub(r"([\\{}\[\]*?])", r"\\\1", path)


def spark_path(location: Location) -> str:
    """A location as Spark names it."""
    return f"file://{location.root}" if location.kind == FOLDER else location.root


def find_about(spark: Any, location: Location, formats: tuple[str, ...], remedy: str) -> dict[str, Any] | None:
    """The marker at a location, None where there is none. Raises UserError."""
    from pyspark.errors import AnalysisException

    if location.kind == FOLDER:
        run = open_run(open_store(location), formats, remedy)
        return None if run is None else run.about
    path = f"{spark_path(location)}/{MARKER}"
    try:
        lines = spark.read.option("wholetext", True).text(escape(path)).collect()
    except AnalysisException as error:
        if error.getCondition() == "PATH_NOT_FOUND":
            return None
        raise
    return parse_marker("".join(line.value for line in lines), f"{location.shown}/{MARKER}", formats, remedy)


@contextlib.contextmanager
def open_file_target(spark: Any, request: Request) -> Iterator[FileTables]:
    """The tables of a new run. Raises UserError where there is one that is whole already.

    A folder of this machine is locked, and rid of what a failed run wrote; elsewhere that stays, and is never read.
    """
    location = request.location
    options = dict(request.options)
    if location.kind == FOLDER:
        with RunOutput(
            open_store(location), request.overwrite, request.tables, request.storage, request.markers
        ) as output:
            yield FileTables(spark, location, options, request.storage, output.run, output.finish)
        return
    if find_about(spark, location, request.markers, "name another folder") and not request.overwrite:
        raise UserError(f"{location.shown}: holds tables that are whole; name another folder, or say --overwrite")
    yield FileTables(spark, location, options, request.storage, new_run())
