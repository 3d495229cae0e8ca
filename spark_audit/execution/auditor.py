"""Judge record batches: topics in, rows of findings out, and a note of what was counted; the same in any process."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from spark_audit.engine.columns.cluster_tables import ClusterTables
from spark_audit.engine.columns.partial_counts import PartialCounts, add_counts
from spark_audit.engine.engine import Engine
from spark_audit.execution.chunk_result import ChunkResult, together
from spark_audit.execution.process import pause_garbage_collection
from spark_audit.results.plan import AuditPlan

BATCH_ROWS = 30_000
"""Topics per record batch: bounds the memory for their partitions."""


class Auditor:
    """An audit's rules, policy and waivers; its engines, one for each profile, learn from batch to batch."""

    def __init__(self, plan: AuditPlan) -> None:
        self.plan = plan
        self.rules = plan.rules()
        self.audit = plan.audit
        self.waivers = plan.parse_waivers(plan.policy(self.rules))
        self.engines: dict[str, Engine] = {}

    def __reduce__(self) -> tuple[type[Auditor], tuple[AuditPlan]]:
        """Pickle the plan only: a process that is not forked builds its own, and learns for itself."""
        return Auditor, (self.plan,)

    @property
    def needs_counts(self) -> bool:
        """Whether a rule on topics asks what follows from all partitions of their cluster."""
        return any(rule.counts for rule in self.rules)

    def engine(self, profile: str) -> Engine:
        """The engine that judges under a profile."""
        if profile not in self.engines:
            self.engines[profile] = Engine(self.rules, self.plan.policy(self.rules, profile))
        return self.engines[profile]

    def count_partitions(self, batch: pa.RecordBatch, tables: ClusterTables) -> list[PartialCounts]:
        """Count the partitions of some topics."""
        return self.engine(self.plan.profile).batch(batch, tables).counts

    def judge_topics(
        self,
        batches: Iterable[pa.RecordBatch],
        tables: ClusterTables,
        counts: Mapping[str, PartialCounts] | None = None,
        whole: bool = False,
    ) -> ChunkResult:
        """Judge the topics of several batches: each is read alone, then the rules run once for all of them.

        Where they are `whole` clusters, counts are made of them.
        """
        with pause_garbage_collection():
            if not self.plan.profiles_by_label:
                return self._judge_topics(self.plan.profile, batches, tables, counts, whole)
            batches = list(batches)
            names_per_batch = (batch.column("cluster").unique().to_pylist() for batch in batches)
            clusters = list(dict.fromkeys(str(name) for names in names_per_batch for name in names))
            return together(
                self._judge_topics(profile, batches_of(batches, names, clusters), tables, counts, whole)
                for profile, names in self.clusters_by_profile(tables, clusters).items()
            )

    def _judge_topics(
        self,
        profile: str,
        batches: Iterable[pa.RecordBatch],
        tables: ClusterTables,
        counts: Mapping[str, PartialCounts] | None,
        whole: bool,
    ) -> ChunkResult:
        engine = self.engine(profile)
        topic_batches = [engine.batch(batch, tables) for batch in batches]
        parts = [partial for batch in topic_batches for partial in batch.counts]
        if whole:
            sums = add_counts(parts)
            counts, parts = sums if self.needs_counts else None, list(sums.values())
        evaluator = engine.topics(topic_batches, tables, counts)
        result = ChunkResult(evaluator.run(), evaluator.clusters, self.waivers, evaluator.has_input, self.audit)
        result.note["parts"] = parts
        return result

    def judge_whole(self, topics: Sequence[pa.RecordBatch], tables: ClusterTables) -> ChunkResult:
        """Judge whole clusters: all their topics, knowing what follows from all partitions, and all else."""
        of_topics = [self.judge_topics(topics, tables, whole=True)] if topics else []
        counts = add_counts(counts for result in of_topics for counts in result.note["parts"])
        whole = together([*of_topics, self.judge_clusters(tables, tables.names, counts)])
        whole.note["parts"] = list(counts.values())
        return whole

    def judge_clusters(
        self, tables: ClusterTables, names: Sequence[str], counts: Mapping[str, PartialCounts]
    ) -> ChunkResult:
        """Judge all subjects of some clusters except topics."""
        with pause_garbage_collection():
            return together(
                self._judge_clusters(profile, tables, own, counts)
                for profile, own in self.clusters_by_profile(tables, names).items()
            )

    def _judge_clusters(
        self, profile: str, tables: ClusterTables, names: Sequence[str], counts: Mapping[str, PartialCounts]
    ) -> ChunkResult:
        evaluator = self.engine(profile).clusters(tables, names, counts)
        return ChunkResult(evaluator.run(), evaluator.clusters, self.waivers, evaluator.has_input, self.audit)

    def clusters_by_profile(self, tables: ClusterTables, names: Collection[str]) -> dict[str, list[str]]:
        """Some clusters by the profile that their labels mean."""
        if not self.plan.profiles_by_label:
            return {self.plan.profile: list(names)}
        rows = tables.rows("clusters", names, ["cluster", "labels"]).to_pylist()
        labels = {row["cluster"]: dict(row["labels"] or ()) for row in rows}
        by_profile: dict[str, list[str]] = {}
        for name in names:
            by_profile.setdefault(self.plan.profile_for(labels.get(name, {})), []).append(name)
        return by_profile or {self.plan.profile: []}


def batches_of(batches: list[pa.RecordBatch], names: Sequence[str], every: Collection[str]) -> list[pa.RecordBatch]:
    """The rows of some clusters."""
    if len(names) == len(every):
        return batches
    wanted = pa.array(names, pa.string())
    masks = (pc.is_in(batch.column("cluster").cast(pa.string()), value_set=wanted) for batch in batches)
    filtered = (batch.filter(mask) for batch, mask in zip(batches, masks, strict=True))
    return [batch for batch in filtered if batch.num_rows]
