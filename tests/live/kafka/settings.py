"""The configuration files of brokers, controllers and ZooKeeper servers, with timings that suit tests."""

from __future__ import annotations

import base64
import os
from pathlib import Path

TIMINGS: dict[str, object] = {
    "replica.lag.time.max.ms": 3000,
    "replica.fetch.wait.max.ms": 200,
    "replica.socket.timeout.ms": 1500,
    "auto.leader.rebalance.enable": "false",
    "auto.create.topics.enable": "false",
    "group.initial.rebalance.delay.ms": 0,
    "num.network.threads": 2,
    "num.io.threads": 2,
    "offsets.topic.num.partitions": 5,
    "transaction.state.log.num.partitions": 5,
    "log.cleaner.dedupe.buffer.size": 10_000_000,
}
"""Of every broker; the cluster's own settings come over them."""
KRAFT_TIMINGS: dict[str, object] = {"broker.heartbeat.interval.ms": 500, "broker.session.timeout.ms": 3000}
ZOOKEEPER_TIMINGS: dict[str, object] = {
    "zookeeper.session.timeout.ms": 4000,
    "zookeeper.connection.timeout.ms": 20000,
}
LOG4J2 = """<Configuration><Appenders><Console name="out"><PatternLayout pattern="[%d] %p %m (%c)%n"/></Console></Appenders>
<Loggers><Root level="INFO"><AppenderRef ref="out"/></Root></Loggers></Configuration>
"""
LOG4J = """log4j.rootLogger=INFO, out
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=[%d] %p %m (%c)%n
"""


def identifier() -> str:
    """A new cluster or directory id: URL-safe base64 of 16 bytes that begins with no dash."""
    while (text := base64.urlsafe_b64encode(os.urandom(16)).decode().rstrip("=")).startswith("-"):
        pass
    return text


def loggers(folder: Path) -> list[str]:
    """The JVM options that make a node log to its console; the files are written into the folder."""
    (folder / "log4j2.xml").write_text(LOG4J2)
    (folder / "log4j.properties").write_text(LOG4J)
    return [
        f"-Dlog4j2.configurationFile=file:{folder}/log4j2.xml",
        f"-Dlog4j.configuration=file:{folder}/log4j.properties",
    ]


def listener(protocol: str, port: int) -> dict[str, object]:
    """The one listener of a broker, for clients and brokers alike."""
    address = f"{protocol}://127.0.0.1:{port}"
    return {"listeners": address, "advertised.listeners": address, "inter.broker.listener.name": protocol}


def kraft_broker(id: int, port: int, data: Path, voters: str, protocol: str) -> dict[str, object]:
    """A dedicated broker."""
    return {
        "process.roles": "broker",
        "node.id": id,
        **listener(protocol, port),
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": f"CONTROLLER:PLAINTEXT,{protocol}:{protocol}",
        "controller.quorum.voters": voters,
        "log.dirs": data,
        **TIMINGS,
        **KRAFT_TIMINGS,
    }


def controller(id: int, port: int, data: Path, voters: str) -> dict[str, object]:
    """A dedicated controller."""
    return {
        "process.roles": "controller",
        "node.id": id,
        "listeners": f"CONTROLLER://127.0.0.1:{port}",
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT",
        "controller.quorum.voters": voters,
        "log.dirs": data,
        **KRAFT_TIMINGS,
        "unclean.leader.election.interval.ms": 1000,
    }


def zookeeper_broker(id: int, port: int, data: Path, connect: str) -> dict[str, object]:
    """A broker of a ZooKeeper cluster."""
    return {
        "broker.id": id,
        "zookeeper.connect": connect,
        **listener("PLAINTEXT", port),
        "log.dirs": data,
        **TIMINGS,
        **ZOOKEEPER_TIMINGS,
    }


def zookeeper_server(port: int, data: Path, ensemble: dict[int, tuple[int, int]]) -> dict[str, object]:
    """A ZooKeeper server; `ensemble` has the quorum and election port of each where there are several."""
    members = {f"server.{id}": f"127.0.0.1:{quorum}:{election}" for id, (quorum, election) in ensemble.items()}
    return {
        "dataDir": data,
        "clientPort": port,
        "clientPortAddress": "127.0.0.1",
        "tickTime": 500,
        "initLimit": 20,
        "syncLimit": 10,
        "admin.enableServer": "false",
        "4lw.commands.whitelist": "*",
        "maxClientCnxns": 0,
        **members,
    }


def write_meta(data: Path, cluster_id: str, node_id: int, directory_id: str) -> None:
    """What formatting writes into a broker's log directory."""
    data.mkdir(parents=True, exist_ok=True)
    lines = ("version=1", f"cluster.id={cluster_id}", f"node.id={node_id}", f"directory.id={directory_id}")
    (data / "meta.properties").write_text("\n".join(lines) + "\n")
