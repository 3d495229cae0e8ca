"""Rows of the fleet's tables, as plain data, back into the model."""

from __future__ import annotations

import functools
import json

from advisor.catalog.target import release_of
from advisor.model import KINDS, SERVER_KINDS, Client, Jaas, Origin, Setting, Snapshot, Target, Topic
from collectors.snapshot import codec
from collectors.snapshot.codec import Tables, settings_of
from collectors.snapshot.shapes import SNAPSHOT, Maybe, Part, check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from advisor.model import Broker, Entity
    from advisor.model.cluster import Live, Partition

    Row = Mapping[str, Any]
    Shared = dict[tuple[tuple[str, str | None, str], ...], dict[str, Setting]]

REST = ("log_dirs", "groups", "acls", "reassignments", "zookeeper")
UNTOLD = "the tables do not say: its settings are null or damaged"
LEVELS = SNAPSHOT.needed["brokers"][0].optional["levels"]
NEEDED = ("nodes", "quorum", "features", "supported_features", "log_dirs", "groups", "acls", "reassignments",
          "zookeeper", "unread")  # fmt: skip
LIVE = Part({"cluster": SNAPSHOT.needed["cluster"], **{part: SNAPSHOT.needed[part] for part in NEEDED}}, {})
RESTING = {part: LIVE.needed[part] for part in REST}
SAID = {"key": str, "value": Maybe(str), "source": str}
PARTITION = {
    "id": int, "leader": int, "replicas": [int], "isr": [int],
    "elr": Maybe([int]), "last_elr": Maybe([int]), "offline": Maybe([int]),
}  # fmt: skip
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


def _once(entities: Iterable[Entity]) -> Iterator[Entity]:
    seen = set()
    for entity in entities:
        if entity.name not in seen:
            seen.add(entity.name)
            yield entity


def target_of(cluster: Row) -> Target:
    """The release that a cluster's row names. Raises ValueError."""
    for column in ("kafka_version", "version_reason"):
        check(cluster[column], str, column)
    return Target(release_of(cluster["kafka_version"])[0], cluster["version_reason"], given=True)


def tables_of(cluster: Row) -> Tables:
    """What all subjects of a cluster share: release, name, defaults. Raises ValueError."""
    about = {"id": cluster["id"], "address": cluster["address"], "kafka_version": target_of(cluster).text}
    tables = Tables((), (), {**about, "reason": cluster["version_reason"]})
    tables.described = defaults_of(cluster["defaults"])
    return tables


def defaults_of(text: str | None) -> list[dict[str, str | None]]:
    """The tables of defaults, the same objects for the same text; not to be changed. Raises ValueError."""
    if text is None:
        return []
    check(text, str, "defaults")
    return _defaults(text)


@functools.lru_cache(maxsize=256)
def _defaults(text: str) -> list[dict[str, str | None]]:
    found: list[dict[str, str | None]] = _loaded(text, "defaults", [])
    check(found, SNAPSHOT.needed["defaults"], "defaults")
    return found


def _loaded(text: Any, column: str, otherwise: Any) -> Any:
    if text is None:
        return otherwise
    check(text, str, column)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{column}: not JSON, or cut off") from None


def live_of(cluster: Row, vetted: bool = False) -> Live:
    """What a cluster said of itself beside settings; a row that was vetted is not looked through again. Raises ValueError."""
    about = {"kafka_version": cluster["kafka_version"], "reason": cluster["version_reason"]}
    features, supported, unread = (_mapping(cluster[name], name) for name in ("features", "supported", "unread"))
    plain = {
        "cluster": {**{name: cluster[name] for name in ("id", "address", "collected", "metadata")}, **about},
        "nodes": cluster["nodes"] or [],
        "quorum": cluster["quorum"],
        "features": features,
        "supported_features": supported,
        "unread": unread or {},
        **rest_of(cluster["rest"]),
    }
    if not vetted:
        check(plain, LIVE, "clusters")
    return codec.live_of(plain["cluster"], plain)


def rest_of(text: str | None, vetted: bool = True) -> dict[str, Any]:
    """What stands in the column `rest`, looked through unless it was vetted. Raises ValueError."""
    rest = _loaded(text, "rest", {})
    if not isinstance(rest, dict):
        raise ValueError("rest: not an object")
    found = {part: rest.get(part, [] if part == "log_dirs" else None) for part in REST}
    if not vetted:
        check(found, RESTING, "clusters")
    return found


def _mapping(value: Any, column: str) -> dict[str, Any] | None:
    """A map column, which Arrow gives as pairs and Spark as a dictionary."""
    try:
        return None if value is None else dict(value)
    except (TypeError, ValueError):
        raise ValueError(f"{column}: not a map") from None


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


def _why_missing(row: Row, settings: object) -> str | None:
    return str(row["missing"]) if row["missing"] is not None else UNTOLD if settings is None else None


def _described(row: Row, tables: Tables) -> dict[str, Any]:
    """The place of its defaults, as a snapshot file has it; one that is not there is none."""
    place = row["defaults"]
    return {"defaults": place} if type(place) is int and 0 <= place < len(tables.described) else {}


def levels_of(text: str | None) -> dict[str, tuple[tuple[str, str | None], ...]]:
    """What effective values of a broker stand above, by key. Raises ValueError."""
    levels = _loaded(text, "levels", {})
    check(levels, LEVELS, "levels")
    return {key: tuple((str(source), value) for source, value in chain) for key, chain in levels.items()}


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


def topic_of(row: Row, tables: Tables, shared: Shared) -> Topic:
    """A topic; `shared` keeps settings that several have; damaged partitions are not known. Raises ValueError."""
    check(row["name"], str, "topics.name")
    plain = {"name": row["name"], "internal": bool(row["internal"]), **_described(row, tables)}
    topic, settings = codec.topic_of(plain, tables), _settings(row, shared)
    topic.settings, topic.missing = settings or {}, _why_missing(row, settings)
    topic.partitions = _partitions(row["partitions"], topic.name)
    return topic


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


def client_setting(said: Row, file: str | None) -> Setting:
    """A setting of a client's file."""
    origin = Origin(file, said["line"], said["column"], said["text"])
    jaas = None if said["jaas"] is None else Jaas(tuple(said["jaas"]["modules"]), said["jaas"]["problem"])
    key, source = said["key"], said["source"]
    return Setting(
        key,
        said["value"],
        source,
        origin,
        secret=said["secret"],
        shape=said["shape"],
        jaas=jaas,
        provider=said["provider"],
        shadowed=[Setting(key, value, source, Origin(file, None, None, None)) for value in said["shadowed"] or ()],
    )
