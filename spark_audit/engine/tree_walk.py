"""Evaluate rules over columns: decision trees of questions and answers, walked with all rows at once.

Where a tree does not yet go on, the ordinary rule is called for one row, and the tree grows by what it asked.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from advisor.config import Config
from advisor.engine.verdicts import LEAVES, Branch, Crash, RuleVerdict, call_rule, distinct_reads, run_guarded
from advisor.model.finding import FAIL, NOT_APPLICABLE, PASS
from advisor.rule import Rule
from advisor.rule.subject import FACTS, NOT_ASKED, NotApplicable, Question, Reads, Subject, Unknown, Unreadable
from advisor.simulator.claims import prove
from spark_audit.arrays import Codes, Column, Mask
from spark_audit.engine.columns.evidence_keys import EVERYTHING, Paths
from spark_audit.engine.row_groups import Ask, RowGroup

Tree = dict[object, Any]
Leaf = tuple[object, Codes]


class Columns(Protocol):
    """Subjects as columns: one row each."""

    rows: int
    paths: dict[Question, Paths]
    """What was asked on the way to the answers of derived facts."""

    def column(self, question: Question, walk_fact: Callable[[Question], Column]) -> Column:
        """The answers of all rows; `walk_fact` works out derived facts."""

    def config(self, row: int) -> Config:
        """The ordinary Config of a row."""

    def signature_columns(self, questions: Iterable[Question]) -> list[Codes]:
        """The columns that answers to these questions depend on."""

    def evidence_columns(self, questions: Iterable[Question], rows: Codes) -> list[Codes]:
        """The columns of some rows that tell apart their evidence for these questions."""

    def unreadable(self) -> Mask:
        """Mask of the rows that could not be read: whatever follows from their settings is unknown."""


MERGED_OUTCOMES = (PASS, NOT_APPLICABLE, FAIL)
"""Outcomes whose verdicts are merged where they say the same."""
CRASHED = "crashed"
"""The outcome of a rule that raised an exception of its own."""


class AnswerLeaf:
    """A leaf that holds a value: of a derived fact, or the items of `each=`; `questions` were asked on the way."""

    __slots__ = ("questions", "value")

    def __init__(self, value: Hashable, reads: Iterable[tuple[int, Question, Hashable]] = ()) -> None:
        self.value = value
        self.questions = tuple(dict.fromkeys(question for _, question, _ in reads))


class TreeWalker:
    """The decision trees of all rules and derived facts, kept as long as the process lives.

    `partition_facts` are the facts of partitions by their signature.
    """

    def __init__(self) -> None:
        self.partition_facts: dict[int, dict[str, Hashable]] = {}
        self.trees: Tree = {}
        self.leaves: dict[object, int] = {}
        self._questions_of_tree: dict[object, tuple[int, list[Question]]] = {}

    def walk(
        self, key: object, rows: RowGroup, ask: Ask, make_leaf: Callable[[int], tuple[object, Reads]]
    ) -> Iterator[Leaf]:
        """Walk a tree; every leaf that some rows come to, with those rows. `make_leaf` works out a leaf for one row."""
        pending: list[tuple[Tree, object, RowGroup]] = [(self.trees, key, rows)]
        temporary: list[tuple[Tree, object]] = []
        called: set[int] = set()
        while pending:
            level, step, group = pending.pop()
            if not len(group.rows):
                continue
            level, step, groups = follow(level, step, group, ask)
            node = level.get(step)
            if groups:
                pending += groups
            elif node is not None:
                yield node, group.rows
            else:
                first_row = int(group.rows[0])
                leaf, reads = make_leaf(first_row)
                full = self.leaves.get(key, 0) >= LEAVES
                self.leaves[key] = self.leaves.get(key, 0) + 1
                if full and len(group.rows) == 1:
                    yield leaf, group.rows
                    continue
                grown = self.graft(key, reads, leaf) if first_row not in called else None
                called.add(first_row)
                if grown is None or len(group.rows) == 1:
                    yield leaf, group.rows[:1]
                if grown is None or len(group.rows) > 1:
                    pending.append((level, step, group if grown else RowGroup(group.rows[1:])))
                if grown and full:
                    temporary.append(grown)
        for level, step in temporary:
            level.pop(step, None)

    def graft(self, key: object, reads: Reads, leaf: object) -> tuple[Tree, object] | None:
        """Add the questions on the way to a leaf to the tree; where they were added, None where that is impossible."""
        level, step = self.trees, key
        added = None
        for index, question, answer in distinct_reads(reads):
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
        """The answers of all rows to a question; derived facts are walked like rules."""
        return columns.column(question, lambda fact: self._answer_fact(columns, fact))

    def _answer_fact(self, columns: Columns, question: Question) -> Column:
        """The answers of all rows to a derived fact."""
        name, arguments = question
        fact = FACTS[name]

        def call_fact(row: int) -> tuple[object, Reads]:
            reads: Reads = []
            subject = Subject(0, columns.config(row), reads)
            try:
                value = run_guarded(lambda: fact.answer(subject, arguments))
            except Crash:
                value = NOT_ASKED
            return AnswerLeaf(value, reads), reads

        unreadable = columns.unreadable()
        codes, answers = self._answers(("fact", question), columns, np.flatnonzero(~unreadable), call_fact, question)
        if unreadable.any():
            codes[unreadable] = len(answers)
            answers = [*answers, Unreadable("")]
        return codes, answers

    def resolve_facts(self, questions: Iterable[tuple[int, Question]]) -> list[tuple[int, Question]]:
        """Replace derived facts by all questions that they may have asked."""
        reached: dict[tuple[int, Question], None] = {}
        pending = list(questions)
        while pending:
            index, question = pending.pop()
            if question[0] not in FACTS:
                reached[index, question] = None
            elif (index, question) not in reached:
                reached[index, question] = None
                pending += [(index, member) for member in self._questions_asked_by(("fact", question))]
        return [(index, question) for index, question in reached if question[0] not in FACTS]

    def _questions_asked_by(self, key: object) -> list[Question]:
        """All questions of a tree; EVERYTHING where it has overflowed, or does not exist."""
        leaves = self.leaves.get(key, 0)
        if key not in self.trees or leaves >= LEAVES:
            return [EVERYTHING]
        if self._questions_of_tree.get(key, (0, []))[0] != leaves:
            self._questions_of_tree[key] = leaves, all_questions(self.trees[key])
        return self._questions_of_tree[key][1]

    def items(self, rule: Rule, columns: Columns, rows: Codes) -> Column:
        """The items of `each=` for every row: a tuple, or the UnknownItems that it raised."""
        each_of = rule.each

        def call_each(row: int) -> tuple[object, Reads]:
            reads: Reads = []
            subject = Subject(0, columns.config(row), reads)
            try:
                return AnswerLeaf(run_guarded(lambda: tuple(each_of(subject)))), reads  # type: ignore[operator,misc]
            except NotApplicable:
                return AnswerLeaf(()), reads
            except Unknown as unknown:
                return AnswerLeaf(UnknownItems(str(unknown), reads[-1][1] if reads else None)), reads
            except Crash as crash:
                return AnswerLeaf(UnknownItems(str(crash), crashed=True)), reads

        return self._answers(("each", each_of), columns, rows, call_each)

    def _answers(
        self,
        key: object,
        columns: Columns,
        rows: Codes,
        make_leaf: Callable[[int], tuple[object, Reads]],
        path_key: Question | None = None,
    ) -> Column:
        """Walk a tree for a column of answers; where `path_key` is given, keep the paths to them."""
        code_of_answer: dict[Hashable, int] = {}
        code_of_path: dict[tuple[Question, ...], int] = {}
        codes, path_of_row = np.zeros(columns.rows, dtype=np.int64), np.zeros(columns.rows, dtype=np.int64)
        leaves: Iterator[tuple[AnswerLeaf, Codes]]
        leaves = self.walk(key, RowGroup(rows), lambda _, question: self.value(columns, question), make_leaf)  # type: ignore[assignment]
        for leaf, rows_of_leaf in leaves:
            codes[rows_of_leaf] = code_of_answer.setdefault(leaf.value, len(code_of_answer))
            if path_key is not None:
                path_of_row[rows_of_leaf] = code_of_path.setdefault(leaf.questions, len(code_of_path))
        if path_key is not None:
            columns.paths[path_key] = path_of_row, list(code_of_path)
        return codes, list(code_of_answer) or [None]

    def evaluate(
        self, rule: Rule, item: object, rows: RowGroup, ask: Ask, inputs: Callable[[int], tuple[Config, ...]]
    ) -> Iterator[tuple[RuleVerdict, Codes]]:
        """Evaluate a rule over some rows; its verdicts, each with the rows it holds for."""

        def call_for_row(row: int) -> tuple[object, Reads]:
            reads: Reads = []
            try:
                return call_rule(rule, inputs(row), item, reads), reads
            except Crash as crash:
                return RuleVerdict(CRASHED, (), reason=str(crash)), reads

        leaves: Iterator[tuple[RuleVerdict, Codes]] = self.walk((rule.id, rule.name, item), rows, ask, call_for_row)  # type: ignore[assignment]
        merged: dict[object, tuple[RuleVerdict, list[Codes]]] = {}
        for verdict, rows_of_leaf in leaves:
            if verdict.outcome in MERGED_OUTCOMES:
                merged.setdefault(message_content(verdict), (verdict, []))[1].append(rows_of_leaf)
            else:
                yield verdict, rows_of_leaf
        for verdict, row_chunks in merged.values():
            yield verdict, np.concatenate(row_chunks) if len(row_chunks) > 1 else row_chunks[0]


def message_content(verdict: RuleVerdict) -> Hashable:
    """What a verdict says beside its evidence: equal ones are reported together."""
    problem = verdict.problem
    if problem is None:
        return verdict.outcome, verdict.questions
    proof = tuple(map(str, prove(problem.claim).values())) if problem.claim else None
    places = tuple((place.input, place.key) for place in verdict.places)
    words = problem.message, problem.required, problem.step, problem.refused, problem.likely
    return verdict.questions, places, words, proof


@dataclass(slots=True, eq=False)
class UnknownItems:
    """Why `each=` could not give items: the reason, and the question whose answer gives each subject its own."""

    reason: str
    question: Question | None = None
    crashed: bool = False


def all_questions(tree: object) -> list[Question]:
    """All questions of a tree."""
    questions: dict[Question, None] = {}
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, Branch):
            questions[node.question] = None
            pending += node.answers.values()
    return list(questions)


def follow(
    level: Tree, step: object, rows: RowGroup, ask: Ask
) -> tuple[Tree, object, list[tuple[Tree, object, RowGroup]]]:
    """Follow the tree while all rows agree; where they do not, the row groups split by their answers."""
    node = level.get(step)
    while isinstance(node, Branch):
        groups = rows.split(node.input, node.question, ask)
        if len(groups) > 1:
            return level, step, [(node.answers, answer, group) for answer, group in groups]
        level, step = node.answers, groups[0][0]
        node = level.get(step)
    return level, step, []
