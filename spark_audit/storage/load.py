"""Load what an audit reads: a folder of `collect`, or snapshot files of single clusters, as the same four tables."""

from __future__ import annotations

import bisect
import os
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.compute as pc

from advisor.errors import NothingToJudge, UnreadableInput, UserError
from collectors.files.reader import content, is_saved
from collectors.snapshot.file import parse
from spark_audit.schema.snapshots import ADDED, CLUSTER_COLUMNS, COLLECTIONS, RELAXED, SMALL, TABLES, UNREACHABLE
from spark_audit.storage.clean_small_tables import clean_small_tables
from spark_audit.storage.encode import encode_snapshot, unreachable_row
from spark_audit.storage.file_store import Store, open_store
from spark_audit.storage.location import parse_location
from spark_audit.storage.read_types import DICTIONARY_ENCODED, REPEATED, fit_type, text_leaves
from spark_audit.storage.run_output import UNFINISHED
from spark_audit.storage.runs import MARKER, OLD_MARKER, RUN, open_run
from spark_audit.storage.table_files import (
    is_orc,
    name_file_in_errors,
    open_dataset,
    open_parquet,
    row_count,
    schema_of,
)

ENDINGS = (".json", ".json.gz")
OWN_NAMES = {MARKER, OLD_MARKER, UNFINISHED, *TABLES}
"""Names in a folder of collected tables."""
AGAIN = "collect again with --overwrite"


class Fleet:
    """The four tables of a fleet; `paths` are the files of each in `store`, empty where the tables are in memory.

    Where files `may_differ` from what was collected, the clusters' digests do not count.
    """

    def __init__(
        self, store: Store | None, paths: dict[str, list[str]], tables: dict[str, pa.Table], may_differ: bool = False
    ) -> None:
        self.store = store
        self.paths = paths
        self.may_differ = may_differ
        self._tables = tables
        self._small_tables: dict[str, pa.Table] | None = None
        self._clusters: list[str] | None = None
        self._rows_per_cluster: dict[str, Counter[str]] = {}

    def table(self, name: str) -> pa.Table:
        """A table, read where it is needed; of files, repeated texts are dictionary-encoded. Raises ValueError."""
        if name not in self._tables:
            assert self.store is not None
            tables = [_read_table(self.store, path, name) for path in self.paths[name]]
            rows = pa.concat_tables(tables).unify_dictionaries()
            self._tables[name] = without_digests(rows) if name == "clusters" and self.may_differ else rows
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

    def leave_out(self, names: Collection[str]) -> None:
        """Leave some clusters out of the small tables, so that nothing of them is judged."""
        if names:
            value_set = pa.array(names, pa.string())
            for name in SMALL:
                rows = self.table(name)
                self._tables[name] = rows.filter(pc.invert(pc.is_in(rows["cluster"], value_set)))
            self._clusters = sorted(name for name in self._tables["clusters"]["cluster"].to_pylist() if name)

    def may_judge(self, least: str | None, greatest: str | None) -> bool:
        """Whether rows of clusters between these two names, None if unknown, are of one that was not left out."""
        if self._clusters is None or least is None or greatest is None:
            return True
        index = bisect.bisect_left(self._clusters, least)
        return index < len(self._clusters) and self._clusters[index] <= greatest

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
        assert self.store is not None
        return row_count(self.store, self.paths[name])

    def rows_per_cluster(self, name: str) -> Counter[str]:
        """The number of rows that each cluster has in a small table."""
        if name in self._rows_per_cluster:
            return self._rows_per_cluster[name]
        return Counter(self.small_tables()[name].column("cluster").to_pylist())


def without_digests(clusters: pa.Table) -> pa.Table:
    """The table `clusters` with digests that are not known."""
    index = clusters.schema.get_field_index("digest")
    return clusters.set_column(index, "digest", pa.nulls(clusters.num_rows, pa.string()))


def load(paths: Sequence[str], options: Iterable[tuple[str, str]] = ()) -> Fleet:
    """Load a collected folder or URI, or snapshot files and folders of them. Raises UserError, NothingToJudge."""
    collected = next((path for path in paths if is_collected(path, options)), None)
    if collected is None:
        return encode_snapshots(snapshot_files(paths))
    if len(paths) > 1:
        raise UserError(f"{collected}: one collected folder, or snapshot files; not both, and not several")
    return open_collection(open_store(parse_location(collected), options))


def is_collected(path: str, options: Iterable[tuple[str, str]] = ()) -> bool:
    """Whether a path holds what `collect` wrote, whole or not. Raises UserError."""
    location = parse_location(path)
    if location.is_remote:
        return True
    names = set(os.listdir(location.root)) if os.path.isdir(location.root) else set()
    return bool(names & OWN_NAMES) or any(name.startswith(RUN) for name in names)


def open_collection(store: Store) -> Fleet:
    """Open what `collect` wrote. Raises UserError."""
    run = open_run(store, COLLECTIONS, AGAIN)
    if run is None:
        raise UserError(
            f"{store.shown}: is not whole: its collection did not finish; run `kafka-advisor collect` again"
        )
    paths = {name: run.files(name) for name in TABLES}
    for name, files in paths.items():
        if not files:
            raise UserError(f"{store.shown}: the table {name} is not there; {AGAIN}")
        _check_columns(store, name, files)
    return Fleet(store, paths, {}, run.was_changed())


def _read_table(store: Store, path: str, name: str) -> pa.Table:
    with name_file_in_errors(path):
        if is_orc(path):
            table = open_dataset(store, [path]).to_table()
        else:
            repeated = text_leaves(open_parquet(store, path).schema, REPEATED[name])
            table = open_parquet(store, path, dictionary=repeated).read(columns=TABLES[name].names)
        for column in set(ADDED) & set(TABLES[name].names) - set(table.column_names):
            table = table.append_column(column, pa.nulls(table.num_rows, pa.string()))
        table = table.select(TABLES[name].names)
        types = [
            fit_type(declared.type, field.type) for declared, field in zip(RELAXED[name], table.schema, strict=True)
        ]
        return table.cast(pa.schema(zip(TABLES[name].names, types, strict=True))).cast(DICTIONARY_ENCODED[name])


def _check_columns(store: Store, name: str, files: Sequence[str]) -> None:
    for file in files:
        with name_file_in_errors(file):
            schema = schema_of(store, file)
            absent = [column for column in TABLES[name].names if column not in (*schema.names, *ADDED)]
            if absent:
                raise UserError(f"{file}: the table {name} has no column {absent[0]}; collect again")
            present = pa.schema([column for column in RELAXED[name] if column.name in schema.names])
            schema.empty_table().select(present.names).cast(present)


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
