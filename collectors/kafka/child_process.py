"""Read a cluster in a child process: a client library that dies of a server's answer takes nothing else with it."""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection as Pipe
from typing import Any

from advisor.errors import UnreachableCluster, UserError, describe
from advisor.model import Snapshot
from advisor.signals import end_with_parent
from collectors.client.target import Connection

FORKS = sys.platform == "linux"
"""Whether processes are forked; on other systems libraries do not survive that, and the cluster is read in this one."""


STDERR = 2
GRACE = 10.0
"""Seconds beyond its timeout that a reading may take to say what it has."""


class ChildFault(Exception):
    """A fault of the program itself in the child process."""


def collect_in_child(connection: Connection, read: Callable[[], Snapshot], timeout: float) -> Snapshot:
    """The snapshot that `read` collects within about so many seconds.

    Raises what `read` raises, and UnreachableCluster where its process dies or takes much longer.
    """
    if not FORKS:
        return read()
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_read, args=(read, sender), daemon=True)
    child.start()
    sender.close()
    try:
        outcome = receiver.recv() if receiver.poll(timeout + GRACE) else _too_slow(connection, timeout)
    except EOFError:
        child.join()
        raise UnreachableCluster(f"{connection.bootstrap}: {_cause_of_death(child.exitcode)}") from None
    finally:
        child.kill()
        child.join()
    if isinstance(outcome, Exception):
        raise outcome
    return outcome  # type: ignore[no-any-return]


def _too_slow(connection: Connection, timeout: float) -> UnreachableCluster:
    return UnreachableCluster(f"{connection.bootstrap}: not read within the {timeout:g} s of --timeout")


def _read(read: Callable[[], Snapshot], sender: Pipe) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    _keep_to_itself()
    with ThreadPoolExecutor(1) as executor:
        future = executor.submit(read)
        error = future.exception()
    sender.send(_sendable(error) if error else future.result())


def _keep_to_itself() -> None:
    """Let the client library write nothing to standard error, and the system no core dump, which holds passwords."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if isinstance(sys.stderr, io.TextIOWrapper) and sys.stderr.fileno() == STDERR:
        copy, encoding = io.FileIO(os.dup(STDERR), "w"), sys.stderr.encoding
        sys.stderr = io.TextIOWrapper(io.BufferedWriter(copy), encoding, "backslashreplace", write_through=True)
    os.dup2(os.open(os.devnull, os.O_WRONLY), STDERR)


def _sendable(error: BaseException) -> Exception:
    return error if isinstance(error, UserError) else ChildFault(describe(error))


def _cause_of_death(code: Any) -> str:
    name = signal.Signals(-code).name if isinstance(code, int) and code < 0 else f"exit code {code}"
    return f"the client library died of what the cluster answered ({name}); nothing was read"
