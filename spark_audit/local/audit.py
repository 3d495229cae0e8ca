"""An audit by the processes of this machine, without Spark: topics in pieces, then everything else cluster by cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.facts.cluster import CountsWanted
from spark_audit.engine.count_parts import add_parts
from spark_audit.local.chunks import pieces_of, wanted_of
from spark_audit.local.pool import Workers
from spark_audit.results.totals import Sums
from spark_audit.results.write import write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    import pyarrow as pa

    from spark_audit.engine.count_parts import Part
    from spark_audit.local.chunks import Piece
    from spark_audit.local.worker import Note
    from spark_audit.results.plan import Plan
    from spark_audit.storage.load import Fleet

    Show = Callable[[str, int, int], None]

SMALL = 30_000
"""Topics up to which one process is faster than the start of others."""
A_CLUSTER = 300
"""Topics that take as long as what else there is of one cluster."""


class Local:
    """The processes of this machine."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def run(self, fleet: Fleet, plan: Plan, folder: str, show: Show) -> tuple[Sums, dict[str, Part]]:
        """Judge everything; findings and unknowns go to files in the folder, sums and counts come back.

        Only where a rule of the user's asks what follows from all partitions are they read twice.
        """
        pieces, topics = pieces_of(fleet, self.jobs)
        work = topics + A_CLUSTER * fleet.rows("clusters")
        with Workers(plan, folder, 1 if work <= SMALL else self.jobs) as workers:
            workers.give(fleet.small())
            fleet.slim()
            try:
                sums, whole = _topics(workers, pieces, None, show)
            except CountsWanted:
                counts = add_parts(part for found in workers.each("count", pieces) for part in found)
                sums, whole = _topics(workers, pieces, counts, show)
            wanted = wanted_of(fleet.names(), whole, self.jobs)
            for note in _shown(workers.each("rest", wanted), "clusters", len(wanted), show):
                sums.take(note)
            return sums, whole

    def write(self, folder: str, tables: Mapping[str, pa.Table]) -> None:
        """One more file for each table."""
        write(folder, tables)


def _topics(
    workers: Workers, pieces: Sequence[Piece], counts: Mapping[str, Part] | None, show: Show
) -> tuple[Sums, dict[str, Part]]:
    sums, parts = Sums(), []
    wanted = [(piece, counts) for piece in pieces]
    for note in _shown(workers.each("topics", wanted), "topics", len(pieces), show):
        parts += note.pop("parts")
        sums.take(note)
    return sums, add_parts(parts)


def _shown(notes: Iterator[Any], stage: str, total: int, show: Show) -> Iterator[Note]:
    """Notes as they come, counted."""
    show(stage, 0, total)
    for number, note in enumerate(notes, 1):
        yield note
        show(stage, number, total)
