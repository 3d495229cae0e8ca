"""Runs in a folder: each writes its tables under an id of its own, and a marker, written last, names the whole one.

    OUT/complete.json                                 the marker: what the run was, and its id
    OUT/run=20261120T040000Z-1a2b3c4d/table=findings/  a table's files

Object stores cannot rename, and what has no marker is never read. Folders of earlier versions have `_complete.json`, and
their tables beside it.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from advisor.errors import UserError
from spark_audit.storage.file_store import Store
from spark_audit.storage.table_files import FORMATS, PARQUET

MARKER, OLD_MARKER = "complete.json", "_complete.json"
RUN, TABLE = "run=", "table="


class StoredRun:
    """A whole run: `about` is the content of its marker."""

    def __init__(self, store: Store, about: dict[str, Any]) -> None:
        self.store = store
        self.about = about
        self.storage = str(about.get("storage", PARQUET))

    def files(self, table: str) -> list[str]:
        """The paths of a table's files. Raises UserError."""
        return self.store.files(table_folder(self.about.get("run"), table), self.storage)

    def was_changed(self) -> bool:
        """Whether its files may have been changed since its marker was written, which is last. Raises UserError."""
        if self.about.get("run") is None:
            return True
        written = self.store.modified(find_marker(self.store) or MARKER)
        changed = self.store.modified(f"{RUN}{self.about['run']}")
        return written is None or changed is None or changed > written


def table_folder(run: str | None, table: str) -> str:
    """The folder of a table, relative to that of its runs."""
    return table if run is None else f"{RUN}{run}/{TABLE}{table}"


def new_run() -> str:
    """The id of a new run; ids sort by time."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"


def open_run(store: Store, formats: Iterable[str], remedy: str) -> StoredRun | None:
    """The whole run of a folder, None where there is none; its format is one of these. Raises UserError."""
    marker = find_marker(store)
    if marker is None:
        return None
    run = StoredRun(store, parse_marker(read_marker(store, marker), f"{store.shown}/{marker}", formats, remedy))
    if run.storage not in FORMATS:
        raise UserError(
            f"{store.shown}: was written as {run.storage[:60]}; --engine local reads {' and '.join(FORMATS)}"
        )
    return run


def find_marker(store: Store) -> str | None:
    """The name of the marker, None where there is none. Raises UserError."""
    names = set(store.names())
    return next((name for name in (MARKER, OLD_MARKER) if name in names), None)


def has_marker(store: Store, name: str) -> bool:
    """Whether a folder in another one has a marker. Raises UserError."""
    return store.is_folder(name) and find_marker(store.below(name)) is not None


def read_marker(store: Store, marker: str) -> bytes:
    """The text of a marker; Spark writes it as a folder of files. Raises UserError."""
    if not store.is_folder(marker):
        return store.read(marker)
    return b"".join(store.read(marker, name) for name in store.names(marker) if name[0] not in "._")


def check_replaceable(text: bytes | str, shown: str, formats: Iterable[str]) -> None:
    """Raise UserError where a marker is one of other tables than those that are to be written; a damaged one may go."""
    try:
        format = json.loads(text)["format"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return
    if format not in formats:
        raise UserError(f"{shown}: holds something else ({str(format)[:60]}); name a new or empty folder")


def parse_marker(text: bytes | str, shown: str, formats: Iterable[str], remedy: str) -> dict[str, Any]:
    """Parse a marker. Raises UserError."""
    try:
        about = json.loads(text)
        format = about["format"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UserError(f"{shown}: is damaged; {remedy}") from None
    if format not in formats:
        raise UserError(f"{shown}: its format is {str(format)[:60]!r}; this release reads {max(formats)}")
    return dict(about)
