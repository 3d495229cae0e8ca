"""Compute drift in this process, range by range of clusters: that bounds memory however many findings there are."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from collectors.kafka.deadline import Progress
from spark_audit.drift.changes import AuditPair, drift_rows, tally
from spark_audit.drift.matching import match_findings
from spark_audit.results.coverage import gaps
from spark_audit.results.history import PastAudit
from spark_audit.schema.drift import CONTENT, DRIFT, KEYS

FINDINGS = 300_000
"""Findings of both audits that are compared at once, or those of one cluster: bounds memory."""


def run(old: PastAudit, new: PastAudit, audits: AuditPair, folder: str, show: Progress) -> pa.Table:
    """Write the table `drift`, range by range; its tally is returned. Raises UserError."""
    os.makedirs(os.path.join(folder, "drift"))
    tallies = []
    ranges_of_clusters = split_by_cluster(old, new)
    with pq.ParquetWriter(os.path.join(folder, "drift", "part-00000.parquet"), DRIFT, compression="zstd") as writer:
        for number, only in enumerate(ranges_of_clusters):
            show("comparing", number, len(ranges_of_clusters))
            drift = drift_rows(
                match_findings(compared_findings(old, only), compared_findings(new, only)),
                audits,
                gaps(old, only),
                gaps(new, only),
            )
            writer.write_table(drift.sort_by([(name, "ascending") for name in ("cluster", "rule", "subject")]))
            tallies.append(tally(drift))
    return pa.concat_tables(tallies)


def split_by_cluster(old: PastAudit, new: PastAudit) -> list[ds.Expression | None]:
    """Split clusters into ranges of names so that their findings are bounded."""
    findings_of_cluster: dict[str, int] = {}
    for audit in (old, new):
        rows = audit.table("counts")
        for cluster, number in zip(rows["cluster"].to_pylist(), rows["findings"].to_pylist(), strict=True):
            findings_of_cluster[cluster] = findings_of_cluster.get(cluster, 0) + number
    starts, total = [], 0
    for cluster in sorted(findings_of_cluster):
        if total and total + findings_of_cluster[cluster] > FINDINGS:
            starts.append(cluster)
            total = 0
        total += findings_of_cluster[cluster]
    return list(ranges(starts))


def ranges(starts: list[str]) -> Iterator[ds.Expression | None]:
    """Filters from each start to the next; the first and the last are open."""
    cluster = ds.field("cluster")
    for low, high in zip([None, *starts], [*starts, None], strict=True):
        above = None if low is None else cluster >= low
        below = None if high is None else cluster < high
        yield above & below if above is not None and below is not None else above if below is None else below


def compared_findings(audit: PastAudit, only: ds.Expression | None) -> pa.Table:
    """The columns of findings that are compared, of some clusters. Raises UserError."""
    findings = audit.rows("findings", [*KEYS, *CONTENT[:-1], "waiver"], only)
    waived = pc.is_valid(findings["waiver"])
    return findings.drop_columns("waiver").append_column("waived", waived)
