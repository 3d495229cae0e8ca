"""Read a cluster in a child process: a client library that dies of a server's answer takes nothing else with it."""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection as Pipe
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from threading import Lock
from typing import Any

from advisor import limits
from advisor.errors import UnreachableCluster, UserError, describe
from advisor.model import Snapshot
from advisor.signals import end_with_parent

Read = Callable[[], Snapshot]

FORKS = sys.platform == "linux"
"""Whether processes are forked; on other systems libraries do not survive that, and the cluster is read in this one."""
STDERR = 2
GRACE = 10.0
"""Seconds beyond its timeout that a reading may take to say what it has."""
REAPING = Lock()
"""Held where the end of a child is read: to start one looks at all others, and of two threads that read a status one gets 255."""
PAUSE = 0.05
"""Seconds between two looks at the child's memory."""


class ChildFault(Exception):
    """A fault of the program itself in the child process."""


def collect_in_child(address: str, read: Read, timeout: float, preload: Sequence[str] = ()) -> Snapshot:
    """The snapshot of the cluster at an address, which `read` collects within about so many seconds.

    The child is forked from this process, which must have one thread only; with modules to preload, from a server that
    imports them once, and `read` is pickled. Raises what `read` raises, and UnreachableCluster where the child dies,
    takes much longer, or takes more memory than its limit.
    """
    if not FORKS:
        return read()
    context = _forkserver(preload) if preload else multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_read, args=(read, sender), daemon=True)  # type: ignore[attr-defined]
    with REAPING:
        child.start()
    sender.close()
    try:
        outcome = _received(receiver, child, address, timeout)
    except EOFError:
        _join(child)
        raise UnreachableCluster(f"{address}: {_cause_of_death(child.exitcode)}") from None
    finally:
        child.kill()
        _join(child)
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def _join(child: BaseProcess) -> None:
    with REAPING:
        child.join()


def _forkserver(preload: Sequence[str]) -> BaseContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(preload))
    return context


def _received(receiver: Pipe, child: BaseProcess, address: str, timeout: float) -> Snapshot | Exception:
    """What the child sends. Raises EOFError where it dies first, UnreachableCluster where it exceeds a limit."""
    end, most = time.monotonic() + timeout + GRACE, limits.size(limits.CLUSTER)
    while not receiver.poll(PAUSE):
        if time.monotonic() > end:
            raise UnreachableCluster(f"{address}: not read within the {timeout:g} s of --timeout")
        if _resident(child.pid) > most:
            raise UnreachableCluster(str(limits.too_large(address, limits.CLUSTER)))
    return receiver.recv()  # type: ignore[no-any-return]


def _resident(pid: int | None) -> int:
    """The bytes of memory that a process has, 0 where that cannot be read."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def _read(read: Read, sender: Pipe) -> None:
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
