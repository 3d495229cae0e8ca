"""Deadlines and retries for requests to a running cluster."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
Progress = Callable[[str, int, int], None]
PATIENCE = 10.0
"""Seconds that one answer may take, within the deadline."""
TRIES = 3
FIRST_PAUSE = 0.25


NONSENSE = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RuntimeError,
    EOFError,
    struct.error,
)
"""What a library or we raise where an answer is none: a field is missing, of another type, or too short."""


class Unread(Exception):
    """Something could not be read; the text says why, `again` whether a retry makes sense."""

    def __init__(self, reason: str, again: bool = False) -> None:
        super().__init__(reason)
        self.again = again


class Deadline:
    """A deadline so many seconds from now."""

    __slots__ = ("_end", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self, most: float = PATIENCE) -> float:
        """The seconds that the next call may take. Raises Unread when none are left."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise Unread(f"not read within the {self.seconds:g} s of --timeout")
        return min(left, most)

    def remaining(self) -> float:
        """Seconds until the deadline, below 0 after it."""
        return self._end - time.monotonic()

    def pause(self, seconds: float) -> None:
        """Sleep, but not beyond the deadline."""
        time.sleep(max(0.0, min(seconds, self._end - time.monotonic())))


def persistent(deadline: Deadline, call: Callable[[float], T]) -> T:
    """Call with a timeout in seconds, and retry with growing pauses where that makes sense. Raises Unread."""
    pause = FIRST_PAUSE
    for attempt in range(1, TRIES + 1):
        try:
            return call(deadline.left())
        except Unread as unread:
            if not unread.again or attempt == TRIES:
                raise
            deadline.pause(pause)
            pause *= 2
    raise AssertionError("unreachable")


def readable(what: str, read: Callable[[], T]) -> T:
    """Call what asks and reads an answer; one that makes no sense to the library or to us is Unread."""
    try:
        return read()
    except Unread:
        raise
    except NONSENSE as error:
        text = " ".join(str(error).split())[:200]
        raise Unread(
            f"{what}: the answer makes no sense ({type(error).__name__}{': ' if text else ''}{text})"
        ) from None


def no_progress(_stage: str, _done: int, _total: int) -> None:
    """A progress callback that shows nothing."""
