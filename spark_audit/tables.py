"""The tables of a fleet's snapshots: one row per cluster, and one per topic with its partitions nested in it. Version 1.

Everything of a cluster but its topics is small: it stays one JSON document, the snapshot file of that cluster without its
topics. Topics are what there are millions of; their rows hold what DescribeTopics and DescribeConfigs return.
"""

from __future__ import annotations

import json

import pyarrow as pa

from collectors.snapshot_file import document, restored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from advisor.model import Snapshot

FORMAT = "kafka-advisor-tables/1"
OK, PARTIAL, UNREACHABLE = "ok", "partial", "unreachable"


def field(name: str, type: pa.DataType, about: str, nullable: bool = True) -> pa.Field:
    """A column with what it means."""
    return pa.field(name, type, nullable, {"about": about})


IDS = pa.list_(pa.int32())
SETTING = pa.struct(
    [
        field("key", pa.string(), "the key, as brokers name it", False),
        field("value", pa.string(), "null where the cluster keeps it to itself"),
        field("source", pa.string(), "DYNAMIC_TOPIC, DYNAMIC_DEFAULT_BROKER, DYNAMIC_BROKER or STATIC_BROKER", False),
    ]
)
PARTITION = pa.struct(
    [
        field("id", pa.int32(), "the partition's number", False),
        field("leader", pa.int32(), "-1: none", False),
        field("replicas", IDS, "brokers, the preferred leader first", False),
        field("isr", IDS, "brokers in sync", False),
        field("elr", IDS, "eligible leader replicas; null: nobody said"),
        field("last_elr", IDS, "last known eligible leader replicas; null: nobody said"),
        field("offline", IDS, "replicas on failed disks; null: nobody said"),
    ]
)
TOPICS = pa.schema(
    [
        field("cluster", pa.string(), "the cluster's name in the fleet", False),
        field("name", pa.string(), "the topic's name", False),
        field("internal", pa.bool_(), "whether Kafka made it for itself", False),
        field("settings", pa.list_(SETTING), "effective values that are no default, by key; null: not read"),
        field("defaults", pa.int32(), "place in the cluster document's table of defaults; null: none"),
        field("missing", pa.string(), "why the settings could not be read"),
        field("partitions", pa.list_(PARTITION), "null: not read"),
    ],
    {"format": FORMAT, "table": "topics"},
)
CLUSTERS = pa.schema(
    [
        field("cluster", pa.string(), "the cluster's name in the fleet", False),
        field("status", pa.string(), "ok, partial (something could not be read) or unreachable", False),
        field("reason", pa.string(), "why it is partial or unreachable"),
        field("collected", pa.string(), "when, UTC, ISO 8601", False),
        field("labels", pa.map_(pa.string(), pa.string()), "such as team and environment"),
        field("document", pa.string(), "the cluster's snapshot file without its topics; null where unreachable"),
    ],
    {"format": FORMAT, "table": "clusters"},
)


def rows_of(name: str, snapshot: Snapshot, labels: Mapping[str, str] | None = None) -> tuple[pa.Table, pa.Table]:
    """The clusters' row and the topics' rows of one cluster."""
    found = document(snapshot)
    topics = [_topic_row(name, row, found["settings"]) for row in found.pop("topics")]
    found["settings"] = []
    unread = found["unread"]
    row = {
        "cluster": name,
        "status": PARTIAL if unread else OK,
        "reason": "; ".join(f"{what}: {why}" for what, why in sorted(unread.items())) or None,
        "collected": found["cluster"]["collected"],
        "labels": list((labels or {}).items()),
        "document": json.dumps(found, separators=(",", ":"), ensure_ascii=False),
    }
    return pa.Table.from_pylist([row], CLUSTERS), pa.Table.from_pylist(topics, TOPICS)


def unreachable_row(name: str, reason: str, collected: str, labels: Mapping[str, str] | None = None) -> pa.Table:
    """The row of a cluster that nobody could read."""
    row = {"cluster": name, "status": UNREACHABLE, "reason": reason, "collected": collected}
    return pa.Table.from_pylist([{**row, "labels": list((labels or {}).items()), "document": None}], CLUSTERS)


def _topic_row(cluster: str, row: Mapping[str, Any], settings: list[Mapping[str, Any]]) -> dict[str, Any]:
    own = settings[row["settings"]] if "settings" in row else None
    names = PARTITION.names
    return {
        "cluster": cluster,
        "name": row["name"],
        "internal": row["internal"],
        "settings": None
        if own is None
        else [{"key": key, "value": said.get("value"), "source": said["source"]} for key, said in sorted(own.items())],
        "defaults": row.get("defaults"),
        "missing": row.get("missing"),
        "partitions": [dict(zip(names, each, strict=True)) for each in row["partitions"]]
        if "partitions" in row
        else None,
    }


def snapshot_of(cluster: Mapping[str, Any], topics: Iterable[Mapping[str, Any]]) -> Snapshot:
    """One cluster's snapshot again, from its rows as plain data. Raises ValueError."""
    found = json.loads(cluster["document"])
    settings: list[dict[str, Any]] = []
    places: dict[object, int] = {}
    found["topics"] = [_plain_topic(row, settings, places) for row in topics]
    found["settings"] = settings
    return restored(found)


def _plain_topic(row: Mapping[str, Any], settings: list[dict[str, Any]], places: dict[object, int]) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": row["name"], "internal": row["internal"]}
    if row["settings"] is not None:
        key = tuple((each["key"], each["value"], each["source"]) for each in row["settings"])
        if key not in places:
            places[key] = len(settings)
            settings.append(dict(_plain_settings(row["settings"])))
        plain["settings"] = places[key]
    if row["defaults"] is not None:
        plain["defaults"] = row["defaults"]
    if row["missing"] is not None:
        plain["missing"] = row["missing"]
    if row["partitions"] is not None:
        plain["partitions"] = [[each[name] for name in PARTITION.names] for each in row["partitions"]]
    return plain


def _plain_settings(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for row in rows:
        hidden = row["value"] is None
        said: dict[str, Any] = {"source": row["source"], "hidden": True} if hidden else dict(row)
        said.pop("key", None)
        yield row["key"], said
