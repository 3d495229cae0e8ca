"""ZooKeeper four-letter words: ask each server over a plain socket, within a deadline."""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence

from advisor.errors import os_reason
from advisor.model.cluster import ZooKeeperServer

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
    """A four-letter word got no answer; the text says why."""


def ask(address: Address, word: str, until: float) -> str:
    """A server's answer to a four-letter word, until a time.monotonic. Raises Unanswered."""
    chunks, size = [], 0
    try:
        with socket.create_connection(address, max(0.01, until - time.monotonic())) as connection:
            connection.sendall(word.encode())
            while size < LIMIT and (chunk := _receive(connection, until)):
                chunks.append(chunk)
                size += len(chunk)
    except OSError as error:
        raise Unanswered(_reason(error)) from None
    answer = b"".join(chunks).decode("utf-8", "replace")
    if "not in the whitelist" in answer:
        raise Unanswered(NOT_ALLOWED)
    if not answer.strip():
        raise Unanswered("closes the connection without an answer; only a port without TLS can be read")
    return answer


def _receive(connection: socket.socket, until: float) -> bytes:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    connection.settimeout(left)
    data = connection.recv(65536)
    if time.monotonic() >= until:
        raise TimeoutError
    return data


def _reason(error: OSError) -> str:
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return os_reason(error)


def servers_of(addresses: Sequence[Address], seconds: float) -> tuple[ZooKeeperServer, ...]:
    """Ask every server at once. A server that did not answer in `seconds` is unread."""
    from threading import Thread

    servers = [ZooKeeperServer(address_text(address), unread="no answer in time") for address in addresses]
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


def address_text(address: Address) -> str:
    """An address as host:port."""
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
    server.conf = _ask_server(server, address, "conf", until)
    stats = _ask_server(server, address, "mntr", until)
    server.stats = {key: stats[key] for key in STATS if key in stats}


def _ask_server(server: ZooKeeperServer, address: Address, word: str, until: float) -> dict[str, str]:
    try:
        return pairs_of(ask(address, word, until))
    except Unanswered as unanswered:
        server.unanswered[word] = str(unanswered)
        return {}


def version_of(answer: str) -> str | None:
    """The version in `Zookeeper version: 3.8.4-9316c2a7…, built on …`: 3.8.4."""
    text = _line(answer, "Zookeeper version: ")
    return text.split(",")[0].split("-")[0].strip() if text else None


def mode_of(answer: str) -> str | None:
    """The mode in an answer: leader, follower, standalone or observer."""
    return _line(answer, "Mode: ")


def _line(answer: str, start: str) -> str | None:
    line_found = next((line for line in answer.splitlines() if line.startswith(start)), None)
    return line_found.removeprefix(start).strip() if line_found else None


def pairs_of(answer: str) -> dict[str, str]:
    """The pairs of a `conf` (key=value) or `mntr` (key, tab, value) answer."""
    pairs = {}
    for line in answer.splitlines():
        mark = "\t" if "\t" in line else "="
        key, separator, value = line.partition(mark)
        if separator and key.strip():
            pairs[key.strip()] = value.strip()
    return pairs


def voters_of(members: dict[str, str]) -> int | None:
    """The number of voters in `server.N=host:port:port[:participant][;client]` lines; None without any."""
    lines = [value for key, value in members.items() if key.startswith("server.")]
    voting = [line for line in lines if not line.partition(";")[0].lower().endswith(":observer")]
    return len(voting) or None


def ensemble_of(servers: Sequence[ZooKeeperServer]) -> int | None:
    """The number of voting servers, according to the servers."""
    counts = [voters for server in servers if (voters := voters_of(server.conf))]
    alone = any(server.mode == "standalone" for server in servers)
    return counts[0] if counts else (1 if alone else None)
