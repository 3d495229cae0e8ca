"""Row groups: rows that have given equal answers so far, split by the answers to the next question."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np

from advisor.rule.subject import Question
from spark_audit.arrays import Codes, Column
from spark_audit.arrays.codes import sort_order
from spark_audit.arrays.lists import cut

Ask = Callable[[int, Question], Column]
"""(input, question) to the column of answers."""


class RowGroup:
    """Rows that have given equal answers so far; how a question splits them is remembered, for rules ask alike."""

    __slots__ = ("_groups_by_question", "rows")

    def __init__(self, rows: Codes) -> None:
        self.rows = rows
        self._groups_by_question: dict[tuple[int, Question], list[tuple[Hashable, RowGroup]]] = {}

    def split(self, index: int, question: Question, ask: Ask) -> list[tuple[Hashable, RowGroup]]:
        """Split the rows by their answers to a question."""
        groups = self._groups_by_question.get((index, question))
        if groups is None:
            groups = self._groups_by_question[index, question] = self._split(*ask(index, question))
        return groups

    def _split(self, codes: Codes, answers: Sequence[Hashable]) -> list[tuple[Hashable, RowGroup]]:
        code = 0 if len(answers) == 1 else int(codes[self.rows[0]])
        if len(answers) == 1 or len(self.rows) == 1:
            return [(answers[code], self)]
        code_of_row = codes[self.rows]
        if (code_of_row == code).all():
            return [(answers[code], self)]
        order = sort_order(code_of_row)
        sorted_codes = code_of_row[order]
        boundaries = np.flatnonzero(sorted_codes[1:] != sorted_codes[:-1]) + 1
        row_chunks = cut(self.rows[order], boundaries)
        return [
            (answers[code], RowGroup(rows))
            for code, rows in zip(sorted_codes[[0, *boundaries]].tolist(), row_chunks, strict=True)
        ]
