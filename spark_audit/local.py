"""An audit by the processes of this machine, without Spark: topics in pieces, then everything else cluster by cluster."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor, as_completed

import pyarrow as pa
import pyarrow.parquet as pq

from spark_audit.clusters import Side
from spark_audit.counts import merged
from spark_audit.work import Work
from spark_audit.written import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from spark_audit.counts import Part
    from spark_audit.store import Fleet
    from spark_audit.work import Done, Note, Plan

    Show = Callable[[str, int, int], None]
    Piece = tuple[str, list[int]] | list[pa.RecordBatch]
    """Row groups of a file, or batches that are at hand."""

ROWS = 200_000
"""Topics that are judged at once."""
SMALL = 30_000
"""Topics up to which one process is faster than the start of others."""
CLUSTERS = 250
"""Clusters that are judged at once."""


class Local:
    """The processes of this machine."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def run(self, fleet: Fleet, plan: Plan, folder: str, show: Show) -> tuple[list[Note], dict[str, Part]]:
        """Judge everything; findings and unknowns go to files in the folder, notes and counts come back."""
        for name in ("findings", "unknowns"):
            os.makedirs(os.path.join(folder, name))
        pieces, topics = pieces_of(fleet)
        with Workers(plan, fleet.small(), folder, 1 if topics <= SMALL else self.jobs) as workers:
            counts = None
            if workers.own.engine.counts_first:
                counts = merged(part for found in workers.each("count", pieces) for part in found)
            notes = _shown(workers.each("topics", [(piece, counts) for piece in pieces]), "topics", len(pieces), show)
            whole = merged(part for note in notes for part in note.pop("parts"))
            names = workers.own.side.names
            chunks = [names[at : at + CLUSTERS] for at in range(0, len(names), CLUSTERS)]
            wanted = [(chunk, {name: whole[name] for name in chunk if name in whole}) for chunk in chunks]
            return notes + _shown(workers.each("rest", wanted), "clusters", len(wanted), show), whole

    def write(self, folder: str, tables: Mapping[str, pa.Table]) -> None:
        """One more file for each table."""
        write(folder, tables)


def _shown(notes: Iterator[Any], stage: str, total: int, show: Show) -> list[Note]:
    found = []
    show(stage, 0, total)
    for note in notes:
        found.append(note)
        show(stage, len(found), total)
    return found


def pieces_of(fleet: Fleet) -> tuple[list[Piece], int]:
    """The topics in pieces of about ROWS, and how many there are."""
    if not fleet.paths:
        batches = list(fleet.batches("topics", ROWS))
        return [[batch] for batch in batches], sum(batch.num_rows for batch in batches)
    pieces: list[Piece] = []
    topics = 0
    for path in fleet.paths["topics"]:
        groups: list[int] = []
        rows = 0
        about = pq.ParquetFile(path).metadata
        for number in range(about.num_row_groups):
            groups.append(number)
            rows += about.row_group(number).num_rows
            if rows >= ROWS:
                pieces.append((path, groups))
                groups, rows = [], 0
        if groups:
            pieces.append((path, groups))
        topics += about.num_rows
    return pieces, topics


class Workers:
    """The processes of a run, this one alone where one is enough."""

    def __init__(self, plan: Plan, tables: Mapping[str, pa.Table], folder: str, jobs: int) -> None:
        self.own = Worker(plan, tables, folder)
        self._pool = None
        if jobs > 1:
            self._pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin, (plan, tables, folder))

    def __enter__(self) -> Workers:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """End, at once where something went wrong."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def each(self, what: str, pieces: Sequence[Any]) -> Iterator[Any]:
        """Do something with every piece; results come as they are ready."""
        if self._pool is None:
            for number, piece in enumerate(pieces):
                yield getattr(self.own, what)(number, piece)
            return
        futures = [self._pool.submit(_do, what, number, piece) for number, piece in enumerate(pieces)]
        for future in as_completed(futures):
            yield future.result()


class Worker:
    """What a process does with a piece."""

    def __init__(self, plan: Plan, tables: Mapping[str, pa.Table], folder: str) -> None:
        self.work, self.side = Work(plan), Side(tables)
        self.engine = self.work.engine
        self.folder = folder

    def count(self, _: int, piece: Piece) -> list[Part]:
        """What follows from all partitions, of some of them."""
        return [part for batch in batches(piece) for part in self.work.count(batch, self.side)]

    def topics(self, number: int, wanted: tuple[Piece, Mapping[str, Part] | None]) -> Note:
        """Judge topics."""
        piece, counts = wanted
        notes = [
            self._kept(f"topics-{number:05d}-{place}", self.work.topics(batch, self.side, counts))
            for place, batch in enumerate(batches(piece))
        ]
        return joined(notes)

    def rest(self, number: int, wanted: tuple[list[str], Mapping[str, Part]]) -> Note:
        """Judge everything else of some clusters."""
        return self._kept(f"clusters-{number:05d}", self.work.rest(self.side, *wanted))

    def _kept(self, name: str, done: Done) -> Note:
        for table, rows in (("findings", done.findings), ("unknowns", done.unknowns)):
            if rows.num_rows:
                pq.write_table(rows, os.path.join(self.folder, table, f"{name}.parquet"), compression="zstd")
        return done.note


def batches(piece: Piece) -> Iterator[pa.RecordBatch]:
    """The batches of a piece."""
    if isinstance(piece, list):
        yield from piece
    else:
        path, groups = piece
        yield from pq.ParquetFile(path).iter_batches(ROWS, row_groups=groups)


def joined(notes: Sequence[Note]) -> Note:
    """Several notes as one."""
    return {name: [each for note in notes for each in note[name]] for name in ("outcomes", "counts", "held", "parts")}


_worker: Worker | None = None


def _begin(plan: Plan, tables: Mapping[str, pa.Table], folder: str) -> None:
    global _worker
    pa.set_cpu_count(1)
    _worker = Worker(plan, tables, folder)


def _do(what: str, number: int, piece: Any) -> Any:
    return getattr(_worker, what)(number, piece)
