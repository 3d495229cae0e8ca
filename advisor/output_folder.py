"""Open the folder of an output part by part, so that no link on the way is followed that another may have put there."""

from __future__ import annotations

import contextlib
import errno
import os
import stat

MOST_LINKS = 40
"""Links on the way to a file, as many as Linux follows."""
HAS_PARTS = os.open in os.supports_dir_fd and os.readlink in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""Whether the system opens a part of a path from its folder on; Windows does not."""
FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
OPEN_FILES = ("pipe:", "socket:", "anon_inode:")
"""What the links of /proc to open files name that have no path."""
follows_links = False
"""Whether the user follows every link (--follow-links)."""


class OutputFolder:
    """The folder that an output goes to, held open: what is done in it is done there, wherever its path leads by then.

    `name` is the file's name in it; `is_open_file` says that this is a link to a file which is open and has no path, such as a
    pipe. Raises OSError for a link that is not followed.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._links = 0
        self._in_work_tree = False
        self.is_open_file = False
        self._parts = parts_of(os.path.join(os.getcwd(), path))
        self.descriptor = os.open(os.sep, FOLDER)
        with contextlib.ExitStack() as on_error:
            on_error.callback(self.close)
            self.name = self._walk()
            on_error.pop_all()

    def close(self) -> None:
        """Let the folder go."""
        os.close(self.descriptor)

    def _walk(self) -> str:
        """Go to the folder, and return the name of the file in it."""
        while self._parts:
            self._in_work_tree = self._in_work_tree or self._has(".git")
            name = self._parts.pop()
            if self._is_link(name):
                text = os.readlink(name, dir_fd=self.descriptor)
                self.is_open_file = not self._parts and text.startswith(OPEN_FILES)
                if self.is_open_file:
                    return name
                self._follow(name, text)
            elif not self._parts:
                return name
            else:
                self._enter(name)
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), self._path)

    def _enter(self, name: str) -> None:
        """Go to a folder below this one, or above it."""
        folder = os.open(name, FOLDER, dir_fd=self.descriptor)
        os.close(self.descriptor)
        self.descriptor = folder

    def _follow(self, name: str, text: str) -> None:
        """Go on where a link leads."""
        self._links += 1
        if self._links > MOST_LINKS or (not follows_links and self._is_foreign(name)):
            reason = "a link in a work tree or of another user is not followed; --follow-links follows it"
            raise OSError(errno.ELOOP, reason, self._path)
        if text.startswith(os.sep):
            self._enter(os.sep)
            self._in_work_tree = False
        self._parts += parts_of(text)

    def _is_foreign(self, name: str) -> bool:
        """Whether a link may be another's: it lies in a work tree, or another user's lies in a folder that others may write."""
        is_shared = os.fstat(self.descriptor).st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        owner = os.stat(name, dir_fd=self.descriptor, follow_symlinks=False).st_uid
        return self._in_work_tree or bool(is_shared and owner != os.geteuid())

    def _is_link(self, name: str) -> bool:
        try:
            return stat.S_ISLNK(os.stat(name, dir_fd=self.descriptor, follow_symlinks=False).st_mode)
        except FileNotFoundError:
            return False

    def _has(self, name: str) -> bool:
        try:
            os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)
        except OSError:
            return False
        return True


def parts_of(path: str) -> list[str]:
    """The parts of a path, the last one first."""
    return [part for part in reversed(path.split(os.sep)) if part not in ("", ".")]
