"""Write files atomically: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable


def write(path: str, chunks: Iterable[bytes], mode: int = 0o666) -> None:
    """Write a temporary file and rename it; a pipe or a device is written directly. Raises OSError."""
    real = os.path.realpath(path)
    if os.path.exists(real) and not os.path.isfile(real):
        _write(real, chunks, mode)
        return
    partial = f"{real}.{os.getpid()}.partial"
    try:
        _write(partial, chunks, mode)
        os.replace(partial, real)
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def _write(target: str, chunks: Iterable[bytes], mode: int) -> None:
    with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as handle:
        handle.writelines(chunks)
