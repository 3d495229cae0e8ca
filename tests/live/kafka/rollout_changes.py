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


def controllers_port(node: Node) -> str:
    """The voters of three controllers, the last of them on another port."""
    voters = str(node.config["controller.quorum.voters"]).split(",")
    head, _, port = voters[-1].rpartition(":")
    return ",".join([*voters[:-1], f"{head}:{int(port) + STEP}"])


def last_voter_moved(node: Node) -> Values:
    """One voter of three gets another port."""
    own = {"listeners": entry("CONTROLLER", node, STEP)} if node.id == 103 else {}
    return {"controller.quorum.voters": controllers_port(node), **own}


def controller_renamed(node: Node) -> Values:
    """The controllers' listener gets another name on its port."""
    own = {"listeners": entry("CTRL", node)} if node.id > 100 else {}
    return {**own, "controller.listener.names": "CTRL", **mapped(CTRL="PLAINTEXT")}


def as_bootstrap(node: Node) -> Values:
    """Servers to begin with in place of the voters."""
    voters = str(node.config["controller.quorum.voters"]).split(",")
    servers = ",".join(voter.partition("@")[2] for voter in voters)
    return {"controller.quorum.voters": GONE, "controller.quorum.bootstrap.servers": servers}


def only_first_votes(node: Node) -> Values:
    """Of three combined nodes the first one alone stays a controller."""
    first = {"controller.quorum.voters": str(node.config["controller.quorum.voters"]).split(",")[0]}
    if node.id == 1:
        return first
    return {**first, "process.roles": "broker", "listeners": entry("PLAINTEXT", node)}


# Mechanisms, principals and protocols of listeners that are there already


def scram(node: Node) -> Values:
    """Brokers log in by SCRAM in place of PLAIN."""
    return {
        "sasl.enabled.mechanisms": "SCRAM-SHA-512",
        "sasl.mechanism.inter.broker.protocol": "SCRAM-SHA-512",
        "listener.name.internal.plain.sasl.jaas.config": GONE,
        "listener.name.internal.scram-sha-512.sasl.jaas.config": SCRAM,
    }


def authorized(*users: str) -> Change:
    """An authorizer with super users, on brokers with a second listener that is logged in to."""

    def change(node: Node) -> Values:
        own = switched(node, "SASL_PLAINTEXT") if node.id < 100 else {}
        return {**own, **AUTHORIZER, "super.users": ";".join(users)}

    return change


def only_secured(node: Node) -> Values:
    """One listener with certificates and logins in place of the plain one, for clients as well."""
    address = entry("SECURED", node, STEP)
    return {
        **stores(node),
        "listeners": address,
        "advertised.listeners": address,
        "inter.broker.listener.name": "SECURED",
        **mapped(SECURED="SASL_SSL"),
        "sasl.enabled.mechanisms": "PLAIN",
        "sasl.mechanism.inter.broker.protocol": "PLAIN",
        "listener.name.secured.plain.sasl.jaas.config": PLAIN,
    }


def by_protocol(protocol: str) -> Change:
    """Listeners called by their protocols, one of which brokers use."""

    def change(node: Node) -> Values:
        both = f"{entry('PLAINTEXT', node)},{entry('SASL_PLAINTEXT', node, STEP)}"
        secured = protocol != "PLAINTEXT"
        return {
            "listeners": both if secured else entry("PLAINTEXT", node),
            "advertised.listeners": both if secured else entry("PLAINTEXT", node),
            "inter.broker.listener.name": GONE,
            "security.inter.broker.protocol": protocol,
            **mapped(SASL_PLAINTEXT="SASL_PLAINTEXT"),
            "sasl.enabled.mechanisms": "PLAIN",
            "sasl.mechanism.inter.broker.protocol": "PLAIN",
            "listener.name.sasl_plaintext.plain.sasl.jaas.config": PLAIN,
        }

    return change


# The listeners of controllers


def controllers_secured(name: str, step: int) -> Change:
    """Controllers that are logged in to, on a listener of another name and port, or on that of now."""

    def change(node: Node) -> Values:
        key = f"listener.name.{name.lower()}.plain.sasl.jaas.config"
        own = {"listeners": entry(name, node, step)} if node.id > 100 else {}
        voters = {"controller.quorum.voters": voters_moved(node, step)} if step else {}
        login = {"sasl.mechanism.controller.protocol": "PLAIN", "sasl.enabled.mechanisms": "PLAIN", key: PLAIN}
        return {**own, **voters, **login, "controller.listener.names": name, **mapped(**{name: "SASL_PLAINTEXT"})}

    return change


def voters_moved(node: Node, step: int) -> str:
    """The voters, each on another port."""
    rows = (voter.rpartition(":") for voter in str(node.config["controller.quorum.voters"]).split(","))
    return ",".join(f"{head}:{int(port) + step}" for head, _, port in rows)


def every_voter_moved(node: Node) -> Values:
    """Every controller gets another port."""
    own = {"listeners": entry("CONTROLLER", node, STEP)} if node.id > 100 else {}
    return {**own, "controller.quorum.voters": voters_moved(node, STEP)}


def combined_renamed(node: Node) -> Values:
    """The controllers' listener of nodes of both roles gets another name."""
    return {
        "listeners": f"{entry('PLAINTEXT', node)},CTRL://127.0.0.1:{node.second_port}",
        "controller.listener.names": "CTRL",
        **mapped(CTRL="PLAINTEXT"),
    }


def combined_protocol(node: Node) -> Values:
    """The controllers' listener of nodes of both roles is logged in to."""
    return {
        "sasl.mechanism.controller.protocol": "PLAIN",
        "sasl.enabled.mechanisms": "PLAIN",
        "listener.name.controller.plain.sasl.jaas.config": PLAIN,
        **mapped(CONTROLLER="SASL_PLAINTEXT"),
    }


# Quorums


def servers_fewer(node: Node) -> Values:
    """One server less to begin with."""
    servers = str(node.config["controller.quorum.bootstrap.servers"]).split(",")
    return {"controller.quorum.bootstrap.servers": ",".join(servers[:-1])}


def last_server_moved(node: Node) -> Values:
    """The last controller of a dynamic quorum gets another port."""
    servers = str(node.config["controller.quorum.bootstrap.servers"]).split(",")
    head, _, port = servers[-1].rpartition(":")
    own = {"listeners": entry("CONTROLLER", node, STEP)} if node.id == 103 else {}
    return {**own, "controller.quorum.bootstrap.servers": ",".join([*servers[:-1], f"{head}:{int(port) + STEP}"])}


def metadata_moved(node: Node) -> Values:
    """The metadata log gets a directory of its own."""
    return {"metadata.log.dir": directory(node, "metadata")}


def metadata(node: Node) -> list[Path]:
    """The directory of the metadata log."""
    return [directory(node, "metadata")]


def moved_directory(node: Node) -> list[Path]:
    """The directory that replaces the others."""
    return [directory(node, "moved")]
