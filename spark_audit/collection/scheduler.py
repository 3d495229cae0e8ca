"""Many clusters read at once by threads: each becomes rows, whatever becomes of it; none holds up the others.

Every cluster is looked at first: where nobody is, no client library has to wait for it, and those that say nothing wait
in a lane of their own, beside those that answer. The same code runs in the tasks of Spark and without it.
"""

from __future__ import annotations

import itertools
import os
import queue
import threading
import time
from collections import deque
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from advisor.errors import UnreachableCluster
from collectors.snapshot.joined_clients import join
from spark_audit.storage.encode import rows_of, unreachable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeVar

    import pyarrow as pa

    from advisor.model import Snapshot
    from collectors.client.target import Connection
    from spark_audit.collection.entries import ClusterEntry

    T = TypeVar("T")
    Tables = dict[str, pa.Table]
    Read = Callable[[ClusterEntry], Snapshot]
    Look = Callable[[ClusterEntry], bool]
    Done = queue.SimpleQueue[tuple[int, Tables | bool]]

THREADS = 16
LOOKS = 64
"""Clusters that are looked at at once."""
SILENT = 32
"""Clusters that say nothing and are waited for at once, beside those that answer: each takes a dozen open files."""
GRACE = 1.5
"""A cluster that is not back after its time-out, this many times over, is given up: a library may not heed a deadline."""


def look(item: ClusterEntry) -> bool:
    """Whether anybody takes a connection; False where nobody knows. Raises OutOfReach where nobody is there."""
    from collectors.client.target import Connection
    from collectors.kafka.reachability import PATIENCE, PAUSE, Nobody, knock

    addresses = Connection(item.bootstrap, "PLAINTEXT", "", 1).bootstrap.split(",")
    try:
        return knock(addresses, min(PATIENCE, item.timeout / 4), min(PAUSE, item.timeout / 4))
    except Nobody as nobody:
        raise UnreachableCluster(str(nobody)) from None


def contact(item: ClusterEntry) -> Snapshot:
    """Read a cluster. Raises OutOfReach."""
    try:
        from advisor.errors import BadSettings, UnreachableCluster
        from collectors.kafka.cluster import collect
        from collectors.kafka.options import CollectOptions
    except ImportError as missing:
        where = "where clusters are read, `pip install 'kafka-advisor[live]'` is needed"
        raise UnreachableCluster(f"{missing.name} is not installed: {where}") from None
    notes: list[str] = []
    try:
        how = connection(item)
        notes = how.notes
        wanted = CollectOptions(item.timeout, zookeeper=item.zookeeper, target=item.target)
        snapshot = collect(how, wanted)
    except (UnreachableCluster, BadSettings) as out:
        raise UnreachableCluster("; ".join([str(out), *notes])) from None
    return with_clients(snapshot, item)


def connection(item: ClusterEntry) -> Connection:
    """How to connect to a cluster, its reference resolved here. Raises BadSettings."""
    from advisor.errors import BadSettings
    from collectors.client.connection import connection

    scheme, _, name = (item.command_config or "").partition(":")
    if scheme != "env":
        return connection(item.bootstrap, name or None, os.environ, item.timeout)
    text = os.environ.get(name, "").encode()
    if not text:
        problem = "is not set or empty where the cluster is read; it holds the text of a properties file"
        raise BadSettings(f"env:{name}: the variable {problem}")
    return connection(item.bootstrap, item.command_config, os.environ, item.timeout, text)


def with_clients(snapshot: Snapshot, item: ClusterEntry) -> Snapshot:
    """The cluster with its clients; a topic that a client uses and the cluster does not show is a gap."""
    assert snapshot.live is not None
    for client, topic in join(snapshot, item.clients):
        why = f"{client.name} uses it; it is absent, or this principal may not see it"
        snapshot.live.unread[f"topic {topic}"] = why
    return snapshot


def tables_for(item: ClusterEntry, read: Read = contact) -> Tables:
    """The rows of a cluster, of one that cannot be read the row that says why. Never raises."""
    started = time.monotonic()
    return tried(item, lambda: rows_of(item.name, read(item), item.labels, seconds=time.monotonic() - started))


def tried(item: ClusterEntry, work: Callable[[], T]) -> T | Tables:
    """What some work gives, the row that says why where it fails. Never raises."""
    started = time.monotonic()
    try:
        return work()
    except UnreachableCluster as out:
        return without(item, str(out), started)
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return without(item, f"internal error: {text}", started)


def without(item: ClusterEntry, reason: str, started: float) -> Tables:
    """The row of a cluster that could not be read."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {"clusters": unreachable(item.name, reason, now, item.labels, seconds=time.monotonic() - started)}


class Lane:
    """Clusters to which the same is done, so many at a time."""

    def __init__(
        self, most: int, work: Callable[[ClusterEntry], Tables | bool], items: Sequence[ClusterEntry] = ()
    ) -> None:
        self.most = most
        self.work = work
        self.waiting = deque(items)
        self.running: dict[int, tuple[ClusterEntry, float]] = {}

    def fill(self, numbers: Iterator[int], done: Done) -> None:
        """Begin with as many as may be at work."""
        while self.waiting and len(self.running) < self.most:
            item, number = self.waiting.popleft(), next(numbers)
            self.running[number] = item, time.monotonic()
            start(number, item, self.work, done)


def gather(
    items: Sequence[ClusterEntry], read: Read = contact, threads: int = THREADS, look: Look = look
) -> Iterator[Tables]:
    """The rows of every cluster as they come, each once; at most `threads` that answer are read at a time."""
    answering, silent = (Lane(most, lambda item: tables_for(item, read)) for most in (threads, max(SILENT, threads)))
    lanes = Lane(LOOKS, lambda item: tried(item, lambda: look(item)), items), silent, answering
    numbers, done = itertools.count(), queue.SimpleQueue[tuple[int, "Tables | bool"]]()
    while any(lane.waiting or lane.running for lane in lanes):
        for lane in lanes:
            lane.fill(numbers, done)
        number, found = following(lanes, done)
        item = next((lane.running.pop(number)[0] for lane in lanes if number in lane.running), None)
        if item is not None and isinstance(found, bool):
            (answering if found else silent).waiting.append(item)
        elif item is not None and not isinstance(found, bool):
            yield found


def following(lanes: Sequence[Lane], done: Done) -> tuple[int, Tables | bool]:
    """What comes back next; of a cluster that takes too long, that it does."""
    running = {number: each for lane in lanes for number, each in lane.running.items()}
    number = min(running, key=lambda each: left(*running[each]))
    item, started = running[number]
    try:
        return done.get(timeout=max(0.0, left(item, started)))
    except queue.Empty:
        return number, without(item, f"not back within {GRACE * item.timeout:g} s, its time-out {GRACE:g} times over", started)  # fmt: skip


def start(number: int, item: ClusterEntry, work: Callable[[ClusterEntry], Tables | bool], done: Done) -> None:
    """Do something with a cluster in a thread that nobody has to wait for."""
    threading.Thread(target=lambda: done.put((number, work(item))), name=item.name, daemon=True).start()


def left(item: ClusterEntry, started: float) -> float:
    """Seconds until a cluster is given up."""
    return started + GRACE * item.timeout - time.monotonic()
