"""The process pool of a local audit: each process has the rules, one thread, and the small tables memory-mapped."""

from __future__ import annotations

import functools
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed, wait
from typing import Any

import pyarrow as pa

from advisor.signals import end_with_parent
from spark_audit.engine.columns.cluster_tables import ClusterTables
from spark_audit.engine.columns.partial_counts import PartialCounts
from spark_audit.execution.auditor import Auditor
from spark_audit.execution.chunk_result import ChunkResult, Note
from spark_audit.execution.process import prepare_process
from spark_audit.local.chunks import Chunk, read_batches
from spark_audit.results.plan import AuditPlan
from spark_audit.results.write import write_part
from spark_audit.schema.snapshots import SMALL
from spark_audit.storage.run_output import RunOutput
from spark_audit.storage.table_files import name_file_in_errors

FORKS = sys.platform == "linux"
"""Whether processes are forked; on other systems than Linux libraries do not survive that."""


class Workers:
    """The process pool, or this process alone where one is enough; processes start while tables are still read.

    `folder` takes the small tables, which all processes memory-map.
    """

    def __init__(self, plan: AuditPlan, output: RunOutput, jobs: int, folder: str) -> None:
        self._folder = folder
        self._pool = None
        auditor = Auditor(plan)
        self.needs_counts = auditor.needs_counts
        if jobs > 1:
            context = multiprocessing.get_context("fork" if FORKS else "spawn")
            self._pool = ProcessPoolExecutor(jobs, context, _start_process, (auditor, folder, output))
            for _ in range(jobs):
                self._pool.submit(_start)
        else:
            self._worker = Worker(auditor, folder, output)

    def share(self, tables: Mapping[str, pa.Table]) -> None:
        """Write the small tables where all processes can memory-map them. Raises UserError."""
        for name, table in tables.items():
            path = os.path.join(self._folder, name)
            with (
                name_file_in_errors(path),
                pa.OSFile(path, "wb") as file,
                pa.ipc.new_file(file, table.schema) as writer,
            ):
                writer.write_table(table)
        pa.default_memory_pool().release_unused()

    def __enter__(self) -> Workers:
        """The pool itself."""
        return self

    def __exit__(self, error: object, *_: object) -> None:
        """Shut the pool down, at once where something went wrong."""
        if self._pool is not None:
            self._pool.shutdown(wait=error is not None, cancel_futures=True)

    def count_partitions(self, chunks: Sequence[Chunk]) -> Iterator[PartialCounts]:
        """Count the partitions of all chunks."""
        for counts_of_chunk in self.map("count_partitions", chunks):
            yield from counts_of_chunk

    def map(self, method: str, chunks: Sequence[Any]) -> Iterator[Any]:
        """Call a method of Worker for every chunk; yields results as they are ready."""
        if self._pool is None:
            for number, chunk in enumerate(chunks):
                yield getattr(self._worker, method)(number, chunk)
            return
        futures = [self._pool.submit(_call_worker, method, number, chunk) for number, chunk in enumerate(chunks)]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            for future in futures:
                future.cancel()
            wait(futures)


class Worker:
    """What each process runs on a chunk; `tables` is the folder of the small tables, filled before the first chunk."""

    def __init__(self, auditor: Auditor, tables: str, output: RunOutput) -> None:
        self.auditor = auditor
        self.output = output
        self._tables = tables

    @functools.cached_property
    def cluster_tables(self) -> ClusterTables:
        """The small tables, memory-mapped."""
        return ClusterTables({name: memory_map(os.path.join(self._tables, name)) for name in SMALL})

    def count_partitions(self, _: int, chunk: Chunk) -> list[PartialCounts]:
        """Count the partitions of a chunk."""
        return [
            counts
            for batch in read_batches(chunk)
            for counts in self.auditor.count_partitions(batch, self.cluster_tables)
        ]

    def judge_topics(self, number: int, task: tuple[Chunk, Mapping[str, PartialCounts] | None]) -> Note:
        """Judge the topics of a chunk."""
        chunk, counts = task
        return self._store(
            f"topics-{number:05d}", self.auditor.judge_topics(read_batches(chunk), self.cluster_tables, counts)
        )

    def judge_clusters(self, number: int, task: tuple[list[str], Mapping[str, PartialCounts]]) -> Note:
        """Judge all subjects of some clusters except topics."""
        return self._store(f"clusters-{number:05d}", self.auditor.judge_clusters(self.cluster_tables, *task))

    def _store(self, name: str, result: ChunkResult) -> Note:
        write_part(self.output, name, result.compact)
        return result.note


def memory_map(path: str) -> pa.Table:
    """Memory-map a table."""
    with pa.memory_map(path) as file:
        return pa.ipc.open_file(file).read_all()


_worker: Worker | None = None


def _start_process(auditor: Auditor, tables: str, output: RunOutput) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent()
    prepare_process()
    _worker = Worker(auditor, tables, output)


def _start() -> None:
    """The first task of every process, so that it starts."""


def _call_worker(method: str, number: int, chunk: Any) -> Any:
    return getattr(_worker, method)(number, chunk)
