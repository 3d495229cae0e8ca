"""Commands on a real terminal: a pty of some columns and lines."""

from __future__ import annotations

import os
import pty
import struct
import termios
from fcntl import ioctl

from tests.support.commands import ROOT
from tests.support.fork_server import fork

LEFT_OUT = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
"""Variables that would decide in the terminal's place."""
IMPORTED = ("advisor.cli.commands.lint",)
IN_ENVIRONMENT = "import os\nos.environ.clear()\nos.environ.update({variables!r})"


def on_a_terminal(*arguments: str, size: tuple[int, int] = (100, 40), **environment: str) -> tuple[int, str]:
    """Exit code and output of a command on a terminal of some columns and lines."""
    master, terminal = pty.openpty()
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    inherited = {key: text for key, text in os.environ.items() if key not in LEFT_OUT}
    variables = {**inherited, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **environment}
    with os.fdopen(terminal, "r+b", buffering=0) as stream:
        running = fork(arguments, IMPORTED, (stream, stream, stream), IN_ENVIRONMENT.format(variables=variables))
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
