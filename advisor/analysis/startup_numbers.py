"""Whole numbers of a startup's settings."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.config import Config


def number(config: Config, key: str) -> int | None:
    """The whole number that a key has, by its default, too; None where there is none."""
    answer = config.answer(("int", key)) if config.definition(key) else None
    return answer if isinstance(answer, int) else None
