"""JSON text that no terminal can be steered by."""

from __future__ import annotations

import json


def dump(value: object, indent: int | None = None) -> str:
    """JSON text, with non-ASCII characters unless they could steer a terminal."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    if text.isprintable() or text.replace("\n", "").isprintable():
        return text
    return json.dumps(value, indent=indent)
