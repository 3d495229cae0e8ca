"""Rules over whole columns: the trees of questions and answers are walked with all rows at once.

Where a tree does not yet go on, the ordinary rule is called for one row, and the tree grows by what it asked.
"""

from __future__ import annotations

import numpy as np

from advisor.answers import Unknown, Unreadable
from advisor.asking import FACTS, Facts
from advisor.engine import LEAVES, Branch, Crash, Verdict, call, guarded, once_asked
from advisor.rule import NotApplicable
from spark_audit.columns import EVERYTHING, NOT_ASKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator
    from typing import Any, Protocol

    from advisor.asking import Question, Reads
    from advisor.config import Config
    from advisor.rule import Rule
    from spark_audit.codes import Codes, Column, Mask

    Tree = dict[object, Any]
    Ask = Callable[[int, Question], Column]
    """(input, question) to the column of answers."""
    Leaf = tuple[object, Codes]

    class Columns(Protocol):
        """Subjects as columns."""

        rows: int

        def column(self, question: Question, walked: Callable[[Question], Column]) -> Column:
            """Every row's answer."""

        def config(self, row: int) -> Config:
            """A row's ordinary Config."""

        def rests_on(self, questions: Iterable[Question]) -> list[Codes]:
            """Columns of what these answers rest on."""

        def hidden(self) -> Mask:
            """The rows that could not be read: whatever follows from their settings is unknown."""


CRASHED = "crashed"
"""The outcome of a rule that raised what it must not."""


class Answer:
    """A leaf that is a value: of a derived fact, or what `each=` gives."""

    __slots__ = ("value",)

    def __init__(self, value: Hashable) -> None:
        self.value = value


class Walker:
    """The trees of all rules and derived facts; they live as long as the process and serve every batch."""

    def __init__(self) -> None:
        self.trees: Tree = {}
        self.leaves: dict[object, int] = {}

    def walk(self, key: object, rows: Codes, ask: Ask, fresh: Callable[[int], tuple[object, Reads]]) -> Iterator[Leaf]:
        """Every leaf that some rows come to, with those rows; `fresh` works a leaf out for one row."""
        waiting: list[tuple[Tree, object, Codes]] = [(self.trees, key, rows)]
        while waiting:
            level, step, here = waiting.pop()
            if not len(here):
                continue
            node = level.get(step)
            if isinstance(node, Branch):
                waiting += split(node, here, ask)
            elif node is not None:
                yield node, here
            elif self.leaves.get(key, 0) >= LEAVES:
                for row in here.tolist():
                    yield fresh(row)[0], np.array([row])
            else:
                leaf, reads = fresh(int(here[0]))
                self.leaves[key] = self.leaves.get(key, 0) + 1
                if not self.graft(key, reads, leaf):
                    yield leaf, here[:1]
                    here = here[1:]
                waiting.append((level, step, here))

    def graft(self, key: object, reads: Reads, leaf: object) -> bool:
        """Take what was asked on the way to a leaf into the tree; whether that could be done."""
        level, step = self.trees, key
        for index, question, answer in once_asked(reads):
            node = level.get(step)
            if node is None:
                node = level[step] = Branch(index, question)
            if not isinstance(node, Branch) or (node.input, node.question) != (index, question):
                return False
            level, step = node.answers, answer
        if isinstance(level.get(step), Branch):
            return False
        level[step] = leaf
        return True

    def value(self, columns: Columns, question: Question) -> Column:
        """A column's answers, those of derived facts walked like rules."""
        return columns.column(question, lambda fact: self._fact(columns, fact))

    def _fact(self, columns: Columns, question: Question) -> Column:
        name, arguments = question
        fact = FACTS[name]

        def fresh(row: int) -> tuple[object, Reads]:
            reads: Reads = []
            facts = Facts(0, columns.config(row), reads)
            try:
                return Answer(guarded(lambda: fact.answer(facts, arguments))), reads
            except Crash:
                return Answer(NOT_ASKED), reads

        hidden = columns.hidden()
        codes, answers = self._answers(("fact", question), columns, np.flatnonzero(~hidden), fresh)
        if hidden.any():
            codes[hidden] = len(answers)
            answers = [*answers, Unreadable("")]
        return codes, answers

    def rests_on(self, questions: Iterable[tuple[int, Question]]) -> list[tuple[int, Question]]:
        """The questions with every derived fact replaced by all that it may have asked."""
        found: dict[tuple[int, Question], None] = {}
        waiting = list(questions)
        while waiting:
            index, question = waiting.pop()
            if question[0] not in FACTS:
                found[index, question] = None
            elif (index, question) not in found:
                found[index, question] = None
                waiting += [(index, each) for each in self._asked_by(("fact", question))]
        return [(index, question) for index, question in found if question[0] not in FACTS]

    def _asked_by(self, key: object) -> list[Question]:
        """All questions of a tree; where it has overflowed, or is none, everything counts."""
        tree = self.trees.get(key)
        if tree is None or self.leaves.get(key, 0) >= LEAVES:
            return [EVERYTHING]
        found, waiting = [], [tree]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Branch):
                found.append(node.question)
                waiting += node.answers.values()
        return found

    def items(self, rule: Rule, columns: Columns, rows: Codes) -> Column:
        """What `each=` gives for every row: a tuple, or the Unknown that it raised."""
        each = rule.each

        def fresh(row: int) -> tuple[object, Reads]:
            reads: Reads = []
            facts = Facts(0, columns.config(row), reads)
            try:
                return Answer(guarded(lambda: tuple(each(facts)))), reads  # type: ignore[operator,misc]
            except NotApplicable:
                return Answer(()), reads
            except Unknown as unknown:
                return Answer(Unsaid(str(unknown), reads[-1][1] if reads else None)), reads
            except Crash as crash:
                return Answer(Unsaid(str(crash), crashed=True)), reads

        return self._answers(("each", each), columns, rows, fresh)

    def _answers(
        self, key: object, columns: Columns, rows: Codes, fresh: Callable[[int], tuple[object, Reads]]
    ) -> Column:
        numbers: dict[Hashable, int] = {}
        codes = np.zeros(columns.rows, dtype=np.int64)
        for leaf, here in self.walk(key, rows, lambda _, question: self.value(columns, question), fresh):
            codes[here] = numbers.setdefault(leaf.value, len(numbers))  # type: ignore[attr-defined]
        return codes, list(numbers) or [None]

    def judged(
        self, rule: Rule, item: object, rows: Codes, ask: Ask, inputs: Callable[[int], tuple[Config, ...]]
    ) -> Iterator[tuple[Verdict, Codes]]:
        """The rule's verdicts over some rows, each with the rows it holds for."""

        def fresh(row: int) -> tuple[object, Reads]:
            reads: Reads = []
            try:
                return call(rule, inputs(row), item, reads), reads
            except Crash as crash:
                return Verdict(CRASHED, (), reason=str(crash)), reads

        yield from self.walk((rule.id, rule.name, item), rows, ask, fresh)  # type: ignore[misc]


class Unsaid:
    """What `each=` could not say: the reason, and the question whose answer gives each subject its own."""

    __slots__ = ("crashed", "question", "reason")

    def __init__(self, reason: str, question: Question | None = None, crashed: bool = False) -> None:
        self.reason = reason
        self.question = question
        self.crashed = crashed


def split(node: Branch, rows: Codes, ask: Ask) -> list[tuple[Tree, object, Codes]]:
    """The rows of a question, parted by their answers."""
    codes, answers = ask(node.input, node.question)
    if len(answers) == 1:
        return [(node.answers, answers[0], rows)]
    if len(rows) == 1:
        return [(node.answers, answers[int(codes[rows[0]])], rows)]
    here = codes[rows]
    if (here == here[0]).all():
        return [(node.answers, answers[int(here[0])], rows)]
    order = np.argsort(here, kind="stable")
    ordered = here[order]
    cuts = np.flatnonzero(np.diff(ordered)) + 1
    return [(node.answers, answers[int(codes[part[0]])], part) for part in np.split(rows[order], cuts)]
