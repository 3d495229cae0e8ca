"""Digests of clusters' snapshots: SHA-256 of all their rows, in order, but for when they were taken.

How the rows are spread over files, row groups and batches does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
TOPICS = without_unused(RELAXED["topics"])


def digest_clusters(fleet: Fleet) -> dict[str, str]:
    """The digest of each cluster's rows in all tables. Raises UserError."""
    hash_of_cluster: dict[str, Any] = {}
    for name, batches in [(name, small_batches(fleet, name)) for name in SMALL] + [("topics", topic_batches(fleet))]:
        for cluster, digest in digest_runs(batches):
            hash_of_cluster.setdefault(cluster, sha256()).update(name.encode() + digest)
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


def digest_runs(batches: Batches) -> Iterator[tuple[str, bytes]]:
    """The cluster and the digest of each run of rows of one cluster; a run may go on in the next batch."""
    current, hashes = None, []
    for batch in batches:
        batch = batch.filter(batch.column("cluster").is_valid())  # nobody judges the others
        buffers = list(buffers_of(batch))
        for cluster, start, end in runs_of(batch.column("cluster")):
            if cluster != current:
                if current is not None:
                    yield current, b"".join(hash.digest() for hash in hashes)
                current, hashes = cluster, [sha256() for _ in buffers]
            for hash, (values, first_of_row) in zip(hashes, buffers, strict=True):
                hash.update(values[first_of_row[start] : first_of_row[end]])
    if current is not None:
        yield current, b"".join(hash.digest() for hash in hashes)


def runs_of(clusters: pa.Array) -> Iterator[tuple[str | None, int, int]]:
    """The cluster, the first row and the row behind the last of each run of rows of one cluster."""
    first_row = np.flatnonzero(np.diff(codes_of(clusters), prepend=-2))
    ends = [*first_row[1:].tolist(), len(clusters)]
    yield from zip(clusters.take(pa.array(first_row)).to_pylist(), first_row.tolist(), ends, strict=False)
