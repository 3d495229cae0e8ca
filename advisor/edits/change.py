"""What is to change in a file, and why something in it is not edited."""

from __future__ import annotations

from typing import NamedTuple

from advisor.model import Span


class NotEdited(Exception):
    """Raised where a setting is not edited; the text says why."""


class Sibling(NamedTuple):
    """A setting in the same block of a file, below which a new one belongs: its line, its key as the file spells it, its value."""

    line: int
    written: str
    value: str
    span: Span | None = None
    column: int | None = None


class FileChange(NamedTuple):
    """A change of one setting of a file: `written` is the key as the file spells it; a value of None takes the setting away.

    `entity` is what the setting is about, such as one service of several in the file; a new one stands below one of its
    `siblings`, if any. `span` is where the value stands, `column` where the key does. `renamed` is the new name of a key
    whose value stays.
    """

    file: str
    line: int | None
    key: str
    written: str
    old: str | None
    value: str | None
    entity: str
    siblings: tuple[Sibling, ...] = ()
    span: Span | None = None
    column: int | None = None
    renamed: str | None = None
