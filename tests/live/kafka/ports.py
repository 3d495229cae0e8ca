"""Free ports of this machine, reserved until this process ends, for every cluster of every test run."""

from __future__ import annotations

import fcntl
import os
import random
import socket
import tempfile
from pathlib import Path
from typing import IO

LOWEST, EPHEMERAL = 15000, Path("/proc/sys/net/ipv4/ip_local_port_range")
HOST = "127.0.0.1"


class Ports:
    """A cluster's ports. A node that is down keeps its port: a locked file says so to all others."""

    def __init__(self) -> None:
        self.locks: list[IO[str]] = []

    def take(self) -> int:
        """A port below the ephemeral range on which nobody listens and which no other cluster holds."""
        for _ in range(1000):
            port = random.randrange(LOWEST, highest())
            lock = locked(port)
            if lock is None:
                continue
            if is_free(port):
                self.locks.append(lock)
                return port
            lock.close()
        raise RuntimeError("no free port")

    def give_back(self) -> None:
        """All of them."""
        for lock in self.locks:
            lock.close()
        self.locks.clear()


def highest() -> int:
    """Where the ports begin that the system hands out by itself."""
    return int(EPHEMERAL.read_text().split()[0]) if EPHEMERAL.exists() else 32768


def locked(port: int) -> IO[str] | None:
    """The locked file that reserves a port; None where it is another's."""
    folder = Path(tempfile.gettempdir()) / f"kafka-advisor-ports-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    file = (folder / str(port)).open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def is_free(port: int) -> bool:
    """Whether a server could listen there now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def answers(port: int) -> bool:
    """Whether somebody accepts connections there."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0
