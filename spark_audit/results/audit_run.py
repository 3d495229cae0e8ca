"""One run of an audit: its plan, rules and waivers, what it reads and where it writes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from advisor.rule import Rule
from spark_audit.results.history import PastAudit
from spark_audit.results.kept_clusters import KeptClusters, Snapshots, keep_unchanged
from spark_audit.results.plan import AuditPlan
from spark_audit.results.totals import audit_table, ruleset
from spark_audit.results.waivers import Waivers
from spark_audit.schema.results import MARKER


def now() -> str:
    """The time, UTC, as tables have it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(eq=False)
class AuditRun:
    """A run of an audit; `options` are those of the format or file system, for both directions.

    `since` is the audit that rows may be kept from: None for no audit, "" for the newest that there is.
    """

    plan: AuditPlan
    rules: Sequence[Rule]
    waivers: Waivers
    sources: Sequence[str]
    out: str
    engine: str
    overwrite: bool = False
    storage: str = "parquet"
    options: Sequence[tuple[str, str]] = ()
    since: str | None = None
    begun: float = field(default_factory=time.monotonic)
    started: str = field(default_factory=now)

    def keep_unchanged(self, past: PastAudit | None, snapshots: Snapshots) -> KeptClusters:
        """The clusters that keep the rows of an earlier audit."""
        if past is None:
            return KeptClusters(None, snapshots, why_none="there is no earlier audit")
        return keep_unchanged(past, ruleset(self.plan, self.rules), self.plan.profile, self.waivers, snapshots)

    def tables(self, clusters: pa.Table, counts: pa.Table, kept: KeptClusters) -> dict[str, pa.Table]:
        """The small tables, in the order in which they are written: the audit's own row is last."""
        waivers = self.waivers.table(clusters, self.plan.audit)
        tables = {"clusters": clusters, "counts": counts, "waivers": waivers}
        return tables | {"audits": self._row(tables, kept)}

    def _row(self, tables: Mapping[str, pa.Table], kept: KeptClusters) -> pa.Table:
        about = {
            "audit": self.plan.audit,
            "started": self.started,
            "seconds": round(time.monotonic() - self.begun, 1),
            "engine": self.engine,
            "source": ", ".join(self.sources),
            "since": kept.past and kept.past.name,
            "kept": kept.past and len(kept.names),
        }
        return audit_table(tables, self.plan, self.rules, about)


@dataclass(eq=False)
class AuditResults:
    """What the command shows of an audit: its small tables, why rules raised, how often, and why no cluster was kept."""

    tables: Mapping[str, pa.Table]
    crashes: Mapping[str, int]
    why_none_kept: str | None = None

    @property
    def row(self) -> dict[str, Any]:
        """The audit's own row."""
        (row,) = self.tables["audits"].to_pylist()
        return dict(row)

    def about(self) -> dict[str, Any]:
        """The content of the marker."""
        return {"format": MARKER, **self.row}
