"""The rules of a run over columns. Nothing here knows Spark: record batches go in, blocks of findings come out.

Topics come in batches that may hold a part of a cluster; what follows from all partitions of a cluster is counted on the
way, and everything but topics is judged when that is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from advisor.engine.policy import Policy
from advisor.rule import Rule
from spark_audit.engine.cluster_evaluator import ClusterEvaluator
from spark_audit.engine.columns.cluster_tables import ClusterTables
from spark_audit.engine.columns.clusters import Clusters
from spark_audit.engine.columns.partial_counts import PartialCounts
from spark_audit.engine.compiled_rules import CompiledRules
from spark_audit.engine.topic_batch import TopicBatch
from spark_audit.engine.topic_evaluator import TopicEvaluator

Inputs = tuple[str, ...]


class Engine:
    """Judges record batches of topics, and clusters, by the rules that run."""

    def __init__(self, rules: Sequence[Rule], policy: Policy) -> None:
        self.rules = CompiledRules(rules, policy)

    def batch(self, topics: pa.RecordBatch, tables: ClusterTables) -> TopicBatch:
        """Look at the arrays of some topics."""
        return TopicBatch(topics, tables, self.rules.walker)

    def topics(
        self, batches: Sequence[TopicBatch], tables: ClusterTables, counts: Mapping[str, PartialCounts] | None = None
    ) -> TopicEvaluator:
        """Judge topics and their partitions. A rule that asks for counts has to declare it."""
        return TopicEvaluator(self.rules, batches, tables, counts)

    def clusters(
        self, tables: ClusterTables, names: Sequence[str], counts: Mapping[str, PartialCounts]
    ) -> ClusterEvaluator:
        """Judge everything of some clusters but their topics."""
        return ClusterEvaluator(self.rules, Clusters(tables, names, counts))
