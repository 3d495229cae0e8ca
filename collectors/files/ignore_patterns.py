"""The patterns of .gitignore outside of a work tree, matched in time that is linear in pattern and path."""

from __future__ import annotations

from collections.abc import Sequence

MOST_PATTERNS = 1_000
"""Patterns of one file; what stands below is left out."""
ANY_FOLDERS = "**"


class IgnorePattern:
    """One pattern: whether it ignores or takes back, for folders alone or all, and its segments."""

    __slots__ = ("for_folders", "ignores", "segments")

    def __init__(self, line: str) -> None:
        self.ignores = not line.startswith("!")
        bare = line.removeprefix("!")
        self.for_folders = bare.endswith("/")
        segments = [segment for segment in bare.split("/") if segment]
        anchored = "/" in bare.rstrip("/")
        self.segments = segments if anchored else [ANY_FOLDERS, *segments]

    def matches(self, parts: Sequence[str], is_folder: bool) -> bool:
        """Whether a path, from the folder of the pattern on, matches."""
        return (is_folder or not self.for_folders) and glob(self.segments, parts, segment_matches, ANY_FOLDERS)


def patterns_of(text: str) -> list[IgnorePattern]:
    """The patterns of a .gitignore."""
    lines = (line.rstrip() for line in text.splitlines()[:MOST_PATTERNS])
    return [IgnorePattern(line) for line in lines if line.strip("/!") and not line.startswith("#")]


def verdict(patterns: Sequence[IgnorePattern], parts: Sequence[str], is_folder: bool) -> bool | None:
    """Whether the last pattern that matches ignores the path; None where none does."""
    for pattern in reversed(patterns):
        if pattern.matches(parts, is_folder):
            return pattern.ignores
    return None


def segment_matches(pattern: str, name: str) -> bool:
    """Whether a name matches *, ? and plain characters; a class in brackets stands for any character."""
    characters, at = [], 0
    while at < len(pattern):
        closing = pattern.find("]", at + 2) if pattern[at] == "[" else -1
        characters.append("?" if closing > 0 else pattern[at])
        at = closing + 1 if closing > 0 else at + 1
    return glob(characters, name, lambda wanted, character: wanted in ("?", character), "*")


def glob(pattern: Sequence[str], items: Sequence[str], matches, any_number: str) -> bool:  # type: ignore[no-untyped-def]
    """Match items one by one; `any_number` in the pattern stands for any number of them.

    Only the last such mark is ever tried again, so that the time is at most the product of both lengths.
    """
    at = number = 0
    mark, tried = -1, 0
    while number < len(items):
        if at < len(pattern) and pattern[at] == any_number:
            mark, tried = at, number
            at += 1
        elif at < len(pattern) and matches(pattern[at], items[number]):
            at, number = at + 1, number + 1
        elif mark >= 0:
            tried += 1
            at, number = mark + 1, tried
        else:
            return False
    return all(each == any_number for each in pattern[at:])
