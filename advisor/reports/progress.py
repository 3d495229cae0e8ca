"""A line on standard error that says how far a long run is; nothing where nobody watches."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import TextIO

    from rich.progress import TaskID


class Progress:
    """Stages of one run, each with done of total (0: nobody knows); shown on a terminal only."""

    def __init__(self, stream: TextIO) -> None:
        self._bar = None
        self._task: TaskID | None = None
        if stream.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bar = Bar(*columns, console=Console(file=stream), transient=True)

    def __enter__(self) -> Progress:
        """Begin."""
        if self._bar is not None:
            self._bar.start()
            self._task = self._bar.add_task("", total=None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the line away."""
        if self._bar is not None:
            self._bar.stop()

    def show(self, stage: str, done: int, total: int) -> None:
        """How far the stage is."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=stage, completed=done, total=total or None)
