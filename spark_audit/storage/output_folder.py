"""A folder of collected tables: written beside its place, moved there, and whole once `_complete.json` says so."""

from __future__ import annotations

import contextlib
import json
import os
import shutil

from advisor.atomic_file import write as write_whole
from advisor.errors import UserError
from spark_audit.schema.snapshots import TABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

FORMAT = "kafka-advisor-collection/1"
COMPLETE = "_complete.json"
PARTIAL_FOLDER = "unfinished"
OURS = {COMPLETE, PARTIAL_FOLDER, *TABLES}
"""What a folder of collected tables holds."""
_held: dict[str, int] = {}
"""The folders that this process writes to, and the open file by which it keeps others out."""


class Outcome:
    """What became of one cluster."""

    __slots__ = ("name", "reason", "seconds", "status", "topics")

    def __init__(self, name: str, status: str, reason: str | None, seconds: float | None, topics: int) -> None:
        self.name = name
        self.status = status
        self.reason = reason
        self.seconds = seconds or 0.0
        self.topics = topics


def prepared(out: str, overwrite: bool, tables: Iterable[str] = TABLES) -> str:
    """The folder to write to, made and emptied of what a run left that did not finish. Raises Refused."""
    ours = {COMPLETE, PARTIAL_FOLDER, *tables}
    if "://" in out:
        raise UserError(f"{out}: must be a folder of this machine, one that it shares with all Spark workers")  # fmt: skip
    if os.path.exists(out) and not os.path.isdir(out):
        raise UserError(f"{out}: is a file; name a folder")
    hold(out)
    try:
        _may_be_written(out, overwrite, ours)
    except UserError:
        release(out)
        raise
    partial = os.path.join(out, PARTIAL_FOLDER)
    shutil.rmtree(partial, ignore_errors=True)
    os.makedirs(partial)
    return os.path.abspath(out)


def _may_be_written(out: str, overwrite: bool, ours: set[str]) -> None:
    there = set(os.listdir(out))
    if there - ours:
        raise UserError(f"{out}: holds something else ({min(there - ours)}); name a new or empty folder")
    if COMPLETE in there and not overwrite:
        raise UserError(f"{out}: holds tables that are whole; name another folder, or say --overwrite")  # fmt: skip


def hold(out: str) -> None:
    """Make a folder, and keep other runs out of it until this one is over, however it ends. Raises Refused where one is at work.

    Where the system or the disk knows no such locks, nobody is kept out.
    """
    os.makedirs(out, exist_ok=True)
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:
        return
    handle = os.open(out, os.O_RDONLY)
    try:
        flock(handle, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise UserError(f"{out}: another run is writing there; wait for it, or name another folder") from None  # fmt: skip
    except OSError:
        os.close(handle)
        return
    _held[os.path.abspath(out)] = handle


def release(out: str) -> None:
    """Let others in."""
    handle = _held.pop(os.path.abspath(out), None)
    if handle is not None:
        os.close(handle)


def let_go() -> None:
    """In a process that was forked: what its parent keeps others out of is none of its business."""
    for handle in _held.values():
        os.close(handle)
    _held.clear()


@contextlib.contextmanager
def unfinished(out: str) -> Iterator[str]:
    """The folder that tables are written to before they are whole; whatever goes wrong, nothing of them stays."""
    with contextlib.ExitStack() as stack:
        stack.callback(abandon, out)
        yield os.path.join(out, PARTIAL_FOLDER)
        stack.pop_all()


def abandon(out: str) -> None:
    """Take away what a run that failed has written, and the folder where nothing else is in it."""
    try:
        shutil.rmtree(os.path.join(out, PARTIAL_FOLDER), ignore_errors=True)
        if not os.listdir(out):
            os.rmdir(out)
    finally:
        release(out)


def finish(out: str, about: dict[str, Any], tables: Iterable[str] = TABLES) -> None:
    """Put the tables in their place, then say that all are there."""
    complete, partial = os.path.join(out, COMPLETE), os.path.join(out, PARTIAL_FOLDER)
    if os.path.exists(complete):
        os.remove(complete)
    for name in tables:
        shutil.rmtree(os.path.join(out, name), ignore_errors=True)
        if os.path.isdir(os.path.join(partial, name)):
            os.rename(os.path.join(partial, name), os.path.join(out, name))
    shutil.rmtree(partial)
    write_whole(complete, [json.dumps(about, indent=2, ensure_ascii=False).encode() + b"\n"])
    release(out)


def read(out: str) -> dict[str, Any] | None:
    """What _complete.json says, None where there is none. Raises Refused."""
    path = os.path.join(out, COMPLETE)
    if not os.path.exists(path):
        return None
    try:
        with open(path, encoding="utf-8") as handle:
            about = json.load(handle)
        said = about["format"]
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{path}: is damaged; collect again with --overwrite") from None
    if said != FORMAT:
        raise UserError(f"{path}: its format is {str(said)[:60]!r}; this release reads {FORMAT}")
    return dict(about)
