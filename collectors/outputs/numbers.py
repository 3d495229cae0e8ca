"""Whole numbers as tools print them; None for what is none."""

from __future__ import annotations

from advisor.model import is_whole_number

MOST_DIGITS_OF_ID = 9


def whole(text: str) -> int | None:
    """A whole number, which may be negative."""
    bare = text.strip()
    return int(bare) if is_whole_number(bare.removeprefix("-")) else None


def broker_id(text: str) -> int | None:
    """The id of a broker or of a partition, which is not negative and fits Kafka's int."""
    bare = text.strip()
    return int(bare) if is_whole_number(bare) and len(bare) <= MOST_DIGITS_OF_ID else None
