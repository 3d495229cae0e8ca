"""Changes of the controllers: their listeners, and who votes."""

from __future__ import annotations

from tests.live.kafka.node import Node
from tests.live.kafka.rollout_changes import GONE, PLAIN, STEP, Change, entry, mapped
from tests.live.kafka.rollout_clusters import Values

UNUSED = 9


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


def without_migration(node: Node) -> Values:
    """A broker of ZooKeeper becomes a KRaft cluster of its own on the directories that it has."""
    controller = entry("CONTROLLER", node, STEP)
    return {
        "zookeeper.connect": GONE,
        "broker.id": GONE,
        "node.id": node.id,
        "process.roles": "broker,controller",
        "controller.quorum.voters": f"{node.id}@{controller.partition('://')[2]}",
        "controller.listener.names": "CONTROLLER",
        "listeners": f"{entry('PLAINTEXT', node)},{controller}",
        **mapped(),
    }


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


def servers_fewer(node: Node) -> Values:
    """One server less to begin with."""
    servers = str(node.config["controller.quorum.bootstrap.servers"]).split(",")
    return {"controller.quorum.bootstrap.servers": ",".join(servers[:-1])}


def nobody_served(node: Node) -> Values:
    """Servers to begin with at a port on which nothing listens."""
    return {"controller.quorum.bootstrap.servers": f"127.0.0.1:{UNUSED}"}


def last_server_moved(node: Node) -> Values:
    """The last controller of a dynamic quorum gets another port."""
    servers = str(node.config["controller.quorum.bootstrap.servers"]).split(",")
    head, _, port = servers[-1].rpartition(":")
    own = {"listeners": entry("CONTROLLER", node, STEP)} if node.id == 103 else {}
    return {**own, "controller.quorum.bootstrap.servers": ",".join([*servers[:-1], f"{head}:{int(port) + STEP}"])}
