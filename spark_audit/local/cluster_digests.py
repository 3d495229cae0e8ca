"""Digests of clusters' snapshots: SHA-256 of all their rows, in order, but for when they were taken.

How the rows are spread over files, row groups and batches does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from spark_audit.arrays.buffers import buffers_of
from spark_audit.arrays.dictionaries import codes_of
from spark_audit.local.chunks import read_batches, split_topics
from spark_audit.schema.snapshots import RELAXED, SMALL
from spark_audit.storage.load import Fleet
from spark_audit.storage.read_types import without_unused

Batches = Iterable[pa.RecordBatch]
BLOCK_ROWS = 30_000
"""Rows of a cluster that are hashed at once, at most."""
TOPICS = without_unused(RELAXED["topics"])


def digest_clusters(fleet: Fleet) -> dict[str, str]:
    """The digest of each cluster's rows in all tables. Raises UserError."""
    hash_of_cluster: dict[str, Any] = {}
    for name, batches in [(name, small_batches(fleet, name)) for name in SMALL] + [("topics", topic_batches(fleet))]:
        for cluster, rows in blocks_of(batches):
            hash = hash_of_cluster.setdefault(cluster, sha256())
            hash.update(name.encode())
            hash.update(rows)
    return {cluster: hash.hexdigest() for cluster, hash in hash_of_cluster.items()}


def small_batches(fleet: Fleet, name: str) -> Batches:
    """A small table; of when a cluster was read only whether it is known: without it the cluster counts as unreachable."""
    rows = fleet.table(name).cast(RELAXED[name])
    if name == "clusters":
        rows = rows.drop_columns(["seconds", "collected"]).append_column("collected", pc.is_valid(rows["collected"]))
    batches: Batches = rows.to_batches()
    return batches


def topic_batches(fleet: Fleet) -> Iterator[pa.RecordBatch]:
    """The topics, without columns that no rule asks for. Raises UserError."""
    chunks, _ = split_topics(fleet, jobs=1)
    for chunk in chunks:
        for batch in read_batches(chunk, encoded=False):
            yield pa.RecordBatch.from_arrays(
                [batch.column(field.name).cast(field.type) for field in TOPICS], schema=TOPICS
            )


def blocks_of(batches: Batches) -> Iterator[tuple[str, bytes]]:
    """The rows of one cluster at a time, as they follow each other, as bytes: in blocks of a fixed size, to bound memory."""
    pieces: list[list[Any]] = []
    cluster, rows = "", 0
    for batch in batches:
        batch = batch.filter(batch.column("cluster").is_valid())  # nobody judges the others
        cuts = list(cut_rows(batch.column("cluster"), cluster, rows))
        positions = np.array([start for _, start, _ in cuts] + [batch.num_rows])
        buffers = [(values, first_of_row[positions].tolist()) for values, first_of_row in buffers_of(batch)]
        for number, (name, start, rows_before) in enumerate(cuts):
            if pieces and not rows_before:
                yield cluster, join(pieces, rows)
                pieces = []
            cluster, rows = name, rows_before + int(positions[number + 1]) - start
            pieces.append([values[bounds[number] : bounds[number + 1]] for values, bounds in buffers])
    if pieces:
        yield cluster, join(pieces, rows)


def join(pieces: Sequence[Sequence[Any]], rows: int) -> bytes:
    """The buffers of a block, of which each piece has a part, one after the other; the number of rows tells them apart."""
    return b"".join([rows.to_bytes(8), *(part for parts in zip(*pieces, strict=True) for part in parts)])


def cut_rows(clusters: pa.Array, current: str, rows_before: int) -> Iterator[tuple[str, int, int]]:
    """Cut a batch where the cluster changes, and where a block is full: cluster, first row, rows of the block before it."""
    first_row = np.flatnonzero(np.diff(codes_of(clusters), prepend=-1))
    names, ends = clusters.take(pa.array(first_row)).to_pylist(), [*first_row[1:].tolist(), len(clusters)]
    for name, start, end in zip(names, first_row.tolist(), ends, strict=False):
        before = rows_before % BLOCK_ROWS if name == current and not start else 0
        while start < end:
            yield name, start, before
            start, before = start + BLOCK_ROWS - before, 0
