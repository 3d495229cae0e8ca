"""Judge record batches: topics in, rows of findings out, and a note of what was counted; the same in any process."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from spark_audit.engine.cluster_tables import ClusterTables
from spark_audit.engine.clusters import Clusters
from spark_audit.engine.engine import Engine
from spark_audit.engine.outcomes import Outcomes
from spark_audit.engine.partial_counts import PartialCounts
from spark_audit.results import encode as results
from spark_audit.results.plan import Plan
from spark_audit.results.waivers import Waivers
from spark_audit.schema.results import FINDINGS, UNKNOWNS

Note = dict[str, Any]


class ChunkResult:
    """The results of one chunk: rows, some columns dictionary-encoded, and a note of what was counted."""

    def __init__(
        self, outcomes: Outcomes, clusters: Clusters, waivers: Waivers, present_inputs: Iterable[str], audit: str
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
            "held": sorted(present_inputs),
            "parts": [],
        }

    @property
    def findings(self) -> pa.Table:
        """The rows of `findings` in the types of their table."""
        return self.compact["findings"].cast(FINDINGS)

    @property
    def unknowns(self) -> pa.Table:
        """The rows of `unknowns` in the types of their table."""
        return self.compact["unknowns"].cast(UNKNOWNS)


class Auditor:
    """An audit's rules, policy and waivers; its engine learns from batch to batch, whichever fleet they are of."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        rules = plan.rules()
        policy = plan.policy(rules)
        self.audit = plan.audit
        self.waivers = plan.parse_waivers(policy)
        self.engine = Engine(rules, policy)

    def __reduce__(self) -> tuple[type[Auditor], tuple[Plan]]:
        """Pickle the plan only: a process that is not forked builds its own, and learns for itself."""
        return Auditor, (self.plan,)

    def count_partitions(self, batch: pa.RecordBatch, tables: ClusterTables) -> list[PartialCounts]:
        """Count the partitions of some topics."""
        return self.engine.batch(batch, tables).counts

    def judge_topics(
        self,
        batches: Iterable[pa.RecordBatch],
        tables: ClusterTables,
        counts: Mapping[str, PartialCounts] | None = None,
    ) -> ChunkResult:
        """Judge the topics of several batches: each is read alone, then the rules run once for all of them."""
        with pause_garbage_collection():
            return self._judge_topics(batches, tables, counts)

    def _judge_topics(
        self, batches: Iterable[pa.RecordBatch], tables: ClusterTables, counts: Mapping[str, PartialCounts] | None
    ) -> ChunkResult:
        evaluator = self.engine.topics([self.engine.batch(batch, tables) for batch in batches], tables, counts)
        result = ChunkResult(evaluator.run(), evaluator.clusters, self.waivers, evaluator.present_inputs, self.audit)
        result.note["parts"] = evaluator.counts()
        return result

    def judge_clusters(
        self, tables: ClusterTables, names: Sequence[str], counts: Mapping[str, PartialCounts]
    ) -> ChunkResult:
        """Judge all subjects of some clusters except topics."""
        with pause_garbage_collection():
            return self._judge_clusters(tables, names, counts)

    def _judge_clusters(
        self, tables: ClusterTables, names: Sequence[str], counts: Mapping[str, PartialCounts]
    ) -> ChunkResult:
        evaluator = self.engine.clusters(tables, names, counts)
        return ChunkResult(evaluator.run(), evaluator.clusters, self.waivers, evaluator.present_inputs, self.audit)


def prepare_process(auditor: Auditor) -> Auditor:
    """Prepare a process that runs beside others: one Arrow thread; loaded objects exempt from garbage collection."""
    import pyarrow as pa

    pa.set_cpu_count(1)
    gc.freeze()
    return auditor


@contextlib.contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Collect cyclic garbage once afterwards, among new objects only: collecting in between takes time."""
    import pyarrow as pa

    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
            gc.collect(1)
        pa.default_memory_pool().release_unused()
