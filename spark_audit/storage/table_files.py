"""Read and write the files of tables: Parquet, and ORC, which has no row groups that could be read alone here."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from advisor.errors import UserError
from spark_audit.storage.file_store import Store, error_text

PARQUET, ORC = "parquet", "orc"
FORMATS = (PARQUET, ORC)
"""What files may be, with both engines."""


@contextlib.contextmanager
def name_file_in_errors(file: str) -> Iterator[None]:
    """Report what is wrong with a file under its name. Raises UserError."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise UserError(f"{file}: {error_text(error)}") from None


def is_orc(path: str) -> bool:
    """Whether a file is ORC."""
    return path.endswith(f".{ORC}")


def open_parquet(
    store: Store, path: str, metadata: pq.FileMetaData | None = None, dictionary: Sequence[str] | None = None
) -> pq.ParquetFile:
    """Open a Parquet file; some columns may be read as dictionaries."""
    return pq.ParquetFile(path, filesystem=store.system, metadata=metadata, read_dictionary=dictionary)


def open_dataset(store: Store, paths: Sequence[str], schema: pa.Schema | None = None) -> ds.Dataset:
    """Open files of one format as one table, whose columns are those of the schema, else of the first file."""
    if not paths and schema is not None:
        return ds.dataset(schema.empty_table())
    return ds.dataset(list(paths), schema, ORC if is_orc(paths[0]) else PARQUET, filesystem=store.system)


def schema_of(store: Store, path: str) -> pa.Schema:
    """The columns of a file."""
    return open_dataset(store, [path]).schema if is_orc(path) else open_parquet(store, path).schema_arrow


def row_count(store: Store, paths: Sequence[str]) -> int:
    """The number of rows of files."""
    return sum(part.rows for path in paths for part in parts_of(store, path))


class FilePart(NamedTuple):
    """A part of a file that can be read alone, and the least and the greatest cluster's name in it; None if unknown."""

    rows: int
    least: str | None = None
    greatest: str | None = None


def parts_of(store: Store, path: str) -> list[FilePart]:
    """The parts of a file of rows by cluster: row groups, or the whole file."""
    if is_orc(path):
        return [FilePart(open_dataset(store, [path]).count_rows())]
    metadata = open_parquet(store, path).metadata
    return [_row_group(metadata.row_group(number)) for number in range(metadata.num_row_groups)]


def _row_group(row_group: pq.RowGroupMetaData) -> FilePart:
    columns = map(row_group.column, range(row_group.num_columns))
    statistics = next((column.statistics for column in columns if column.path_in_schema == "cluster"), None)
    if statistics is None or not statistics.has_min_max:
        return FilePart(row_group.num_rows)
    return FilePart(row_group.num_rows, statistics.min, statistics.max)


def write_rows(store: Store, path: str, rows: pa.Table, declared: pa.Schema) -> None:
    """Write a file in the format that its name says; dictionaries are written as the texts that they stand for."""
    with name_file_in_errors(path), store.system.open_output_stream(path) as stream:
        if is_orc(path):
            from pyarrow import orc

            orc.write_table(rows.cast(declared), stream, compression="zstd")
            return
        with pq.ParquetWriter(stream, rows.schema, compression="zstd", store_schema=False) as writer:
            writer.write_table(rows)
            writer.add_key_value_metadata(declared.metadata)
