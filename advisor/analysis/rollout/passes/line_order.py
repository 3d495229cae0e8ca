"""Where a pass writes the keys that only one of the two files has: where that file has them, so that no later pass moves a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

MOST_ADDED = 100
"""Added keys up to which each gets its line; more stand at the end."""
KEY = re.compile(rb"[ \t\f]*([^\s=:#!][^\s=:]*)[ \t\f]*[=:]")


def in_order(data: bytes, base: bytes, other: bytes, is_old: bool) -> bytes:
    """A properties text that was made of one of the files, its added keys where the other file has them.

    Between two keys that both files have, those of the old file stand before those of the new one.
    """
    lines, known = data.splitlines(keepends=True), set(keys_of(base))
    if not all(line.endswith((b"\n", b"\r")) for line in lines) or any(is_continued(line) for line in lines):
        return data
    added = {key: line for line in lines if (key := key_of(line)) and key not in known}
    order = [key for key in keys_of(other) if key in added]
    if not order or len(order) != len(added) or len(added) > MOST_ADDED:
        return data
    placed = [line for line in lines if key_of(line) not in added]
    for key in reversed(order) if is_old else order:
        places = {key_of(line): number for number, line in enumerate(placed) if key_of(line)}
        at = before_next(placed, places, key, other) if is_old else after_previous(places, key, other)
        placed.insert(at, added[key])
    return b"".join(placed)


def is_continued(line: bytes) -> bool:
    """Whether a line goes on in the next one."""
    return line.rstrip(b"\r\n").endswith(b"\\")


def key_of(line: bytes) -> bytes:
    """The key of a line; empty for a comment and for a blank one."""
    match = KEY.match(line)
    return match[1] if match else b""


def keys_of(text: bytes) -> Iterator[bytes]:
    """The keys of a text, in its order."""
    return filter(None, map(key_of, text.splitlines()))


def before_next(lines: Sequence[bytes], places: Mapping[bytes, int], key: bytes, other: bytes) -> int:
    """Before the next key of the other file that is there, and the comments above it; else at the end."""
    order = list(keys_of(other))
    at = next((places[each] for each in order[order.index(key) + 1 :] if each in places), len(lines))
    while 0 < at < len(lines) and not key_of(lines[at - 1]):
        at -= 1
    return at


def after_previous(places: Mapping[bytes, int], key: bytes, other: bytes) -> int:
    """Behind the previous key of the other file that is there; else before the first key."""
    order = list(keys_of(other))
    previous = (places[each] + 1 for each in reversed(order[: order.index(key)]) if each in places)
    return next(previous, min(places.values(), default=0))
