"""`kafka-advisor lsp`: a language server on standard input and output."""

from __future__ import annotations

import os
import sys

from advisor.errors import ExitCode, UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

EPILOG = """\
An editor starts it and speaks to it on standard input and output; docs/editors.md has the settings of Neovim,
Helix, VS Code and JetBrains. It writes no file, and nothing leaves the machine.

It needs `pip install 'kafka-advisor[lsp]'`.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `lsp`."""
    parser.epilog = EPILOG
    parser.add_argument("--stdio", action="store_true", help="speak on standard input and output, as always")


def run(options: argparse.Namespace) -> int:
    """Serve one editor. Raises UserError where the extra is not installed."""
    try:
        from advisor.cli.editing.editor_judge import EditorJudge
        from advisor.lsp.serving import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise UserError(f"{missing.name} is not installed: lsp needs `pip install 'kafka-advisor[lsp]'`") from None
        raise
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what is printed by mistake is no message of the protocol
    serve(EditorJudge(), sys.stdin.buffer, output)
    return ExitCode.CLEAN
