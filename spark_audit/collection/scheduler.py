"""Read many clusters at once with threads: each becomes rows, whatever happens, and none holds up the others.

Clusters are probed first: where nothing listens, no client library has to wait; those that accept connections and stay
silent wait in a lane of their own, beside those that answer. The same code runs in Spark's tasks and without Spark.
"""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TypeVar

import pyarrow as pa

from advisor.errors import UnreachableCluster
from advisor.model import Snapshot
from spark_audit.collection.cluster_reader import read_cluster
from spark_audit.collection.entries import ClusterEntry
from spark_audit.storage.encode import encode_snapshot, unreachable_row

T = TypeVar("T")
Tables = dict[str, pa.Table]
Read = Callable[[ClusterEntry], Snapshot]
Probe = Callable[[ClusterEntry], bool]
Done = queue.SimpleQueue[tuple[int, Tables | bool]]

THREADS = 16
PROBES = 64
"""Clusters that are probed at once."""
SILENT_CLUSTERS = 32
"""Silent clusters that are read at once, beside those that answer: each takes a dozen open files."""
GRACE = 1.5
"""A cluster that is not back after its time-out, this many times over, is given up: libraries may miss a deadline."""


def probe_cluster(entry: ClusterEntry) -> bool:
    """Probe whether a cluster answers; False where it accepts and stays silent. Raises UnreachableCluster."""
    from collectors.client.target import Connection
    from collectors.kafka.reachability import PATIENCE, PAUSE, NobodyThere, probe

    addresses = Connection(entry.bootstrap, "PLAINTEXT", "", 1).bootstrap.split(",")
    try:
        return probe(addresses, min(PATIENCE, entry.timeout / 4), min(PAUSE, entry.timeout / 4))
    except NobodyThere as nobody:
        raise UnreachableCluster(str(nobody)) from None


def tables_for(entry: ClusterEntry, read: Read = read_cluster) -> Tables:
    """The rows of a cluster; where it cannot be read, the row that says why. Never raises."""
    started = time.monotonic()
    return run_reporting(
        entry, lambda: encode_snapshot(entry.name, read(entry), entry.labels, seconds=time.monotonic() - started)
    )


def run_reporting(entry: ClusterEntry, work: Callable[[], T]) -> T | Tables:
    """Run some work for a cluster; where it fails, the row that says why. Never raises."""
    started = time.monotonic()
    try:
        return work()
    except UnreachableCluster as out:
        return unreachable_tables(entry, str(out), started)
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return unreachable_tables(entry, f"internal error: {text}", started)


def unreachable_tables(entry: ClusterEntry, reason: str, started: float) -> Tables:
    """The row of a cluster that could not be read."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {"clusters": unreachable_row(entry.name, reason, now, entry.labels, seconds=time.monotonic() - started)}


class Lane:
    """A queue of clusters to which the same is done, with a limit on how many at a time."""

    def __init__(
        self, limit: int, work: Callable[[ClusterEntry], Tables | bool], entries: Sequence[ClusterEntry] = ()
    ) -> None:
        self.limit = limit
        self.work = work
        self.waiting = deque(entries)
        self.running: dict[int, tuple[ClusterEntry, float]] = {}

    def fill(self, numbers: Iterator[int], done: Done) -> None:
        """Start work on as many clusters as the limit allows."""
        while self.waiting and len(self.running) < self.limit:
            entry, number = self.waiting.popleft(), next(numbers)
            self.running[number] = entry, time.monotonic()
            start(number, entry, self.work, done)


def gather(
    entries: Sequence[ClusterEntry], read: Read = read_cluster, threads: int = THREADS, probe: Probe = probe_cluster
) -> Iterator[Tables]:
    """Read every cluster; yields the rows of each as they come, at most `threads` of those that answer at a time."""
    answering, silent = (
        Lane(limit, lambda entry: tables_for(entry, read)) for limit in (threads, max(SILENT_CLUSTERS, threads))
    )
    lanes = Lane(PROBES, lambda entry: run_reporting(entry, lambda: probe(entry)), entries), silent, answering
    numbers, done = itertools.count(), queue.SimpleQueue[tuple[int, "Tables | bool"]]()
    while any(lane.waiting or lane.running for lane in lanes):
        for lane in lanes:
            lane.fill(numbers, done)
        number, result = next_result(lanes, done)
        entry = next((lane.running.pop(number)[0] for lane in lanes if number in lane.running), None)
        if entry is not None and isinstance(result, bool):
            (answering if result else silent).waiting.append(entry)
        elif entry is not None and not isinstance(result, bool):
            yield result


def next_result(lanes: Sequence[Lane], done: Done) -> tuple[int, Tables | bool]:
    """The next result; of a cluster that takes too long, the row that says so."""
    running = {number: candidate for lane in lanes for number, candidate in lane.running.items()}
    number = min(running, key=lambda candidate: seconds_left(*running[candidate]))
    entry, started = running[number]
    try:
        return done.get(timeout=max(0.0, seconds_left(entry, started)))
    except queue.Empty:
        return number, unreachable_tables(entry, f"not back within {GRACE * entry.timeout:g} s, its time-out {GRACE:g} times over", started)  # fmt: skip


def start(number: int, entry: ClusterEntry, work: Callable[[ClusterEntry], Tables | bool], done: Done) -> None:
    """Start work on a cluster in a daemon thread."""
    threading.Thread(target=lambda: done.put((number, work(entry))), name=entry.name, daemon=True).start()


def seconds_left(entry: ClusterEntry, started: float) -> float:
    """Seconds until a cluster is given up."""
    return started + GRACE * entry.timeout - time.monotonic()
