"""A fleet in pieces of work: topics by the row groups of their files, then clusters by their names."""

from __future__ import annotations

import itertools
import os
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from spark_audit.storage.load import reading
from spark_audit.storage.read_types import REPEATED, UNASKED, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spark_audit.engine.count_parts import Part
    from spark_audit.storage.load import Fleet

    Piece = list[tuple[str, list[int]]] | list[pa.RecordBatch]
    """Row groups of files, or batches that are at hand."""

ROWS = 30_000
"""Topics whose partitions are looked at at once."""
TOGETHER = 250_000
"""Topics that are judged at once."""
CLUSTERS = 500
"""Clusters that are judged at once, at most."""
FEW = 25
"""Clusters that are not worth another process."""


def pieces_of(fleet: Fleet, jobs: int) -> tuple[list[Piece], int]:
    """The topics in pieces, as many as there are processes or more, and how many topics there are."""
    if not fleet.paths:
        batches = fleet.batches("topics", ROWS)
        return [[batch] for batch in batches], sum(batch.num_rows for batch in batches)
    groups = [
        (os.path.abspath(path), number, about.row_group(number).num_rows)
        for path in fleet.paths["topics"]
        for about in [pq.ParquetFile(path).metadata]
        for number in range(about.num_row_groups)
        if about.row_group(number).num_rows
    ]
    topics = sum(rows for _, _, rows in groups)
    many = jobs * max(1, -(-topics // (TOGETHER * jobs)))
    pieces: list[dict[str, list[int]]] = [{} for _ in range(many)]
    before = 0
    for path, number, rows in groups:
        pieces[min(many - 1, (before + rows // 2) * many // topics)].setdefault(path, []).append(number)
        before += rows
    return [list(piece.items()) for piece in pieces if piece], topics


def batches(piece: Piece) -> Iterator[pa.RecordBatch]:
    """The batches of a piece."""
    for each in piece:
        if isinstance(each, pa.RecordBatch):
            yield each
        else:
            path, groups = each
            yield from rows_of(path, groups)


def rows_of(path: str, groups: Sequence[int]) -> Iterator[pa.RecordBatch]:
    """The topics of some row groups, without what no rule asks; of small groups texts of settings stand once each.

    Raises Refused where the file is damaged.
    """
    with reading(path):
        yield from _rows_of(path, groups)


def _rows_of(path: str, groups: Sequence[int]) -> Iterator[pa.RecordBatch]:
    plain = pq.ParquetFile(path)
    leaves = [plain.schema.column(place).path for place in range(len(plain.schema))]
    columns = [leaf for leaf in leaves if not is_unasked(leaf)]
    short = pq.ParquetFile(path, metadata=plain.metadata, read_dictionary=texts_of(plain.schema, REPEATED["topics"]))
    for group in groups:
        small = plain.metadata.row_group(group).num_rows <= 2 * ROWS
        yield from (short if small else plain).iter_batches(ROWS, row_groups=[group], columns=columns)


def is_unasked(path: str) -> bool:
    """Whether a column of partitions is one that no rule asks."""
    return any(f".{name}" in path for name in UNASKED)


def wanted_of(names: Sequence[str], counts: Mapping[str, Part], jobs: int) -> list[tuple[list[str], dict[str, Part]]]:
    """Clusters in even pieces, enough for all processes where there are many, each with what was counted of its own."""
    pieces = min(-(-len(names) // FEW), jobs * -(-len(names) // (CLUSTERS * jobs)))
    places = [len(names) * piece // max(1, pieces) for piece in range(pieces + 1)]
    chunks = [list(names[start:end]) for start, end in itertools.pairwise(places)]
    return [(chunk, {name: counts[name] for name in chunk if name in counts}) for chunk in chunks]
