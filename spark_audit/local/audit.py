"""Audit by the processes of this machine, without Spark: topics in chunks, then all else cluster by cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from advisor.facts.cluster import CountsWanted
from spark_audit.engine.partial_counts import PartialCounts, add_counts
from spark_audit.local.chunks import Chunk, split_clusters, split_topics
from spark_audit.local.pool import Workers
from spark_audit.local.worker import Note
from spark_audit.results.plan import Plan
from spark_audit.results.totals import Totals
from spark_audit.results.write import write_tables
from spark_audit.storage.load import Fleet

Show = Callable[[str, int, int], None]
ONE_PROCESS_TOPICS = 30_000
"""Topics up to which one process is used: below, judging takes less time than starting others."""
TOPICS_PER_CLUSTER = 300
"""The work of judging a cluster without its topics, as a number of topics."""


class LocalEngine:
    """Judge a fleet with the processes of this machine."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def run(self, fleet: Fleet, plan: Plan, folder: str, show: Show) -> tuple[Totals, dict[str, PartialCounts]]:
        """Judge everything; findings and unknowns go to files in the folder, totals and counts are returned.

        Partitions are read twice only where a rule of the user's asks for counts over all of them.
        """
        chunks, topics = split_topics(fleet, self.jobs)
        work = topics + TOPICS_PER_CLUSTER * fleet.row_count("clusters")
        with Workers(plan, folder, 1 if work <= ONE_PROCESS_TOPICS else self.jobs) as workers:
            workers.share(fleet.small_tables())
            fleet.drop_small_tables()
            try:
                totals, counts_of_cluster = _judge_topics(workers, chunks, None, show)
            except CountsWanted:
                counts = add_counts(
                    partial
                    for counts_of_chunk in workers.map("count_partitions", chunks)
                    for partial in counts_of_chunk
                )
                totals, counts_of_cluster = _judge_topics(workers, chunks, counts, show)
            cluster_chunks = split_clusters(fleet.reached_clusters(), counts_of_cluster, self.jobs)
            for note in _show_progress(
                workers.map("judge_clusters", cluster_chunks), "clusters", len(cluster_chunks), show
            ):
                totals.add(note)
            return totals, counts_of_cluster

    def write(self, folder: str, tables: Mapping[str, pa.Table]) -> None:
        """Write one more file for each table."""
        write_tables(folder, tables)


def _judge_topics(
    workers: Workers, chunks: Sequence[Chunk], counts: Mapping[str, PartialCounts] | None, show: Show
) -> tuple[Totals, dict[str, PartialCounts]]:
    totals, counts_of_batches = Totals(), []
    tasks = [(chunk, counts) for chunk in chunks]
    for note in _show_progress(workers.map("judge_topics", tasks), "topics", len(chunks), show):
        counts_of_batches += note.pop("parts")
        totals.add(note)
    return totals, add_counts(counts_of_batches)


def _show_progress(notes: Iterator[Any], stage: str, total: int, show: Show) -> Iterator[Note]:
    """Yield notes as they come, and show how many there are."""
    show(stage, 0, total)
    for number, note in enumerate(notes, 1):
        yield note
        show(stage, number, total)
