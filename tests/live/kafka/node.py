"""One Java process: broker, controller or ZooKeeper server; started, watched, paused, stopped, killed."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

JVM: tuple[str, ...] = ("-Xmx320m", "-Xms64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
PR_SET_PDEATHSIG = 1
PATIENCE = 60.0
"""Seconds that anything may take that takes a few on an idle machine."""
POLL = 0.2
LIBC = ctypes.CDLL(None)


class NodeDied(RuntimeError):
    """A process ended that should run; the text holds the end of its log."""


def until(done: Callable[[], object], what: Callable[[], str], timeout: float = PATIENCE) -> None:
    """Ask again until it is so. Raises TimeoutError with what is awaited and what is seen instead."""
    deadline = time.monotonic() + timeout
    while not done():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {timeout:g} s: {what()}")
        time.sleep(POLL)


def die_with_parent() -> None:
    """Ask the kernel to kill this process when the thread that started it ends, however it ends (Linux)."""
    if hasattr(LIBC, "prctl"):
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Node:
    """A process and its folder. `config` is written anew at every start: change it and restart."""

    def __init__(self, id: int, port: int, folder: Path, main: str, config: dict[str, object], java: list[str]) -> None:
        self.id = id
        self.port = port
        self.folder = folder
        self.main = main
        self.config = config
        self.java = java
        self.log = folder / "node.log"
        self.paused = False
        self.ended = True
        self.first_port = port
        self.second_port = 0
        """The port of the controllers' listener of a node of both roles."""
        self.process: subprocess.Popen[bytes] | None = None
        self.before_start: Callable[[Node], None] = lambda node: None
        self.when_started: Callable[[Node], None] = lambda node: None
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """Of the running process, or of the last one; -1 before the first start."""
        return self.process.pid if self.process else -1

    @property
    def data(self) -> Path:
        """log.dirs, or ZooKeeper's dataDir."""
        return self.folder / "data"

    @property
    def properties(self) -> Path:
        """The configuration file."""
        return self.folder / ("zoo.cfg" if "clientPort" in self.config else "server.properties")

    def running(self) -> bool:
        """Whether the process exists (a paused one does)."""
        return self.process is not None and self.process.poll() is None

    def alive(self) -> bool:
        """Whether it runs and is not paused."""
        return self.running() and not self.paused

    def write(self) -> None:
        """The configuration file."""
        text = "".join(f"{key}={value}\n" for key, value in self.config.items())
        self.properties.write_text(text)

    def start(self, wait: bool = True) -> None:
        """Start it; `wait` until it serves. From the main thread: the process ends with the thread that started it."""
        if self.running():
            raise RuntimeError(f"node {self.id} runs already")
        self.before_start(self)
        self.write()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.java, self.main, str(self.properties)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        self.paused = self.ended = False
        if wait:
            self.when_started(self)

    def kill(self) -> None:
        """Crash (SIGKILL), also of a paused process; the page cache survives."""
        self.end(signal.SIGKILL)

    def stop(self, timeout: float = PATIENCE) -> None:
        """Shut down in order (SIGTERM), and wait for the end. Raises TimeoutError."""
        self.resume()
        self.end(signal.SIGTERM, timeout)

    def end(self, how: signal.Signals, timeout: float = PATIENCE) -> None:
        """Send the signal and wait for the end of the process."""
        if self.process is None or not self.running():
            return
        self.ended = True
        self.process.send_signal(how)
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"node {self.id} runs {timeout:g} s after {how.name}: {self.tail()}") from None
        self.paused = False

    def pause(self) -> None:
        """Stall (SIGSTOP): the connections stay open and nobody answers."""
        os.kill(self.pid, signal.SIGSTOP)
        self.paused = True

    def resume(self) -> None:
        """Go on after a pause."""
        if self.running() and self.paused:
            os.kill(self.pid, signal.SIGCONT)
        self.paused = False

    def check(self) -> None:
        """Raises NodeDied where it has ended and nobody ended it."""
        if self.process is not None and not self.ended and not self.running():
            raise NodeDied(f"node {self.id} ended with {self.process.returncode}:\n{self.tail()}")

    def tail(self, lines: int = 30) -> str:
        """The end of its log."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:]) if self.log.exists() else ""
