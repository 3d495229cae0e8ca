"""Write files atomically: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable

from advisor.output_folder import HAS_PARTS, OutputFolder
from advisor.signals import clean_up_on_sigterm

NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def write(path: str, chunks: Iterable[bytes], mode: int = 0o666) -> None:
    """Write a temporary file beside the target and rename it; a pipe or a device is written directly. Raises OSError.

    The temporary file is a new one under a name that cannot be foreseen. A file that is replaced keeps its mode, and its
    owner where this user may give a file away. A link that
    lies in a work tree, or that another user may have put there, is not followed.
    """
    if not HAS_PARTS:
        _replace(os.path.realpath(path), None, chunks, mode)
        return
    try:
        folder = OutputFolder(path)
        with contextlib.closing(folder):
            _replace(folder.name, folder.descriptor, chunks, mode, folder.is_open_file)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, path) from None


def _replace(name: str, folder: int | None, chunks: Iterable[bytes], mode: int, follow: bool = False) -> None:
    """Write a file below an open folder, or at a path; a link in the file's place is followed on demand."""
    old = _stat_of(name, folder, follow)
    if old is not None and not stat.S_ISREG(old.st_mode):
        _write(os.open(name, os.O_WRONLY | (0 if follow else NO_LINK), dir_fd=folder), chunks)
        return
    clean_up_on_sigterm()
    partial = os.path.join(os.path.dirname(name), f".{os.urandom(8).hex()}.partial")
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK, mode, dir_fd=folder)
        if old is not None:
            _keep_owner(descriptor, old)
            os.chmod(descriptor if folder is not None else partial, stat.S_IMODE(old.st_mode))
        _write(descriptor, chunks)
        os.replace(partial, name, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(partial, dir_fd=folder)


def _stat_of(name: str, folder: int | None, follow: bool) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=follow)
    except OSError:
        return None


def _keep_owner(descriptor: int, old: os.stat_result) -> None:
    """Give a new file the owner and the group of the old one, as far as this user may."""
    new = os.fstat(descriptor)
    for owner, group in ((old.st_uid, -1), (-1, old.st_gid)):
        if hasattr(os, "fchown") and (owner, group) not in ((new.st_uid, -1), (-1, new.st_gid)):
            with contextlib.suppress(PermissionError):
                os.fchown(descriptor, owner, group)


def _write(descriptor: int, chunks: Iterable[bytes]) -> None:
    with open(descriptor, "wb") as handle:
        handle.writelines(chunks)
