"""Options that every command takes, before the others are parsed: limits, colour, pager, links."""

from __future__ import annotations

import os

from advisor.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_SIZE, COLOR, NO_PAGER, FOLLOW_LINKS = "--max-size", "--color", "--no-pager", "--follow-links"
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
        elif word == FOLLOW_LINKS:
            _follow_links()
        elif name == MAX_SIZE:
            _raise_limits(value if is_joined else next(words, None))
        elif name == COLOR:
            _set_color(value if is_joined else next(words, None))
        else:
            others.append(word)
    return others


def _follow_links() -> None:
    from advisor import output_folder

    output_folder.follows_links = True


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
