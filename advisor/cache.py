"""A bounded cache of a function's answers, for what every lint imports: functools, which has one, takes 2 ms to import."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import TypeVar

    Answer = TypeVar("Answer")


def cached(size: int) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Remember the answers to so many different arguments; then all are forgotten."""

    def decorate(function: Callable[..., Answer]) -> Callable[..., Answer]:
        answers: dict[tuple[Hashable, ...], Answer] = {}

        def answer(*arguments: Hashable) -> Answer:
            try:
                return answers[arguments]
            except KeyError:
                pass
            if len(answers) >= size:
                answers.clear()
            answers[arguments] = result = function(*arguments)
            return result

        return answer

    return decorate


LONG = 1000
"""Characters from which on a text is long."""


def cached_if_long(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """Remember the answers about a few long texts: what is asked of one is asked again and again, for each release and rule."""
    of_long = cached(16)(function)

    def answer(text: str, *arguments: Hashable) -> Answer:
        return of_long(text, *arguments) if len(text) > LONG else function(text, *arguments)

    return answer
