"""Find the clusters that keep the rows of an earlier audit in files, and copy their findings and unknowns."""

from __future__ import annotations

from spark_audit.results.audit_run import AuditRun
from spark_audit.results.audit_tables import AuditFiles
from spark_audit.results.history import newest_audit, open_audit
from spark_audit.results.kept_clusters import SNAPSHOT, KeptClusters, Snapshots
from spark_audit.results.write import PARTS, write_part
from spark_audit.storage.load import Fleet
from spark_audit.storage.run_output import RunOutput


def find_kept(audit: AuditRun, fleet: Fleet) -> KeptClusters:
    """The clusters that have not changed since the audit that is named, else the newest one. Raises UserError."""
    if audit.since is None:
        return KeptClusters()
    past = open_audit(audit.since, audit.options) if audit.since else newest_audit(audit.out, audit.options)
    clusters = fleet.table("clusters")
    rows = zip(*(clusters.column(name).to_pylist() for name in SNAPSHOT), strict=True)
    return audit.keep_unchanged(past, Snapshots.of(list(rows)))


def copy_rows(kept: KeptClusters, output: RunOutput, audit: str) -> None:
    """Copy the findings and unknowns of kept clusters. Raises UserError."""
    if kept.past is None or not kept.names:
        return
    assert isinstance(kept.past.tables, AuditFiles)
    for name in PARTS:
        for number, rows in enumerate(kept.past.tables.parts(name)):
            write_part(output, f"kept-{number:05d}", {name: kept.take_over(rows, audit)})
