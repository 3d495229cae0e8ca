"""Ports of this machine: one that takes connections, one that refuses them."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator


@contextlib.contextmanager
def listening(backlog: int = 5) -> Iterator[int]:
    """A port that takes connections; with a backlog that is full it takes none, and refuses none."""
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(socket.socket())
        server.bind(("127.0.0.1", 0))
        server.listen(backlog)
        for _ in range(0 if backlog else 3):
            filling = stack.enter_context(socket.socket())
            filling.setblocking(False)
            filling.connect_ex(server.getsockname())
        yield server.getsockname()[1]


def refusing() -> int:
    """A port where nothing listens."""
    with socket.socket() as once:
        once.bind(("127.0.0.1", 0))
        return int(once.getsockname()[1])
