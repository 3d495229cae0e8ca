"""Probe addresses with a TCP connection, closed at once, before a client library is started.

A library goes on trying an address that refuses until its time is over. Only what leaves no doubt counts as nobody: a
refusal, no route, or no such name, at every address that the name stands for. Whoever is slow, or says nothing, is left
to the library.
"""

from __future__ import annotations

import errno
import socket
import time
from collections.abc import Sequence
from typing import Any

SocketAddresses = str | list[tuple[Any, ...]]
"""What a name stands for, as getaddrinfo has it; text: that there is no such name."""
PATIENCE = 2.0
"""Seconds for one connection; who needs longer is not judged here."""
PAUSE = 1.0
"""Seconds between two looks: a broker that starts again refuses for a moment."""
NOBODY = (errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH)
NO_IPV6 = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
NO_NAME = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))


class NobodyThere(Exception):
    """No address accepts a connection; the text is one line: each address with its error."""


def probe(addresses: Sequence[str], patience: float = PATIENCE, pause: float = PAUSE) -> bool:
    """Whether an address (host:port) accepts a connection; False if unclear. Raises NobodyThere after two tries."""
    resolved: dict[str, SocketAddresses] = {}
    try:
        return _probe_once(addresses, patience, resolved)
    except NobodyThere:
        time.sleep(pause)
        return _probe_once(addresses, patience, resolved)


def _probe_once(addresses: Sequence[str], patience: float, resolved: dict[str, SocketAddresses]) -> bool:
    """One try; names are resolved once, because many unknown names are slow. Raises NobodyThere."""
    reasons = []
    for address in addresses:
        try:
            resolved[address] = resolved.get(address) or _resolve(address)
            return _connects(resolved[address], patience)
        except NobodyThere as error:
            reasons.append(f"{address}: {error}")
        except (OSError, ValueError):
            return False
    raise NobodyThere("; ".join(reasons))


def _resolve(address: str) -> SocketAddresses:
    """Resolve an address, or say why it has none. Raises OSError, ValueError where that is unclear."""
    host, _, port = address.rpartition(":")
    try:
        return socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        if error.errno in NO_NAME:
            return str(error.strerror)
        raise


def _connects(resolved: SocketAddresses, patience: float) -> bool:
    """Whether an address accepts a connection. Raises NobodyThere; OSError where that is unclear."""
    why = resolved if isinstance(resolved, str) else ""
    for family, kind, protocol, _, socket_address in () if isinstance(resolved, str) else resolved:
        try:
            with socket.socket(family, kind, protocol) as tried:
                tried.settimeout(patience)
                tried.connect(socket_address)
                return True
        except OSError as error:
            if error.errno not in NOBODY and not (family == socket.AF_INET6 and error.errno in NO_IPV6):
                raise
            why = str(error.strerror)
    raise NobodyThere(why)
