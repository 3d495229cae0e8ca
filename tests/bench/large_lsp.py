"""A session of the language server with a large file: opened, hovered over, completed, its fixes asked for."""

from __future__ import annotations

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


if __name__ == "__main__":
    main()
