"""Write files atomically: whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterable

from advisor.git import is_in_work_tree, is_tracked
from advisor.signals import clean_up_on_sigterm


def write(path: str, chunks: Iterable[bytes], mode: int = 0o666) -> None:
    """Write a temporary file beside the target and rename it; a pipe or a device is written directly. Raises OSError.

    The temporary file is a new one under a name that cannot be foreseen. A file that is replaced keeps its mode. A link that
    a repository brought, or that another user may have put there, is not followed.
    """
    refuse_foreign_links(path)
    real = os.path.realpath(path)
    old_mode = _mode_of(real)
    if old_mode is not None and not stat.S_ISREG(old_mode):
        _write(os.open(real, os.O_WRONLY), chunks)
        return
    clean_up_on_sigterm()
    partial = os.path.join(os.path.dirname(real), f".{os.urandom(8).hex()}.partial")
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), mode)
        if old_mode is not None:
            os.chmod(partial, stat.S_IMODE(old_mode))
        _write(descriptor, chunks)
        os.replace(partial, real)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(partial)


def refuse_foreign_links(path: str) -> None:
    """Raise OSError where a part of a path is a link that git tracks, or that lies in a folder others may write."""
    part = os.path.abspath(path)
    while part != os.path.dirname(part):
        if os.path.islink(part) and _is_foreign(part):
            raise OSError(errno.ELOOP, "a link that git tracks or another user made is not followed", path)
        part = os.path.dirname(part)


def _is_foreign(link: str) -> bool:
    folder = os.path.dirname(link)
    is_shared = os.stat(folder).st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if hasattr(os, "geteuid") and is_shared and os.lstat(link).st_uid != os.geteuid():
        return True
    return is_in_work_tree(folder) and is_tracked(link)


def _mode_of(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except OSError:
        return None


def _write(descriptor: int, chunks: Iterable[bytes]) -> None:
    with open(descriptor, "wb") as handle:
        handle.writelines(chunks)
