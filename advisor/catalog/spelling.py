"""Spelling suggestions for keys: optimal string alignment distance, for typing errors only."""

from __future__ import annotations

from advisor.cache import cached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SUGGESTIONS = 300
"""Keys outside every catalog whose nearest key is looked for, in one file."""
FAR = 2
SHORT = 6


def closest(key: str, candidates: Iterable[str]) -> str | None:
    """The nearest candidate within two edits (one for a short key); of equals the first in the alphabet."""
    names = tuple(candidates)
    for limit in (1, FAR) if len(key) >= SHORT else (1,):
        if within := near(key, names, limit):
            return min(within)[1]
    return None


def near(key: str, candidates: tuple[str, ...], limit: int) -> list[tuple[int, str]]:
    """(edits, candidate) of the candidates within so many edits."""
    by_length = _by_length(candidates)
    as_long = [row for length in range(len(key) - limit, len(key) + limit + 1) for row in by_length.get(length, ())]
    letters = _letters(key) if as_long else 0
    alike = [candidate for own_letters, candidate in as_long if (letters ^ own_letters).bit_count() <= 2 * limit]
    return [pair for pair in ((distance(key, candidate, limit), candidate) for candidate in alike) if pair[0] <= limit]


@cached(64)
def _by_length(candidates: tuple[str, ...]) -> dict[int, list[tuple[int, str]]]:
    """The candidates by their length, each with its letters: an edit changes no more than two of those."""
    table: dict[int, list[tuple[int, str]]] = {}
    for candidate in candidates:
        table.setdefault(len(candidate), []).append((_letters(candidate), candidate))
    return table


def _letters(text: str) -> int:
    """The set of letters of a text, as bits."""
    letters = 0
    for letter in text:
        letters |= 1 << (ord(letter) & 63)
    return letters


def distance(one: str, other: str, limit: int) -> int:
    """The edit distance (insertions, deletions, replacements, swaps); limit + 1 for anything farther."""
    one, other = _differing(one, other)
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    before, row = [], list(range(len(other) + 1))
    for index, letter in enumerate(one):
        before, row = row, _next_row(before, row, one, other, index, letter)
        if min(row) > limit and min(before) > limit:
            return limit + 1
    return min(row[-1], limit + 1)


def _next_row(before: list[int], last: list[int], one: str, other: str, index: int, letter: str) -> list[int]:
    row = [index + 1]
    for column, target in enumerate(other):
        edits = min(row[column] + 1, last[column + 1] + 1, last[column] + (letter != target))
        if index and column and letter == other[column - 1] and target == one[index - 1]:
            edits = min(edits, before[column - 1] + 1)
        row.append(edits)
    return row


def _differing(one: str, other: str) -> tuple[str, str]:
    """Both texts without their common prefix and suffix."""
    start, shorter = 0, min(len(one), len(other))
    while start < shorter and one[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[start : len(one) - end], other[start : len(other) - end]
