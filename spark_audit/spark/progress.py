"""Show how far Spark is; a classic session has its own bar for that, on a terminal."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from collectors.kafka.deadline import Progress


@contextlib.contextmanager
def show_progress(spark: Any, show: Progress, stage: str) -> Iterator[None]:
    """Show how many tasks are done, where the session is one of Spark Connect."""
    show(stage, 0, 0)
    if not is_connect(spark):
        yield
        return

    def handle(stages: Sequence[Any] | None, **_: object) -> None:
        for active in stages or ():
            if active.num_tasks:
                show(stage, active.num_completed_tasks, active.num_tasks)

    spark.registerProgressHandler(handle)
    try:
        yield
    finally:
        spark.removeProgressHandler(handle)


def is_connect(spark: Any) -> bool:
    """Whether a session is one of Spark Connect."""
    return type(spark).__module__.startswith("pyspark.sql.connect.")
