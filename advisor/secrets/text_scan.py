"""Scans over a text that take time in proportion to its length."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def name_before(text: str, end: int, start: int) -> str:
    """The word of letters, digits, dots and dashes before a position, blanks skipped; empty where there is none."""
    while end > start and text[end - 1].isspace():
        end -= 1
    first = end
    while first > start and _in_name(text[first - 1]):
        first -= 1
    return text[first:end]


def _in_name(char: str) -> bool:
    return char.isalnum() or char in "_.-"


def positions_of(marks: str, text: str) -> Iterator[int]:
    """Where one of some characters stands, in order."""
    at = {mark: text.find(mark) for mark in marks}
    while (first := min((each for each in at.values() if each >= 0), default=-1)) >= 0:
        yield first
        at[text[first]] = text.find(text[first], first + 1)


def skip_blanks(text: str, at: int) -> int:
    """Where the next character stands that is not a blank."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def words_of(text: str) -> Iterator[str]:
    """The words of a text and what stands between them: blanks, commas, semicolons and quotes, one at a time."""
    start = 0
    for at, char in enumerate(text):
        if char in ",;\"'" or char.isspace():
            yield text[start:at]
            yield char
            start = at + 1
    yield text[start:]
