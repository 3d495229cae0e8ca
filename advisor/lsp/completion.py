"""What may stand at a position: keys or values."""

from __future__ import annotations

from lsprotocol.types import CompletionList, Position

from advisor.lsp.entry_at_cursor import typed_at
from advisor.lsp.key_completion import keys
from advisor.lsp.positions import Text
from advisor.lsp.session import Session
from advisor.lsp.value_completion import values

TRIGGERS = ("=", ":", ",")


def completion(session: Session, path: str, text: Text, position: Position) -> CompletionList | None:
    """What may stand at a position; None where nothing is known."""
    typed = typed_at(text, position)
    if typed is None:
        return None
    items = keys(session, path, text, typed) if typed.joint is None else values(session, path, text, typed)
    return CompletionList(is_incomplete=False, items=items)
