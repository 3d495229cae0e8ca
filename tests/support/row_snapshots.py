"""Rows of the fleet's tables back as the snapshots that they were made of: what tests hold tables against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from advisor.catalog.target import release_of
from advisor.model import KINDS, SERVER_KINDS, Broker, Client, Entity, Setting, Snapshot, Target, Topic
from advisor.model.cluster import Partition
from collectors.snapshot import codec
from collectors.snapshot.codec import Tables, settings_of
from collectors.snapshot.decoding import decode
from collectors.snapshot.records import BrokerRecord, ClusterRecord, SettingRecord, TopicRecord
from spark_audit.storage.decode import SETTINGS_MISSING, client_setting, defaults_of, levels_of, live_of, target_of

Row = Mapping[str, Any]
Shared = dict[tuple[tuple[str, str | None, str], ...], dict[str, Setting]]


@dataclass
class JaasRow:
    """The modules of a JAAS line."""

    modules: list[str]
    problem: str | None


@dataclass
class ClientSettingRow:
    """A setting of a client's file."""

    key: str
    value: str
    source: str
    line: int | None
    column: int | None
    text: str | None
    secret: bool
    shape: str
    provider: str | None
    jaas: JaasRow | None
    shadowed: list[str] | None


@dataclass
class ClientRow:
    """A client."""

    kind: str
    name: str
    family: str
    format: str
    kafka_version: str
    version_reason: str
    file: str | None
    version_given: bool
    topics: list[str] | None
    settings: list[ClientSettingRow]


@dataclass
class PartitionRow:
    """A partition, but for its sizes."""

    id: int
    leader: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    elr: tuple[int, ...] | None
    last_elr: tuple[int, ...] | None
    offline: tuple[int, ...] | None


@dataclass
class SettingRow:
    """A setting of a broker or a topic."""

    key: str
    value: str | None
    source: str


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
    name = decode(row["name"], str, "topics.name")
    topic = codec.topic_of(TopicRecord(name, bool(row["internal"]), defaults=_defaults_index(row, tables)), tables)
    settings = _settings(row, shared)
    topic.settings, topic.missing = settings or {}, _why_missing(row, settings)
    topic.partitions = _partitions(row["partitions"])
    return topic


def _once(entities: Iterable[Entity]) -> Iterator[Entity]:
    seen = set()
    for entity in entities:
        if entity.name not in seen:
            seen.add(entity.name)
            yield entity


def _partitions(rows: Any) -> tuple[Partition, ...] | None:
    try:
        decoded = decode(rows, list[PartitionRow], "partitions")
    except ValueError:
        return None
    return tuple({row.id: Partition(**vars(row)) for row in decoded}.values())


def client_of(row: Row, settings: dict[str, Setting] | None = None) -> Client:
    """A client with the settings of its file, or with those that are at hand. Raises ValueError."""
    decode(row, ClientRow, "clients")
    if row["kind"] not in KINDS:
        raise ValueError(f"clients.kind: {row['kind']} is none of {', '.join(KINDS)}")
    target = Target(release_of(row["kafka_version"])[0], row["version_reason"], row["version_given"])
    if settings is None:
        settings = {said["key"]: client_setting(said, row["file"]) for said in row["settings"]}
    return Client(row["kind"], row["name"], row["file"], settings, target, row["family"], row["format"])


def broker_of(row: Row, tables: Tables) -> Broker:
    """A broker. Raises ValueError."""
    id = decode(row["id"], int, "brokers.id")
    if row["kind"] not in SERVER_KINDS:
        raise ValueError(f"brokers.kind: {row['kind']} is none of {', '.join(SERVER_KINDS)}")
    broker = codec.broker_of(BrokerRecord(id, row["kind"], {}, _defaults_index(row, tables)), tables)
    settings = _settings(row, {})
    broker.overridden = levels_of(row["levels"])
    broker.settings, broker.missing = settings or {}, _why_missing(row, settings)
    return broker


def _why_missing(row: Row, settings: object) -> str | None:
    return str(row["missing"]) if row["missing"] is not None else SETTINGS_MISSING if settings is None else None


def _defaults_index(row: Row, tables: Tables) -> int | None:
    """The index of its defaults, as a snapshot file has it; one that is not there is none."""
    index = row["defaults"]
    return index if type(index) is int and 0 <= index < len(tables.described) else None


def _settings(row: Row, shared: Shared) -> dict[str, Setting] | None:
    """Its settings, one object for all that say the same; None where they are null or damaged."""
    try:
        decoded = decode(row["settings"], list[SettingRow], "settings")
    except ValueError:
        return None
    said = tuple((each.key, each.value, each.source) for each in decoded)
    if said not in shared:
        shared[said] = settings_of({key: SettingRecord(source, value) for key, value, source in said})
    return shared[said]


def tables_of(cluster: Row) -> Tables:
    """What all subjects of a cluster share: release, name, defaults. Raises ValueError."""
    release = target_of(cluster).text
    about = ClusterRecord(cluster["address"], cluster["id"], "", None, release, cluster["version_reason"])
    tables = Tables((), (), about)
    tables.described = defaults_of(cluster["defaults"])
    return tables
