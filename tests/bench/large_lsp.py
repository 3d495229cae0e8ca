"""A session of the language server with a large file: opened, hovered over, completed, its fixes asked for.

It prints the CPU seconds of the server, which is no child of whoever measures (see tests.support.fork_server).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.support.language_client import server


def main() -> None:
    """Play the session."""
    path = Path(sys.argv[1])
    with server() as client:
        uri = client.open(path)
        shown = client.diagnostics(uri)
        line = shown[len(shown) // 2]["range"]["start"] if shown else {"line": 0, "character": 0}
        where = {"textDocument": {"uri": uri}, "position": line}
        client.request("textDocument/hover", **where)
        client.request("textDocument/completion", **where)
        around = {"textDocument": {"uri": uri}, "range": {"start": line, "end": line}, "context": {"diagnostics": []}}
        client.request("textDocument/codeAction", **around)
        print(cpu_seconds(client.process.pid))


def cpu_seconds(pid: int) -> float:
    """What a process has taken so far, user and system (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
