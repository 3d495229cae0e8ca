"""Long output on a terminal goes through a pager, as git's does: KAFKA_ADVISOR_PAGER, PAGER, else less."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from advisor.cli.common_options import PAGER
from advisor.reports.screen import size

LESS_OPTIONS = "FRX"
"""Quit if it fits, colours as they are, leave the text on the screen."""


@contextmanager
def paged(stdout: TextIO) -> Iterator[None]:
    """Send what is printed through a pager once it is longer than the screen; what else is said comes afterwards."""
    pager = pager_command()
    if pager is None:
        yield
        return
    stream = PagedStream(stdout, pager)
    stderr, sys.stdout = sys.stderr, stream
    try:
        yield
    finally:
        stream.finish()
        sys.stdout, sys.stderr = stdout, stderr
        stderr.write(stream.said_meanwhile.getvalue())


def pager_command() -> str | None:
    """The user's pager; None where there is none."""
    for name in (PAGER, "PAGER"):
        if name in os.environ:
            return None if os.environ[name] in ("", "cat") else os.environ[name]
    return "less" if os.environ.get("TERM") != "dumb" and shutil.which("less") else None


class PagedStream(io.TextIOBase):
    """Holds text until it is longer than the screen, then starts the pager; it is a terminal to who asks."""

    def __init__(self, stdout: TextIO, pager: str) -> None:
        self.stdout = stdout
        self.pager = pager
        self.said_meanwhile = io.StringIO()
        self._process: subprocess.Popen[bytes] | None = None
        self._held: list[str] = []
        self._columns, self._room = size((80, 24))

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """That of the terminal."""
        return self.stdout.encoding

    def isatty(self) -> bool:
        """It ends on a terminal."""
        return True

    def fileno(self) -> int:
        """The terminal's, whose size may be asked."""
        return self.stdout.fileno()

    def write(self, text: str) -> int:
        """Hold the text, or hand it to the pager."""
        if self._process is None:
            self._held.append(text)
            self._room -= sum(1 + len(line) // self._columns for line in text.split("\n")[:-1])
            if self._room <= 1:
                self._start()
        else:
            self._send(text)
        return len(text)

    def _start(self) -> None:
        self.stdout.flush()
        environment = {"LESS": LESS_OPTIONS, "LV": "-c"} | os.environ
        self._process = subprocess.Popen(self.pager, shell=True, stdin=subprocess.PIPE, env=environment)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the pager's own
        sys.stderr = self.said_meanwhile
        self._send("".join(self._held))

    def _send(self, text: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # whoever reads has seen enough
            self._process.stdin.write(text.encode(self.encoding, "backslashreplace"))

    def finish(self) -> None:
        """Print what fits the screen, or wait until the pager is left."""
        if self._process is None:
            self.stdout.write("".join(self._held))
            self.stdout.flush()
            return
        try:
            self._process.communicate()
        except BrokenPipeError:
            self._process.wait()
