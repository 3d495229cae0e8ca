"""The patterns of .gitignore outside of a work tree, as git reads them. Source: git's dir.c."""

from __future__ import annotations

from collections.abc import Sequence

from collectors.files.syntax.wildcards import SPECIAL, Wildcards

MOST_PATTERNS = 1_000
"""Patterns of one file; what stands below is left out."""


class IgnorePattern:
    """One pattern: whether it ignores or takes back, whether for folders alone, and whether for names or whole paths."""

    __slots__ = ("ending", "for_folders", "for_names", "ignores", "literal", "pieces", "wildcards")

    def __init__(self, line: str) -> None:
        self.ignores = not line.startswith("!")
        bare = line.removeprefix("!")
        self.for_folders = bare.endswith("/")
        bare = bare.removesuffix("/")
        self.for_names = "/" not in bare
        pattern = as_bytes(bare.removeprefix("/"))
        length = next((at for at, character in enumerate(pattern) if character in SPECIAL), len(pattern))
        self.literal, self.ending = pattern[:length], literal_ending(pattern[length:])
        self.pieces = literal_pieces(pattern[length:])
        self.wildcards = Wildcards(pattern[length:], in_paths=not self.for_names)

    def matches(self, path: str, is_folder: bool) -> bool:
        """Whether a path, from the folder of the pattern on, matches."""
        if self.for_folders and not is_folder:
            return False
        text = as_bytes(path.rpartition("/")[2] if self.for_names else path)
        may_match = text.startswith(self.literal) and text.endswith(self.ending)
        if not may_match or not all(piece in text for piece in self.pieces):
            return False
        return self.wildcards.match(text[len(self.literal) :])


def literal_ending(pattern: str) -> str:
    """What every text ends with that the pattern matches: what stands behind its last wildcard, but for the slash of `**/`."""
    last = next((at for at in range(len(pattern) - 1, -1, -1) if pattern[at] in (*SPECIAL, "]")), -1)
    return pattern[last + 1 + (pattern[last : last + 1] == "\\") :].lstrip("/")


def literal_pieces(pattern: str) -> list[str]:
    """What stands between wildcards in every text that the pattern matches, up to the first bracket or backslash."""
    for mark in "[\\":
        pattern = pattern.partition(mark)[0]
    return [piece for piece in pattern.replace("?", "*").replace("/", "*").split("*") if piece]


def as_bytes(text: str) -> str:
    """A text with one character for each of its bytes, which is what git compares."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def patterns_of(text: str) -> list[IgnorePattern]:
    """The patterns of a .gitignore."""
    lines = text.removeprefix("\ufeff").split("\n")[:MOST_PATTERNS]
    trimmed = (without_trailing_blanks(line.removesuffix("\r")) for line in lines)
    return [IgnorePattern(line) for line in trimmed if line.strip("/!") and not line.startswith("#")]


def without_trailing_blanks(line: str) -> str:
    """A line without the blanks at its end, but for one behind a backslash."""
    bare = line.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if backslashes % 2 and len(bare) < len(line) else bare


def verdict(patterns: Sequence[IgnorePattern], parts: Sequence[str], is_folder: bool) -> bool | None:
    """Whether the last pattern that matches ignores the path; None where none does."""
    path = "/".join(parts)
    for pattern in reversed(patterns):
        if pattern.matches(path, is_folder):
            return pattern.ignores
    return None
