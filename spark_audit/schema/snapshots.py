"""Schemas of the snapshot tables, version 1: one row per cluster, broker, topic (with its partitions) and client.

Columns are added within a version, never renamed. Null means not known; secrets were masked when they were read.
"""

from __future__ import annotations

import pyarrow as pa

TABLES_FORMAT = "kafka-advisor-tables/1"
COLLECTION = "kafka-advisor-collection/2"
COLLECTIONS_TABLE = "collections"
"""In a catalog, the table whose rows name whole collections."""
COLLECTIONS = ("kafka-advisor-collection/1", COLLECTION)
"""Formats of the markers of collections that are read: 1 has the tables beside it."""
OK, PARTIAL, UNREACHABLE = "ok", "partial", "unreachable"


def field(name: str, type: pa.DataType, about: str, nullable: bool = True) -> pa.Field:
    """A column with what it means."""
    return pa.field(name, type, nullable, {"about": about})


def schema(name: str, fields: list[pa.Field]) -> pa.Schema:
    """A table's columns, with its name and version."""
    return pa.schema(fields, {"format": TABLES_FORMAT, "table": name})


TEXT, TEXTS, IDS = pa.string(), pa.list_(pa.string()), pa.list_(pa.int32())
TEXT_BY_NAME, LEVEL_BY_NAME = pa.map_(pa.string(), pa.string()), pa.map_(pa.string(), pa.int32())
CLUSTER = field("cluster", TEXT, "the cluster's name in the fleet", False)
SETTING = pa.struct(
    [
        field("key", TEXT, "the key, as brokers name it", False),
        field("value", TEXT, "null where the cluster keeps it to itself"),
        field("source", TEXT, "DYNAMIC_TOPIC, DYNAMIC_DEFAULT_BROKER, DYNAMIC_BROKER or STATIC_BROKER", False),
    ]
)
SETTINGS = field("settings", pa.list_(SETTING), "effective values that are no default, by key; null: not read")
DEFAULTS = field("defaults", pa.int32(), "place in the cluster's tables of defaults; null: none")
MISSING = field("missing", TEXT, "why the settings could not be read")
PARTITION = pa.struct(
    [
        field("id", pa.int32(), "the partition's number", False),
        field("leader", pa.int32(), "-1: none", False),
        field("replicas", IDS, "brokers, the preferred leader first", False),
        field("isr", IDS, "brokers in sync", False),
        field("elr", IDS, "eligible leader replicas; null: unknown"),
        field("last_elr", IDS, "last known eligible leader replicas; null: unknown"),
        field("offline", IDS, "replicas on failed disks; null: unknown"),
    ]
)
TOPICS = schema(
    "topics",
    [
        CLUSTER,
        field("name", TEXT, "the topic's name", False),
        field("internal", pa.bool_(), "whether Kafka made it for itself", False),
        SETTINGS,
        DEFAULTS,
        MISSING,
        field("partitions", pa.list_(PARTITION), "null: not read"),
    ],
)
BROKERS = schema(
    "brokers",
    [
        CLUSTER,
        field("id", pa.int32(), "broker.id or node.id", False),
        field("kind", TEXT, "broker, controller or combined", False),
        SETTINGS,
        DEFAULTS,
        MISSING,
        field(
            "levels", TEXT, "JSON: per key the [source, value] pairs that its effective value stands above; null: none"
        ),
    ],
)
JAAS = pa.struct(
    [
        field("modules", TEXTS, "its login modules", False),
        field("problem", TEXT, "why it cannot be parsed; null: it can"),
    ]
)
CLIENT_SETTING = pa.struct(
    [
        field("key", TEXT, "the key, as the file has it", False),
        field("value", TEXT, "masked where it is secret", False),
        field("source", TEXT, "CLIENT_FILE", False),
        field("line", pa.int32(), "of the file, from 1"),
        field("column", pa.int32(), "of the key, from 1"),
        field("text", TEXT, "the line as it stands in the file, secrets masked"),
        field("secret", pa.bool_(), "whether the value must not be shown", False),
        field("shape", TEXT, "what the value was: literal, placeholder, empty or hidden", False),
        field("provider", TEXT, "the configuration provider that the value asks; null: none"),
        field("jaas", JAAS, "what is known of a JAAS line; null: it is none"),
        field("shadowed", TEXTS, "values under the same key further up in the file", False),
    ]
)
CLIENTS = schema(
    "clients",
    [
        CLUSTER,
        field("kind", TEXT, "producer, consumer, client, admin, connect, streams or mirror", False),
        field("name", TEXT, "what it is called in reports", False),
        field("file", TEXT, "its settings' file; null: none"),
        field("family", TEXT, "java or librdkafka", False),
        field("format", TEXT, "the file's format", False),
        field("kafka_version", TEXT, "the release it is judged for", False),
        field("version_reason", TEXT, "why that one", False),
        field("version_given", pa.bool_(), "whether that release was stated", False),
        field("topics", TEXTS, "names of the topics it uses, which may hold * and ?", False),
        field("settings", pa.list_(CLIENT_SETTING), "what its file says, in the file's order", False),
    ],
)
NODE = pa.struct(
    [
        field("id", pa.int32(), "broker.id or node.id", False),
        field("host", TEXT, "where clients reach it"),
        field("port", pa.int32(), "where clients reach it"),
        field("rack", TEXT, "broker.rack; null: none"),
        field("state", TEXT, "alive, fenced or dead", False),
    ]
)
MEMBER = pa.struct(
    [
        field("id", pa.int32(), "node.id", False),
        field("voter", pa.bool_(), "false: an observer", False),
        field("lag", pa.int64(), "metadata records behind the leader; null: unknown"),
        field("silent_ms", pa.int64(), "milliseconds since it was last heard of; null: unknown"),
    ]
)
QUORUM = pa.struct(
    [
        field("leader", pa.int32(), "node.id of the active controller", False),
        field("epoch", pa.int64(), "leader epoch of the metadata log", False),
        field("members", pa.list_(MEMBER), "voters and observers", False),
    ]
)
CLUSTERS = schema(
    "clusters",
    [
        CLUSTER,
        field("status", TEXT, "ok, partial (something could not be read) or unreachable", False),
        field("reason", TEXT, "why it is partial or unreachable"),
        field("collected", TEXT, "when, UTC, ISO 8601", False),
        field("labels", TEXT_BY_NAME, "such as team and environment", False),
        field("seconds", pa.float64(), "that reading it took; null: not measured"),
        field("id", TEXT, "the id that the cluster gave itself; null: it has none, or it is unreachable"),
        field("address", TEXT, "the brokers that were asked"),
        field("metadata", TEXT, "kraft or zookeeper; null: unknown"),
        field("kafka_version", TEXT, "the release it is judged for"),
        field("version_reason", TEXT, "why that one"),
        field("nodes", pa.list_(NODE), "brokers as the cluster sees them"),
        field("quorum", QUORUM, "the metadata quorum of a KRaft cluster"),
        field("features", LEVEL_BY_NAME, "finalized levels; null: unknown"),
        field("supported", LEVEL_BY_NAME, "the highest levels that the brokers could have; null: unknown"),
        field("unread", TEXT_BY_NAME, "what could not be read, and why"),
        field(
            "defaults", TEXT, "JSON: the cluster's tables of defaults, value by key, that brokers and topics point into"
        ),
        field("rest", TEXT, "JSON: log_dirs, groups, acls, reassignments and zookeeper, as in a snapshot file"),
        field(
            "digest",
            TEXT,
            "the release and the SHA-256 of all that is judged of the cluster, in any table, for --since-last; null: not known, as after a change of its rows",
        ),
    ],
)
ADDED = ("digest",)
"""Columns that tables of earlier releases lack."""
TABLES = {"clusters": CLUSTERS, "brokers": BROKERS, "topics": TOPICS, "clients": CLIENTS}
CLUSTER_COLUMNS = ["cluster", "labels", "status", "reason", "collected", "kafka_version", "digest"]
"""Columns of `clusters` that an audit's own table repeats."""
SMALL = ("clusters", "brokers", "clients")
"""Tables that are small beside `topics`."""


def relaxed(type: pa.DataType) -> pa.DataType:
    """A type that may be null at any depth, as tables written by others have it."""
    if pa.types.is_struct(type):
        return pa.struct([pa.field(child.name, relaxed(child.type)) for child in type])
    return pa.list_(relaxed(type.value_type)) if pa.types.is_list(type) else type


RELAXED = {
    name: pa.schema([pa.field(column.name, relaxed(column.type)) for column in table]) for name, table in TABLES.items()
}
"""The tables' columns, nullable at any depth."""
