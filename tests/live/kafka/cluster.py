"""A real Kafka cluster of single processes on this machine, with KRaft or with ZooKeeper."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from confluent_kafka.admin import AdminClient, NewTopic

from tests.live.kafka import client, faults, security, users, wire
from tests.live.kafka.node import PATIENCE, Node, until
from tests.live.kafka.processes import Config, Processes
from tests.live.kafka.wire import Partition, Silent


class Cluster(Processes):
    """Processes and what clients do with them."""

    @classmethod
    def kraft(
        cls,
        folder: Path,
        *,
        brokers: int = 3,
        controllers: int = 1,
        elr: bool = True,
        version: str = "4.3.1",
        config: Config | None = None,
        controller_config: Config | None = None,
        node_config: Mapping[int, Config] | None = None,
        racks: Mapping[int, str] | None = None,
        secured: bool = False,
        features_of: str | None = None,
    ) -> Cluster:
        """Brokers 1…, dedicated controllers 101…, static voters; `elr` counts where that version has it.

        `features_of` is an older release whose feature levels are finalized, as in the midst of an upgrade; it has no ELR.

        min.insync.replicas of a cluster with ELR is read from `controller_config`. Raises NoKafka.
        """
        from tests.live.kafka.kraft import build, features

        cluster = cls(folder, version, secured)
        levels = ["--release-version", features_of] if features_of else features(version, elr)
        build(cluster, brokers, controllers, levels, config or {}, controller_config or {})
        cluster.distinguish(node_config or {}, racks or {})
        return cluster

    @classmethod
    def zookeeper(
        cls,
        folder: Path,
        *,
        brokers: int = 3,
        servers: int = 1,
        version: str = "3.9.2",
        config: Config | None = None,
        node_config: Mapping[int, Config] | None = None,
        racks: Mapping[int, str] | None = None,
        chroot: str = "",
    ) -> Cluster:
        """Brokers 1…, ZooKeeper servers 201…. Raises NoKafka."""
        from tests.live.kafka.zookeeper import build

        cluster = cls(folder, version)
        build(cluster, brokers, servers, chroot, config or {})
        cluster.distinguish(node_config or {}, racks or {})
        return cluster

    @property
    def bootstrap(self) -> str:
        """The addresses of all brokers."""
        return ",".join(node.address for node in self.nodes.values())

    def client_config(self, user: str | None = None) -> dict[str, object]:
        """librdkafka's settings for a user (the admin, where the cluster is secured)."""
        user = user or security.ADMIN
        login = self.keys.librdkafka_client(user, self.passwords[user]) if self.keys else {}
        return {"bootstrap.servers": self.bootstrap, **login}

    def properties(self, user: str | None = None, style: str = "java") -> str:
        """The text of a client's properties file without the addresses; `style` is java or librdkafka."""
        user = user or security.ADMIN
        if self.keys is None:
            return "security.protocol=PLAINTEXT\n"
        make = self.keys.java_client if style == "java" else self.keys.librdkafka_client
        return "".join(f"{key}={value}\n" for key, value in make(user, self.passwords[user]).items())

    def admin(self, user: str | None = None) -> AdminClient:
        """A fresh one: an old one goes on asking brokers that are dead. Keep it until its futures are done."""
        return AdminClient({**self.client_config(user), **client.QUICK})

    def create(
        self,
        topic: str,
        partitions: int = 1,
        rf: int = 3,
        assignment: Sequence[Sequence[int]] | None = None,
        config: Mapping[str, object] | None = None,
        timeout: float = PATIENCE,
    ) -> None:
        """Create a topic and wait until every leader answers."""
        settings = {key: str(value) for key, value in (config or {}).items()}
        if assignment:
            new = NewTopic(
                topic, len(assignment), replica_assignment=[list(row) for row in assignment], config=settings
            )
        else:
            new = NewTopic(topic, partitions, rf, config=settings)
        client.create(self.admin(), new, timeout)

    def produce(
        self, topic: str, partition: int, values: Sequence[str], acks: str = "all", timeout: float = 5
    ) -> list[int | str]:
        """One record to a batch, no retry: per record its offset (-1 with acks=0), or the name of the error."""
        return client.produce(self.client_config(), topic, partition, values, acks, timeout)

    def consume(self, topic: str, partition: int, timeout: float = 10) -> list[str]:
        """Everything up to the high watermark. Raises TimeoutError where nobody serves it."""
        return client.consume(self.client_config(), topic, partition, timeout)

    def partition(self, topic: str, partition: int = 0) -> Partition:
        """What the first live broker that answers knows of it. Raises Silent where none does."""
        answer = None
        for node in self.live():
            with contextlib.suppress(Silent):
                answer = self.seen_by(node, topic).get(partition, answer)
                if answer:
                    return answer
        raise Silent(f"no broker knows {topic}-{partition}")

    def seen_by(self, node: Node, topic: str) -> dict[int, Partition]:
        """What one broker knows of a topic. Raises Silent."""
        return wire.partitions(node.id, self.python_settings(node), topic, elr=self.version.startswith("4."))

    def wait(
        self,
        topic: str,
        partition: int = 0,
        leader: int | None = None,
        isr: Iterable[int] | None = None,
        elr: Iterable[int] | None = None,
        timeout: float = 20,
    ) -> Partition:
        """Wait until leader (-1: none), ISR and ELR are as wanted, as all live brokers see it. Raises TimeoutError."""
        wanted = (leader, None if isr is None else set(isr), None if elr is None else set(elr))
        seen: list[Partition] = []

        def reached() -> bool:
            for node in self.live():
                node.check()
            with contextlib.suppress(Silent):
                seen[:] = [known for node in self.live() if (known := self.seen_by(node, topic).get(partition))]
            return bool(seen) and all(matches(known, *wanted) for known in seen)

        until(reached, lambda: f"{topic}-{partition} has leader, ISR, ELR {wanted}; the brokers see {seen}", timeout)
        return seen[0]

    def cut_tail(self, node: Node, topic: str, partition: int = 0, records: int = 1) -> int:
        """Power loss: kill the broker and cut the last records off its log; how many were cut."""
        return faults.cut_tail(node, topic, partition, records)

    def replace_disk(self, node: Node, new_id: bool = True) -> None:
        """Kill the broker and empty its log directory; it gets a new directory id, or keeps the old one."""
        faults.replace_disk(node, new_id)

    def add_user(self, name: str, password: str) -> None:
        """A user, and wait until every broker lets it in."""
        users.add(self, self.admin(), name, password)

    def allow(self, user: str, resource: str, name: str, operations: Iterable[str]) -> None:
        """Rights on a topic, group, transactional_id or the cluster; wait until every broker knows them."""
        users.allow(self, self.admin(), user, resource, name, operations)


def matches(known: Partition, leader: int | None, isr: set[int] | None, elr: set[int] | None) -> bool:
    """Whether a partition is as wanted; None wants nothing."""
    return (
        leader in (None, known.leader)
        and (isr is None or set(known.isr) == isr)
        and (elr is None or set(known.elr or []) == elr)
    )
