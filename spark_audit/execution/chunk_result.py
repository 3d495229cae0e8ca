"""The results of a chunk of a fleet: rows of findings and unknowns, and a note of what was counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from spark_audit.arrays import Mask
from spark_audit.engine.columns.clusters import Clusters
from spark_audit.engine.outcomes import Outcomes
from spark_audit.results import encode as results
from spark_audit.results.waivers import Waivers
from spark_audit.schema.results import FINDINGS, UNKNOWNS

Note = dict[str, Any]


class ChunkResult:
    """The results of one chunk: rows, some columns dictionary-encoded, and a note of what was counted."""

    def __init__(
        self, outcomes: Outcomes, clusters: Clusters, waivers: Waivers, has_input: Mapping[str, Mask], audit: str
    ) -> None:
        findings = results.BlockRows(outcomes.findings, clusters)
        waiver_of_row = waivers.match(findings.cluster_of_row, findings.block_of_row, findings.blocks, clusters)
        unknowns = results.BlockRows(outcomes.unknowns, clusters)
        findings_table = results.findings(findings, waivers.reasons(waiver_of_row), audit)
        self.compact: dict[str, pa.Table] = {"findings": findings_table, "unknowns": results.unknowns(unknowns, audit)}
        counts = zip(
            clusters.names,
            outcomes.passed.tolist(),
            outcomes.not_applicable.tolist(),
            np.bincount(unknowns.cluster_of_row, minlength=len(clusters.names)).tolist(),
            strict=True,
        )
        self.note: Note = {
            "outcomes": [list(values) for values in counts],
            "clusters": clusters.names,
            "passed": {rule: passed.tolist() for rule, passed in outcomes.passed_by_rule.items()},
            "counts": results.tally(findings, waiver_of_row, outcomes.rules_with_items),
            "inputs": {
                name: [input for input, mask in has_input.items() if mask[cluster]]
                for cluster, name in enumerate(clusters.names)
            },
            "parts": [],
        }

    def add(self, other: ChunkResult) -> None:
        """Add the result of other clusters."""
        self.compact = {name: pa.concat_tables([table, other.compact[name]]) for name, table in self.compact.items()}
        own, others = len(self.note["clusters"]), len(other.note["clusters"])
        self.note["passed"] = {
            rule: self.note["passed"].get(rule, [0] * own) + other.note["passed"].get(rule, [0] * others)
            for rule in {**self.note["passed"], **other.note["passed"]}
        }
        self.note["inputs"] |= {
            name: [*self.note["inputs"].get(name, ()), *inputs] for name, inputs in other.note["inputs"].items()
        }
        for name in ("outcomes", "clusters", "counts", "parts"):
            self.note[name] = self.note[name] + other.note[name]

    @property
    def findings(self) -> pa.Table:
        """The rows of `findings` in the types of their table."""
        return self.compact["findings"].cast(FINDINGS)

    @property
    def unknowns(self) -> pa.Table:
        """The rows of `unknowns` in the types of their table."""
        return self.compact["unknowns"].cast(UNKNOWNS)


def together(results: Iterable[ChunkResult]) -> ChunkResult:
    """The results of several profiles as one."""
    whole, *others = results
    for result in others:
        whole.add(result)
    return whole
