"""How a running cluster is asked: a deadline over everything, a few tries with growing pauses, reasons in one line."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")
    Progress = Callable[[str, int, int], None]

PATIENCE = 10.0
"""Seconds that one answer may take, within the deadline."""
TRIES = 3
FIRST_PAUSE = 0.25


class Unread(Exception):
    """One kind of fact could not be read; the text says why. `again` says whether another try makes sense."""

    def __init__(self, reason: str, again: bool = False) -> None:
        super().__init__(reason)
        self.again = again


class Deadline:
    """Seconds from now until everything has to be over."""

    __slots__ = ("_end", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self, most: float = PATIENCE) -> float:
        """Seconds that the next call may take. Raises Unread when none are left."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise Unread(f"not read within the {self.seconds:g} s of --timeout")
        return min(left, most)

    def remaining(self) -> float:
        """Seconds until the end, below 0 behind it."""
        return self._end - time.monotonic()

    def pause(self, seconds: float) -> None:
        """Sleep, but not beyond the end."""
        time.sleep(max(0.0, min(seconds, self._end - time.monotonic())))


def persistent(deadline: Deadline, call: Callable[[float], T]) -> T:
    """Call with the seconds it may take, again after a pause where that makes sense. Raises Unread."""
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


def quiet(_stage: str, _done: int, _total: int) -> None:
    """No progress is shown."""
