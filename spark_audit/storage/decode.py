"""Rows of the fleet's tables, as plain data, back into the model."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING

from advisor.catalog.target import release_of
from advisor.model import Jaas, Origin, Setting, Target
from collectors.snapshot import codec
from collectors.snapshot.shapes import SNAPSHOT, Part, check

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from advisor.model.cluster import Live

    Row = Mapping[str, Any]
    Shared = dict[tuple[tuple[str, str | None, str], ...], dict[str, Setting]]

REST = ("log_dirs", "groups", "acls", "reassignments", "zookeeper")
UNTOLD = "the tables do not say: its settings are null or damaged"
LEVELS = SNAPSHOT.needed["brokers"][0].optional["levels"]
NEEDED = ("nodes", "quorum", "features", "supported_features", "log_dirs", "groups", "acls", "reassignments",
          "zookeeper", "unread")  # fmt: skip
LIVE = Part({"cluster": SNAPSHOT.needed["cluster"], **{part: SNAPSHOT.needed[part] for part in NEEDED}}, {})
RESTING = {part: LIVE.needed[part] for part in REST}


def target_of(cluster: Row) -> Target:
    """The release that a cluster's row names. Raises ValueError."""
    for column in ("kafka_version", "version_reason"):
        check(cluster[column], str, column)
    return Target(release_of(cluster["kafka_version"])[0], cluster["version_reason"], given=True)


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


def levels_of(text: str | None) -> dict[str, tuple[tuple[str, str | None], ...]]:
    """What effective values of a broker stand above, by key. Raises ValueError."""
    levels = _loaded(text, "levels", {})
    check(levels, LEVELS, "levels")
    return {key: tuple((str(source), value) for source, value in chain) for key, chain in levels.items()}


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
