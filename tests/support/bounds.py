"""The time and the memory that a command takes in the tests' own process."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.commands import Ran, run

LOADED = 100
"""MB that a command has before it reads, at most: they count as if it were a process of its own."""


def measured(most: float, *arguments: object) -> tuple[Ran, float, int]:
    """A command, its seconds, and the MB that it and its children had at most; fails where it takes longer than `most`."""
    before, started = own_memory("VmRSS"), time.monotonic()
    Path("/proc/self/clear_refs").write_text("5")  # VmHWM begins anew
    with at_most(most), children_watched() as seen:
        ran = run(*arguments)
    grown = LOADED + own_memory("VmHWM") - before
    return ran, time.monotonic() - started, max([grown, *seen])


def own_memory(field: str) -> int:
    """MB of this process now (VmRSS), or at most so far (VmHWM)."""
    match = re.search(rf"{field}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert match is not None
    return int(match[1]) // 1024


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fail what takes longer, also where it waits for ever."""

    def fail(_number: int, _frame: object) -> None:
        raise pytest.fail.Exception(f"it takes more than {seconds:g} s")

    old = signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


@contextlib.contextmanager
def children_watched() -> Iterator[list[int]]:
    """The most memory of the children of this process, seen again and again, in MB."""
    over, seen = threading.Event(), [0]

    def watch() -> None:
        while not over.wait(0.03):
            children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
            seen.append(max([0, *(peak(int(child)) for child in children)]))

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield seen
    finally:
        over.set()
        watching.join()


def peak(pid: int) -> int:
    """The most memory that a process, or one of its children, had so far, in MB."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    match = re.search(r"VmHWM:\s+(\d+) kB", status)
    own = int(match[1]) // 1024 if match else 0
    return max([own, *(peak(int(child)) for child in children)])
