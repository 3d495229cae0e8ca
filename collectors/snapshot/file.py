"""Snapshot files, version 2: JSON, compressed where the name ends in .gz.

Settings that many topics share stand once, in tables that topics point into. Secrets were masked when they were read.
The format is described in snapshot.schema.json beside this module; fields are added within a version, never renamed.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping
from typing import Any

from advisor import __version__, limits
from advisor.atomic_file import write as write_whole
from advisor.errors import UnreadableInput
from advisor.model import SERVER_KINDS, Snapshot, Target, Topic
from collectors.files.reader import GZIP
from collectors.snapshot.codec import Tables, broker_of, live_of, plain_broker, plain_live, plain_topic, topic_of
from collectors.snapshot.decoding import decode
from collectors.snapshot.records import SnapshotRecord

SNAPSHOT_FORMAT = "kafka-advisor-snapshot/2"
READABLE = ("kafka-advisor-snapshot/1", SNAPSHOT_FORMAT)
"""Version 1 has no sizes of replicas."""
FAMILY = "kafka-advisor-snapshot/"


def document(snapshot: Snapshot) -> dict[str, Any]:
    """The snapshot as plain data."""
    live, tables = snapshot.live, Tables()
    assert live is not None
    target = snapshot.entities[0].target
    return {
        "format": SNAPSHOT_FORMAT,
        "tool": {"name": "kafka-advisor", "version": __version__},
        "cluster": {
            "id": live.cluster_id,
            "address": live.address,
            "collected": live.collected,
            "metadata": live.metadata,
            "kafka_version": target.text,
            "reason": target.reason,
        },
        "brokers": [plain_broker(entity, tables) for entity in snapshot.entities if entity.kind in SERVER_KINDS],
        "topics": [plain_topic(entity, tables) for entity in snapshot.entities if isinstance(entity, Topic)],
        "settings": tables.settings,
        "defaults": tables.defaults,
        **plain_live(live),
    }


def write(path: str, snapshot: Snapshot) -> None:
    """Write the file atomically. Raises OSError."""
    data = json.dumps(document(snapshot), separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
    if path.endswith(".gz"):
        data = gzip.compress(data, 6, mtime=0)
    write_whole(path, [data], mode=0o600)


def parse(data: bytes, shown: str, target: Target | None = None) -> Snapshot:
    """Parse a snapshot file's bytes. Raises UnreadableInput with one line."""
    try:
        if data.startswith(GZIP):
            data = limits.decompress(data, limits.SNAPSHOT, shown)
        document = json.loads(data)
    except (EOFError, OSError, zlib.error):
        raise UnreadableInput(
            f"{shown}: cut off or damaged: it cannot be decompressed; take the snapshot again"
        ) from None
    except UnicodeDecodeError:
        raise UnreadableInput(f"{shown}: not a snapshot: it is not UTF-8") from None
    except RecursionError:
        raise UnreadableInput(f"{shown}: not a snapshot: nested too deep") from None
    except ValueError as error:
        position = f":{error.lineno}:{error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        raise UnreadableInput(
            f"{shown}{position}: not JSON, or cut off; a snapshot is made by `kafka-advisor snapshot`"
        ) from None
    return _snapshot(document, shown, target)


def _snapshot(document: object, shown: str, target: Target | None) -> Snapshot:
    format = document.get("format") if isinstance(document, dict) else None
    if not isinstance(format, str) or not isinstance(document, dict):
        raise UnreadableInput(f'{shown}: not a snapshot: it has no "format"; one is made by `kafka-advisor snapshot`')
    if format not in READABLE:
        newer = (
            "it was made by another release of kafka-advisor" if format.startswith(FAMILY) else "it is something else"
        )
        raise UnreadableInput(
            f"{shown}: its format is {format[:60]!r}, {newer}; this one reads {' and '.join(READABLE)}"
        )
    try:
        return restore(document, target)
    except (ValueError, IndexError) as error:
        raise UnreadableInput(f"{shown}: not a whole snapshot: {' '.join(str(error).split())[:120]}") from None


def restore(document: Mapping[str, Any], target: Target | None = None) -> Snapshot:
    """Decode a snapshot; `target` is a release that the user named instead. Raises ValueError."""
    record = decode(document, SnapshotRecord, "snapshot")
    if sum(len(topic.partitions or ()) for topic in record.topics) > limits.PARTITIONS:
        raise ValueError(f"more than {limits.PARTITIONS:,} partitions: audit judges as many")
    tables = Tables(record.settings, record.defaults, record.cluster, target)
    live = live_of(record.cluster, record)
    entities = [broker_of(broker, tables) for broker in record.brokers]
    topics = [topic_of(topic, tables) for topic in record.topics]
    if not entities:
        raise ValueError("no broker is in it")
    return Snapshot(live.name, [*entities, *topics], live=live)
