"""A setting as it stands in a text; each syntax has a writer of its own."""

from __future__ import annotations

from advisor.edits.change import NotEdited
from advisor.edits.text import FileText, Splice

Range = tuple[int, int]
"""The offsets of the first character and of the one behind the last."""


class Entry:
    """A setting in a text: `key` and `value` are where both stand, the value with its quotes, `parsed` is what it says."""

    def __init__(self, text: FileText, key: Range, value: Range, name: str, parsed: str) -> None:
        self.text = text
        self.key = key
        self.value = value
        self.name = name
        self.parsed = parsed

    @property
    def source(self) -> str:
        """The value as it stands in the text."""
        return self.text.text[slice(*self.value)]

    def written(self, value: str) -> str:
        """A new value as this syntax writes it in the place of the old one. Raises NotEdited."""
        raise NotImplementedError

    def written_key(self, name: str) -> str:
        """A new name in the quotes of the old one."""
        return name

    def set(self, value: str) -> Splice:
        """Put another value in the place of this one. Raises NotEdited."""
        return Splice(*self.value, self.written(value))

    def rename(self, name: str) -> Splice:
        """Give the key another name; the value stays. Raises NotEdited."""
        return Splice(*self.key, self.written_key(name))

    def remove(self) -> Splice:
        """Take the setting away. Raises NotEdited."""
        raise NotImplementedError

    def add_below(self, name: str, value: str) -> Splice:
        """Add a setting below this one and in its form. Raises NotEdited."""
        raise NotImplementedError


def indentation(text: FileText, offset: int) -> str:
    """What stands before an offset in its line, where that is blank. Raises NotEdited."""
    before = text.text[text.start_of_line(offset) : offset]
    if before.strip():
        raise NotEdited("it shares its line with something else")
    return before


def last_line(text: FileText, entry: Range) -> int:
    """The line in which a range ends."""
    return text.line_of(max(entry[0], entry[1] - 1))
