"""Numbers of settings in words: 604800000 ms = 7 days."""

from __future__ import annotations

TIMES = ((86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1_000, "second"), (1, "ms"))
SIZES = ((1024**4, "TiB"), (1024**3, "GiB"), (1024**2, "MiB"), (1024, "KiB"))
UNITS = {
    ".ms": (1, "ms"),
    "Ms": (1, "ms"),
    ".seconds": (1_000, "seconds"),
    ".secs": (1_000, "seconds"),
    ".minutes": (60_000, "minutes"),
    ".hours": (3_600_000, "hours"),
}
"""How keys of times end, with the milliseconds of one unit and its name."""
OF_BYTES = (".bytes", ".bytes.per.second", ".size", ".memory", ".byte.rate")
SMALLEST_SIZE = 1024


def in_words(key: str, value: str | None) -> str:
    """A time or a size in the largest unit that tells it shortly, with a value's own unit; empty where there is none."""
    text = (value or "").strip()
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        return ""
    number = int(text)
    for ending, (factor, name) in UNITS.items():
        if key.endswith(ending):
            return words_of_time(number * factor, f"{number} {name}")
    return words_of_size(number) if key.endswith(OF_BYTES) else ""


def words_of_time(milliseconds: int, own: str) -> str:
    """A time in one or two units, where that says more than its own."""
    parts = []
    left = milliseconds
    for factor, name in TIMES:
        count, left = divmod(left, factor)
        if count:
            parts.append(f"{count} {name}" + ("s" if count != 1 and name != "ms" else ""))
    words = " ".join(parts[:2]) + (" and more" if len(parts) > 2 else "")
    return f"{own} = {words}" if parts and words != own else ""


def words_of_size(number: int) -> str:
    """A size in the largest binary unit."""
    if number < SMALLEST_SIZE:
        return ""
    factor, name = next((factor, name) for factor, name in SIZES if number >= factor)
    exact = number % factor == 0
    return f"{number} bytes {'=' if exact else '≈'} {number // factor if exact else f'{number / factor:.1f}'} {name}"
