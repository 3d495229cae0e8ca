"""A temporary folder that is gone when its block ends, whenever SIGTERM or Ctrl-C comes."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager

from advisor.signals import clean_up_on_sigterm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def temporary_folder() -> Iterator[str]:
    """A new private folder, removed with its content at the end of the block. Raises OSError."""
    clean_up_on_sigterm()
    # Named before it is made: a signal between the two would leave a folder whose name nothing knows.
    folder = os.path.join(tempfile.gettempdir(), f"kafka-advisor-{os.urandom(8).hex()}")
    try:
        os.mkdir(folder, 0o700)
        yield folder
    finally:
        try:
            shutil.rmtree(folder, ignore_errors=True)
        finally:  # a signal may have ended the first removal
            shutil.rmtree(folder, ignore_errors=True)
