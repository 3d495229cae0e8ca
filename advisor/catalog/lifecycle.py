"""Key lifecycle: additions, deprecations and removals by release; used by the build only."""

from __future__ import annotations

from typing import Any

Version = tuple[int, int]
Catalog = dict[str, dict[str, dict[str, Any]]]
"""Component, key, what Kafka prints about it."""

# Deprecations of one value, or of a key in one situation: the key as such stays.
VALUE_DEPRECATIONS = {
    "processing.guarantee=exactly_once, exactly_once_beta": (
        "processing.guarantee",
        ("exactly_once", "exactly_once_beta"),
    ),
    "log.cleaner.enable=false": ("log.cleaner.enable", ("false",)),
    "share (value of group.coordinator.rebalance.protocols)": ("group.coordinator.rebalance.protocols", ("share",)),
}


def version_of(text: str) -> Version:
    """The first two numbers of a version: '4.3 (warning)' is (4, 3)."""
    major, minor = text.split()[0].strip("?").split(".")[:2]
    return int(major), int(minor)


def components(catalogs: dict[Version, Catalog]) -> list[str]:
    """Every component of any version."""
    return sorted({component for catalog in catalogs.values() for component in catalog})


def spans(catalogs: dict[Version, Catalog]) -> dict[str, dict[str, tuple[Version, Version | None]]]:
    """Per component and key: the first version that has it, and the first one after the last that had it."""
    by_component: dict[str, dict[str, tuple[Version, Version | None]]] = {}
    for component in components(catalogs):
        keys = sorted({key for catalog in catalogs.values() for key in catalog.get(component, {})})
        by_component[component] = {key: span(catalogs, component, key) for key in keys}
    return by_component


def span(catalogs: dict[Version, Catalog], component: str, key: str) -> tuple[Version, Version | None]:
    """The releases that have the key; a gap is a release whose documentation hid it, not a removal."""
    having = [version for version, catalog in catalogs.items() if key in catalog.get(component, {})]
    family = [name for name in components(catalogs) if same_family(name, component)]
    last = max(v for v, catalog in catalogs.items() if any(key in catalog.get(name, {}) for name in family))
    later = (v for v, catalog in catalogs.items() if v > last and any(name in catalog for name in family))
    return having[0], next(later, None)


def same_family(one: str, other: str) -> bool:
    """Whether two components are of one family: MirrorMaker 2 moved keys between its own in 3.4 and 3.6."""
    return one == other or (one.startswith("mm2-") and other.startswith("mm2-"))


def events(catalogs: dict[Version, Catalog], rows: list[dict[str, Any]]) -> dict[str, dict[str, tuple[Any, ...]]]:
    """Per component and key what happened, in the order of versions."""
    by_component: dict[str, dict[str, list[tuple[Any, ...]]]] = {}
    for row in rows:
        for component, key, event in events_of(row):
            if any(key in catalog.get(component, {}) for catalog in catalogs.values()):
                by_component.setdefault(component, {}).setdefault(key, []).append(event)
    borrow_removals(by_component, spans(catalogs))
    return {
        component: {key: tuple(sorted(keys[key], key=lambda event: (event[1], event[0]))) for key in sorted(keys)}
        for component, keys in sorted(by_component.items())
    }


def borrow_removals(
    by_component: dict[str, dict[str, list[tuple[Any, ...]]]], lives: dict[str, dict[str, Any]]
) -> None:
    """Copy removals to the sibling components of Connect and MirrorMaker, which the lifecycle does not name."""
    removals = [
        (component.split("-")[0], key, event)
        for component, keys in by_component.items()
        for key, happened in keys.items()
        for event in happened
        if event[0] == "removed"
    ]
    for component, keys in lives.items():
        for key, (_, removed) in keys.items():
            own = by_component.get(component, {}).get(key, [])
            for family, name, event in removals:
                same = (family, name, event[1]) == (component.split("-")[0], key, removed)
                if same and all(event[0] != "removed" for event in own):
                    own = by_component.setdefault(component, {}).setdefault(key, own)
                    own.append(event)


def events_of(row: dict[str, Any]) -> list[tuple[str, str, tuple[Any, ...]]]:
    """One lifecycle row as (component, key, event), without what the definitions say themselves."""
    if row["event"] == "deprecated":
        return deprecation(row)
    version, reference = version_of(row["to"]), reference_of(row)
    if row["event"] == "removed":
        happened: tuple[tuple[str, tuple[Any, ...]], ...] = (
            (row["name"], ("removed", version, *advice(row["replacement"]), reference)),
        )
    elif row["event"] == "renamed":
        happened = ((row["old"], ("renamed_to", version, row["new"], reference)),)
    elif row["event"] == "default":
        happened = ((row["name"], ("default", version, reference)),)
    else:
        return []
    return [(component, key, event) for component in row["components"] for key, event in happened]


def deprecation(row: dict[str, Any]) -> list[tuple[str, str, tuple[Any, ...]]]:
    """Deprecation events of a key, of a pair of keys ('a / b'), or of single values of a key."""
    planned = version_of(row["removed_in"]) if row["removed_in"] else None
    details = (version_of(row["to"]), *advice(row["replacement"]), planned, reference_of(row))
    if row["name"] in VALUE_DEPRECATIONS:
        key, values = VALUE_DEPRECATIONS[row["name"]]
        return [
            (component, key, ("deprecated_value", details[0], values, *details[1:])) for component in row["components"]
        ]
    names = row["name"].split(" / ")
    return [(component, name, ("deprecated", *details)) for component in row["components"] for name in names]


def reference_of(row: dict[str, Any]) -> str | None:
    """The KIP or release note of an event; None if it was only seen in the catalogs."""
    return None if row["ref"] in (None, "-", "diff", "jars") else row["ref"]


def advice(text: str | None) -> tuple[str | None, str | None]:
    """(replacement, hint): 'none: set node.id' is (None, 'set node.id')."""
    if text in (None, "", "-"):
        return None, None
    if not text.startswith("none"):
        return text, None
    hint = text.removeprefix("none").lstrip(" :")
    return None, (hint[1:-1] if hint.startswith("(") and hint.endswith(")") else hint) or None
