"""Build a cluster with ZooKeeper, and wait for ZooKeeper where a broker must."""

from __future__ import annotations

import contextlib
import socket

from tests.live.kafka.node import Node, until
from tests.live.kafka.ports import HOST
from tests.live.kafka.processes import Config, Processes
from tests.live.kafka.settings import zookeeper_broker, zookeeper_server

MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain"


def build(cluster: Processes, brokers: int, servers: int, chroot: str, config: Config) -> None:
    """Everything but the start."""
    ports = {201 + number: cluster.ports.take() for number in range(servers)}
    pairs = {id: (cluster.ports.take(), cluster.ports.take()) for id in ports} if servers > 1 else {}
    for id, port in ports.items():
        own = zookeeper_server(port, cluster.folder / f"n{id}" / "data", pairs)
        node = cluster.add(cluster.servers, id, port, own, MAIN)
        node.data.mkdir(exist_ok=True)
        (node.data / "myid").write_text(f"{id}\n")
        node.when_started = serves
    cluster.zookeeper_connect = ",".join(f"127.0.0.1:{port}" for port in ports.values()) + chroot
    for id in range(1, brokers + 1):
        port = cluster.ports.take()
        own = zookeeper_broker(id, port, cluster.folder / f"n{id}" / "data", cluster.zookeeper_connect)
        node = cluster.add(cluster.nodes, id, port, {**own, **config})
        node.before_start = lambda node: forgotten(cluster, node)
        node.when_started = lambda node: cluster.ready()


def serves(node: Node) -> None:
    """Wait until a server has found its quorum."""

    def has_mode() -> bool:
        node.check()
        return "Mode:" in said(node, "srvr")

    until(has_mode, lambda: f"ZooKeeper {node.id} serves: {node.tail()}")


def forgotten(cluster: Processes, broker: Node) -> None:
    """Wait until ZooKeeper has forgotten a killed broker: one that is back before that exits (NodeExists)."""
    until(lambda: not registered(cluster, broker.id), lambda: f"ZooKeeper forgets broker {broker.id}")


def registered(cluster: Processes, id: int) -> bool:
    """Whether the ephemeral node of a broker exists (every server knows of all; one that is silent knows nothing)."""
    return any(f"/brokers/ids/{id}\n" in said(server, "dump") for server in cluster.servers.values() if server.alive())


def said(server: Node, word: str) -> str:
    """The answer to a four-letter word; empty where there is none."""
    with contextlib.suppress(OSError), socket.create_connection((HOST, server.port), 2) as connection:
        connection.sendall(word.encode())
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
        return b"".join(parts).decode() + "\n"
    return ""
