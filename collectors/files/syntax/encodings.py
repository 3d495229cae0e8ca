"""Texts in encodings that Kafka does not read, as far as one needs to see what they are about."""

from __future__ import annotations

MARKS = (b"\xff\xfe", b"\xfe\xff")
"""How a text in UTF-16 begins that says so."""
MOST_OTHERS = 50
"""Of how many characters one may be none of a text."""


def text_with_nulls(data: bytes) -> str:
    """The text of bytes with NULs: UTF-16 by its mark or by where the NULs are, else what is left without them."""
    if data.startswith(MARKS):
        return data.decode("utf-16", errors="replace").replace("\0", "")
    even, odd = data[::2].count(0), data[1::2].count(0)
    if 3 * max(even, odd) > len(data) and 10 * min(even, odd) < max(even, odd):
        return data.decode("utf-16-be" if even > odd else "utf-16-le", errors="replace")
    return data.replace(b"\0", b"").decode(errors="replace")


def is_text(text: str) -> bool:
    """Whether nearly all characters are those of a text."""
    others = sum(not (char.isprintable() or char in "\t\n\r\f") or char == "\ufffd" for char in text)
    return others * MOST_OTHERS <= len(text)
