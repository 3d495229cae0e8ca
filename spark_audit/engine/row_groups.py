"""Rows in groups that answer alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spark_audit.arrays.codes import sort_order
from spark_audit.arrays.lists import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from advisor.rule.subject import Question
    from spark_audit.arrays import Codes, Column

    Ask = Callable[[int, Question], Column]
    """(input, question) to the column of answers."""


class RowGroup:
    """Rows that answer alike so far; how they part by a question is remembered, for rules ask alike."""

    __slots__ = ("_parts", "rows")

    def __init__(self, rows: Codes) -> None:
        self.rows = rows
        self._parts: dict[tuple[int, Question], list[tuple[Hashable, RowGroup]]] = {}

    def by(self, index: int, question: Question, ask: Ask) -> list[tuple[Hashable, RowGroup]]:
        """The answers, each with the rows that give it."""
        parts = self._parts.get((index, question))
        if parts is None:
            parts = self._parts[index, question] = self._parted(*ask(index, question))
        return parts

    def _parted(self, codes: Codes, answers: Sequence[Hashable]) -> list[tuple[Hashable, RowGroup]]:
        code = 0 if len(answers) == 1 else int(codes[self.rows[0]])
        if len(answers) == 1 or len(self.rows) == 1:
            return [(answers[code], self)]
        here = codes[self.rows]
        if (here == code).all():
            return [(answers[code], self)]
        order = sort_order(here)
        ordered = here[order]
        places = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
        parts = cut(self.rows[order], places)
        return [
            (answers[code], RowGroup(part)) for code, part in zip(ordered[[0, *places]].tolist(), parts, strict=True)
        ]
