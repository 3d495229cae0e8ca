"""Requests that brokers have answered, by API, as their own metrics count them (RequestMetrics over JMX)."""

from __future__ import annotations

import re
import subprocess
from collections import Counter

from tests.live.kafka.cluster import Cluster
from tests.live.kafka.node import Node

TOOL = "org.apache.kafka.tools.JmxTool"
METRIC = "kafka.network:type=RequestMetrics,name=RequestsPerSec,request=*,version=*"
ROW = re.compile(r"request=(\w+),version=\d+:Count=(\d+)")
OF_BROKERS = (
    "Fetch",
    "FetchFollower",
    "BrokerHeartbeat",
    "FetchSnapshot",
    "AlterPartition",
    "ApiVersions",
    "UpdateMetadata",
)
"""What brokers and controllers ask of each other, and what a client asks once for each connection."""


def expose_metrics(cluster: Cluster) -> dict[int, int]:
    """Let every broker answer JMX on a port of its own from its next start; the ports by broker."""
    ports = {}
    for node in cluster.nodes.values():
        ports[node.id] = cluster.ports.take()
        node.java = [node.java[0], *options(ports[node.id]), *node.java[1:]]
    return ports


def options(port: int) -> list[str]:
    """The JVM's options for JMX without authentication, on the loopback."""
    names = {"port": port, "rmi.port": port, "authenticate": "false", "ssl": "false", "host": "127.0.0.1"}
    flags = [f"-Dcom.sun.management.jmxremote.{name}={value}" for name, value in names.items()]
    return ["-Djava.rmi.server.hostname=127.0.0.1", *flags]


def requests_so_far(cluster: Cluster, ports: dict[int, int]) -> Counter[str]:
    """How many requests of each API all brokers have answered."""
    counts: Counter[str] = Counter()
    for node in cluster.nodes.values():
        for name, count in ROW.findall(metrics(cluster, node, ports[node.id])):
            if name not in OF_BROKERS:
                counts[name] += int(count)
    return counts


def metrics(cluster: Cluster, node: Node, port: int) -> str:
    """One broker's counts."""
    url = f"service:jmx:rmi:///jndi/rmi://127.0.0.1:{port}/jmxrmi"
    command = [*cluster.java, TOOL, "--jmx-url", url, "--object-name", METRIC, "--attributes", "Count", "--one-time"]
    done = subprocess.run([*command, "--report-format", "properties"], capture_output=True, text=True, check=False)
    if not ROW.search(done.stdout):
        raise RuntimeError(f"broker {node.id} shows no metrics: {done.stdout[:200]} {done.stderr[:200]}")
    return done.stdout
