"""ZooKeeper servers asked one by one in four-letter words, over sockets of our own and within a deadline."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING

from advisor.errors import os_reason
from advisor.model.cluster import ZooKeeperServer

if TYPE_CHECKING:
    from collections.abc import Sequence

    Address = tuple[str, int]

STATS = (
    "zk_server_state", "zk_avg_latency", "zk_max_latency", "zk_outstanding_requests", "zk_num_alive_connections",
    "zk_znode_count", "zk_watch_count", "zk_ephemerals_count", "zk_approximate_data_size", "zk_followers", "zk_learners",
    "zk_synced_followers", "zk_pending_syncs", "zk_open_file_descriptor_count", "zk_max_file_descriptor_count",
)  # fmt: skip
"""What is kept of some hundred lines of `mntr`."""
LIMIT = 1024 * 1024
NOT_ALLOWED = "is not in its 4lw.commands.whitelist"


class Unanswered(Exception):
    """A word got no answer; the text says why."""


def ask(address: Address, word: str, until: float) -> str:
    """A server's answer to a word, until that moment of time.monotonic. Raises Unanswered."""
    parts, size = [], 0
    try:
        with socket.create_connection(address, max(0.01, until - time.monotonic())) as connection:
            connection.sendall(word.encode())
            while size < LIMIT and (part := _received(connection, until)):
                parts.append(part)
                size += len(part)
    except OSError as error:
        raise Unanswered(_reason(error)) from None
    answer = b"".join(parts).decode("utf-8", "replace")
    if "not in the whitelist" in answer:
        raise Unanswered(NOT_ALLOWED)
    if not answer.strip():
        raise Unanswered("closes the connection without an answer; only a port without TLS can be read")
    return answer


def _received(connection: socket.socket, until: float) -> bytes:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    connection.settimeout(left)
    return connection.recv(65536)


def _reason(error: OSError) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return os_reason(error)


def servers_of(addresses: Sequence[Address], seconds: float) -> tuple[ZooKeeperServer, ...]:
    """Every server as it answered, all asked at once. A server that did not answer in `seconds` is unread."""
    from threading import Thread

    servers = [ZooKeeperServer(shown(address), unread="no answer in time") for address in addresses]
    until = time.monotonic() + seconds
    # Daemons, because the look-up of a name knows no deadline.
    threads = [
        Thread(target=_fill, args=(server, address, until), daemon=True)
        for server, address in zip(servers, addresses, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    return tuple(servers)


def shown(address: Address) -> str:
    """host:port."""
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _fill(server: ZooKeeperServer, address: Address, until: float) -> None:
    try:
        answer = ask(address, "srvr", until)
    except Unanswered as unanswered:
        server.unread = str(unanswered)
        if server.unread != NOT_ALLOWED:
            return
    else:
        server.version, server.mode = version_of(answer), mode_of(answer)
        server.unread = None if server.mode else " ".join(answer.split())[:200].rstrip(".").lower()
    server.conf = _told(server, address, "conf", until)
    stats = _told(server, address, "mntr", until)
    server.stats = {key: stats[key] for key in STATS if key in stats}


def _told(server: ZooKeeperServer, address: Address, word: str, until: float) -> dict[str, str]:
    try:
        return pairs_of(ask(address, word, until))
    except Unanswered as unanswered:
        server.unanswered[word] = str(unanswered)
        return {}


def version_of(answer: str) -> str | None:
    """3.8.4 of `Zookeeper version: 3.8.4-9316c2a7…, built on …`."""
    found = _line(answer, "Zookeeper version: ")
    return found.split(",")[0].split("-")[0].strip() if found else None


def mode_of(answer: str) -> str | None:
    """leader, follower, standalone or observer."""
    return _line(answer, "Mode: ")


def _line(answer: str, start: str) -> str | None:
    found = next((line for line in answer.splitlines() if line.startswith(start)), None)
    return found.removeprefix(start).strip() if found else None


def pairs_of(answer: str) -> dict[str, str]:
    """What `conf` (key=value) and `mntr` (key, tab, value) say."""
    pairs = {}
    for line in answer.splitlines():
        mark = "\t" if "\t" in line else "="
        key, found, value = line.partition(mark)
        if found and key.strip():
            pairs[key.strip()] = value.strip()
    return pairs


def voters_of(members: dict[str, str]) -> int | None:
    """How many `server.N=host:port:port[:participant][;client]` vote; None where there is no such line."""
    lines = [value for key, value in members.items() if key.startswith("server.")]
    voting = [line for line in lines if not line.partition(";")[0].lower().endswith(":observer")]
    return len(voting) or None


def ensemble_of(servers: Sequence[ZooKeeperServer]) -> int | None:
    """The number of voting servers as the servers themselves say."""
    said = [voters for server in servers if (voters := voters_of(server.conf))]
    alone = any(server.mode == "standalone" for server in servers)
    return said[0] if said else (1 if alone else None)
