"""Build a KRaft cluster: ids, files, formatted log directories."""

from __future__ import annotations

import subprocess

from tests.live.kafka import security
from tests.live.kafka.node import Node
from tests.live.kafka.processes import Config, Processes
from tests.live.kafka.settings import controller, identifier, kraft_broker, write_meta

SESSION = "broker.session.timeout.ms"
"""The controllers decide on it: it is taken from the brokers' settings."""


def build(
    cluster: Processes, brokers: int, controllers: int, levels: list[str], config: Config, controller_config: Config
) -> None:
    """Everything but the start; `levels` are the options of kafka-storage.sh that finalize features."""
    cluster_id = identifier()
    ports = {101 + number: cluster.ports.take() for number in range(controllers)}
    voters = ",".join(f"{id}@127.0.0.1:{port}" for id, port in ports.items())
    session = {SESSION: config[SESSION]} if SESSION in config else {}
    secured = security.ANYWHERE if cluster.keys else {}
    for id, port in ports.items():
        own = controller(id, port, cluster.folder / f"n{id}" / "data", voters)
        node = cluster.add(cluster.controllers, id, port, {**own, **secured, **session, **controller_config})
        node.when_started = cluster.listens
    for id in range(1, brokers + 1):
        add_broker(cluster, id, cluster_id, voters, config)
    format_all(cluster, cluster_id, levels)


def add_broker(cluster: Processes, id: int, cluster_id: str, voters: str, config: Config) -> None:
    """A broker with a log directory that needs no JVM to be formatted."""
    port = cluster.ports.take()
    protocol = "SASL_SSL" if cluster.keys else "PLAINTEXT"
    own = kraft_broker(id, port, cluster.folder / f"n{id}" / "data", voters, protocol)
    secured = cluster.keys.broker() if cluster.keys else {}
    node = cluster.add(cluster.nodes, id, port, {**own, **secured, **config})
    node.when_started = lambda node: cluster.ready()
    write_meta(node.data, cluster_id, id, identifier())


def features(version: str, elr: bool) -> list[str]:
    """The options that switch eligible leader replicas on or off, where that version has them."""
    return ["--feature", f"eligible.leader.replicas.version={int(elr)}"] if version.startswith("4.") else []


def format_all(cluster: Processes, cluster_id: str, options: list[str]) -> None:
    """Format the controllers, all at the same time."""
    scram = security.scram_option() if cluster.keys else []
    running = [(node, formatter(node, cluster_id, [*options, *scram])) for node in cluster.controllers.values()]
    for node, process in running:
        said, _ = process.communicate()
        if process.returncode:
            raise RuntimeError(f"node {node.id} was not formatted: {said}")


def formatter(node: Node, cluster_id: str, options: list[str]) -> subprocess.Popen[str]:
    """The storage tool at work."""
    node.write()
    command = [*node.java, "kafka.tools.StorageTool", "format", "-t", cluster_id, "-c", str(node.properties), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
