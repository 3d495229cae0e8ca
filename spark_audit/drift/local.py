"""Drift by this process: range by range of clusters, so that memory is bounded however many findings there are."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from spark_audit.drift.changes import tally, told
from spark_audit.drift.matching import pairs
from spark_audit.results.coverage import gaps
from spark_audit.schema.drift import CONTENT, DRIFT, KEYS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collectors.kafka.deadline import Progress
    from spark_audit.drift.changes import Sides
    from spark_audit.results.history import Past

FINDINGS = 300_000
"""Findings of both audits that are compared at once; those of one cluster always are."""


def run(old: Past, new: Past, sides: Sides, folder: str, show: Progress) -> pa.Table:
    """Write the table `drift`, some clusters after others; its tally comes back. Raises Refused."""
    os.makedirs(os.path.join(folder, "drift"))
    tallies = []
    parts = slices(old, new)
    with pq.ParquetWriter(os.path.join(folder, "drift", "part-00000.parquet"), DRIFT, compression="zstd") as writer:
        for number, only in enumerate(parts):
            show("comparing", number, len(parts))
            found = told(pairs(rows_of(old, only), rows_of(new, only)), sides, gaps(old, only), gaps(new, only))
            writer.write_table(found.sort_by([(name, "ascending") for name in ("cluster", "rule", "subject")]))
            tallies.append(tally(found))
    return pa.concat_tables(tallies)


def slices(old: Past, new: Past) -> list[ds.Expression | None]:
    """Clusters by ranges of their names, so that their findings are a bounded number together."""
    sizes: dict[str, int] = {}
    for audit in (old, new):
        rows = audit.table("counts")
        for cluster, number in zip(rows["cluster"].to_pylist(), rows["findings"].to_pylist(), strict=True):
            sizes[cluster] = sizes.get(cluster, 0) + number
    starts, total = [], 0
    for cluster in sorted(sizes):
        if total and total + sizes[cluster] > FINDINGS:
            starts.append(cluster)
            total = 0
        total += sizes[cluster]
    return list(ranges(starts))


def ranges(starts: list[str]) -> Iterator[ds.Expression | None]:
    """From each start to the next; the first and the last are open."""
    cluster = ds.field("cluster")
    for low, high in zip([None, *starts], [*starts, None], strict=True):
        above = None if low is None else cluster >= low
        below = None if high is None else cluster < high
        yield above & below if above is not None and below is not None else above if below is None else below


def rows_of(audit: Past, only: ds.Expression | None) -> pa.Table:
    """The findings of some clusters: what is compared. Raises Refused."""
    found = audit.rows("findings", [*KEYS, *CONTENT[:-1], "waiver"], only)
    waived = pc.is_valid(found["waiver"])
    return found.drop_columns("waiver").append_column("waived", waived)
