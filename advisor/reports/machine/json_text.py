"""JSON text that no terminal can be steered by."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def dump(value: object, indent: int | None = None) -> str:
    """JSON text, with non-ASCII characters unless they could steer a terminal."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    if text.isprintable() or text.replace("\n", "").isprintable():
        return text
    return json.dumps(value, indent=indent)


def dump_documents(documents: Sequence[object]) -> str:
    """One document as it is, several as a list."""
    return dump(documents[0] if len(documents) == 1 else list(documents), indent=2)
