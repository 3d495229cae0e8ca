"""Split a fleet into chunks of work: topics by the row groups of their files, then clusters by name."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from spark_audit.engine.columns.partial_counts import PartialCounts
from spark_audit.execution.auditor import BATCH_ROWS
from spark_audit.storage.file_store import Store
from spark_audit.storage.load import Fleet
from spark_audit.storage.read_types import REPEATED, UNUSED, text_leaves
from spark_audit.storage.table_files import is_orc, name_file_in_errors, open_dataset, open_parquet, parts_of

Chunk = list[tuple[Store, str, list[int]]] | list[pa.RecordBatch]
"""Row groups of files, or record batches in memory."""
CHUNK_TOPICS = 200_000
"""Topics that are judged together, per process: bounds memory (two processes: 0.93 GB; with 250,000 1.01, and as long)."""
CHUNK_CLUSTERS = 500
"""Clusters that are judged together, at most: bounds the memory for their tables."""
MIN_CHUNK_CLUSTERS = 25
"""Clusters that one more process is worth, at least."""


def split_topics(fleet: Fleet, jobs: int) -> tuple[list[Chunk], int]:
    """Split the topics into chunks, at least one per process; the chunks, and the number of topics."""
    if not fleet.paths:
        batches = fleet.batches("topics", BATCH_ROWS)
        return [[batch] for batch in batches], sum(batch.num_rows for batch in batches)
    store = fleet.store
    assert store is not None
    row_groups = [
        (path, row_group, part.rows)
        for path in fleet.paths["topics"]
        for row_group, part in enumerate(parts_of(store, path))
        if part.rows and fleet.may_judge(part.least, part.greatest)
    ]
    topics = sum(rows for _, _, rows in row_groups)
    chunk_count = jobs * max(1, -(-topics // (CHUNK_TOPICS * jobs)))
    row_groups_of_chunk: list[dict[str, list[int]]] = [{} for _ in range(chunk_count)]
    rows_before = 0
    for path, row_group, rows in row_groups:
        row_groups_of_chunk[min(chunk_count - 1, (rows_before + rows // 2) * chunk_count // topics)].setdefault(
            path, []
        ).append(row_group)
        rows_before += rows
    return [[(store, *part) for part in parts.items()] for parts in row_groups_of_chunk if parts], topics


def read_batches(chunk: Chunk, *, encoded: bool = True) -> Iterator[pa.RecordBatch]:
    """Read the record batches of a chunk; repeated texts may be dictionary-encoded."""
    for source in chunk:
        if isinstance(source, pa.RecordBatch):
            yield source
        else:
            yield from read_row_groups(*source, encoded=encoded)


def read_row_groups(
    store: Store, path: str, row_groups: Sequence[int], *, encoded: bool = True
) -> Iterator[pa.RecordBatch]:
    """Read the topics of some row groups, without unused columns; texts of small row groups are dictionary-encoded.

    Raises UserError where the file is damaged.
    """
    with name_file_in_errors(path):
        if is_orc(path):
            yield from open_dataset(store, [path]).to_batches(batch_size=BATCH_ROWS)
        else:
            yield from _iter_batches(store, path, row_groups, encoded)


def _iter_batches(store: Store, path: str, row_groups: Sequence[int], encoded: bool) -> Iterator[pa.RecordBatch]:
    file = open_parquet(store, path)
    leaf_paths = [file.schema.column(index).path for index in range(len(file.schema))]
    columns = [leaf for leaf in leaf_paths if not is_unused(leaf)]
    encoded_file = open_parquet(store, path, file.metadata, text_leaves(file.schema, REPEATED["topics"]))
    for row_group in row_groups:
        is_small = encoded and file.metadata.row_group(row_group).num_rows <= 2 * BATCH_ROWS
        yield from (encoded_file if is_small else file).iter_batches(
            BATCH_ROWS, row_groups=[row_group], columns=columns
        )


def is_unused(path: str) -> bool:
    """Whether a column of partitions is one that no rule asks for."""
    return any(f".{name}" in path for name in UNUSED)


def split_clusters(
    names: Sequence[str], counts: Mapping[str, PartialCounts], jobs: int
) -> list[tuple[list[str], dict[str, PartialCounts]]]:
    """Split clusters into even chunks, enough for all processes if there are many; each with its clusters' counts."""
    chunk_count = min(-(-len(names) // MIN_CHUNK_CLUSTERS), jobs * -(-len(names) // (CHUNK_CLUSTERS * jobs)))
    bounds = [len(names) * number // max(1, chunk_count) for number in range(chunk_count + 1)]
    chunks = [list(names[start:end]) for start, end in itertools.pairwise(bounds)]
    return [(chunk, {name: counts[name] for name in chunk if name in counts}) for chunk in chunks]
