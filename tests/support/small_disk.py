"""A disk that is soon full: a small tmpfs where this process may mount one, else a limit for the size of files."""

from __future__ import annotations

import contextlib
import functools
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.support.commands import ENVIRONMENT, SHORT_LIVED_JAVA, Ran, process

KILOBYTES = 100
Run = Callable[..., Ran]


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[tuple[Path, Run, Run]]:
    """A folder on such a disk, what runs a command there, and what does so once there is room."""
    folder.mkdir()
    size = f"size={KILOBYTES}k"
    run = functools.partial(process, environment=ENVIRONMENT | SHORT_LIVED_JAVA)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], capture_output=True, check=False)
    if mounted.returncode:
        yield folder, functools.partial(run, largest_file=KILOBYTES * 1000), run
        return

    def with_room(*arguments: object) -> Ran:
        subprocess.run(["mount", "-o", "remount,size=64m", folder], check=True)
        return run(*arguments)

    try:
        yield folder, run, with_room
    finally:
        subprocess.run(["umount", "-l", folder], check=True)
