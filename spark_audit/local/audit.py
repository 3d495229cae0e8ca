"""Audit by the processes of this machine, without Spark: topics in chunks, then all else cluster by cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from advisor.engine.verdicts import CRASH
from advisor.temporary_folder import temporary_folder
from collectors.kafka.deadline import Progress
from spark_audit.engine.columns.partial_counts import PartialCounts, add_counts
from spark_audit.execution.chunk_result import Note
from spark_audit.local.chunks import Chunk, split_clusters, split_topics
from spark_audit.local.kept_rows import copy_rows, find_kept
from spark_audit.local.pool import Workers
from spark_audit.results.audit_run import AuditResults, AuditRun
from spark_audit.results.audit_tables import AuditFiles
from spark_audit.results.plan import AuditPlan
from spark_audit.results.totals import Totals, clusters_table, counts_table, has_crashes, unreachable_unknowns
from spark_audit.results.write import write_part
from spark_audit.schema.results import MARKERS, TABLES
from spark_audit.storage.load import Fleet, load
from spark_audit.storage.run_output import RunOutput, open_output
from spark_audit.storage.runs import StoredRun

ONE_PROCESS_TOPICS = 30_000
"""Topics up to which one process is used: below, judging takes less time than starting others."""
TOPICS_PER_CLUSTER = 300
"""The work of judging a cluster without its topics, as a number of topics."""


class LocalEngine:
    """Judge a fleet with the processes of this machine."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def run(self, audit: AuditRun, show: Progress) -> AuditResults:
        """Judge everything and write all tables. Raises UserError, NothingToJudge."""
        fleet = load(audit.sources, audit.options)
        kept = find_kept(audit, fleet)
        with open_output(audit.out, audit.overwrite, TABLES, audit.storage, audit.options, MARKERS) as output:
            copy_rows(kept, output, audit.plan.audit)
            fleet.leave_out(kept.names)
            totals, counts = self.judge(fleet, audit.plan, output, show)
            clusters = fleet.small_tables()["clusters"]
            sizes = {name: fleet.rows_per_cluster(name) for name in ("brokers", "clients")}
            name = audit.plan.audit
            of_clusters = clusters_table(totals, clusters, sizes, counts, name)
            tables = audit.tables(
                kept.add_clusters(of_clusters, name), kept.add_counts(counts_table(totals, name), name), kept
            )
            write_part(output, "part-audit", {"unknowns": unreachable_unknowns(clusters, name)} | tables)
            results = AuditResults(tables, crashes_of(output, tables["counts"]), kept.why_none)
            output.finish(results.about())
        return results

    def judge(
        self, fleet: Fleet, plan: AuditPlan, output: RunOutput, show: Progress
    ) -> tuple[Totals, dict[str, PartialCounts]]:
        """Judge everything; findings and unknowns go to files of the run, totals and counts are returned.

        Partitions are read twice only where a rule of the user's declares that it asks for counts over all of them.
        """
        if not fleet.reached_clusters():
            return Totals(), {}
        chunks, topics = split_topics(fleet, self.jobs)
        work = topics + TOPICS_PER_CLUSTER * fleet.row_count("clusters")
        jobs = 1 if work <= ONE_PROCESS_TOPICS else self.jobs
        with temporary_folder() as folder, Workers(plan, output, jobs, folder) as workers:
            workers.share(fleet.small_tables())
            fleet.drop_small_tables()
            counts = add_counts(workers.count_partitions(chunks)) if workers.needs_counts else None
            totals, counts_of_cluster = _judge_topics(workers, chunks, counts, show)
            cluster_chunks = split_clusters(fleet.reached_clusters(), counts_of_cluster, self.jobs)
            for note in _show_progress(
                workers.map("judge_clusters", cluster_chunks), "clusters", len(cluster_chunks), show
            ):
                totals.add(note)
            return totals, counts_of_cluster


def crashes_of(output: RunOutput, counts: pa.Table) -> dict[str, int]:
    """The messages of rules that raised, and on how many subjects each did."""
    if not has_crashes(counts):
        return {}
    run = StoredRun(output.store, {"run": output.run, "storage": output.storage})
    rows = AuditFiles(run).read("findings", ["message"], [("rule", "==", CRASH)])
    return dict(Counter(rows.column("message").to_pylist()).most_common())


def _judge_topics(
    workers: Workers, chunks: Sequence[Chunk], counts: Mapping[str, PartialCounts] | None, show: Progress
) -> tuple[Totals, dict[str, PartialCounts]]:
    totals, counts_of_batches = Totals(), []
    tasks = [(chunk, counts) for chunk in chunks]
    for note in _show_progress(workers.map("judge_topics", tasks), "topics", len(chunks), show):
        counts_of_batches += note.pop("parts")
        totals.add(note)
    return totals, add_counts(counts_of_batches)


def _show_progress(notes: Iterator[Any], stage: str, total: int, show: Progress) -> Iterator[Note]:
    """Yield notes as they come, and show how many there are."""
    show(stage, 0, total)
    for number, note in enumerate(notes, 1):
        yield note
        show(stage, number, total)
