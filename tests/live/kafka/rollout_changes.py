"""The changes that `make test-rollout` rolls out: what they make of the nodes' files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.live.kafka.node import Node
from tests.live.kafka.rollout_clusters import KRAFT, Values
from tests.live.kafka.security import STORE_PASSWORD

Change = Callable[[Node], Values]
BROKERS, CONTROLLERS, ALL = "brokers", "controllers", "all"
AUTHORIZER = {"authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer"}
ANONYMOUS = {"super.users": "User:ANONYMOUS"}
STEP = 300
"""How far a node's second port is from its first one."""
PLAIN = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="b" user_a="b";'
SCRAM = 'org.apache.kafka.common.security.scram.ScramLoginModule required username="a" password="b";'
GONE = None
"""A key that is taken away."""


@dataclass(eq=False)
class Scenario:
    """A change: of which nodes, from which configuration on, with what formatted; patient or not, in the passes planned."""

    name: str
    change: Change
    nodes: str | tuple[int, ...] = BROKERS
    kind: str = KRAFT
    before: Change = field(default=lambda node: {})
    formats: Callable[[Node], list[Path]] = field(default=lambda node: [])
    patient: bool = False
    planned: bool = False
    elr: bool | None = True
    """Eligible leader replicas; with None what its release has where nothing is said when it is formatted."""
    tls: bool = False
    joins: tuple[int, ...] = ()
    """Controllers that the new files add."""
    running: bool = False
    """Whether the running cluster is the old side, in place of its files."""
    dynamic: Mapping[str, str] = field(default_factory=dict)
    """Cluster-wide dynamic values that are set before."""


def same(**values: object) -> Change:
    """The same values on every node; names with underscores for dots."""
    named = {key.replace("__", "-").replace("_", "."): value for key, value in values.items()}
    return lambda node: named


def port_of(node: Node) -> int:
    """The node's port of the start, which its number is kept by."""
    return node.first_port


def entry(name: str, node: Node, step: int = 0) -> str:
    """One listener."""
    return f"{name}://127.0.0.1:{port_of(node) + step}"


def and_controller(node: Node) -> str:
    """The controllers' listener of a node of both roles, beside others."""
    return f",CONTROLLER://127.0.0.1:{node.second_port}" if node.second_port else ""


def mapped(**protocols: str) -> dict[str, object]:
    """The map of listeners to protocols."""
    every = {"CONTROLLER": "PLAINTEXT", "PLAINTEXT": "PLAINTEXT", **protocols}
    return {"listener.security.protocol.map": ",".join(f"{name}:{protocol}" for name, protocol in every.items())}


def two_listeners(node: Node, protocol: str = "PLAINTEXT") -> dict[str, object]:
    """A second listener beside the first one."""
    both = f"{entry('PLAINTEXT', node)},{entry('INTERNAL', node, STEP)}"
    return {
        "listeners": both + and_controller(node),
        "advertised.listeners": both,
        **mapped(INTERNAL=protocol),
        **login(protocol, node),
    }


def login(protocol: str, node: Node) -> dict[str, object]:
    """What nodes log in and encrypt with on the second listener."""
    values: dict[str, object] = {}
    if protocol.startswith("SASL"):
        values |= {
            "sasl.enabled.mechanisms": "PLAIN",
            "sasl.mechanism.inter.broker.protocol": "PLAIN",
            "listener.name.internal.plain.sasl.jaas.config": PLAIN,
        }
    return values | (stores(node) if protocol.endswith("SSL") else {})


def stores(node: Node) -> dict[str, object]:
    """The stores of a cluster with certificates."""
    folder = node.folder.parent
    return {
        "ssl.keystore.location": folder / "keystore.p12",
        "ssl.keystore.password": STORE_PASSWORD,
        "ssl.keystore.type": "PKCS12",
        "ssl.key.password": STORE_PASSWORD,
        "ssl.truststore.location": folder / "truststore.p12",
        "ssl.truststore.password": STORE_PASSWORD,
        "ssl.truststore.type": "PKCS12",
    }


def one_listener(name: str, step: int) -> Change:
    """Another listener in place of the first one."""

    def change(node: Node) -> Values:
        address = entry(name, node, step)
        return {
            "listeners": address,
            "advertised.listeners": address,
            "inter.broker.listener.name": name,
            **mapped(**{name: "PLAINTEXT"}),
        }

    return change


def switched(node: Node, protocol: str = "PLAINTEXT") -> Values:
    """The second listener, used between brokers at once."""
    return {**two_listeners(node, protocol), "inter.broker.listener.name": "INTERNAL"}


def directory(node: Node, name: str) -> Path:
    """A directory of a node."""
    return node.folder / name


def moved(node: Node) -> Values:
    """All log directories are others."""
    return {"log.dirs": directory(node, "moved")}


def added(node: Node) -> Values:
    """One more log directory."""
    return {"log.dirs": f"{node.data},{directory(node, 'more')}"}


def swapped(node: Node) -> Values:
    """The directories in another order."""
    return {"log.dirs": f"{directory(node, 'more')},{node.data}"}


def more(node: Node) -> list[Path]:
    """The second directory."""
    return [directory(node, "more")]


def metadata_moved(node: Node) -> Values:
    """The metadata log gets a directory of its own."""
    return {"metadata.log.dir": directory(node, "metadata")}


def metadata(node: Node) -> list[Path]:
    """The directory of the metadata log."""
    return [directory(node, "metadata")]


def moved_directory(node: Node) -> list[Path]:
    """The directory that replaces the others."""
    return [directory(node, "moved")]
