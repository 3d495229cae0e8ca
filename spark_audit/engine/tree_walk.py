"""Rules over whole columns: the trees of questions and answers are walked with all rows at once.

Where a tree does not yet go on, the ordinary rule is called for one row, and the tree grows by what it asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.engine.verdicts import LEAVES, Branch, Crash, Verdict, call, guarded, once_asked
from advisor.model.finding import FAIL, NOT_APPLICABLE, PASS
from advisor.rule.outcomes import NOT_ASKED, NotApplicable, Unknown, Unreadable
from advisor.rule.subject import FACTS, Subject
from advisor.simulator.claims import prove
from spark_audit.engine.evidence_keys import EVERYTHING
from spark_audit.engine.row_groups import RowGroup

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator
    from typing import Any, Protocol

    from advisor.config import Config
    from advisor.rule import Rule
    from advisor.rule.subject import Question, Reads
    from spark_audit.arrays import Codes, Column, Mask
    from spark_audit.engine.evidence_keys import Paths
    from spark_audit.engine.row_groups import Ask

    Tree = dict[object, Any]
    Leaf = tuple[object, Codes]

    class Columns(Protocol):
        """Subjects as columns."""

        rows: int
        paths: dict[Question, Paths]
        """What was asked on the way to the answers of derived facts."""

        def column(self, question: Question, walked: Callable[[Question], Column]) -> Column:
            """Every row's answer."""

        def config(self, row: int) -> Config:
            """A row's ordinary Config."""

        def rests_on(self, questions: Iterable[Question]) -> list[Codes]:
            """Columns of what these answers rest on."""

        def shown_by(self, questions: Iterable[Question], rows: Codes) -> list[Codes]:
            """Columns of what evidence of some rows for these questions shows."""

        def hidden(self) -> Mask:
            """The rows that could not be read: whatever follows from their settings is unknown."""


ALIKE = (PASS, NOT_APPLICABLE, FAIL)
"""Outcomes that are put together where what is told of them is the same."""
CRASHED = "crashed"
"""The outcome of a rule that raised what it must not."""


class Answer:
    """A leaf that is a value: of a derived fact, or what `each=` gives; `questions` were asked on the way."""

    __slots__ = ("questions", "value")

    def __init__(self, value: Hashable, reads: Iterable[tuple[int, Question, Hashable]] = ()) -> None:
        self.value = value
        self.questions = tuple(dict.fromkeys(question for _, question, _ in reads))


class TreeWalker:
    """The trees of all rules and derived facts, and how partitions look; they live as long as the process."""

    def __init__(self) -> None:
        self.looks: dict[int, dict[str, Hashable]] = {}
        self.trees: Tree = {}
        self.leaves: dict[object, int] = {}
        self._asked: dict[object, tuple[int, list[Question]]] = {}

    def walk(
        self, key: object, rows: RowGroup, ask: Ask, fresh: Callable[[int], tuple[object, Reads]]
    ) -> Iterator[Leaf]:
        """Every leaf that some rows come to, with those rows; `fresh` works a leaf out for one row."""
        waiting: list[tuple[Tree, object, RowGroup]] = [(self.trees, key, rows)]
        passing: list[tuple[Tree, object]] = []
        taken: set[int] = set()
        while waiting:
            level, step, here = waiting.pop()
            if not len(here.rows):
                continue
            level, step, parts = followed(level, step, here, ask)
            node = level.get(step)
            if parts:
                waiting += parts
            elif node is not None:
                yield node, here.rows
            else:
                first = int(here.rows[0])
                leaf, reads = fresh(first)
                full = self.leaves.get(key, 0) >= LEAVES
                self.leaves[key] = self.leaves.get(key, 0) + 1
                if full and len(here.rows) == 1:
                    yield leaf, here.rows
                    continue
                grown = self.graft(key, reads, leaf) if first not in taken else None
                taken.add(first)
                if grown is None or len(here.rows) == 1:
                    yield leaf, here.rows[:1]
                if grown is None or len(here.rows) > 1:
                    waiting.append((level, step, here if grown else RowGroup(here.rows[1:])))
                if grown and full:
                    passing.append(grown)
        for level, step in passing:
            level.pop(step, None)

    def graft(self, key: object, reads: Reads, leaf: object) -> tuple[Tree, object] | None:
        """Take what was asked on the way to a leaf into the tree; where it was added, None where that could not be."""
        level, step = self.trees, key
        added = None
        for index, question, answer in once_asked(reads):
            node = level.get(step)
            if node is None:
                added = added or (level, step)
                node = level[step] = Branch(index, question)
            if not isinstance(node, Branch) or (node.input, node.question) != (index, question):
                return None
            level, step = node.answers, answer
        if isinstance(level.get(step), Branch):
            return None
        level[step] = leaf
        return added or (level, step)

    def value(self, columns: Columns, question: Question) -> Column:
        """A column's answers, those of derived facts walked like rules."""
        return columns.column(question, lambda fact: self._fact(columns, fact))

    def _fact(self, columns: Columns, question: Question) -> Column:
        name, arguments = question
        fact = FACTS[name]

        def fresh(row: int) -> tuple[object, Reads]:
            reads: Reads = []
            facts = Subject(0, columns.config(row), reads)
            try:
                value = guarded(lambda: fact.answer(facts, arguments))
            except Crash:
                value = NOT_ASKED
            return Answer(value, reads), reads

        hidden = columns.hidden()
        codes, answers = self._answers(("fact", question), columns, np.flatnonzero(~hidden), fresh, question)
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
        leaves = self.leaves.get(key, 0)
        if key not in self.trees or leaves >= LEAVES:
            return [EVERYTHING]
        if self._asked.get(key, (0, []))[0] != leaves:
            self._asked[key] = leaves, questions_of(self.trees[key])
        return self._asked[key][1]

    def items(self, rule: Rule, columns: Columns, rows: Codes) -> Column:
        """What `each=` gives for every row: a tuple, or the Unknown that it raised."""
        each = rule.each

        def fresh(row: int) -> tuple[object, Reads]:
            reads: Reads = []
            facts = Subject(0, columns.config(row), reads)
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
        self,
        key: object,
        columns: Columns,
        rows: Codes,
        fresh: Callable[[int], tuple[object, Reads]],
        noted: Question | None = None,
    ) -> Column:
        """The answers, and where it is `noted` the paths to them."""
        numbers: dict[Hashable, int] = {}
        ways: dict[tuple[Question, ...], int] = {}
        codes, taken = np.zeros(columns.rows, dtype=np.int64), np.zeros(columns.rows, dtype=np.int64)
        leaves: Iterator[tuple[Answer, Codes]]
        leaves = self.walk(key, RowGroup(rows), lambda _, question: self.value(columns, question), fresh)  # type: ignore[assignment]
        for leaf, here in leaves:
            codes[here] = numbers.setdefault(leaf.value, len(numbers))
            if noted is not None:
                taken[here] = ways.setdefault(leaf.questions, len(ways))
        if noted is not None:
            columns.paths[noted] = taken, list(ways)
        return codes, list(numbers) or [None]

    def judged(
        self, rule: Rule, item: object, rows: RowGroup, ask: Ask, inputs: Callable[[int], tuple[Config, ...]]
    ) -> Iterator[tuple[Verdict, Codes]]:
        """The rule's verdicts over some rows, each with the rows it holds for."""

        def fresh(row: int) -> tuple[object, Reads]:
            reads: Reads = []
            try:
                return call(rule, inputs(row), item, reads), reads
            except Crash as crash:
                return Verdict(CRASHED, (), reason=str(crash)), reads

        leaves: Iterator[tuple[Verdict, Codes]] = self.walk((rule.id, rule.name, item), rows, ask, fresh)  # type: ignore[assignment]
        shared: dict[object, tuple[Verdict, list[Codes]]] = {}
        for verdict, here in leaves:
            if verdict.outcome in ALIKE:
                shared.setdefault(said_by(verdict), (verdict, []))[1].append(here)
            else:
                yield verdict, here
        for verdict, parts in shared.values():
            yield verdict, np.concatenate(parts) if len(parts) > 1 else parts[0]


def said_by(verdict: Verdict) -> Hashable:
    """What a verdict says beside its evidence: equal ones are told together."""
    problem = verdict.problem
    if problem is None:
        return verdict.outcome, verdict.questions
    proof = tuple(map(str, prove(problem.claim).values())) if problem.claim else None
    places = tuple((place.input, place.key) for place in verdict.places)
    words = problem.message, problem.required, problem.step, problem.refused, problem.likely
    return verdict.questions, places, words, proof


@dataclass(slots=True, eq=False)
class Unsaid:
    """What `each=` could not say: the reason, and the question whose answer gives each subject its own."""

    reason: str
    question: Question | None = None
    crashed: bool = False


def questions_of(tree: object) -> list[Question]:
    """All questions of a tree."""
    found: dict[Question, None] = {}
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Branch):
            found[node.question] = None
            waiting += node.answers.values()
    return list(found)


def followed(
    level: Tree, step: object, rows: RowGroup, ask: Ask
) -> tuple[Tree, object, list[tuple[Tree, object, RowGroup]]]:
    """Where the answers lead on which all rows agree; and where they do not, the rows parted by their answers."""
    node = level.get(step)
    while isinstance(node, Branch):
        parts = rows.by(node.input, node.question, ask)
        if len(parts) > 1:
            return level, step, [(node.answers, answer, part) for answer, part in parts]
        level, step = node.answers, parts[0][0]
        node = level.get(step)
    return level, step, []
