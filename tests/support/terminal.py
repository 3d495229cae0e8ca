"""Commands on a real terminal: a pty of some columns and lines."""

from __future__ import annotations

import os
import pty
import struct
import subprocess
import sys
import termios
from fcntl import ioctl

from tests.support.commands import ROOT

LEFT_OUT = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
"""Variables that would decide in the terminal's place."""


def on_a_terminal(*arguments: str, size: tuple[int, int] = (100, 40), **environment: str) -> tuple[int, str]:
    """Exit code and output of a command on a terminal of some columns and lines."""
    master, terminal = pty.openpty()
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    inherited = {key: text for key, text in os.environ.items() if key not in LEFT_OUT}
    with subprocess.Popen(
        [sys.executable, "-m", "advisor", *arguments],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**inherited, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **environment},
        cwd=ROOT,
    ) as running:
        os.close(terminal)
        output = b""
        while chunk := _read(master):
            output += chunk
        code = running.wait()
    os.close(master)
    return code, output.decode(errors="surrogateescape").replace("\r\n", "\n")


def _read(master: int) -> bytes:
    try:
        return os.read(master, 65536)
    except OSError:
        return b""
