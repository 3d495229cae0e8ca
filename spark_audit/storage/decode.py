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
from collectors.snapshot.shapes import SNAPSHOT, Part, check

Row = Mapping[str, Any]
Shared = dict[tuple[tuple[str, str | None, str], ...], dict[str, Setting]]
REST = ("log_dirs", "groups", "acls", "reassignments", "zookeeper")
SETTINGS_MISSING = "the tables do not say: its settings are null or damaged"
LEVELS_SHAPE = SNAPSHOT.needed["brokers"][0].optional["levels"]
LIVE_PARTS = ("nodes", "quorum", "features", "supported_features", "log_dirs", "groups", "acls", "reassignments",
          "zookeeper", "unread")  # fmt: skip
LIVE_SHAPE = Part({"cluster": SNAPSHOT.needed["cluster"], **{part: SNAPSHOT.needed[part] for part in LIVE_PARTS}}, {})
REST_SHAPE = {part: LIVE_SHAPE.needed[part] for part in REST}


def target_of(cluster: Row) -> Target:
    """The release that a cluster's row names. Raises ValueError."""
    for column in ("kafka_version", "version_reason"):
        check(cluster[column], str, column)
    return Target(release_of(cluster["kafka_version"])[0], cluster["version_reason"], given=True)


def defaults_of(text: str | None) -> list[dict[str, str | None]]:
    """The default tables of a cluster; the same objects for the same text, not to be changed. Raises ValueError."""
    if text is None:
        return []
    check(text, str, "defaults")
    return _defaults(text)


@functools.lru_cache(maxsize=256)
def _defaults(text: str) -> list[dict[str, str | None]]:
    tables: list[dict[str, str | None]] = _parse_json(text, "defaults", [])
    check(tables, SNAPSHOT.needed["defaults"], "defaults")
    return tables


def _parse_json(text: Any, column: str, otherwise: Any) -> Any:
    if text is None:
        return otherwise
    check(text, str, column)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{column}: not JSON, or cut off") from None


def live_of(cluster: Row, checked: bool = False) -> Live:
    """Decode a cluster's live state; a row that was checked is not validated again. Raises ValueError."""
    release = {"kafka_version": cluster["kafka_version"], "reason": cluster["version_reason"]}
    features, supported, unread = (_mapping(cluster[name], name) for name in ("features", "supported", "unread"))
    plain = {
        "cluster": {**{name: cluster[name] for name in ("id", "address", "collected", "metadata")}, **release},
        "nodes": cluster["nodes"] or [],
        "quorum": cluster["quorum"],
        "features": features,
        "supported_features": supported,
        "unread": unread or {},
        **decode_rest(cluster["rest"]),
    }
    if not checked:
        check(plain, LIVE_SHAPE, "clusters")
    return codec.live_of(plain["cluster"], plain)


def decode_rest(text: str | None, checked: bool = True) -> dict[str, Any]:
    """Decode the column `rest`, and validate it unless it was checked. Raises ValueError."""
    parsed = _parse_json(text, "rest", {})
    if not isinstance(parsed, dict):
        raise ValueError("rest: not an object")
    fields = {name: parsed.get(name, [] if name == "log_dirs" else None) for name in REST}
    if not checked:
        check(fields, REST_SHAPE, "clusters")
    return fields


def _mapping(value: Any, column: str) -> dict[str, Any] | None:
    """A map column as a dict: Arrow gives pairs, Spark a dict."""
    try:
        return None if value is None else dict(value)
    except (TypeError, ValueError):
        raise ValueError(f"{column}: not a map") from None


def levels_of(text: str | None) -> dict[str, tuple[tuple[str, str | None], ...]]:
    """Decode a broker's `levels`: per key what its effective value overrides. Raises ValueError."""
    levels = _parse_json(text, "levels", {})
    check(levels, LEVELS_SHAPE, "levels")
    return {key: tuple((str(source), value) for source, value in chain) for key, chain in levels.items()}


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
