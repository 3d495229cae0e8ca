"""Random combinations of two to six settings of brokers and controllers that are started for real."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from advisor import catalog
from advisor.catalog.target import release_of
from tests.extra.combinations import FOLDER, STORES, value_of
from tests.extra.questions import definitions, related

PORT = 19_000
"""Each release has ten ports of its own from here on, so that releases can be played side by side."""
HELD = (
    "threads",
    "fetchers",
    "samples",
    "partitions",
    "buffer.size",
    "queued.max.requests",
    "cache.max.size",
    "cache.entries",
    "initial",
)
"""What the keys have in their names whose values the machine has to hold or wait for."""
LONGEST = 3
FIXED = frozenset({
    "process.roles", "node.id", "broker.id", "zookeeper.connect", "log.dir", "log.dirs", "metadata.log.dir", "listeners",
    "controller.quorum.voters", "controller.quorum.bootstrap.servers", "cordoned.log.dirs", "config.providers",
    "ssl.provider", "broker.id.generation.enable", "zookeeper.metadata.migration.enable", "zookeeper.set.acl",
    "controller.quorum.auto.join.enable", "zookeeper.clientCnxnSocket", "zookeeper.ssl.client.enable", "port", "host.name",
})  # fmt: skip
"""What is of the environment, or cannot work in it (ZooKeeper without SASL, a quorum that is formatted otherwise)."""
ENDLESS = frozenset({"max.connections", "max.connection.creation.rate", "max.connections.per.ip"})
"""With none of these, or too few, a node accepts its own connections no more and never finishes its start."""
STANDARD, ACL = "org.apache.kafka.metadata.authorizer.StandardAuthorizer", "kafka.security.authorizer.AclAuthorizer"


def node_combinations(release: str, seed: int, start: int, count: int) -> Iterator[dict[str, Any]]:
    """`count` combinations from number `start` on: brokers of ZooKeeper mode up to 2.8, KRaft's three kinds after that."""
    version = release_of(release)[0]
    known = {
        key: row
        for key, row in definitions("broker", version).items()
        if key not in FIXED | ENDLESS and not key.startswith("internal.")
    }
    bases = list(nodes(release).items())
    for number in range(start, start + count):
        dice = random.Random(f"node {release} {seed} {number}")
        name, base = bases[number % len(bases)]
        change = change_of(dice, known, version) | (dice.choice(packs(base, version)) if dice.random() < 0.35 else {})
        yield {"id": str(number), "component": "broker", "version": release, "kind": name, "settings": base | change}


def nodes(release: str) -> dict[str, dict[str, str]]:
    """The settings that every node of the release starts with, by kind."""
    version = release_of(release)[0]
    port = PORT + 10 * catalog.VERSIONS.index(version)
    folder = str(FOLDER / f"node-{release}")
    if version <= (2, 8):
        zookeeper = {"zookeeper.connect": f"localhost:{port}", "broker.id": "1", "log.dirs": folder}
        return {"zookeeper": zookeeper | {"listeners": f"PLAINTEXT://localhost:{port + 1}"}}
    common = {
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SECOND:PLAINTEXT",
        "log.dirs": folder,
    }
    broker, controller = f"PLAINTEXT://localhost:{port + 1}", f"CONTROLLER://localhost:{port + 2}"
    return {
        "combined": {
            "process.roles": "broker,controller", "node.id": "1", "controller.quorum.voters": f"1@localhost:{port + 2}",
            "listeners": f"{broker},{controller}", **common,
        },
        "broker": {
            "process.roles": "broker", "node.id": "1", "controller.quorum.voters": f"100@localhost:{port + 3}",
            "listeners": broker, **common,
        },
        "controller": {
            "process.roles": "controller", "node.id": "100", "controller.quorum.voters": f"100@localhost:{port + 2}",
            "listeners": controller, **common,
        },
    }  # fmt: skip


def change_of(dice: random.Random, known: dict[str, tuple[Any, ...]], version: tuple[int, int]) -> dict[str, str]:
    """Two to six settings, mostly valid by the catalog."""
    names = sorted(known)
    count = dice.randint(2, 6)
    keys = list(dict.fromkeys(related(dice, names, dice.randint(1, count)) + dice.sample(names, count)))[:count]
    wrong = {dice.choice(keys)} if dice.random() < 0.3 else set()
    change = {key: value_of(dice, (key, known[key]), key in wrong, version) for key in keys}
    return {key: value for key, value in change.items() if holds(key, value)}


def holds(key: str, value: str) -> bool:
    """Whether the machine can hold what is asked for, and the start does not wait for it."""
    number = value.strip().lstrip("-")
    return not (number.isdigit() and len(number) > LONGEST and any(part in key for part in HELD))


def packs(base: dict[str, str], version: tuple[int, int]) -> list[dict[str, str]]:
    """What belongs together and is rarely drawn together by chance."""
    first = base["listeners"].split(",")[0]
    wild = {"listeners": base["listeners"].replace("localhost", "0.0.0.0")}
    found = [
        {"request.timeout.ms": "-1"},
        {"authorizer.class.name": STANDARD if "process.roles" in base else ACL, "super.users": "alice"},
        {"authorizer.class.name": STANDARD if "process.roles" in base else ACL, "super.users": "User:ANONYMOUS"},
        wild,
        wild | {"advertised.listeners": first},
        wild | {"advertised.listeners": base["listeners"]},
        {"advertised.listeners": base["listeners"].replace("localhost", "0.0.0.0")},
        {"advertised.listeners": base["listeners"].replace("localhost", "")},
        {"log.message.format.version": "2.7", "inter.broker.protocol.version": "2.8"},
        {"listeners": f"{base['listeners']},SSL://localhost:0"},
        {"listeners": f"{base['listeners']},SSL://localhost:0", **STORES},
        {"ssl.client.auth": "required", **STORES},
        {"min.insync.replicas": "2", "offsets.topic.replication.factor": "1"},
    ]
    if version >= (3, 0):
        found.append({"log.message.format.version": "2.7", "inter.broker.protocol.version": "3.0"})
    return found
