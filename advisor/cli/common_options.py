"""Options that every command takes, before the others are parsed: limits, colour, pager."""

from __future__ import annotations

import os

from advisor.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_SIZE, COLOR, NO_PAGER = "--max-size", "--color", "--no-pager"
COLORS = ("auto", "always", "never")
PAGER = "KAFKA_ADVISOR_PAGER"
"""The variable that names the pager; empty for none."""


def take(arguments: Sequence[str]) -> list[str]:
    """Obey the options that every command has, and return the other arguments. Raises UserError."""
    others: list[str] = []
    words = iter(arguments)
    for word in words:
        name, is_joined, value = word.partition("=")
        if word == NO_PAGER:
            os.environ[PAGER] = ""
        elif name == MAX_SIZE:
            _raise_limits(value if is_joined else next(words, None))
        elif name == COLOR:
            _set_color(value if is_joined else next(words, None))
        else:
            others.append(word)
    return others


def _raise_limits(size: str | None) -> None:
    from advisor import limits

    if size is None:
        raise UserError("--max-size: name a number of bytes, such as 64M")
    limits.raise_to(size)


def _set_color(choice: str | None) -> None:
    """Say it in the variables that programs agree on: https://no-color.org, https://force-color.org."""
    if choice not in COLORS:
        raise UserError(f"--color: {'name' if choice is None else f'{choice} is none of'} {', '.join(COLORS)}")
    if choice != "auto":
        os.environ.pop("FORCE_COLOR" if choice == "never" else "NO_COLOR", None)
        os.environ["NO_COLOR" if choice == "never" else "FORCE_COLOR"] = "1"
