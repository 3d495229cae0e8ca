"""Small clusters as files, changed and asked of `rollout`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from advisor import reports
from tests.support.commands import Ran, run

SCHEMA = json.loads((Path(reports.__path__[0]) / "rollout/rollout.schema.json").read_text())

Value = str | None | Callable[[int], str]
Change = Mapping[str, Value]
Files = dict[int, dict[str, str]]
MAP = "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,INTERNAL:PLAINTEXT"
BROKERS, CONTROLLERS, COMBINED = (1, 2, 3), (101,), (1, 2, 3)
AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
PLAIN = (
    'org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="canary" user_a="canary";'
)


def listeners(*names: str) -> Callable[[int], str]:
    """The entries of listeners of a node, each name on a port of its own."""
    ports = {"PLAINTEXT": 9000, "INTERNAL": 9100, "CLIENTS": 9000, "MOVED": 9300, "CONTROLLER": 9500}
    return lambda id: ",".join(f"{name}://10.0.0.{id}:{ports[name] + id}" for name in names)


def separate() -> Files:
    """Three brokers and a controller."""
    common = {"controller.quorum.voters": "101@10.0.0.101:9601", "controller.listener.names": "CONTROLLER"}
    files = {
        id: {
            "process.roles": "broker",
            "node.id": str(id),
            "listeners": listeners("PLAINTEXT")(id),
            "advertised.listeners": listeners("PLAINTEXT")(id),
            "inter.broker.listener.name": "PLAINTEXT",
            "listener.security.protocol.map": MAP,
            "log.dirs": f"/data/{id}/a,/data/{id}/b",
            **common,
        }
        for id in BROKERS
    }
    controller = {"process.roles": "controller", "node.id": "101", "listeners": "CONTROLLER://10.0.0.101:9601"}
    return {**files, 101: {**controller, "listener.security.protocol.map": MAP, "log.dirs": "/data/101", **common}}


def combined() -> Files:
    """Three nodes that are brokers and controllers."""
    voters = ",".join(f"{id}@10.0.0.{id}:{9500 + id}" for id in COMBINED)
    return {
        id: {
            "process.roles": "broker,controller",
            "node.id": str(id),
            "log.dirs": f"/data/{id}",
            "listeners": listeners("PLAINTEXT", "CONTROLLER")(id),
            "inter.broker.listener.name": "PLAINTEXT",
            "controller.listener.names": "CONTROLLER",
            "controller.quorum.voters": voters,
            "advertised.listeners": listeners("PLAINTEXT")(id),
            "listener.security.protocol.map": MAP,
        }
        for id in COMBINED
    }


def zookeeper() -> Files:
    """Three brokers of a ZooKeeper cluster."""
    return {
        id: {
            "broker.id": str(id),
            "zookeeper.connect": "z1:2181",
            "log.dirs": f"/data/{id}",
            "listeners": listeners("PLAINTEXT")(id),
            "advertised.listeners": listeners("PLAINTEXT")(id),
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,INTERNAL:PLAINTEXT",
            "inter.broker.listener.name": "PLAINTEXT",
        }
        for id in BROKERS
    }


def changed(files: Files, change: Change, nodes: tuple[int, ...] = BROKERS) -> Files:
    """The files with some keys set, or with None taken out, on some nodes."""
    return {id: with_values(id, keys, change) if id in nodes else dict(keys) for id, keys in files.items()}


def with_values(id: int, keys: Mapping[str, str], change: Change) -> dict[str, str]:
    """One node's keys after a change."""
    values = {key: value(id) if callable(value) else value for key, value in change.items()}
    return {key: value for key, value in {**keys, **values}.items() if value is not None}


def write(folder: Path, files: Files) -> Path:
    """A folder with a file for each node."""
    folder.mkdir(parents=True, exist_ok=True)
    for id, keys in files.items():
        text = "".join(f"{key}={value}\n" for key, value in keys.items())
        (folder / f"node-{id}.properties").write_text(text)
    return folder


def asked(folder: Path, old: Files, new: Files, *arguments: object) -> Ran:
    """What `rollout` says of two folders."""
    return run("rollout", write(folder / "old", old), write(folder / "new", new), *arguments)


def answer(folder: Path, old: Files, new: Files, release: str = "4.3") -> dict[str, Any]:
    """What `rollout` says, as data of its schema."""
    document: dict[str, Any] = asked(folder, old, new, "--kafka-version", release, "--format", "json").json
    Draft202012Validator(SCHEMA).validate(document)
    return document
