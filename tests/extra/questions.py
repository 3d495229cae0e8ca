"""Questions about starts, made up from the catalog: settings alone and together, with values at and beyond their limits."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from advisor import catalog
from advisor.analysis.startup.queries import NODE, ZOOKEEPER_NODE
from advisor.catalog.target import release_of

STRING = "org.apache.kafka.common.serialization.String"
JSON = "org.apache.kafka.connect.json.JsonConverter"
VOTERS = {"controller.quorum.voters": "100@c1:9093", "controller.listener.names": "CONTROLLER"}
MAP = {"listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_SSL:SASL_SSL"}
DIRS = {"log.dirs": "/var/lib/kafka/data"}
SERVERS = {"bootstrap.servers": "127.0.0.1:9"}
BASES: dict[str, tuple[str, dict[str, str]]] = {
    "zookeeper": ("broker", ZOOKEEPER_NODE | DIRS),
    "combined": ("broker", NODE | MAP | DIRS),
    "broker": (
        "broker",
        {"process.roles": "broker", "node.id": "1", "listeners": "PLAINTEXT://b1:9092", **VOTERS, **MAP, **DIRS},
    ),
    "controller": (
        "broker",
        {"process.roles": "controller", "node.id": "100", "listeners": "CONTROLLER://c1:9093", **VOTERS, **MAP, **DIRS},
    ),
    "producer": ("producer", SERVERS | {f"{part}.serializer": STRING + "Serializer" for part in ("key", "value")}),
    "consumer": (
        "consumer",
        SERVERS | {"group.id": "g", **{f"{part}.deserializer": STRING + "Deserializer" for part in ("key", "value")}},
    ),
    "admin": ("admin", SERVERS),
    "topic": ("topic", {}),
    "tiered topic": ("topic", {"broker:remote.log.storage.system.enable": "true"}),
    "connect": (
        "connect",
        {
            **SERVERS,
            "group.id": "connect",
            **{f"{name}.storage.topic": name for name in ("config", "offset", "status")},
            **{f"{part}.converter": JSON for part in ("key", "value")},
        },
    ),
    "streams": ("streams", SERVERS | {"application.id": "app"}),
}
"""Settings that every release of its mode takes, by name: the component, and what a question adds to."""
VALUES = {
    "int": ("-2", "-1", "0", "1", " 7 ", "1.5", "abc", "2147483647", "2147483648", "1e3", "10L"),
    "long": ("-2", "-1", "0", "1", "2147483648", "9223372036854775808", "0x10"),
    "short": ("-1", "0", "1", "3", "32768"),
    "double": ("-0.1", "0", "0.5", "1.1", "NaN", "x"),
    "boolean": ("true", "FALSE", " true ", "yes", "1"),
    "list": ("a", "a,a", "a,,b", ",", "a, b"),
    "class": ("Foo", STRING + "Serializer", "java.lang.String"),
}
TEXTS = ("foo", "FOO", "null", "a,b", "*")
LEFT_OUT = ("log.dir", "metadata.log.dir")


def questions(release: str, seed: int, each: int) -> Iterator[dict[str, Any]]:
    """For each base that the release knows every key that is missing, and `each` questions with one to three keys."""
    dice, version = random.Random(seed), release_of(release)[0]
    for name in bases(version):
        component, base = BASES[name]
        known = definitions(component, version)
        changes: list[dict[str, str | None]] = [{key: None} for key in base]
        for _ in range(each):
            keys = related(dice, sorted(known), dice.choice((1, 1, 2, 2, 3)))
            changes.append({key: dice.choice(values(known[key])) for key in keys})
        for number, change in enumerate(changes):
            settings = {key: value for key, value in (base | change).items() if value is not None}
            id = f"{name} {release} {number}"
            yield {"id": id, "component": component, "version": release, "settings": settings, "change": change}


def bases(version: tuple[int, int]) -> list[str]:
    """The bases that mean something to a release."""
    kraft = ("combined", "broker", "controller")
    without = ("zookeeper",) if version > catalog.LAST_ZOOKEEPER else kraft if version < (3, 3) else ()
    return [name for name in BASES if name not in without and not (name == "tiered topic" and version < (3, 9))]


def definitions(component: str, version: tuple[int, int]) -> Mapping[str, tuple[Any, ...]]:
    """The keys to ask about."""
    found = dict(catalog.definitions(component, version))
    if component == "broker":
        found = {**catalog.definitions("remote-log-manager", version), **found}
    return {key: row for key, row in found.items() if key not in LEFT_OUT}


def related(dice: random.Random, keys: list[str], count: int) -> list[str]:
    """One key, and others that share a word with it: relations are between such."""
    first = dice.choice(keys)
    near = [key for key in keys if set(key.split(".")) & set(first.split(".")) - {"ms", "max", "min", "bytes"}]
    return [first, *(dice.choice(near or keys) for _ in range(count - 1))]


def values(row: tuple[Any, ...]) -> list[str]:
    """Values of a key's type, its default, the limits and choices of its validator, and what lies beside them."""
    kind, default, _, valid = row[:4]
    found = ["", " ", *VALUES.get(kind, TEXTS), *([default] if default else [])]
    for part in valid[1:] if valid else ():
        for one in part if isinstance(part, tuple) else (part,):
            if isinstance(one, str):
                found += [one, one.upper(), f"{one},{one}"]
            elif one is not None:
                found += [str(one - 1), str(one), str(one + 1)]
    return found
