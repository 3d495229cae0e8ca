"""Outcomes of a rule beside a finding: not applicable and unknown, and the answers that cause them."""

from __future__ import annotations


class NotApplicable(Exception):
    """Raised where a rule does not apply to the subject; the text says why."""


class Unknown(Exception):
    """Raised where something that exists could not be read; the text says what and why."""


class Unreadable:
    """The answer to a question whose setting cannot be read. All are one answer: the reason belongs to the subject."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __eq__(self, other: object) -> bool:
        return type(other) is Unreadable

    def __hash__(self) -> int:
        return 1


class Absent:
    """The answer to a question for a key that the target version does not know."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __eq__(self, other: object) -> bool:
        return type(other) is Absent

    def __hash__(self) -> int:
        return 2


NOT_ASKED = object()
"""Stands for the answer where a question makes no sense for a subject: to ask it is a mistake of the rule."""
