"""Keys and values that may stand at a position."""

from __future__ import annotations

from lsprotocol.types import CompletionList, Position

from advisor.lsp.positions import Text
from advisor.lsp.session import Session

TRIGGERS = ("=",)


def completion(session: Session, path: str, text: Text, position: Position) -> CompletionList | None:
    """What may stand at a position; None where nothing is known."""
    return None
