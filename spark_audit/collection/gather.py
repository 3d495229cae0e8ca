"""Many clusters read at once by threads: each becomes rows, whatever becomes of it; none holds up the others.

The same code runs in the tasks of Spark and without it.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from copy import copy
from datetime import UTC, datetime

from spark_audit.snapshots.rows import rows_of, unreachable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pyarrow as pa

    from advisor.model import Snapshot
    from collectors.client_settings import Connection
    from spark_audit.collection.inventory import Item

    Tables = dict[str, pa.Table]
    Read = Callable[[Item], Snapshot]

THREADS = 16
GRACE = 1.5
"""A cluster that is not back after its time-out, this many times over, is given up: a library may not heed a deadline."""
PIPE = 60_000
"""Bytes that fit into a pipe nobody reads yet."""


class OutOfReach(Exception):
    """Nothing could be read of a cluster; the text is one line."""


def contact(item: Item) -> Snapshot:
    """Read a cluster. Raises OutOfReach."""
    try:
        from collectors.client_settings import BadSettings
        from collectors.kafka import Wanted, collect
        from collectors.reading import Unreachable
    except ImportError as missing:
        where = "where clusters are read, `pip install 'kafka-advisor[live]'` is needed"
        raise OutOfReach(f"{missing.name} is not installed: {where}") from None
    notes: list[str] = []
    try:
        how = connection(item)
        notes = how.notes
        wanted = Wanted(item.timeout, zookeeper=item.zookeeper, target=item.target)
        snapshot = collect(how, wanted)
    except (Unreachable, BadSettings) as out:
        raise OutOfReach("; ".join([str(out), *notes])) from None
    return joined(snapshot, item)


def connection(item: Item) -> Connection:
    """How to connect to a cluster, its reference resolved here. Raises BadSettings."""
    from collectors.client_settings import BadSettings, connection

    scheme, _, name = (item.command_config or "").partition(":")
    if scheme != "env":
        return connection(item.bootstrap, name or None, os.environ, item.timeout)
    data = os.environ.get(name, "").encode()
    if not data or len(data) > PIPE:
        problem = f"is {len(data)} bytes long" if data else "is not set or empty"
        raise BadSettings(f"env:{name}: the variable {problem} where the cluster is read; it holds the text of a properties file")  # fmt: skip
    reading, writing = os.pipe()
    try:
        os.write(writing, data)
        os.close(writing)
        return connection(item.bootstrap, f"/dev/fd/{reading}", os.environ, item.timeout)
    except BadSettings as bad:
        raise BadSettings(str(bad).replace(f"/dev/fd/{reading}", f"env:{name}")) from None
    finally:
        os.close(reading)


def joined(snapshot: Snapshot, item: Item) -> Snapshot:
    """The cluster with its clients; a topic that a client uses and nobody shows is a gap."""
    assert snapshot.live is not None
    seen = {entity.name for entity in snapshot.entities if entity.kind == "topic"}
    for client, topics in item.clients:
        own = copy(client)
        own.target = snapshot.entities[0].target
        snapshot.entities = (*snapshot.entities, own)
        snapshot.joined = {**snapshot.joined, client.file or client.name: topics}
        for name in topics:
            if name not in seen and not any(mark in name for mark in "*?["):
                why = f"{client.name} uses it; it is absent, or this principal may not see it"
                snapshot.live.unread[f"topic {name}"] = why
    return snapshot


def tables_for(item: Item, read: Read = contact) -> Tables:
    """The rows of a cluster, of one that cannot be read the row that says why. Never raises."""
    started = time.monotonic()
    try:
        return rows_of(item.name, read(item), item.labels, seconds=time.monotonic() - started)
    except OutOfReach as out:
        return without(item, str(out), started)
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return without(item, f"internal error: {text}", started)


def without(item: Item, reason: str, started: float) -> Tables:
    """The row of a cluster that could not be read."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {"clusters": unreachable(item.name, reason, now, item.labels, seconds=time.monotonic() - started)}


def gather(items: Sequence[Item], read: Read = contact, threads: int = THREADS) -> Iterator[Tables]:
    """The rows of every cluster as they come, each once; at most so many are read at a time."""
    waiting = list(reversed(items))
    running: dict[int, tuple[Item, float]] = {}
    done: queue.SimpleQueue[tuple[int, Tables]] = queue.SimpleQueue()
    while waiting or running:
        while waiting and len(running) < max(1, threads):
            item = waiting.pop()
            running[len(waiting)] = item, time.monotonic()
            start(len(waiting), item, read, done)
        try:
            number, tables = done.get(timeout=max(0.0, min(left(*each) for each in running.values())))
        except queue.Empty:
            number = min(running, key=lambda each: left(*running[each]))
            item, started = running[number]
            tables = without(item, f"not back within {GRACE * item.timeout:g} s, its time-out {GRACE:g} times over", started)  # fmt: skip
        if running.pop(number, None):
            yield tables


def start(number: int, item: Item, read: Read, done: queue.SimpleQueue[tuple[int, Tables]]) -> None:
    """Read a cluster in a thread that nobody has to wait for."""
    threading.Thread(target=lambda: done.put((number, tables_for(item, read))), name=item.name, daemon=True).start()


def left(item: Item, started: float) -> float:
    """Seconds until a cluster is given up."""
    return started + GRACE * item.timeout - time.monotonic()
