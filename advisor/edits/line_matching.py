"""Which lines differ between two texts: between lines that both have once, in time in proportion to them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

Difference = tuple[int, int, int, int]
"""The lines from one to before another of the old text, and of the new one."""

SMALL = 10_000
"""Pairs of lines of which the best match is looked for."""


def differences(old: Sequence[str], new: Sequence[str]) -> Iterator[Difference]:
    """Where two texts differ, in their order."""
    start, new_start = 0, 0
    for end, new_end in [*anchors(old, new), (len(old), len(new))]:
        for first, last, new_first, new_last in _between(old[start:end], new[new_start:new_end]):
            yield start + first, start + last, new_start + new_first, new_start + new_last
        start, new_start = end + 1, new_end + 1


def _between(old: Sequence[str], new: Sequence[str]) -> Iterator[Difference]:
    """Where texts differ that have no line once: many alike are taken in their order, as the best match of them takes too long."""
    if old == new:
        return
    if len(old) * len(new) > SMALL:
        yield from _around(in_order(old, new), len(old), len(new))
        return
    for tag, *place in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            first, last, new_first, new_last = place
            yield first, last, new_first, new_last


def _around(pairs: Sequence[tuple[int, int]], end: int, new_end: int) -> Iterator[Difference]:
    """What stands between lines that are the same."""
    first, new_first = 0, 0
    for at, new_at in [*pairs, (end, new_end)]:
        if first < at or new_first < new_at:
            yield first, at, new_first, new_at
        first, new_first = at + 1, new_at + 1


def in_order(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Each line of the new text with the next of the old one that is the same."""
    places: dict[str, list[int]] = {}
    for number, line in enumerate(old):
        places.setdefault(line, []).append(number)
    pairs: list[tuple[int, int]] = []
    first = 0
    for new_number, line in enumerate(new):
        own = places.get(line, [])
        at = bisect_left(own, first)
        if at < len(own):
            pairs.append((own[at], new_number))
            first = own[at] + 1
    return pairs


def anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Where lines stand that both texts have once, the most of them that are in one order."""
    once = {line for line, count in Counter(old).items() if count == 1}
    once &= {line for line, count in Counter(new).items() if count == 1}
    at = {line: number for number, line in enumerate(new) if line in once}
    return longest_rise([(number, at[line]) for number, line in enumerate(old) if line in once])


def longest_rise(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of pairs, ordered by the first number, in which the second one rises."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, number) in enumerate(pairs):
        length = bisect_left(ends, number)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [number]
        last[length : length + 1] = [index]
    rise, index = [], last[-1] if last else -1
    while index >= 0:
        rise.append(pairs[index])
        index = before[index]
    return rise[::-1]
