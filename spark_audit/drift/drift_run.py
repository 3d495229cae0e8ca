"""One comparison of two audits: what is compared, where it goes, and what its marker says."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from advisor import __version__
from spark_audit.drift.changes import AuditPair
from spark_audit.results.comparability import cluster_differences, differences
from spark_audit.results.history import PastAudit
from spark_audit.schema.drift import MARKER, STATUSES


@dataclass(eq=False)
class DriftRun:
    """A comparison of two audits that are whole."""

    old: PastAudit
    new: PastAudit
    out: str
    overwrite: bool
    storage: str
    engine: str
    begun: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        """Read what both audits say of their clusters. Raises UserError."""
        for audit in (self.old, self.new):
            audit.check_complete()
        self.pair = AuditPair(self.old, self.new)

    def about(self, counts: pa.Table) -> dict[str, Any]:
        """The content of the marker."""
        rows = counts.select(["status", "known", "worse", "findings"]).to_pylist()
        return {
            "format": MARKER,
            "tool": {"name": "kafka-advisor", "version": __version__},
            "engine": self.engine,
            "before": {"audit": self.old.name, "started": self.old.started, "folder": self.old.shown},
            "audit": {"audit": self.new.name, "started": self.new.started, "folder": self.new.shown},
            **{status: sum(row["findings"] for row in rows if row["status"] == status) for status in STATUSES},
            "new_not_known_before": sum(row["findings"] for row in rows if row["status"] == "new" and not row["known"]),
            "worse": sum(row["findings"] for row in rows if row["worse"]),
            "differences": differences(self.old.about, self.new.about),
            **cluster_differences(self.old, self.new),
            "seconds": round(time.monotonic() - self.begun, 1),
        }


@dataclass(eq=False)
class DriftResults:
    """The table `drift_counts`, and the content of the marker."""

    counts: pa.Table
    about: dict[str, Any]
