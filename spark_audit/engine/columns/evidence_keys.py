"""What evidence shows: which settings, by which path a derived fact came to ask for them, and what each line says."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from advisor.model.finding import Evidence
from advisor.rule.subject import FACTS, Question
from spark_audit.arrays import Codes

Paths = tuple[Codes, list[tuple[Question, ...]]]
"""Per row the code of its path to a derived fact's answer, and the questions of each path."""
EVERYTHING = ("everything", "")
"""Stands for all questions, where it is not known which of them count."""


def resolve_facts(questions: Iterable[Question], paths: Mapping[Question, Paths]) -> tuple[list[Question], list[Codes]]:
    """Replace derived facts by the questions they ask, recursively; and the columns of the paths they take."""
    reached: dict[Question, None] = {}
    columns: list[Codes] = []
    waiting = list(questions)
    while waiting:
        question = waiting.pop()
        if question not in reached:
            reached[question] = None
            if question in paths:
                column, questions_of_path = paths[question]
                columns.append(column)
                waiting += [member for way in questions_of_path for member in way]
    return [EVERYTHING if question[0] in FACTS else question for question in reached if question not in paths], columns


def line_content(line: Evidence) -> tuple[Hashable, ...]:
    """What a line of evidence says, whichever subject of its kind it is about."""
    return line.entity[0], line.key, line.value, line.source, line.line
