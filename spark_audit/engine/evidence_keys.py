"""What evidence shows: of which settings, on which path a derived fact came to ask them, and what is said of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.rule.subject import FACTS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from advisor.model.finding import Evidence
    from advisor.rule.subject import Question
    from spark_audit.arrays import Codes

    Paths = tuple[Codes, list[tuple[Question, ...]]]
    """Per row the number of its path to a derived fact's answer, and the questions of each path."""

EVERYTHING = ("everything", "")
"""Stands for all questions where it is not known which ones count."""


def in_the_end(questions: Iterable[Question], paths: Mapping[Question, Paths]) -> tuple[list[Question], list[Codes]]:
    """What these questions ask of settings in the end, and columns of the paths on which derived facts ask it."""
    found: dict[Question, None] = {}
    columns: list[Codes] = []
    waiting = list(questions)
    while waiting:
        question = waiting.pop()
        if question not in found:
            found[question] = None
            if question in paths:
                column, ways = paths[question]
                columns.append(column)
                waiting += [each for way in ways for each in way]
    return [EVERYTHING if each[0] in FACTS else each for each in found if each not in paths], columns


def told(line: Evidence) -> tuple[Hashable, ...]:
    """What a line of evidence says of whatever subject of its kind."""
    return line.entity[0], line.key, line.value, line.source, line.line
