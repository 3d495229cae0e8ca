"""A process that judges: one Arrow thread beside others, and no collection of garbage in between."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

import pyarrow as pa


def prepare_process() -> None:
    """Prepare a process that runs beside others: one Arrow thread; loaded objects exempt from garbage collection."""
    pa.set_cpu_count(1)
    gc.freeze()


@contextlib.contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Collect cyclic garbage once afterwards, among new objects only: collecting in between takes time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
            gc.collect(1)
        pa.default_memory_pool().release_unused()
