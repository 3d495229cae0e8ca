"""The settings of a node with the folders, ports, hosts and stores of this machine in place of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tests.extra.combinations import STORES

PORT, SHARED = 20_000, 19_900
"""The first port of the nodes, and the one below those of the controllers and ZooKeepers beside them."""
ADDRESS = re.compile(r"([A-Za-z0-9_.-]*://)([^,]*?):(\d+)")
VOTER = re.compile(r"\s*(\d+)@[^:,]+:(\d+)\s*")
EACH = 8
PEER = "3000"
"""The id of the controller that a broker alone is given."""
EVERYWHERE = ("0.0.0.0", "", "[::]")
MASK, JAAS = "********", "sasl.jaas.config"
MODULES = {"plain": "plain.PlainLoginModule", "scram-sha-256": "scram.ScramLoginModule", "scram-sha-512": "scram.ScramLoginModule",
           "oauthbearer": "oauthbearer.OAuthBearerLoginModule"}  # fmt: skip
"""The login module of a mechanism, where a JAAS line is masked."""


class Ports(dict[str, str]):
    """Ports of one node by those in its file: a node that is still ending holds the ones of its own."""

    def __init__(self, number: int) -> None:
        self.first = PORT + EACH * number

    def __missing__(self, port: str) -> str:
        self[port] = str(self.first + len(self))
        return self[port]


def on_this_machine(settings: Mapping[str, str], number: int, beside: int, folder: Path) -> dict[str, str]:
    """Folders and ports of its own for each node, and `beside` it a controller or ZooKeeper. What decides whether a node starts is kept: names, protocols, equal ports, its own voter among the voters or not."""
    ports = Ports(number)
    own = {key: value for key, value in settings.items() if key not in ("log.dir", "metadata.log.dir")}
    own["log.dirs"] = str(folder / str(number))
    if "listeners" in own:
        own["listeners"] = ADDRESS.sub(lambda found: local(found, ports), own["listeners"])
    at = {name.strip(): port for name, _, port in ADDRESS.findall(own.get("listeners", ""))}
    if "advertised.listeners" in own:
        own["advertised.listeners"] = ADDRESS.sub(
            lambda found: advertised(found, at, ports), own["advertised.listeners"]
        )
    if "advertised.host.name" in own:
        own["advertised.host.name"] = "localhost"
    own["controlled.shutdown.enable"] = "false"
    if "zookeeper.connect" in own:
        own["zookeeper.connect"] = f"localhost:{beside}"
    for key in ("controller.quorum.voters", "controller.quorum.bootstrap.servers"):
        if key in own:
            own[key] = quorum(own, key, ports, beside)
    own |= {key: login(key) for key, value in own.items() if key.endswith(JAAS) and (MASK in value or "${" in value)}
    for prefix in {key.removesuffix(store) for key in own for store in STORES if key.endswith(store)}:
        own |= {prefix + store: value for store, value in STORES.items()}
    return own


def login(key: str) -> str:
    """A JAAS line that logs in to a listener of ours."""
    module = next((module for mechanism, module in MODULES.items() if f".{mechanism}." in key), MODULES["plain"])
    return f'org.apache.kafka.common.security.{module} required username="u" password="p" user_u="p";'


def local(found: re.Match[str], ports: Ports) -> str:
    """A listener's address on the loopback, its port one of ours: equal ports stay equal."""
    host = found[2] if found[2] in EVERYWHERE else "localhost"
    return f"{found[1]}{host}:{port_of(found[3], ports)}"


def advertised(found: re.Match[str], at: Mapping[str, str], ports: Ports) -> str:
    """An advertised address at the listener of its name: a broker that shuts down asks for it."""
    host = found[2] if found[2] in EVERYWHERE else "localhost"
    return f"{found[1]}{host}:{at.get(found[1].strip()) or port_of(found[3], ports)}"


def port_of(port: str, ports: Ports) -> str:
    """Our port for one of the file."""
    return port if port == "0" else ports[port]


def quorum(settings: Mapping[str, str], key: str, ports: Ports, beside: int) -> str:
    """The voters that can be played: the node alone where it is one of them, else our controller."""
    value = settings[key]
    if key.endswith("servers"):
        return f"localhost:{next((port_of(each.rpartition(':')[2], ports) for each in value.split(',')), PORT)}"
    voters = [VOTER.fullmatch(each) for each in value.split(",")]
    if not all(voters):
        return value
    own = settings.get("node.id", settings.get("broker.id"))
    mine = next((voter for voter in voters if voter and voter[1] == own), None)
    if mine is not None:
        return f"{own}@localhost:{port_of(mine[2], ports)}"
    return f"{PEER}@localhost:{beside + 1}"
