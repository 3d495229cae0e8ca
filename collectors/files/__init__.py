"""Configuration files of any syntax and tool: `reader` reads one into entities, `clusters` groups them."""

from __future__ import annotations

from _thread import _local  # threading takes 2 ms to import

__all__ = ["ThreadLocal", "unsaved"]

ThreadLocal = _local


class Unsaved(ThreadLocal):
    """What a thread reads in place of a file's own bytes, by its real path; `-` is standard input."""

    def __init__(self) -> None:
        self.texts: dict[str, bytes] = {}


unsaved = Unsaved()
"""The texts of this thread: threads of the language server judge at the same time."""
