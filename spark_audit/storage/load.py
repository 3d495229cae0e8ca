"""What an audit reads: a folder that `collect` wrote, or snapshot files of single clusters, as the same four tables."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from advisor.errors import NothingToJudge, UnreadableInput, UserError
from collectors.files import content, is_saved
from collectors.snapshot.file import parse
from spark_audit.schema.snapshots import RELAXED, SMALL, TABLES, UNREACHABLE
from spark_audit.storage import output_folder
from spark_audit.storage.clean_small_tables import vetted
from spark_audit.storage.encode import rows_of, unreachable
from spark_audit.storage.read_types import REPEATED, SHARED, fitting, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

ENDINGS = (".json", ".json.gz")
PARQUET = "parquet"
OF_CLUSTERS = ["cluster", "labels", "status", "reason", "collected", "kafka_version"]
"""What an audit's own tables say of clusters."""


class Stored(NamedTuple):
    """Tables in a format of Spark's."""

    folder: str
    format: str


class Fleet:
    """The four tables: `paths` are the Parquet files of each, empty where the tables are at hand.

    `about` is what _complete.json says, None for snapshot files; `stored` is where the tables lie while they are in a
    format that only Spark reads.
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
        self._small: dict[str, pa.Table] | None = None
        self._sizes: dict[str, Counter[str]] = {}

    def table(self, name: str) -> pa.Table:
        """A whole table; of files texts that many rows have stand once (see SHARED). Raises ValueError."""
        if name not in self._tables:
            read = [_read(path, name) for path in self.paths[name]]
            self._tables[name] = pa.concat_tables(read).unify_dictionaries()
        return self._tables[name]

    def batches(self, name: str, rows: int) -> list[pa.RecordBatch]:
        """A table that is at hand in batches of at most so many rows."""
        found: list[pa.RecordBatch] = self._tables[name].to_batches(max_chunksize=rows)
        return found

    def small(self) -> dict[str, pa.Table]:
        """Clusters, brokers and clients as the engine may take them (see spark_audit.storage.clean_small_tables)."""
        if self._small is None:
            self._small = vetted({name: self.table(name) for name in SMALL})
        return self._small

    def slim(self) -> None:
        """Once the workers have the small tables, only what clusters say of themselves and how many rows each has stay."""
        self._sizes = {name: self.sizes(name) for name in ("brokers", "clients")}
        self._small = {"clusters": self.small()["clusters"].select(OF_CLUSTERS).combine_chunks()}
        if self.paths:
            self._tables.clear()
        pa.default_memory_pool().release_unused()

    def names(self) -> list[str]:
        """The clusters that could be reached."""
        rows = self.small()["clusters"].select(["cluster", "status"]).to_pylist()
        return [row["cluster"] for row in rows if row["status"] != UNREACHABLE]

    def rows(self, name: str) -> int:
        """How many rows a table has."""
        if name in self._tables:
            return int(self._tables[name].num_rows)
        return sum(pq.ParquetFile(path).metadata.num_rows for path in self.paths[name])

    def size(self, name: str) -> int:
        """How many bytes a table takes before it is compressed, as its files say."""
        if name in self._tables:
            return int(self._tables[name].nbytes)
        abouts = [pq.ParquetFile(path).metadata for path in self.paths[name]]
        return sum(about.row_group(at).total_byte_size for about in abouts for at in range(about.num_row_groups))

    def sizes(self, name: str) -> Counter[str]:
        """How many rows each cluster has in a small table."""
        if name in self._sizes:
            return self._sizes[name]
        return Counter(self.small()[name].column("cluster").to_pylist())


def load(paths: Sequence[str]) -> Fleet:
    """The tables of a collected folder, or of snapshot files and folders of them. Raises Refused, Nothing."""
    wholes = [path for path in paths if os.path.isdir(path) and set(os.listdir(path)) & output_folder.OURS]
    if not wholes:
        return of_snapshots(snapshot_files(paths))
    if len(paths) > 1:
        raise UserError(f"{wholes[0]}: one collected folder, or snapshot files; not both, and not several")
    return of_folder(wholes[0])


def of_folder(folder: str) -> Fleet:
    """A folder that `collect` wrote. Raises Refused."""
    about = output_folder.read(folder)
    if about is None:
        raise UserError(f"{folder}: is not whole: its collection did not finish; run `kafka-advisor collect` again")  # fmt: skip
    storage = str(about.get("storage", PARQUET))
    if storage != PARQUET:
        return Fleet(about, {}, {}, Stored(os.path.abspath(folder), storage))
    return Fleet(about, parquet_of(folder), {})


def parquet_of(folder: str) -> dict[str, list[str]]:
    """The Parquet files of a folder's four tables. Raises Refused."""
    paths = {name: parquet_files(os.path.join(folder, name)) for name in TABLES}
    for name, files in paths.items():
        if not files:
            raise UserError(f"{folder}: the table {name} is not there; collect again with --overwrite")
        _columns(name, files)
    return paths


def parquet_files(folder: str) -> list[str]:
    """The files of a table, without those that Spark keeps for itself."""
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [os.path.join(folder, name) for name in names if name.endswith(".parquet") and name[0] not in "._"]


@contextlib.contextmanager
def reading(file: str) -> Iterator[None]:
    """What is wrong with a file is said with its name. Raises Refused."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise UserError(f"{file}: {' '.join(str(error).split())[:200]}") from None


def _read(path: str, name: str) -> pa.Table:
    with reading(path):
        texts = texts_of(pq.ParquetFile(path).schema, REPEATED[name])
        found = pq.ParquetFile(path, read_dictionary=texts).read(columns=TABLES[name].names).select(TABLES[name].names)
        types = [fitting(want.type, there.type) for want, there in zip(RELAXED[name], found.schema, strict=True)]
        return found.cast(pa.schema(zip(TABLES[name].names, types, strict=True))).cast(SHARED[name])


def _columns(name: str, files: Sequence[str]) -> None:
    for file in files:
        with reading(file):
            there = pq.read_schema(file)
            absent = [column for column in TABLES[name].names if column not in there.names]
            if absent:
                raise UserError(f"{file}: the table {name} has no column {absent[0]}; collect again")
            there.empty_table().select(TABLES[name].names).cast(RELAXED[name])


def snapshot_files(paths: Sequence[str]) -> dict[str, str]:
    """The path of every cluster's snapshot, by the cluster's name. Raises Refused, Nothing."""
    found: dict[str, str] = {}
    for path in paths:
        if not os.path.exists(path):
            raise UserError(f"{path}: no such file or directory")
        for file in _files(path):
            name = os.path.basename(file).removesuffix(".gz").removesuffix(".json")
            if name in found and os.path.realpath(found[name]) != os.path.realpath(file):
                raise UserError(f"{file}: {found[name]} is a cluster {name}, too; rename one of them")
            found[name] = file
    if not found:
        raise NothingToJudge(f"nothing to audit: no snapshot (*.json, *.json.gz) and no collected table in {', '.join(paths)}")  # fmt: skip
    return found


def _files(path: str) -> list[str]:
    if os.path.isdir(path):
        return sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(ENDINGS) and name[0] not in "._")  # fmt: skip
    if not path.endswith(ENDINGS):
        raise UserError(f"{path}: neither a snapshot (*.json, *.json.gz) nor a folder that `collect` wrote")
    return [path]


def of_snapshots(files: dict[str, str]) -> Fleet:
    """The tables of snapshot files; a file that cannot be read is a cluster that cannot be, with the reason."""
    found: dict[str, list[pa.Table]] = {name: [schema.empty_table()] for name, schema in TABLES.items()}
    for name, path in files.items():
        for table, rows in tables_of(name, path).items():
            found[table].append(rows)
    return Fleet(None, {}, {name: pa.concat_tables(tables).cast(RELAXED[name]) for name, tables in found.items()})


def tables_of(name: str, path: str) -> dict[str, pa.Table]:
    """The rows of one snapshot file."""
    try:
        data = content(path)
        if not is_saved(data):
            raise UnreadableInput(f"{path}: not a snapshot of a cluster")
        return rows_of(name, parse(data, path))
    except (UnreadableInput, ValueError) as error:
        when = datetime.fromtimestamp(os.path.getmtime(path), UTC).isoformat(timespec="seconds")
        return {"clusters": unreachable(name, " ".join(str(error).split()), when)}
