"""Whether anybody is at an address at all: one TCP connection, closed at once, before a client library is asked.

A library goes on trying an address that refuses until its time is over. Only what leaves no doubt counts as nobody: a
refusal, no route, or no such name, at every address that the name stands for. Whoever is slow, or says nothing, is left
to the library.
"""

from __future__ import annotations

import errno
import socket
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Places = str | list[tuple[Any, ...]]
    """What a name stands for, as getaddrinfo has it; text: that there is no such name."""

PATIENCE = 2.0
"""Seconds for one connection; who needs longer is not judged here."""
PAUSE = 1.0
"""Seconds between two looks: a broker that starts again refuses for a moment."""
NOBODY = (errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH)
NO_IPV6 = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
NO_NAME = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))


class Nobody(Exception):
    """No address of any name takes a connection; the text is one line: each address with its error."""


def knock(addresses: Sequence[str], patience: float = PATIENCE, pause: float = PAUSE) -> bool:
    """Whether one of them (host:port) takes a connection; False where nobody knows. Raises Nobody, after two looks."""
    known: dict[str, Places] = {}
    try:
        return _once(addresses, patience, known)
    except Nobody:
        time.sleep(pause)
        return _once(addresses, patience, known)


def _once(addresses: Sequence[str], patience: float, known: dict[str, Places]) -> bool:
    """One look; names are asked for once, for many that do not exist are a burden. Raises Nobody."""
    reasons = []
    for address in addresses:
        try:
            known[address] = known.get(address) or _places(address)
            return _open(known[address], patience)
        except Nobody as nobody:
            reasons.append(f"{address}: {nobody}")
        except (OSError, ValueError):
            return False
    raise Nobody("; ".join(reasons))


def _places(address: str) -> Places:
    """What an address stands for, or why for nothing. Raises OSError, ValueError where nobody knows."""
    host, _, port = address.rpartition(":")
    try:
        return socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        if error.errno in NO_NAME:
            return str(error.strerror)
        raise


def _open(places: Places, patience: float) -> bool:
    """Whether one of them takes a connection. Raises Nobody; OSError where it may be that somebody is there."""
    why = places if isinstance(places, str) else ""
    for family, kind, protocol, _, place in () if isinstance(places, str) else places:
        try:
            with socket.socket(family, kind, protocol) as tried:
                tried.settimeout(patience)
                tried.connect(place)
                return True
        except OSError as error:
            if error.errno not in NOBODY and not (family == socket.AF_INET6 and error.errno in NO_IPV6):
                raise
            why = str(error.strerror)
    raise Nobody(why)
