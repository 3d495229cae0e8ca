"""Shuffle whole clusters through Spark: rows in bundles of bytes, each for one of the buckets of clusters."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from spark_audit.arrays import Codes
from spark_audit.arrays.codes import split_by_code
from spark_audit.arrays.dictionaries import codes_of
from spark_audit.local.chunks import BATCH_ROWS, is_unused
from spark_audit.schema.snapshots import RELAXED
from spark_audit.storage.load import Fleet, name_file_in_errors
from spark_audit.storage.read_types import without_unused

Share = tuple[str, str, int] | tuple[str, pa.RecordBatch]
"""The name of a table with a row group of a file, or with a batch that is at hand."""
BUNDLES = pa.schema([("bucket", pa.int64()), ("name", pa.string()), ("rows", pa.binary())])
"""The group's number, the table's name, and rows of it as an Arrow stream."""
TYPES = {**RELAXED, "topics": without_unused(RELAXED["topics"])}


def shares_of(fleet: Fleet, names: Iterable[str], tasks: int) -> list[list[Share]]:
    """Some tables in shares, for so many tasks or fewer."""
    found: list[Share] = []
    for name in names:
        if not fleet.paths:
            found += [(name, batch) for batch in fleet.batches(name, BATCH_ROWS)]
        for path in fleet.paths.get(name, ()):
            groups = pq.ParquetFile(path).metadata.num_row_groups
            found += [(name, os.path.abspath(path), number) for number in range(groups)]
    return [found[task::tasks] for task in range(min(tasks, len(found)))]


def bundled(share: Share, buckets: Sequence[int]) -> Iterator[pa.RecordBatch]:
    """The rows of a share, of each batch one bundle for every group that has some. Raises UserError."""
    name, *_ = share
    for found in _batches(share):
        batch = _declared(found, TYPES[name])
        for bucket, rows in _parts(batch, buckets):
            yield pa.RecordBatch.from_arrays([[bucket], [name], [_bytes(batch.take(pa.array(rows)))]], schema=BUNDLES)


def opened(bundles: pa.Table, name: str) -> Iterator[pa.RecordBatch]:
    """The rows of a table in bundles, as many together as are looked at at once."""
    waiting: list[pa.RecordBatch] = []
    for kind, data in zip(*(bundles.column(each).to_pylist() for each in ("name", "rows")), strict=True):
        if kind == name:
            waiting += pa.ipc.open_stream(data)
        if sum(batch.num_rows for batch in waiting) >= BATCH_ROWS:
            yield from pa.Table.from_batches(waiting).combine_chunks().to_batches()
            waiting = []
    if waiting:
        yield from pa.Table.from_batches(waiting).combine_chunks().to_batches()


def _batches(share: Share) -> Iterator[pa.RecordBatch]:
    if len(share) == 2:
        yield share[1]
        return
    _, path, number = share
    with name_file_in_errors(path):
        file = pq.ParquetFile(path)
        leaves = [file.schema.column(place).path for place in range(len(file.schema))]
        columns = [leaf for leaf in leaves if not is_unused(leaf)]
        yield from file.iter_batches(BATCH_ROWS, row_groups=[number], columns=columns)


def _declared(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The rows in these columns and types, whoever wrote them."""
    columns = [batch.column(field.name).cast(field.type, safe=False) for field in schema]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _parts(batch: pa.RecordBatch, buckets: Sequence[int]) -> Iterator[tuple[int, Codes]]:
    """The groups of a batch, and the rows of each; clusters without a name are in none."""
    encoded = batch.column("cluster").dictionary_encode()
    bucket_of = [buckets[crc32(name.encode()) % len(buckets)] for name in encoded.dictionary.to_pylist()]
    codes = codes_of(encoded)
    numbers = np.array([*bucket_of, -1], dtype=np.int64)[codes]
    for rows in split_by_code(np.flatnonzero(codes >= 0), numbers):
        yield int(numbers[rows[0]]), rows


def _bytes(batch: pa.RecordBatch) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue())
