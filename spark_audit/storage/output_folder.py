"""Write an output folder atomically: tables are written aside, moved to their place, complete with `_complete.json`."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import weakref
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from advisor import atomic_file
from advisor.errors import UserError
from advisor.signals import clean_up_on_sigterm
from spark_audit.schema.snapshots import TABLES

FORMAT = "kafka-advisor-collection/1"
COMPLETE = "_complete.json"
PARTIAL_FOLDER = "unfinished"
OWN_NAMES = {COMPLETE, PARTIAL_FOLDER, *TABLES}
"""Names in a folder of collected tables."""


@dataclass(slots=True)
class Outcome:
    """What became of collecting one cluster; `seconds` is how long it took."""

    name: str
    status: str
    reason: str | None
    seconds: float
    topics: int


class OutputFolder:
    """A folder that one run writes tables to; whatever goes wrong, nothing half-written stays.

    Inside of `with`, tables are written to `partial`; `finish` moves them to their place. Raises UserError where the
    folder holds something else, tables that are whole, or another run's work.
    """

    def __init__(self, path: str, overwrite: bool, tables: Iterable[str] = TABLES) -> None:
        self.path = os.path.abspath(path)
        self.partial = os.path.join(self.path, PARTIAL_FOLDER)
        self._shown = path
        self._overwrite = overwrite
        self._tables = tuple(tables)
        self._lock: int | None = None
        self._finished = False

    def __enter__(self) -> OutputFolder:
        """Lock the folder and prepare it. Raises UserError."""
        if "://" in self._shown:
            raise UserError(
                f"{self._shown}: must be a folder of this machine, one that it shares with all Spark workers"
            )
        if os.path.exists(self.path) and not os.path.isdir(self.path):
            raise UserError(f"{self._shown}: is a file; name a folder")
        clean_up_on_sigterm()
        is_new, is_ready = not os.path.isdir(self.path), False
        try:
            os.makedirs(self.path, exist_ok=True)
            self.lock()
            self._check_content()
            shutil.rmtree(self.partial, ignore_errors=True)
            os.makedirs(self.partial)
            is_ready = True
        finally:
            if not is_ready:
                self._give_up(is_new)
        return self

    def _give_up(self, is_new: bool) -> None:
        """Unlock the folder, and remove it where this run has made it and nobody has put anything there."""
        if self._lock is not None and is_new:
            shutil.rmtree(self.partial, ignore_errors=True)
        if is_new:
            with contextlib.suppress(OSError):
                os.rmdir(self.path)
        self.release()

    def __exit__(self, *_: object) -> None:
        """Remove what a failed run has written, and the folder if it is empty; unlock it."""
        try:
            if not self._finished:
                shutil.rmtree(self.partial, ignore_errors=True)
                if not os.listdir(self.path):
                    os.rmdir(self.path)
        finally:
            self.release()

    def _check_content(self) -> None:
        names = set(os.listdir(self.path))
        others = names - {COMPLETE, PARTIAL_FOLDER, *self._tables}
        if others:
            raise UserError(f"{self._shown}: holds something else ({min(others)}); name a new or empty folder")
        if COMPLETE in names and not self._overwrite:
            raise UserError(f"{self._shown}: holds tables that are whole; name another folder, or say --overwrite")

    def lock(self) -> None:
        """Lock the folder until this run is over, however it ends. Raises UserError where another run has it.

        Where the system or the disk knows no such locks, nobody is kept out. Processes that are forked do not hold it.
        """
        try:
            from fcntl import LOCK_EX, LOCK_NB, flock
        except ImportError:
            return
        lock = os.open(self.path, os.O_RDONLY)
        try:
            flock(lock, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            busy = "another run is writing there; wait for it, or name another folder"
            raise UserError(f"{self._shown}: {busy}") from None
        except OSError:
            os.close(lock)
            return
        self._lock = lock
        os.register_at_fork(after_in_child=functools.partial(_release, weakref.ref(self)))

    def release(self) -> None:
        """Unlock the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def finish(self, about: dict[str, Any]) -> None:
        """Move the tables to their place, then write _complete.json."""
        complete = os.path.join(self.path, COMPLETE)
        if os.path.exists(complete):
            os.remove(complete)
        for name in self._tables:
            shutil.rmtree(os.path.join(self.path, name), ignore_errors=True)
            if os.path.isdir(os.path.join(self.partial, name)):
                os.rename(os.path.join(self.partial, name), os.path.join(self.path, name))
        shutil.rmtree(self.partial)
        atomic_file.write(complete, [json.dumps(about, indent=2, ensure_ascii=False).encode() + b"\n"])
        self._finished = True


def _release(folder: weakref.ref[OutputFolder]) -> None:
    owner = folder()
    if owner is not None:
        owner.release()


def read_metadata(folder: str) -> dict[str, Any] | None:
    """The content of _complete.json, None where there is none. Raises UserError."""
    path = os.path.join(folder, COMPLETE)
    if not os.path.exists(path):
        return None
    try:
        with open(path, encoding="utf-8") as handle:
            about = json.load(handle)
        format = about["format"]
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{path}: is damaged; collect again with --overwrite") from None
    if format != FORMAT:
        raise UserError(f"{path}: its format is {str(format)[:60]!r}; this release reads {FORMAT}")
    return dict(about)
