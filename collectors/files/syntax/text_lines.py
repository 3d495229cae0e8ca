"""Lines as an editor numbers them, which `str.splitlines` does not: it breaks at form feeds and U+2028, too."""

from __future__ import annotations


def text_lines(text: str) -> list[str]:
    r"""The lines of a text, without their ends: \n, \r\n and \r."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
