"""Validate plain data against the schema of a snapshot, with the path of the first error."""

from __future__ import annotations

from typing import Any, TypeAlias

Shape = Any
Place: TypeAlias = "str | tuple[Place, str | int]"
"""A name, or a step from a place: put into words only where something is wrong."""


class Maybe:
    """A schema, or null."""

    __slots__ = ("shape",)

    def __init__(self, shape: Shape) -> None:
        self.shape = shape


class Each:
    """An object with arbitrary keys, whose values all have the schema."""

    __slots__ = ("shape",)

    def __init__(self, shape: Shape) -> None:
        self.shape = shape


class Part:
    """An object with required and optional keys."""

    __slots__ = ("needed", "optional")

    def __init__(self, needed: dict[str, Shape], optional: dict[str, Shape]) -> None:
        self.needed = needed
        self.optional = optional


NAMES = {str: "text", int: "a whole number", bool: "true or false", dict: "an object", list: "a list"}


def check(data: Any, shape: Shape, where: Place) -> None:
    """Check data against a schema. Raises ValueError with the path of the first error."""
    if isinstance(shape, type):
        _is(data, shape, where)
    elif isinstance(shape, Maybe):
        if data is not None:
            check(data, shape.shape, where)
    elif isinstance(shape, tuple):
        _is(data, list, where)
        if len(data) != len(shape):
            raise ValueError(f"{_path_text(where)}: {len(data)} items in place of {len(shape)}")
        for number, (item, each) in enumerate(zip(data, shape, strict=True)):
            check(item, each, (where, number))
    elif isinstance(shape, list):
        _is(data, list, where)
        for number, item in enumerate(data):
            if type(item) is not shape[0]:
                check(item, shape[0], (where, number))
    else:
        _check_object(data, shape, where)


def _check_object(data: Any, shape: Shape, where: Place) -> None:
    _is(data, dict, where)
    if isinstance(shape, Each):
        for key, value in data.items():
            if type(value) is not shape.shape:
                check(value, shape.shape, (where, key))
        return
    needed, optional = (shape, {}) if isinstance(shape, dict) else (shape.needed, shape.optional)
    for key, each in needed.items():
        if key not in data:
            raise ValueError(f"{_path_text(where)}.{key} is missing")
        if not _matches_simple(data[key], each):
            check(data[key], each, (where, key))
    for key, each in optional.items():
        if key in data and not _matches_simple(data[key], each):
            check(data[key], each, (where, key))
    stranger = next((key for key in data if key not in needed and key not in optional), None)
    if stranger is not None and isinstance(shape, dict):
        raise ValueError(f"{_path_text(where)}.{stranger} does not belong here")


def _matches_simple(data: Any, shape: Shape) -> bool:
    """Whether a value matches a simple schema: a fast path, because most values do."""
    return type(data) is shape or (type(shape) is Maybe and (data is None or type(data) is shape.shape))


def _is(data: Any, kind: type, where: Place) -> None:
    if type(data) is not kind:
        raise ValueError(f"{_path_text(where)}: not {NAMES[kind]}")


def _path_text(where: Place) -> str:
    if isinstance(where, str):
        return where
    outer, step = where
    return f"{_path_text(outer)}[{step}]" if isinstance(step, int) else f"{_path_text(outer)}.{step}"


IDS = [int]
SETTINGS = Each(Part({"source": str}, {"value": str, "hidden": bool}))
NODE = {"id": int, "host": Maybe(str), "port": Maybe(int), "rack": Maybe(str), "state": str}
BY_PARTITION = Maybe([(str, int, int)])
SNAPSHOT = Part(
    {
        "cluster": Part(
            {
                "address": str,
                "id": Maybe(str),
                "collected": str,
                "metadata": Maybe(str),
                "kafka_version": str,
                "reason": str,
            },
            {},
        ),
        "brokers": [
            Part(
                {"id": int, "kind": str, "settings": SETTINGS},
                {"defaults": int, "missing": str, "levels": Each([(str, Maybe(str))])},
            )
        ],
        "topics": [
            Part(
                {"name": str, "internal": bool}, {"settings": int, "defaults": int, "missing": str, "partitions": list}
            )
        ],
        "settings": [SETTINGS],
        "defaults": [Each(Maybe(str))],
        "nodes": [NODE],
        "quorum": Maybe(
            {
                "leader": int,
                "epoch": int,
                "members": [{"id": int, "voter": bool, "lag": Maybe(int), "silent_ms": Maybe(int)}],
            }
        ),
        "features": Maybe(Each(int)),
        "supported_features": Maybe(Each(int)),
        "log_dirs": [
            {
                "broker": int,
                "dirs": [
                    {
                        "path": str,
                        "error": Maybe(str),
                        "total": Maybe(int),
                        "free": Maybe(int),
                        "partitions": Maybe(int),
                    }
                ],
            }
        ],
        "groups": Maybe(
            [
                {
                    "name": str,
                    "state": Maybe(str),
                    "protocol": Maybe(str),
                    "members": Maybe(int),
                    "topics": Maybe([str]),
                    "coordinator": Maybe(int),
                    "committed": BY_PARTITION,
                    "lag": BY_PARTITION,
                    "unread": Maybe(str),
                }
            ]
        ),
        "acls": Maybe(
            [dict.fromkeys(("resource", "name", "pattern", "principal", "host", "operation", "permission"), str)]
        ),
        "reassignments": Maybe([(str, int)]),
        "zookeeper": Maybe(
            {
                "chroot": str,
                "cluster_id": Maybe(str),
                "brokers": [NODE],
                "endpoints": Each([str]),
                "controller": Maybe(int),
                "controller_epoch": Maybe(int),
                "ensemble": Maybe(int),
                "servers": [
                    {
                        "address": str,
                        "mode": Maybe(str),
                        "version": Maybe(str),
                        "unread": Maybe(str),
                        "conf": Each(str),
                        "stats": Each(str),
                        "unanswered": Each(str),
                    }
                ],
                "deletions": [str],
                "isr_changes": int,
                "log_dir_events": [int],
                "migration": bool,
                "old_consumers": [str],
                "open_nodes": [str],
                "overrides": Each([str]),
                "reassignments": [(str, int)],
                "unread": Each(str),
            }
        ),
        "unread": Each(str),
    },
    {},
)
"""What a snapshot looks like (snapshot.schema.json says the same to others)."""
