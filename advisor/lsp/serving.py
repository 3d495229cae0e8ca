"""Serve one client on two streams."""

from __future__ import annotations

import logging
from typing import BinaryIO

from advisor.lsp.handlers import register
from advisor.lsp.judged import Judge
from advisor.lsp.server import Server


def serve(judge: Judge, stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve one client until it says goodbye or goes away."""
    for name in ("pygls", "asyncio"):
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False
    server = Server(judge)
    register(server)
    try:
        server.start_io(stdin, stdout)
    finally:
        server.session.end()
