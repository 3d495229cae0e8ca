"""Write one run of tables: under an id of its own, complete with the marker, which is written last."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import weakref
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from advisor.errors import UserError
from advisor.signals import clean_up_on_sigterm
from spark_audit.schema.snapshots import COLLECTIONS, TABLES
from spark_audit.storage.file_store import Store, open_store
from spark_audit.storage.location import parse_location
from spark_audit.storage.runs import (
    MARKER,
    OLD_MARKER,
    RUN,
    check_replaceable,
    find_marker,
    new_run,
    parse_marker,
    read_marker,
    table_folder,
)
from spark_audit.storage.table_files import PARQUET

UNFINISHED = "unfinished"
"""What runs of earlier versions left behind when they were killed."""


class RunOutput:
    """A folder or URI that one run writes tables to; whatever goes wrong, nothing half-written looks whole.

    Raises UserError where it holds something else, tables that are whole, or, on this machine, another run's work.
    """

    def __init__(
        self,
        store: Store,
        overwrite: bool = False,
        tables: Iterable[str] = TABLES,
        storage: str = PARQUET,
        markers: Sequence[str] = COLLECTIONS,
    ) -> None:
        self.store = store
        self.run = new_run()
        self.storage = storage
        self._markers = markers
        self._overwrite = overwrite
        self._tables = set(tables)
        self._lock: int | None = None
        self._finished = False

    def __enter__(self) -> RunOutput:
        """Lock the folder and prepare it. Raises UserError."""
        if not self.store.is_local:
            self._check_content()
            return self
        path = self.store.root
        if os.path.exists(path) and not os.path.isdir(path):
            raise UserError(f"{self.store.shown}: is a file; name a folder")
        clean_up_on_sigterm()
        is_new, is_ready = not os.path.isdir(path), False
        try:
            self.store.make_folder()
            self.lock()
            self._check_content()
            self._remove_runs(but=self._marked_run())
            self.store.make_folder(f"{RUN}{self.run}")
            is_ready = True
        finally:
            if not is_ready:
                self._give_up(is_new)
        return self

    def _give_up(self, is_new: bool) -> None:
        """Unlock the folder, and remove it where this run has made it and it is empty."""
        if is_new:
            with contextlib.suppress(OSError):
                os.rmdir(self.store.root)
        self.release()

    def __exit__(self, *_: object) -> None:
        """Remove what a failed run has written, and the folder if it is empty; unlock it."""
        try:
            if not self._finished:
                self.store.remove(f"{RUN}{self.run}")
                if self.store.is_local and not self.store.names():
                    os.rmdir(self.store.root)
        finally:
            self.release()

    def _check_content(self) -> None:
        names = set(self.store.names())
        own = {MARKER, OLD_MARKER, UNFINISHED, *self._tables}
        others = sorted(name for name in names - own if not name.startswith(RUN))
        if others:
            raise UserError(f"{self.store.shown}: holds something else ({others[0]}); name a new or empty folder")
        marker = find_marker(self.store)
        if marker is None:
            return
        if not self._overwrite:
            raise UserError(f"{self.store.shown}: holds tables that are whole; name another folder, or say --overwrite")
        check_replaceable(read_marker(self.store, marker), self.store.shown, self._markers)

    def _marked_run(self) -> str | None:
        """The run that the marker names, which counts until this one is whole."""
        if MARKER not in self.store.names():
            return None
        with contextlib.suppress(UserError):
            return str(parse_marker(read_marker(self.store, MARKER), MARKER, self._markers, "").get("run"))
        return None

    def _remove_runs(self, but: str | None) -> None:
        for name in self.store.names():
            if name.startswith(RUN) and name != f"{RUN}{but}":
                self.store.remove(name)

    def lock(self) -> None:
        """Lock the folder until this run is over, however it ends. Raises UserError where another run has it.

        Where the system or the disk knows no such locks, no other run is kept out. Processes that are forked do not hold it.
        """
        try:
            from fcntl import LOCK_EX, LOCK_NB, flock
        except ImportError:
            return
        lock = os.open(self.store.root, os.O_RDONLY)
        try:
            flock(lock, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            busy = "another run is writing there; wait for it, or name another folder"
            raise UserError(f"{self.store.shown}: {busy}") from None
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

    def __getstate__(self) -> dict[str, Any]:
        """What other processes write with: the lock stays here."""
        return vars(self) | {"_lock": None}

    def table(self, name: str) -> str:
        """The path of a table's folder, which is there from then on. Raises UserError."""
        return self.store.make_folder(*table_folder(self.run, name).split("/"))

    def finish(self, about: Mapping[str, Any]) -> None:
        """Write the marker, then remove what it has replaced. Raises UserError where another run was whole first."""
        if not self._overwrite and find_marker(self.store):
            raise UserError(f"{self.store.shown}: another run was whole first; name another folder, or say --overwrite")
        marker, replaced = {**about, "run": self.run, "storage": self.storage}, self._marked_run()
        if self.store.is_folder(MARKER):  # as Spark writes it
            self.store.remove(MARKER)
        self.store.write(json.dumps(marker, indent=2, ensure_ascii=False).encode() + b"\n", MARKER)
        self._finished = True
        if self.store.is_local:
            self._remove_runs(but=self.run)
        elif replaced is not None:  # other runs may be at work: none of them is kept out
            self.store.remove(f"{RUN}{replaced}")
        for name in {OLD_MARKER, UNFINISHED, *self._tables} & set(self.store.names()):
            self.store.remove(name)


def _release(output: weakref.ref[RunOutput]) -> None:
    owner = output()
    if owner is not None:
        owner.release()


def open_output(
    text: str,
    overwrite: bool = False,
    tables: Iterable[str] = TABLES,
    storage: str = PARQUET,
    options: Iterable[tuple[str, str]] = (),
    markers: Sequence[str] = COLLECTIONS,
) -> RunOutput:
    """The output that a user named; `markers` are formats of what may be replaced. Raises UserError."""
    return RunOutput(open_store(parse_location(text), options), overwrite, tables, storage, markers)
