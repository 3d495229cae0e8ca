"""The settings of a node with the folders, ports, hosts and stores of this machine in place of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tests.extra.combinations import FOLDER, STORES

PORT, CONTROLLER, ZOOKEEPER = 19_400, 19_490, 19_491
ADDRESS = re.compile(r"([A-Za-z0-9_.-]*://)([^,]*?):(\d+)")
VOTER = re.compile(r"\s*(\d+)@[^:,]+:(\d+)\s*")
PEER = "3000"
"""The id of the controller that a broker alone is given."""
EVERYWHERE = ("0.0.0.0", "", "[::]")
PLACEHOLDER = re.compile(r"\$\{[A-Z_]+\}")


def on_this_machine(settings: Mapping[str, str]) -> dict[str, str]:
    """What decides whether a node starts is kept: names, protocols, equal ports, its own voter among the voters or not."""
    ports: dict[str, str] = {}
    own = {key: value for key, value in settings.items() if key not in ("log.dir", "metadata.log.dir")}
    own["log.dirs"] = str(FOLDER / "image")
    if "listeners" in own:
        own["listeners"] = ADDRESS.sub(lambda found: local(found, ports), own["listeners"])
    if "zookeeper.connect" in own:
        own["zookeeper.connect"] = f"localhost:{ZOOKEEPER}"
    for key in ("controller.quorum.voters", "controller.quorum.bootstrap.servers"):
        if key in own:
            own[key] = quorum(own, key, ports)
    for key, value in STORES.items():
        if key in own:
            own[key] = value
    if any(key in own for key in STORES):
        own |= STORES
    return own


def local(found: re.Match[str], ports: dict[str, str]) -> str:
    """A listener's address on the loopback, its port one of ours: equal ports stay equal."""
    host = found[2] if found[2] in EVERYWHERE else "localhost"
    return f"{found[1]}{host}:{port_of(found[3], ports)}"


def port_of(port: str, ports: dict[str, str]) -> str:
    """Our port for one of the file."""
    return port if port == "0" else ports.setdefault(port, str(PORT + len(ports)))


def quorum(settings: Mapping[str, str], key: str, ports: dict[str, str]) -> str:
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
    return f"{PEER}@localhost:{CONTROLLER}"
