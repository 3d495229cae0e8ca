"""One run of an audit: its plan, rules and waivers, what it reads and where it writes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from advisor.rule import Rule
from spark_audit.results.plan import Plan
from spark_audit.results.totals import audit_table
from spark_audit.results.waivers import Waivers
from spark_audit.schema.results import MARKER


def now() -> str:
    """The time, UTC, as tables have it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(eq=False)
class AuditRun:
    """A run of an audit; `options` are those of the format or file system, for both directions."""

    plan: Plan
    rules: Sequence[Rule]
    waivers: Waivers
    sources: Sequence[str]
    out: str
    engine: str
    overwrite: bool = False
    storage: str = "parquet"
    options: Sequence[tuple[str, str]] = ()
    begun: float = field(default_factory=time.monotonic)
    started: str = field(default_factory=now)

    def tables(self, clusters: pa.Table, counts: pa.Table) -> dict[str, pa.Table]:
        """The small tables, in the order in which they are written: the audit's own row is last."""
        waivers = self.waivers.table(clusters, self.plan.audit)
        return {
            "clusters": clusters,
            "counts": counts,
            "waivers": waivers,
            "audits": self._row(clusters, counts, waivers),
        }

    def _row(self, clusters: pa.Table, counts: pa.Table, waivers: pa.Table) -> pa.Table:
        about = {
            "audit": self.plan.audit,
            "started": self.started,
            "seconds": round(time.monotonic() - self.begun, 1),
            "engine": self.engine,
            "source": ", ".join(self.sources),
        }
        return audit_table(clusters, counts, self.plan, self.rules, waivers, about)


@dataclass(eq=False)
class AuditResults:
    """What the command shows of an audit: its small tables, and why rules raised, how often."""

    tables: Mapping[str, pa.Table]
    crashes: Mapping[str, int]

    @property
    def row(self) -> dict[str, Any]:
        """The audit's own row."""
        (row,) = self.tables["audits"].to_pylist()
        return dict(row)

    def about(self) -> dict[str, Any]:
        """The content of the marker."""
        return {"format": MARKER, **self.row}
