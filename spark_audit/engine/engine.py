"""The rules of a run over columns. Nothing here knows Spark: record batches go in, blocks of findings come out.

Topics come in batches that may hold a part of a cluster; what follows from all partitions of a cluster is counted on the
way, and everything but topics is judged when that is known.
"""

from __future__ import annotations

import pyarrow as pa

from spark_audit.engine.cluster_evaluator import Rest
from spark_audit.engine.clusters import Clusters
from spark_audit.engine.topic_batch import Slice
from spark_audit.engine.topic_evaluator import Topics
from spark_audit.engine.tree_walk import Walker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.engine.policy import Policy
    from advisor.rule import Rule
    from advisor.rule.subject import Question
    from spark_audit.engine.cluster_tables import Side
    from spark_audit.engine.partition_counts import Part

    Inputs = tuple[str, ...]


class Engine:
    """The rules that run, with the trees that grow while it goes on."""

    def __init__(self, rules: Sequence[Rule], policy: Policy) -> None:
        self.policy = policy
        self.walker = Walker()
        self.of_partitions: dict[Inputs, set[Question]] = {}
        self.rules: dict[Inputs, list[Rule]] = {}
        for rule in rules:
            if policy.selects(rule):
                self.rules.setdefault(rule.inputs, []).append(rule)

    def slice(self, batch: pa.RecordBatch, side: Side) -> Slice:
        """Look at the arrays of some topics."""
        return Slice(batch, side, self.walker)

    def topics(self, slices: Sequence[Slice], side: Side, counts: Mapping[str, Part] | None = None) -> Topics:
        """Judge topics and their partitions. To judge them without counts raises CountsWanted where a rule asks for one."""
        return Topics(self, slices, side, counts)

    def clusters(self, side: Side, names: Sequence[str], counts: Mapping[str, Part]) -> Rest:
        """Judge everything of some clusters but their topics."""
        return Rest(self, Clusters(side, names, counts))
