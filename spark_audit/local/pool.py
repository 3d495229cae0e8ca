"""The processes of a local audit: each with the rules, one thread, and the small tables where all can read them."""

from __future__ import annotations

import functools
import multiprocessing
import os
import signal
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor, as_completed, wait
from typing import TYPE_CHECKING

import pyarrow as pa

from spark_audit.engine.cluster_tables import ClusterTables
from spark_audit.local.chunks import batches
from spark_audit.local.worker import Work, one_of_several
from spark_audit.results.write import store
from spark_audit.schema.snapshots import SMALL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from spark_audit.engine.count_parts import Part
    from spark_audit.local.chunks import Piece
    from spark_audit.local.worker import Done, Note
    from spark_audit.results.plan import Plan

FORKS = sys.platform == "linux"
"""Whether processes may begin as copies of this one; elsewhere libraries do not bear it."""
DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


class Workers:
    """The processes of a run, this one alone where one is enough; they begin while the tables are still being read."""

    def __init__(self, plan: Plan, folder: str, jobs: int) -> None:
        self._tables = tempfile.TemporaryDirectory(prefix="kafka-advisor-")
        self._pool = None
        work = Work(plan)
        if jobs > 1:
            context = multiprocessing.get_context("fork" if FORKS else "spawn")
            self._pool = ProcessPoolExecutor(jobs, context, _begin, (work, self._tables.name, folder))
            for _ in range(jobs):
                self._pool.submit(_wait)
        else:
            self._own = Worker(work, self._tables.name, folder)

    def give(self, tables: Mapping[str, pa.Table]) -> None:
        """The small tables, for all to read from one place in memory."""
        for name, table in tables.items():
            path = os.path.join(self._tables.name, name)
            with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
                writer.write_table(table)
        pa.default_memory_pool().release_unused()

    def __enter__(self) -> Workers:
        """Begin."""
        return self

    def __exit__(self, error: object, *_: object) -> None:
        """End, at once where something went wrong; else the processes may take their time."""
        if self._pool is not None:
            self._pool.shutdown(wait=error is not None, cancel_futures=True)
        self._tables.cleanup()

    def each(self, what: str, pieces: Sequence[Any]) -> Iterator[Any]:
        """Do something with every piece; results come as they are ready."""
        if self._pool is None:
            for number, piece in enumerate(pieces):
                yield getattr(self._own, what)(number, piece)
            return
        futures = [self._pool.submit(_do, what, number, piece) for number, piece in enumerate(pieces)]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            for future in futures:
                future.cancel()
            wait(futures)


class Worker:
    """What a process does with a piece; `tables` is where the small tables will be once there is a piece."""

    def __init__(self, work: Work, tables: str, folder: str) -> None:
        self.work = work
        self.folder = folder
        self._tables = tables

    @functools.cached_property
    def cluster_tables(self) -> ClusterTables:
        """The small tables."""
        return ClusterTables({name: mapped(os.path.join(self._tables, name)) for name in SMALL})

    def count(self, _: int, piece: Piece) -> list[Part]:
        """What follows from all partitions, of some of them."""
        return [part for batch in batches(piece) for part in self.work.count(batch, self.cluster_tables)]

    def topics(self, number: int, wanted: tuple[Piece, Mapping[str, Part] | None]) -> Note:
        """Judge topics."""
        piece, counts = wanted
        return self._kept(f"topics-{number:05d}", self.work.many(batches(piece), self.cluster_tables, counts))

    def rest(self, number: int, wanted: tuple[list[str], Mapping[str, Part]]) -> Note:
        """Judge everything else of some clusters."""
        return self._kept(f"clusters-{number:05d}", self.work.rest(self.cluster_tables, *wanted))

    def _kept(self, name: str, done: Done) -> Note:
        store(self.folder, name, done.compact)
        return done.note


def mapped(path: str) -> pa.Table:
    """A table that is only looked at where it is."""
    with pa.memory_map(path) as file:
        return pa.ipc.open_file(file).read_all()


_worker: Worker | None = None


def _begin(work: Work, tables: str, folder: str) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent()
    _worker = Worker(one_of_several(work), tables, folder)


def _end_with_parent() -> None:
    """Where the system can (Linux), a worker ends when its parent does, however that happens."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)


def _wait() -> None:
    """The first task of every process: to be there."""


def _do(what: str, number: int, piece: Any) -> Any:
    return getattr(_worker, what)(number, piece)
