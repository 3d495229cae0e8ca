"""A disk that is soon full: a small tmpfs where this process may mount one, else a limit for the size of files."""

from __future__ import annotations

import contextlib
import functools
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.support.commands import Ran, process

KILOBYTES = 100
Run = Callable[..., Ran]


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[tuple[Path, Run, Run]]:
    """A folder on such a disk, what runs a command there, and what does so once there is room."""
    folder.mkdir()
    size = f"size={KILOBYTES}k"
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], capture_output=True, check=False)
    if mounted.returncode:
        yield folder, functools.partial(process, largest_file=KILOBYTES * 1000), process
        return

    def with_room(*arguments: object) -> Ran:
        subprocess.run(["mount", "-o", "remount,size=64m", folder], check=True)
        return process(*arguments)

    try:
        yield folder, process, with_room
    finally:
        subprocess.run(["umount", "-l", folder], check=True)
