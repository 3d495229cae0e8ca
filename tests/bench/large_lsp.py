"""A session of the language server with a large file: opened, hovered over, completed, its fixes asked for.

It prints the CPU seconds that the server takes for the slowest of these requests; it is no child of whoever measures (see
tests.support.fork_server).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.language_client import server

CAPABILITIES = {
    "textDocument": {"codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}},
}
"""Of an editor that asks for the edit of an action when the user takes it, as VS Code and Neovim do."""


def main() -> None:
    """Play the session."""
    print(max(seconds_of_requests(Path(sys.argv[1]))))


def seconds_of_requests(path: Path) -> Iterator[float]:
    """CPU seconds of each request, the opening with its diagnostics first."""
    with server(CAPABILITIES) as client:
        pid = client.process.pid
        start = cpu_seconds(pid)
        uri = client.open(path)
        shown = client.diagnostics(uri)
        line = shown[len(shown) // 2]["range"]["start"] if shown else {"line": 0, "character": 0}
        yield cpu_seconds(pid) - start
        where = {"textDocument": {"uri": uri}, "position": line}
        around = {"textDocument": {"uri": uri}, "range": {"start": line, "end": line}, "context": {"diagnostics": []}}
        for request, params in (("hover", where), ("completion", where), ("codeAction", around)):
            start = cpu_seconds(pid)
            client.request(f"textDocument/{request}", **params)
            yield cpu_seconds(pid) - start


def cpu_seconds(pid: int) -> float:
    """What a process has taken so far, user and system (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
