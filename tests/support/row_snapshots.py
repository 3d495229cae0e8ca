"""Rows of the fleet's tables back as the snapshots that they were made of: what tests hold tables against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from advisor.catalog.target import release_of
from advisor.model import KINDS, SERVER_KINDS, Broker, Client, Entity, Setting, Snapshot, Target, Topic
from advisor.model.cluster import Partition
from collectors.snapshot import codec
from collectors.snapshot.codec import Tables, settings_of
from collectors.snapshot.shapes import Maybe, Part, check
from spark_audit.storage.decode import SETTINGS_MISSING, client_setting, defaults_of, levels_of, live_of, target_of

Row = Mapping[str, Any]
Shared = dict[tuple[tuple[str, str | None, str], ...], dict[str, Setting]]

CLIENT_SETTING = {
    "key": str, "value": str, "source": str, "line": Maybe(int), "column": Maybe(int), "text": Maybe(str),
    "secret": bool, "shape": str, "provider": Maybe(str), "jaas": Maybe({"modules": [str], "problem": Maybe(str)}),
    "shadowed": Maybe([str]),
}  # fmt: skip
CLIENT = Part(
    {
        **dict.fromkeys(("kind", "name", "family", "format", "kafka_version", "version_reason"), str),
        "file": Maybe(str),
        "version_given": bool,
        "topics": Maybe([str]),
        "settings": [CLIENT_SETTING],
    },
    {},
)
PARTITION = {
    "id": int, "leader": int, "replicas": [int], "isr": [int],
    "elr": Maybe([int]), "last_elr": Maybe([int]), "offline": Maybe([int]),
}  # fmt: skip
SAID = {"key": str, "value": Maybe(str), "source": str}


def snapshot_of(cluster: Row, brokers: Iterable[Row], topics: Iterable[Row], clients: Iterable[Row]) -> Snapshot:
    """One cluster's snapshot from its rows; of rows that are there twice the first counts. Raises ValueError."""
    tables, live = tables_of(cluster), live_of(cluster)
    entities: list[Entity] = [*_once(broker_of(row, tables) for row in brokers)]
    if not entities:
        raise ValueError("no broker is in it")
    shared: Shared = {}
    entities += _once(topic_of(row, tables, shared) for row in topics)
    joined: dict[str, tuple[str, ...]] = {}
    for row in clients:
        client = client_of(row)
        place = client.file or client.name
        if place not in joined:
            joined[place] = tuple(row["topics"] or ())
            entities.append(client)
    return Snapshot(live.name, entities, live=live, joined=joined)


def topic_of(row: Row, tables: Tables, shared: Shared) -> Topic:
    """A topic; `shared` keeps settings that several have; damaged partitions are not known. Raises ValueError."""
    check(row["name"], str, "topics.name")
    plain = {"name": row["name"], "internal": bool(row["internal"]), **_described(row, tables)}
    topic, settings = codec.topic_of(plain, tables), _settings(row, shared)
    topic.settings, topic.missing = settings or {}, _why_missing(row, settings)
    topic.partitions = _partitions(row["partitions"], topic.name)
    return topic


def _once(entities: Iterable[Entity]) -> Iterator[Entity]:
    seen = set()
    for entity in entities:
        if entity.name not in seen:
            seen.add(entity.name)
            yield entity


def _partitions(rows: Any, topic: str) -> tuple[Partition, ...] | None:
    try:
        check(rows, [PARTITION], "partitions")
    except ValueError:
        return None
    found = (codec.partition_of([row[name] for name in PARTITION], topic) for row in rows)
    return tuple({partition.id: partition for partition in found}.values())


def client_of(row: Row, settings: dict[str, Setting] | None = None) -> Client:
    """A client with the settings of its file, or with those that are at hand. Raises ValueError."""
    check({name: row[name] for name in CLIENT.needed}, CLIENT, "clients")
    if row["kind"] not in KINDS:
        raise ValueError(f"clients.kind: {row['kind']} is none of {', '.join(KINDS)}")
    target = Target(release_of(row["kafka_version"])[0], row["version_reason"], row["version_given"])
    if settings is None:
        settings = {said["key"]: client_setting(said, row["file"]) for said in row["settings"]}
    return Client(row["kind"], row["name"], row["file"], settings, target, row["family"], row["format"])


def broker_of(row: Row, tables: Tables) -> Broker:
    """A broker. Raises ValueError."""
    check(row["id"], int, "brokers.id")
    if row["kind"] not in SERVER_KINDS:
        raise ValueError(f"brokers.kind: {row['kind']} is none of {', '.join(SERVER_KINDS)}")
    plain = {"id": row["id"], "kind": row["kind"], "settings": {}, **_described(row, tables)}
    broker, settings = codec.broker_of(plain, tables), _settings(row, {})
    broker.overridden = levels_of(row["levels"])
    broker.settings, broker.missing = settings or {}, _why_missing(row, settings)
    return broker


def _why_missing(row: Row, settings: object) -> str | None:
    return str(row["missing"]) if row["missing"] is not None else SETTINGS_MISSING if settings is None else None


def _described(row: Row, tables: Tables) -> dict[str, Any]:
    """The place of its defaults, as a snapshot file has it; one that is not there is none."""
    place = row["defaults"]
    return {"defaults": place} if type(place) is int and 0 <= place < len(tables.described) else {}


def _settings(row: Row, shared: Shared) -> dict[str, Setting] | None:
    """Its settings, one object for all that say the same; None where they are null or damaged."""
    try:
        check(row["settings"], [SAID], "settings")
    except ValueError:
        return None
    said = tuple((each["key"], each["value"], each["source"]) for each in row["settings"])
    if said not in shared:
        shared[said] = settings_of({each["key"]: each for each in row["settings"]})
    return shared[said]


def tables_of(cluster: Row) -> Tables:
    """What all subjects of a cluster share: release, name, defaults. Raises ValueError."""
    about = {"id": cluster["id"], "address": cluster["address"], "kafka_version": target_of(cluster).text}
    tables = Tables((), (), {**about, "reason": cluster["version_reason"]})
    tables.described = defaults_of(cluster["defaults"])
    return tables
