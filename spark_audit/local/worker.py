"""What every worker does, in this process, in others, or in Spark's: topics in, rows out, and a note of what was counted.

A plan is all that a worker needs to know, as plain data: it travels.
"""

from __future__ import annotations

import contextlib
import gc
from typing import TYPE_CHECKING

import numpy as np

from spark_audit.engine.engine import Engine
from spark_audit.results import encode as results
from spark_audit.results.plan import Plan
from spark_audit.results.waivers import Waivers
from spark_audit.schema.results import FINDINGS, UNKNOWNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    import pyarrow as pa

    from spark_audit.engine.cluster_tables import ClusterTables
    from spark_audit.engine.clusters import Clusters
    from spark_audit.engine.count_parts import Part
    from spark_audit.engine.outcomes import Outcomes

    Note = dict[str, Any]


class Done:
    """What one piece of work gave: rows, and what was counted; in `compact` tables texts stand once."""

    def __init__(
        self, outcomes: Outcomes, clusters: Clusters, waivers: Waivers, held: Iterable[str], audit: str
    ) -> None:
        rows = results.Rows(outcomes.findings, clusters)
        applied = waivers.applied(rows.cluster, rows.block, rows.blocks, clusters)
        unknown = results.Rows(outcomes.unknowns, clusters)
        found = results.findings(rows, waivers.column(applied), audit)
        self.compact: dict[str, pa.Table] = {"findings": found, "unknowns": results.unknowns(unknown, audit)}
        counts = zip(
            clusters.names,
            outcomes.passed.tolist(),
            outcomes.not_applicable.tolist(),
            np.bincount(unknown.cluster, minlength=len(clusters.names)).tolist(),
            strict=True,
        )
        self.note: Note = {
            "outcomes": [list(each) for each in counts],
            "counts": results.tally(rows, applied),
            "held": sorted(held),
            "parts": [],
        }

    @property
    def findings(self) -> pa.Table:
        """The findings as their table has them."""
        return self.compact["findings"].cast(FINDINGS)

    @property
    def unknowns(self) -> pa.Table:
        """The unknowns as their table has them."""
        return self.compact["unknowns"].cast(UNKNOWNS)


class Work:
    """A worker: its engine learns from batch to batch, whichever fleet they are of."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        rules = plan.rules()
        policy = plan.policy(rules)
        self.audit = plan.audit
        self.waivers = plan.waived(policy)
        self.engine = Engine(rules, policy)

    def __reduce__(self) -> tuple[type[Work], tuple[Plan]]:
        """Another process that is no copy of this one makes it anew, and learns for itself."""
        return Work, (self.plan,)

    def count(self, batch: pa.RecordBatch, tables: ClusterTables) -> list[Part]:
        """What follows from all partitions, of some of them."""
        return self.engine.batch(batch, tables).parts

    def topics(self, batch: pa.RecordBatch, tables: ClusterTables, counts: Mapping[str, Part] | None = None) -> Done:
        """Topics and their partitions."""
        return self.many([batch], tables, counts)

    def many(
        self, batches: Iterable[pa.RecordBatch], tables: ClusterTables, counts: Mapping[str, Part] | None = None
    ) -> Done:
        """Topics in several batches, of which one at a time is looked at; the rules run once for all of them."""
        with uncollected():
            return self._many(batches, tables, counts)

    def _many(
        self, batches: Iterable[pa.RecordBatch], tables: ClusterTables, counts: Mapping[str, Part] | None
    ) -> Done:
        topics = self.engine.topics([self.engine.batch(batch, tables) for batch in batches], tables, counts)
        done = Done(topics.run(), topics.clusters, self.waivers, topics.held, self.audit)
        done.note["parts"] = topics.parts()
        return done

    def rest(self, tables: ClusterTables, names: Sequence[str], counts: Mapping[str, Part]) -> Done:
        """Everything else of some clusters."""
        with uncollected():
            return self._rest(tables, names, counts)

    def _rest(self, tables: ClusterTables, names: Sequence[str], counts: Mapping[str, Part]) -> Done:
        rest = self.engine.clusters(tables, names, counts)
        return Done(rest.run(), rest.clusters, self.waivers, rest.held, self.audit)


def one_of_several(work: Work) -> Work:
    """The worker of a process beside others: one thread is its share, and what it has loaded is never looked at as garbage."""
    import pyarrow as pa

    pa.set_cpu_count(1)
    gc.freeze()
    return work


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Cyclic garbage is collected afterwards, once, and only among what is new: to look for it takes time."""
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
