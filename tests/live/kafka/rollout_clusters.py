"""The clusters on which changes are rolled out; their clients log in as the files of the nodes say at the moment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.live.kafka import security
from tests.live.kafka.cluster import Cluster
from tests.live.kafka.jars import java
from tests.live.kafka.kraft import add_broker, features, formatter
from tests.live.kafka.node import Node
from tests.live.kafka.settings import KRAFT_TIMINGS, TIMINGS, controller, identifier, write_meta

Values = Mapping[str, object]
KRAFT, THREE, COMBINED, DYNAMIC, ZOOKEEPER = "kraft", "three controllers", "combined", "dynamic", "zookeeper"
VERSIONS = {KRAFT: "4.3.1", THREE: "4.3.1", COMBINED: "4.3.1", DYNAMIC: "4.3.1", ZOOKEEPER: "3.9.2"}
SECOND = "second"
"""The name of the other certificate of a cluster with certificates."""
USER, SECRET = "a", "b"
"""As whom clients and nodes log in by SASL."""
SCRAM_USER = f"SCRAM-SHA-512=[name={USER},password={SECRET}]"
PLAIN_MAP = {"listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT"}


class RolloutCluster(Cluster):
    """A cluster whose listeners change: clients speak what the listener that they use speaks."""

    client_listener = ""
    pem: Path | None = None
    options: tuple[str, ...] = ()
    """The options by which the controllers' directories are formatted before the first start."""
    cluster_id = ""

    def start(self) -> None:
        """Format what is to be formatted, and start everything."""
        nodes = [node for node in self.everyone.values() if "controller" in str(node.config.get("process.roles"))]
        format_nodes(nodes, self.cluster_id, list(self.options))
        super().start()

    def client_config(self, user: str | None = None) -> dict[str, object]:
        """librdkafka's settings."""
        protocol = self.protocol()
        login: dict[str, object] = {"security.protocol": protocol} if protocol != "PLAINTEXT" else {}
        if protocol.startswith("SASL"):
            login |= {"sasl.mechanism": "PLAIN", "sasl.username": USER, "sasl.password": SECRET}
        if protocol.endswith("SSL"):
            login["ssl.ca.location"] = str(self.pem)
        return {"bootstrap.servers": self.bootstrap, **login}

    def python_settings(self, node: Node, user: str = security.ADMIN) -> dict[str, object]:
        """kafka-python's settings to speak with one broker."""
        protocol = protocol_of(node.config, self.client_listener)
        login: dict[str, object] = {"security_protocol": protocol} if protocol != "PLAINTEXT" else {}
        if protocol.startswith("SASL"):
            login |= {"sasl_mechanism": "PLAIN", "sasl_plain_username": USER, "sasl_plain_password": SECRET}
        if protocol.endswith("SSL"):
            login["ssl_cafile"] = str(self.pem)
        return {"bootstrap_servers": node.address, **login}

    def properties(self, user: str | None = None, style: str = "java") -> str:
        """The settings of a Java client."""
        plain = "org.apache.kafka.common.security.plain.PlainLoginModule"
        rows = {
            "security.protocol": self.protocol(),
            "sasl.mechanism": "PLAIN",
            "sasl.jaas.config": f'{plain} required username="{USER}" password="{SECRET}";',
            **({"ssl.truststore.type": "PEM", "ssl.truststore.location": self.pem} if self.pem else {}),
        }
        return "".join(f"{key}={value}\n" for key, value in rows.items())

    def protocol(self) -> str:
        """What the listener that clients use speaks, as the first broker that has it says."""
        return protocol_of(next(iter(self.nodes.values())).config, self.client_listener)


def protocol_of(values: Values, listener: str) -> str:
    """The protocol of the listener that clients use."""
    rows = client_listeners(values)
    return rows.get(listener, next(iter(rows.values()), ("PLAINTEXT", 0)))[0]


def client_listeners(values: Values) -> dict[str, tuple[str, int]]:
    """Protocol and port of the listeners of clients, those in plain text first."""
    entries = (row.partition(":") for row in str(values.get("listener.security.protocol.map", "")).split(","))
    protocols = {name: protocol for name, mark, protocol in entries if mark}
    of_controllers = str(values.get("controller.listener.names", "")).split(",")
    rows = {}
    for entry in str(values.get("listeners", "")).split(","):
        name, mark, address = entry.partition("://")
        if mark and name not in of_controllers and protocols.get(name, name):
            rows[name] = (protocols.get(name, name), int(address.rpartition(":")[2]))
    return dict(sorted(rows.items(), key=lambda row: row[1][0] != "PLAINTEXT"))


def cluster_for(kind: str, folder: Path, elr: bool | None = True, tls: bool = False) -> RolloutCluster:
    """A cluster of some kind, not started."""
    version = VERSIONS[kind]
    levels = [] if elr is None else features(version, elr)
    cluster = RolloutCluster(folder, version)
    if tls:
        keys = security.Keys(java(version), cluster.folder)
        keys.add(SECOND)
        cluster.pem = keys.pem
    if kind == ZOOKEEPER:
        from tests.live.kafka.zookeeper import build

        build(cluster, 3, 1, "", {"listener.security.protocol.map": "PLAINTEXT:PLAINTEXT"})
    elif kind == COMBINED:
        combined(cluster, levels)
    else:
        apart(cluster, 1 if kind == KRAFT else 3, kind == DYNAMIC, levels)
    return cluster


def apart(cluster: RolloutCluster, controllers: int, dynamic: bool, levels: list[str]) -> None:
    """Brokers and controllers apart, with a static list of voters or with a dynamic quorum."""
    cluster.cluster_id = identifier()
    ports = {101 + number: cluster.ports.take() for number in range(controllers)}
    voters = ",".join(f"{id}@127.0.0.1:{port}" for id, port in ports.items())
    initial = ",".join(f"{id}@127.0.0.1:{port}:{identifier()}" for id, port in ports.items())
    for id, port in ports.items():
        own = controller(id, port, cluster.folder / f"n{id}" / "data", voters)
        cluster.add(cluster.controllers, id, port, own).when_started = cluster.listens
    for id in (1, 2, 3):
        add_broker(cluster, id, cluster.cluster_id, voters, {})
    if dynamic:
        servers = ",".join(f"127.0.0.1:{port}" for port in ports.values())
        for node in cluster.everyone.values():
            del node.config["controller.quorum.voters"]
            node.config["controller.quorum.bootstrap.servers"] = servers
    cluster.options = (*levels, *(("--initial-controllers", initial) if dynamic else ()))


def combined(cluster: RolloutCluster, levels: list[str]) -> None:
    """Three nodes that are brokers and controllers."""
    ports = {id: (cluster.ports.take(), cluster.ports.take()) for id in (1, 2, 3)}
    voters = ",".join(f"{id}@127.0.0.1:{second}" for id, (_, second) in ports.items())
    for id, (port, second) in ports.items():
        config = {
            "process.roles": "broker,controller",
            "node.id": id,
            "listeners": f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{second}",
            "advertised.listeners": f"PLAINTEXT://127.0.0.1:{port}",
            "inter.broker.listener.name": "PLAINTEXT",
            "controller.listener.names": "CONTROLLER",
            "controller.quorum.voters": voters,
            "log.dirs": cluster.folder / f"n{id}" / "data",
            **PLAIN_MAP,
            **TIMINGS,
            **KRAFT_TIMINGS,
        }
        cluster.add(cluster.nodes, id, port, config).second_port = second
    cluster.cluster_id, cluster.options = identifier(), tuple(levels)


def format_nodes(nodes: list[Node], cluster_id: str, options: list[str]) -> None:
    """Format nodes, all at the same time, with a user that can log in."""
    running = [(node, formatter(node, cluster_id, [*options, "--add-scram", SCRAM_USER])) for node in nodes]
    for node, process in running:
        said, _ = process.communicate()
        if process.returncode:
            raise RuntimeError(f"node {node.id} was not formatted: {said}")


def add_controller(cluster: RolloutCluster, id: int, template: Node) -> Node:
    """One more controller, neither formatted nor started."""
    port = cluster.ports.take()
    own = controller(id, port, cluster.folder / f"n{id}" / "data", "")
    del own["controller.quorum.voters"]
    keys = [key for key in template.config if key.startswith("controller.quorum.")]
    return cluster.add(cluster.controllers, id, port, own | {key: template.config[key] for key in keys})


def copy_meta(node: Node, path: Path) -> None:
    """Write meta.properties into a directory as the formatted directories of the node have it."""
    rows = [Path(str(text)) for text in (node.data, *str(node.config["log.dirs"]).split(","))]
    present = next((row for row in rows if (row / "meta.properties").exists()), None)
    if present is None:
        path.mkdir(parents=True, exist_ok=True)
        return
    lines = dict(line.split("=", 1) for line in (present / "meta.properties").read_text().splitlines() if "=" in line)
    write_meta(path, lines["cluster.id"], int(lines.get("node.id", lines.get("broker.id", "0"))), identifier())


def updated(config: Values, change: Values) -> dict[str, object]:
    """A configuration with some keys set or taken away."""
    return {key: value for key, value in {**config, **change}.items() if value is not None}
