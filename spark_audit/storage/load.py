"""Load what an audit reads: a folder of `collect`, or snapshot files of single clusters, as the same four tables."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from advisor.errors import NothingToJudge, UnreadableInput, UserError
from collectors.files import content, is_saved
from collectors.snapshot.file import parse
from spark_audit.schema.snapshots import RELAXED, SMALL, TABLES, UNREACHABLE
from spark_audit.storage import output_folder
from spark_audit.storage.clean_small_tables import clean_small_tables
from spark_audit.storage.encode import encode_snapshot, unreachable_row
from spark_audit.storage.read_types import DICTIONARY_ENCODED, REPEATED, fit_type, text_leaves

ENDINGS = (".json", ".json.gz")
PARQUET = "parquet"
CLUSTER_COLUMNS = ["cluster", "labels", "status", "reason", "collected", "kafka_version"]
"""Columns of `clusters` that an audit's own tables repeat."""


class Stored(NamedTuple):
    """Where tables lie in a format that only Spark reads."""

    folder: str
    format: str


class Fleet:
    """The four tables of a fleet; `paths` are the Parquet files of each, empty where the tables are in memory.

    `about` is the content of _complete.json, None for snapshot files; `stored` is where the tables lie while they are
    in a format that only Spark reads.
    """

    def __init__(
        self,
        about: dict[str, Any] | None,
        paths: dict[str, list[str]],
        tables: dict[str, pa.Table],
        stored: Stored | None = None,
    ) -> None:
        self.about = about
        self.paths = paths
        self.stored = stored
        self._tables = tables
        self._small_tables: dict[str, pa.Table] | None = None
        self._rows_per_cluster: dict[str, Counter[str]] = {}

    def table(self, name: str) -> pa.Table:
        """A table, read where it is needed; of files, repeated texts are dictionary-encoded. Raises ValueError."""
        if name not in self._tables:
            tables = [_read_table(path, name) for path in self.paths[name]]
            self._tables[name] = pa.concat_tables(tables).unify_dictionaries()
        return self._tables[name]

    def batches(self, name: str, rows: int) -> list[pa.RecordBatch]:
        """A table in memory as record batches of at most so many rows."""
        batches: list[pa.RecordBatch] = self._tables[name].to_batches(max_chunksize=rows)
        return batches

    def small_tables(self) -> dict[str, pa.Table]:
        """Clusters, brokers and clients, cleaned for the engine (see spark_audit.storage.clean_small_tables)."""
        if self._small_tables is None:
            self._small_tables = clean_small_tables({name: self.table(name) for name in SMALL})
        return self._small_tables

    def drop_small_tables(self) -> None:
        """Drop the small tables once workers have them; cluster columns and row counts stay."""
        self._rows_per_cluster = {name: self.rows_per_cluster(name) for name in ("brokers", "clients")}
        self._small_tables = {"clusters": self.small_tables()["clusters"].select(CLUSTER_COLUMNS).combine_chunks()}
        if self.paths:
            self._tables.clear()
        pa.default_memory_pool().release_unused()

    def reached_clusters(self) -> list[str]:
        """The clusters that could be reached."""
        rows = self.small_tables()["clusters"].select(["cluster", "status"]).to_pylist()
        return [row["cluster"] for row in rows if row["status"] != UNREACHABLE]

    def row_count(self, name: str) -> int:
        """The number of rows of a table."""
        if name in self._tables:
            return int(self._tables[name].num_rows)
        return sum(pq.ParquetFile(path).metadata.num_rows for path in self.paths[name])

    def uncompressed_bytes(self, name: str) -> int:
        """The bytes of a table before compression, as its files say."""
        if name in self._tables:
            return int(self._tables[name].nbytes)
        metadata = [pq.ParquetFile(path).metadata for path in self.paths[name]]
        return sum(
            file.row_group(row_group).total_byte_size for file in metadata for row_group in range(file.num_row_groups)
        )

    def rows_per_cluster(self, name: str) -> Counter[str]:
        """The number of rows that each cluster has in a small table."""
        if name in self._rows_per_cluster:
            return self._rows_per_cluster[name]
        return Counter(self.small_tables()[name].column("cluster").to_pylist())


def load(paths: Sequence[str]) -> Fleet:
    """Load a collected folder, or snapshot files and folders of them. Raises UserError, NothingToJudge."""
    collected = [path for path in paths if os.path.isdir(path) and set(os.listdir(path)) & output_folder.OWN_NAMES]
    if not collected:
        return encode_snapshots(snapshot_files(paths))
    if len(paths) > 1:
        raise UserError(f"{collected[0]}: one collected folder, or snapshot files; not both, and not several")
    return open_folder(collected[0])


def open_folder(folder: str) -> Fleet:
    """Open a folder that `collect` wrote. Raises UserError."""
    about = output_folder.read_metadata(folder)
    if about is None:
        raise UserError(f"{folder}: is not whole: its collection did not finish; run `kafka-advisor collect` again")  # fmt: skip
    storage = str(about.get("storage", PARQUET))
    if storage != PARQUET:
        return Fleet(about, {}, {}, Stored(os.path.abspath(folder), storage))
    return Fleet(about, parquet_paths(folder), {})


def parquet_paths(folder: str) -> dict[str, list[str]]:
    """The Parquet files of a folder's four tables. Raises UserError."""
    paths = {name: parquet_files(os.path.join(folder, name)) for name in TABLES}
    for name, files in paths.items():
        if not files:
            raise UserError(f"{folder}: the table {name} is not there; collect again with --overwrite")
        _check_columns(name, files)
    return paths


def parquet_files(folder: str) -> list[str]:
    """The Parquet files of a table, without those that Spark keeps for itself."""
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [os.path.join(folder, name) for name in names if name.endswith(".parquet") and name[0] not in "._"]


@contextlib.contextmanager
def name_file_in_errors(file: str) -> Iterator[None]:
    """Report what is wrong with a file under its name. Raises UserError."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise UserError(f"{file}: {' '.join(str(error).split())[:200]}") from None


def _read_table(path: str, name: str) -> pa.Table:
    with name_file_in_errors(path):
        repeated = text_leaves(pq.ParquetFile(path).schema, REPEATED[name])
        table = (
            pq.ParquetFile(path, read_dictionary=repeated).read(columns=TABLES[name].names).select(TABLES[name].names)
        )
        types = [
            fit_type(declared.type, field.type) for declared, field in zip(RELAXED[name], table.schema, strict=True)
        ]
        return table.cast(pa.schema(zip(TABLES[name].names, types, strict=True))).cast(DICTIONARY_ENCODED[name])


def _check_columns(name: str, files: Sequence[str]) -> None:
    for file in files:
        with name_file_in_errors(file):
            schema = pq.read_schema(file)
            absent = [column for column in TABLES[name].names if column not in schema.names]
            if absent:
                raise UserError(f"{file}: the table {name} has no column {absent[0]}; collect again")
            schema.empty_table().select(TABLES[name].names).cast(RELAXED[name])


def snapshot_files(paths: Sequence[str]) -> dict[str, str]:
    """The path of every cluster's snapshot, by the cluster's name. Raises UserError, NothingToJudge."""
    path_of_cluster: dict[str, str] = {}
    for path in paths:
        if not os.path.exists(path):
            raise UserError(f"{path}: no such file or directory")
        for file in _files(path):
            name = os.path.basename(file).removesuffix(".gz").removesuffix(".json")
            if name in path_of_cluster and os.path.realpath(path_of_cluster[name]) != os.path.realpath(file):
                raise UserError(f"{file}: {path_of_cluster[name]} is a cluster {name}, too; rename one of them")
            path_of_cluster[name] = file
    if not path_of_cluster:
        raise NothingToJudge(f"nothing to audit: no snapshot (*.json, *.json.gz) and no collected table in {', '.join(paths)}")  # fmt: skip
    return path_of_cluster


def _files(path: str) -> list[str]:
    if os.path.isdir(path):
        return sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(ENDINGS) and name[0] not in "._")  # fmt: skip
    if not path.endswith(ENDINGS):
        raise UserError(f"{path}: neither a snapshot (*.json, *.json.gz) nor a folder that `collect` wrote")
    return [path]


def encode_snapshots(files: dict[str, str]) -> Fleet:
    """Encode snapshot files as the four tables; a file that cannot be read is an unreachable cluster."""
    tables_by_name: dict[str, list[pa.Table]] = {name: [schema.empty_table()] for name, schema in TABLES.items()}
    for name, path in files.items():
        for table, rows in encode_snapshot_file(name, path).items():
            tables_by_name[table].append(rows)
    return Fleet(
        None, {}, {name: pa.concat_tables(tables).cast(RELAXED[name]) for name, tables in tables_by_name.items()}
    )


def encode_snapshot_file(name: str, path: str) -> dict[str, pa.Table]:
    """Encode one snapshot file."""
    try:
        data = content(path)
        if not is_saved(data):
            raise UnreadableInput(f"{path}: not a snapshot of a cluster")
        return encode_snapshot(name, parse(data, path))
    except (UnreadableInput, ValueError) as error:
        when = datetime.fromtimestamp(os.path.getmtime(path), UTC).isoformat(timespec="seconds")
        return {"clusters": unreachable_row(name, " ".join(str(error).split()), when)}
