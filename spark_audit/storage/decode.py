"""Decode rows of the fleet's tables into the model."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

from advisor.catalog.target import release_of
from advisor.model import Jaas, Origin, Setting, Target
from advisor.model.cluster import Live
from collectors.snapshot import codec
from collectors.snapshot.decoding import decode
from collectors.snapshot.records import ClusterRecord, Defaults, DetailsRecord, Levels, LiveRecord

Row = Mapping[str, Any]
Shared = dict[tuple[tuple[str, str | None, str], ...], dict[str, Setting]]
REST = ("log_dirs", "groups", "acls", "reassignments", "zookeeper")
SETTINGS_MISSING = "the tables do not say: its settings are null or damaged"


def target_of(cluster: Row) -> Target:
    """The release that a cluster's row names. Raises ValueError."""
    for column in ("kafka_version", "version_reason"):
        decode(cluster[column], str, column)
    return Target(release_of(cluster["kafka_version"])[0], cluster["version_reason"], given=True)


def defaults_of(text: str | None) -> list[Defaults]:
    """The default tables of a cluster; the same objects for the same text, not to be changed. Raises ValueError."""
    if text is None:
        return []
    return _defaults(decode(text, str, "defaults"))


@functools.lru_cache(maxsize=256)
def _defaults(text: str) -> list[Defaults]:
    return decode(_parse_json(text, "defaults", []), list[Defaults], "defaults")


def _parse_json(text: Any, column: str, otherwise: Any) -> Any:
    if text is None:
        return otherwise
    try:
        return json.loads(decode(text, str, column))
    except (ValueError, RecursionError):
        raise ValueError(f"{column}: not JSON, or cut off") from None


def live_of(cluster: Row) -> Live:
    """Decode a cluster's live state. Raises ValueError."""
    release = {"kafka_version": cluster["kafka_version"], "reason": cluster["version_reason"]}
    features, supported, unread = (_mapping(cluster[name], name) for name in ("features", "supported", "unread"))
    fields = {
        "nodes": cluster["nodes"] or [],
        "quorum": cluster["quorum"],
        "features": features,
        "supported_features": supported,
        "unread": unread or {},
        **_details(cluster["rest"]),
    }
    about = {name: cluster[name] for name in ("id", "address", "collected", "metadata")} | release
    return codec.live_of(decode(about, ClusterRecord, "cluster"), decode(fields, LiveRecord, "clusters"))


def decode_details(text: str | None) -> DetailsRecord:
    """Decode the column `rest`. Raises ValueError."""
    return decode(_details(text), DetailsRecord, "clusters")


def _details(text: str | None) -> dict[str, Any]:
    parsed = _parse_json(text, "rest", {})
    if not isinstance(parsed, dict):
        raise ValueError("rest: not an object")
    return {name: parsed.get(name, [] if name == "log_dirs" else None) for name in REST}


def _mapping(value: Any, column: str) -> dict[str, Any] | None:
    """A map column as a dict: Arrow gives pairs, Spark a dict."""
    try:
        return None if value is None else dict(value)
    except (TypeError, ValueError):
        raise ValueError(f"{column}: not a map") from None


def levels_of(text: str | None) -> Levels:
    """Decode a broker's `levels`: per key what its effective value overrides. Raises ValueError."""
    return decode(_parse_json(text, "levels", {}), Levels, "levels")


def client_setting(row: Row, file: str | None) -> Setting:
    """Decode a setting of a client's file."""
    origin = Origin(file, row["line"], row["column"])
    jaas = None if row["jaas"] is None else Jaas(tuple(row["jaas"]["modules"]), row["jaas"]["problem"])
    key, source = row["key"], row["source"]
    return Setting(
        key,
        row["value"],
        source,
        origin,
        secret=row["secret"],
        shape=row["shape"],
        jaas=jaas,
        provider=row["provider"],
        shadowed=[Setting(key, value, source, Origin(file, None, None)) for value in row["shadowed"] or ()],
    )
