"""Progress on standard error: a bar on a terminal, else nothing or a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, TextIO, TypeVar

from advisor.errors import say

if TYPE_CHECKING:
    from rich.progress import TaskID


T = TypeVar("T")
SOON = 1.0
"""Seconds without a bar."""
EVERY = 20.0
"""Seconds between two lines of a run that takes minutes, in the log of whatever started it."""


class Progress:
    """Progress of a run in stages, each with done of total (0: unknown).

    Elsewhere nothing, or a line `every` so many seconds; a run that is over before has none.
    """

    def __init__(self, stream: TextIO, every: float | None = None) -> None:
        self._bar = None
        self._stream = stream
        self._every = every
        self._next = time.monotonic() + (every or 0.0)
        self._task: TaskID | None = None
        if stream.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            columns = (
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
            )
            self._bar = Bar(*columns, console=Console(file=stream), transient=True)

    def __enter__(self) -> Progress:
        """The bar itself begins with the first stage: its thread must not be there when processes are forked."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()

    def show(self, stage: str, done: int, total: int) -> None:
        """Update the stage's progress."""
        if self._bar is not None:
            if self._task is None:
                self._bar.start()
                self._task = self._bar.add_task("", total=None)
            self._bar.update(self._task, description=stage, completed=done, total=total or None)
        elif self._every is not None and total and time.monotonic() >= self._next:
            self._next = time.monotonic() + self._every
            say(f"{done} of {total} {stage}", self._stream)


def watched(rows: Iterable[T], what: str, total: int = 0) -> Iterator[T]:
    """The rows; on a terminal with a progress bar once they take more than a second (total 0: unknown)."""
    begun, progress = time.monotonic(), None
    try:
        for number, row in enumerate(rows, 1):
            if progress is None and sys.stderr.isatty() and time.monotonic() - begun > SOON:
                progress = Progress(sys.stderr)
            if progress is not None:
                progress.show(what, number, total)
            yield row
    finally:
        if progress is not None:
            progress.__exit__(None, None, None)
