"""Compute drift in this process, range by range of clusters: that bounds memory however many findings there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from collectors.kafka.deadline import Progress
from spark_audit.drift.changes import DriftSide, compare, count_drift, tally
from spark_audit.drift.drift_run import DriftResults, DriftRun
from spark_audit.results.audit_tables import Filters
from spark_audit.results.coverage import gaps
from spark_audit.results.history import PastAudit, open_audit
from spark_audit.schema.drift import CONTENT, DRIFT, DRIFT_COUNTS, KEYS, MARKERS, TABLES
from spark_audit.storage.run_output import RunOutput, open_output
from spark_audit.storage.table_files import write_rows

FINDINGS = 300_000
"""Findings of both audits that are compared at once, or those of one cluster: bounds memory."""


class LocalDrift:
    """Compare audits in files with this process."""

    def __init__(self, options: Sequence[tuple[str, str]]) -> None:
        self.options = options

    def open_audit(self, text: str) -> PastAudit:
        """Open an audit that is whole. Raises UserError."""
        return open_audit(text, self.options)

    def compare(self, run: DriftRun, show: Progress) -> DriftResults:
        """Write the tables; the marker is last. Raises UserError."""
        with open_output(run.out, run.overwrite, TABLES, run.storage, self.options, MARKERS) as output:
            tallies = list(write_drift(run, output, show))
            counts = count_drift(pa.concat_tables(tallies), run.new, run.pair)
            write_rows(output.store, f"{output.table('drift_counts')}/part-00000.{run.storage}", counts, DRIFT_COUNTS)
            results = DriftResults(counts, run.about(counts))
            output.finish(results.about)
        return results


def write_drift(run: DriftRun, output: RunOutput, show: Progress) -> Iterator[pa.Table]:
    """Write the table `drift`, range by range; yields the tally of each. Raises UserError."""
    folder, ranges_of_clusters = output.table("drift"), split_by_cluster(run.old, run.new)
    for number, only in enumerate(ranges_of_clusters):
        show("comparing", number, len(ranges_of_clusters))
        drift = compare(side(run.old, only), side(run.new, only), run.pair)
        write_rows(output.store, f"{folder}/part-{number:05d}.{output.storage}", drift, DRIFT)
        yield tally(drift)


def split_by_cluster(old: PastAudit, new: PastAudit) -> list[Filters]:
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


def ranges(starts: list[str]) -> Iterator[Filters]:
    """Filters from each start to the next; the first and the last are open."""
    for low, high in zip([None, *starts], [*starts, None], strict=True):
        above = [] if low is None else [("cluster", ">=", low)]
        below = [] if high is None else [("cluster", "<", high)]
        yield [*above, *below]


def side(audit: PastAudit, only: Filters) -> DriftSide:
    """What an audit says of some clusters. Raises UserError."""
    findings = audit.rows("findings", [*KEYS, *CONTENT[:-1], "evidence", "waiver"], only)
    waived = pc.is_valid(findings["waiver"])
    return DriftSide(findings.drop_columns("waiver").append_column("waived", waived), gaps(audit, only))
