"""The processes of a cluster: started in order, watched, killed when it is over."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.live.kafka import class_archive, security, wire
from tests.live.kafka.jars import java, libs
from tests.live.kafka.node import JVM, PATIENCE, Node, until
from tests.live.kafka.ports import Ports, answers
from tests.live.kafka.settings import loggers
from tests.live.kafka.wire import Silent

Config = Mapping[str, object]


class Processes:
    """Brokers in `nodes`, controllers in `controllers`, ZooKeeper servers in `servers`, each by its id.

    A context manager: entering starts everything and waits until every broker knows every broker; leaving kills all.
    """

    def __init__(self, folder: Path, version: str, secured: bool = False) -> None:
        self.version = version
        self.folder = folder.resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.ports = Ports()
        shared = class_archive.options(version)
        self.java = [java(version), *JVM, *shared, *loggers(self.folder), "-cp", f"{libs(version)}/*"]
        self.keys = security.Keys(java(version), self.folder) if secured else None
        self.passwords = {security.ADMIN: security.PASSWORD}
        self.nodes: dict[int, Node] = {}
        self.controllers: dict[int, Node] = {}
        self.servers: dict[int, Node] = {}
        self.zookeeper_connect = ""

    def distinguish(self, node_config: Mapping[int, Config], racks: Mapping[int, str]) -> None:
        """The settings of single nodes."""
        for id, rack in racks.items():
            self.nodes[id].config["broker.rack"] = rack
        for id, settings in node_config.items():
            self.everyone[id].config.update(settings)

    def add(
        self, group: dict[int, Node], id: int, port: int, config: dict[str, object], main: str = "kafka.Kafka"
    ) -> Node:
        """One more node."""
        node = group[id] = Node(id, port, self.folder / f"n{id}", main, config, self.java)
        return node

    @property
    def everyone(self) -> dict[int, Node]:
        """Every process, in the order to start them."""
        return {**self.servers, **self.controllers, **self.nodes}

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start everything and wait until it is ready."""
        for group in (self.servers, self.controllers):
            for node in group.values():
                node.start(wait=False)
            for node in group.values():
                self.listens(node)
        for node in self.nodes.values():
            node.start(wait=False)
        self.ready()

    def close(self) -> None:
        """Kill everything and give the ports back."""
        for broker in self.live()[:1]:
            class_archive.leave(self.version, broker)
        for node in reversed(self.everyone.values()):
            node.kill()
        self.ports.give_back()

    def listens(self, node: Node, timeout: float = PATIENCE) -> None:
        """Wait until a port accepts."""

        def accepts() -> bool:
            node.check()
            return answers(node.port)

        until(accepts, lambda: f"node {node.id} listens: {node.tail()}", timeout)

    def live(self) -> list[Node]:
        """The brokers that run and are not paused."""
        return [node for node in self.nodes.values() if node.alive()]

    def ready(self, timeout: float = PATIENCE) -> None:
        """Wait until each live broker knows all live brokers. Raises NodeDied, TimeoutError."""
        until(self.is_ready, lambda: f"all brokers know {[node.id for node in self.live()]}", timeout)

    def is_ready(self) -> bool:
        """Whether each live broker's own metadata lists all live brokers."""
        for node in self.everyone.values():
            node.check()
        wanted = {node.id for node in self.live()}
        return self.everywhere(lambda node: wanted <= wire.known_brokers(node.id, self.python_settings(node)))

    def everywhere(self, holds: Callable[[Node], bool]) -> bool:
        """Whether it holds at every live broker; a broker that does not answer is a no."""
        with contextlib.suppress(Silent):
            return all(holds(node) for node in self.live())
        return False

    def python_settings(self, node: Node, user: str = security.ADMIN) -> dict[str, object]:
        """kafka-python's settings to speak with one broker."""
        login = self.keys.python_client(user, self.passwords[user]) if self.keys else {}
        return {"bootstrap_servers": node.address, **login}
