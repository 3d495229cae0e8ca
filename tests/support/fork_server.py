"""Processes of the program that start at once: a small one imports what a command needs, and forks for each command.

A fork is a process of its own to whoever measures, kills or crashes it: it has the memory that the program has behind its
imports, none of the tests', and it ends as an interpreter does.
"""

from __future__ import annotations

import atexit
import functools
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from typing import IO

from advisor.__main__ import program
from tests.support.commands import ENVIRONMENT, ROOT

LONGEST = 65536
"""Bytes of an order."""


class Forked:
    """A command that runs, as `subprocess.Popen` has it."""

    def __init__(self, reports: socket.socket) -> None:
        self._reports = reports
        self.pid = int(reports.recv(LONGEST))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code, None while it runs."""
        if self.returncode is None and select.select([self._reports], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit code. Raises TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._reports], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            self.returncode = int(self._reports.recv(LONGEST))
            self._reports.close()
        return self.returncode

    def kill(self) -> None:
        """End it, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)
            self.wait()


@functools.cache
def _server(modules: tuple[str, ...]) -> socket.socket:
    """Where a server that has imported the modules takes orders; it ends when this process does."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        server = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno()), *modules],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd=ROOT, env=ENVIRONMENT, pass_fds=[theirs.fileno()],
        )  # fmt: skip
    atexit.register(_end, server, ours)
    return ours


def _end(server: subprocess.Popen[bytes], orders: socket.socket) -> None:
    server.kill()
    server.wait()
    orders.close()


def fork(arguments: Sequence[str], modules: tuple[str, ...], streams: Sequence[IO[bytes]], prelude: str = "") -> Forked:
    """Start a command on these standard streams, with the modules imported. `prelude` is Python that it runs first."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        order = json.dumps([prelude, *arguments]).encode()
        socket.send_fds(_server(modules), [order], [*(stream.fileno() for stream in streams), theirs.fileno()])
    return Forked(ours)


def serve(orders: socket.socket) -> list[str]:
    """Fork for each order; returns what was ordered in the fork, whose standard streams are in place."""
    while True:
        order, descriptors, *_ = socket.recv_fds(orders, LONGEST, 4)
        if not order:
            os._exit(0)
        if not os.fork():
            _fork_and_watch(descriptors)
            return [str(word) for word in json.loads(order)]
        os.wait()  # for the one that forked the watcher
        for descriptor in descriptors:
            os.close(descriptor)


def _fork_and_watch(descriptors: list[int]) -> None:
    """Return in a fork; its parent, which the server does not wait for, reports its id and its exit code."""
    if os.fork():
        os._exit(0)
    *streams, reports = descriptors
    if child := os.fork():
        for stream in streams:
            os.close(stream)
        os.write(reports, b"%d" % child)
        os.write(reports, b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        os._exit(0)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for descriptor in descriptors:
        os.close(descriptor)


if __name__ == "__main__":
    for module in sys.argv[2:]:
        importlib.import_module(module)
    prelude, *sys.argv[1:] = serve(socket.socket(fileno=int(sys.argv[1])))
    sys.stdin, sys.stdout = (os.fdopen(number, mode, closefd=False) for number, mode in enumerate("rw"))
    sys.stderr = os.fdopen(2, "w", errors="backslashreplace", closefd=False)
    exec(prelude)
    program()
