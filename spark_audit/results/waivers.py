"""Waivers over columns: which rows of an audit's findings are waived (see advisor.engine.waivers)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from advisor.engine.waivers import Waiver
from spark_audit.arrays import Codes
from spark_audit.engine.columns.clusters import Clusters
from spark_audit.engine.outcomes import RowBlock
from spark_audit.schema.results import EXPIRED, IN_USE, UNUSED, WAIVERS


class Waivers:
    """All waivers of a file; those that hold today are applied. Indices count all of them from 0."""

    def __init__(self, waivers: Sequence[Waiver] = (), today: date | None = None) -> None:
        self.waivers = tuple(waivers)
        self.today = today or date.today()

    def match(
        self, cluster_of_row: Codes, block_of_row: Codes, blocks: Sequence[RowBlock], clusters: Clusters
    ) -> Codes:
        """Per row the index of the first waiver that applies, -1 where none does."""
        waiver_of_row = np.full(len(block_of_row), -1, dtype=np.int64)
        for index, waiver in enumerate(self.waivers):
            if not waiver.holds(self.today):
                continue
            covers_block = np.array([block.fields["rule"] in waiver.rules for block in blocks] or [False], dtype=bool)
            names = enumerate(clusters.names)
            covers_cluster = np.array(
                [waiver.covers(name, clusters.labels(cluster)) for cluster, name in names] or [False], dtype=bool
            )
            rows: Codes = (
                np.flatnonzero((waiver_of_row < 0) & covers_block[block_of_row] & covers_cluster[cluster_of_row])
                if len(block_of_row)
                else block_of_row
            )
            waiver_of_row[_rows_of_subject(rows, waiver, block_of_row, blocks)] = index
        return waiver_of_row

    def reasons(self, waiver_of_row: Codes) -> pa.Array:
        """The reason of each row's waiver, null where none applies."""
        reasons = pa.array([waiver.reason for waiver in self.waivers], pa.string())
        return (
            reasons.take(pa.array(waiver_of_row, mask=waiver_of_row < 0))
            if self.waivers
            else pa.nulls(len(waiver_of_row), pa.string())
        )

    def table(self, clusters: pa.Table, audit: str) -> pa.Table:
        """The table `waivers`: every waiver in the order of its file, and what it covers; `clusters` is the audit's."""
        findings: Counter[int] = Counter()
        for row in pc.list_flatten(clusters.column("waivers")).to_pylist():
            findings[row["waiver"]] += row["findings"]
        rows = [self._row(number, waiver, findings[number]) for number, waiver in enumerate(self.waivers, 1)]
        return pa.Table.from_pylist([{**row, "audit": audit} for row in rows], WAIVERS)

    def _row(self, number: int, waiver: Waiver, findings: int) -> dict[str, Any]:
        return {
            "number": number,
            "rule": waiver.rule,
            "rules": sorted(waiver.rules),
            "cluster": waiver.cluster,
            "label": list(waiver.labels.items()),
            "subject": waiver.subject,
            "reason": waiver.reason,
            "until": str(waiver.until) if waiver.until else None,
            "state": EXPIRED if not waiver.holds(self.today) else IN_USE if findings else UNUSED,
            "findings": findings,
        }


def waivers_as_json(waivers: pa.Table) -> list[dict[str, Any]]:
    """The table `waivers` as the column `waivers` of `audits` has it."""
    columns = ["rule", "cluster", "label", "subject", "reason", "until", "findings"]
    states = waivers.column("state").to_pylist()
    return [
        {**row, "label": dict(row["label"]), "expired": state == EXPIRED}
        for row, state in zip(waivers.select(columns).to_pylist(), states, strict=True)
    ]


def _rows_of_subject(rows: Codes, waiver: Waiver, block_of_row: Codes, blocks: Sequence[RowBlock]) -> Codes:
    """The rows whose subject the waiver covers."""
    if waiver.subject == "*" or not len(rows):
        return rows
    first_row = np.searchsorted(block_of_row, np.arange(len(blocks)))
    covered = []
    for row in rows.tolist():
        block = blocks[block_of_row[row]]
        name = block.names.names[int(block.subjects[row - first_row[block_of_row[row]]])]
        if waiver.covers_subject(str(name)):
            covered.append(row)
    covered_rows: Codes = np.array(covered, dtype=np.int64)
    return covered_rows
