"""Collect Kafka's data in ZooKeeper (up to 3.9) and the ensemble's state. Nothing is ever written."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from advisor.errors import BadSettings, UnreachableCluster
from advisor.model import is_whole_number
from advisor.model.cluster import ZooKeeperFacts, ZooKeeperServer
from collectors.zookeeper import znodes
from collectors.zookeeper.four_letter_words import NOT_ALLOWED, ensemble_of, servers_of
from collectors.zookeeper.reader import ZooKeeperReader, failures, reason_of

PORT = 2181
FIRST = 1 / 3
"""The share of the deadline that asking the servers one by one may take."""
LONGEST_TIMEOUT = 10.0
"""Seconds of a session's timeout."""
LOOKED_AT = 50
"""Nodes that are looked into for a cluster where the chroot is wrong."""


@dataclass(slots=True, eq=False)
class Session:
    """A connected client, its deadline, and the servers' own answers."""

    client: Any
    chroot: str
    servers: tuple[ZooKeeperServer, ...]
    until: float

    def left(self) -> float:
        """The seconds until the deadline."""
        return max(0.0, self.until - time.monotonic())


def collect(connect: str, deadline: float) -> ZooKeeperFacts:
    """Collect everything but the partitions; `connect` as in zookeeper.connect, the deadline in seconds.

    Raises Unreachable and BadSettings. What fails by itself is in `unread`.
    """
    with session(connect, deadline) as opened:
        facts = znodes.read(opened.client, opened.chroot, opened.left())
    facts.servers = opened.servers
    if facts.ensemble is None:
        facts.ensemble = ensemble_of(opened.servers)
    if facts.ensemble is not None:
        facts.unread.pop("ensemble", None)
    return facts


@contextlib.contextmanager
def session(connect: str, deadline: float) -> Iterator[Session]:
    """A read-only session, closed at the end. Raises UnreachableCluster, BadSettings."""
    until = time.monotonic() + deadline
    addresses, chroot = addresses_of(connect)
    servers = servers_of(addresses, deadline * FIRST)
    hosts = [server.address for server in servers if server.unread in (None, NOT_ALLOWED)]
    if not hosts:
        raise UnreachableCluster("; ".join(f"{server.address}: {server.unread}" for server in servers))
    client = _client(hosts, deadline)
    try:
        opened = Session(client, chroot, servers, until)
        _start(opened, hosts)
        _must_hold_kafka(opened, connect)
        yield opened
    finally:
        for end in (client.stop, client.close):
            with contextlib.suppress(Exception):
                end()


def addresses_of(connect: str) -> tuple[list[tuple[str, int]], str]:
    """Parse `h1:2181,h2:2181/kafka` into servers and chroot. Raises BadSettings."""
    hosts, slash, path = connect.strip().partition("/")
    if "," in path:
        raise BadSettings(f"{connect}: the chroot stands once, at the end: h1:2181,h2:2181/{path.partition(',')[0]}")
    addresses = [_address(host.strip(), connect) for host in hosts.split(",") if host.strip()]
    if not addresses:
        raise BadSettings(f"{connect!r}: no address; write host:port,host:port/chroot as in zookeeper.connect")
    chroot = slash + path.strip("/")
    return addresses, chroot if len(chroot) > 1 else ""


def _address(text: str, connect: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":") if not text.endswith("]") else (text, "", "")
    if not colon:
        host, port = text, str(PORT)
    if not host or not is_whole_number(port) or not 0 < int(port) < 65536 or (":" in host and not host.startswith("[")):
        raise BadSettings(
            f"{connect}: {text} is not an address; write host:port,host:port/chroot as in zookeeper.connect"
        )
    return host.strip("[]"), int(port)


def _client(hosts: list[str], deadline: float) -> Any:
    import logging
    from importlib import import_module

    quiet = logging.getLogger("kafka-advisor.zookeeper")
    quiet.addHandler(logging.NullHandler())
    quiet.propagate = False
    try:
        kazoo = import_module("kazoo.client")
    except ImportError:
        raise BadSettings("reading ZooKeeper needs kazoo; pip install 'kafka-advisor[live]'") from None
    timeout = max(1.0, min(LONGEST_TIMEOUT, deadline / 2))
    return kazoo.KazooClient(",".join(hosts), timeout=timeout, read_only=True, logger=quiet)


def _start(opened: Session, hosts: list[str]) -> None:
    try:
        opened.client.start(timeout=opened.left() / 2)
    except failures() as failure:
        raise UnreachableCluster(f"{','.join(hosts)}: gives no session: {reason_of(failure)}") from None


def _must_hold_kafka(opened: Session, connect: str) -> None:
    """Refuse a chroot that does not exist, or in which no broker ever registered."""
    reader = ZooKeeperReader(opened.client, opened.chroot, opened.left())
    try:
        if reader.get("/brokers") is not None:
            return
        root = ZooKeeperReader(opened.client, "", opened.left())
        names = [f"/{name}" for name in root.children("/")][:LOOKED_AT]
        homes = [path for path, inside in root.families(names).items() if "brokers" in inside]
    except failures() as failure:
        raise UnreachableCluster(f"{connect}: {opened.chroot}/brokers: {reason_of(failure)}") from None
    where = f"the chroot {opened.chroot}" if opened.chroot else "the root"
    elsewhere = f"; it has one in {', '.join(homes)}" if homes else ""
    raise UnreachableCluster(f"{connect}: this ZooKeeper has no Kafka cluster in {where}{elsewhere}")
