"""Rules over whole columns: the trees of questions and answers are walked with all rows at once.

Where a tree does not yet go on, the ordinary rule is called for one row, and the tree grows by what it asked.
"""

from __future__ import annotations

import numpy as np

from advisor.asking import FACTS, Facts
from advisor.engine import LEAVES, Branch, Crash, Verdict, call, once_asked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from typing import Any

    from advisor.asking import Question, Reads
    from advisor.config import Config
    from advisor.rule import Rule
    from spark_audit.columns import Codes, Column

    Tree = dict[object, Any]
    Ask = Callable[[int, Question], Column]
    """(input, question) to the column of answers."""
    Leaf = tuple[object, Codes]


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
            if node is None:
                leaf, reads = fresh(int(here[0]))
                if self.leaves.get(key, 0) >= LEAVES:
                    yield leaf, here[:1]
                    waiting.append((level, step, here[1:]))
                    continue
                self.leaves[key] = self.leaves.get(key, 0) + 1
                self.graft(key, reads, leaf)
                waiting.append((level, step, here))
            elif isinstance(node, Branch):
                waiting += split(node, here, ask)
            else:
                yield node, here

    def graft(self, key: object, reads: Reads, leaf: object) -> None:
        """Take what was asked on the way to a leaf into the tree."""
        asked = once_asked(reads)
        level, step = self.trees, key
        for index, question, answer in asked:
            node = level.get(step)
            if not isinstance(node, Branch):
                node = level[step] = Branch(index, question)
            if (node.input, node.question) != (index, question):
                raise Crash("asks different questions after the same answers")
            level, step = node.answers, answer
        level[step] = leaf


def split(node: Branch, rows: Codes, ask: Ask) -> list[tuple[Tree, object, Codes]]:
    """The rows of a question, parted by their answers."""
    codes, answers = ask(node.input, node.question)
    here = codes[rows]
    if len(answers) == 1:
        return [(node.answers, answers[0], rows)]
    order = np.argsort(here, kind="stable")
    ordered = here[order]
    cuts = np.flatnonzero(np.diff(ordered)) + 1
    return [(node.answers, answers[int(codes[part[0]])], part) for part in np.split(rows[order], cuts)]


def fact_column(walker: Walker, question: Question, rows: int, ask: Ask, config: Callable[[int], Config]) -> Column:
    """A derived fact of every row, walked like a rule."""
    name, arguments = question
    fact = FACTS[name]

    def fresh(row: int) -> tuple[object, Reads]:
        reads: Reads = []
        return Answer(fact.answer(Facts(0, config(row), reads), arguments)), reads

    numbers: dict[Hashable, int] = {}
    codes = np.zeros(rows, dtype=np.int64)
    for leaf, here in walker.walk(("fact", question), np.arange(rows), ask, fresh):
        codes[here] = numbers.setdefault(leaf.value, len(numbers))  # type: ignore[attr-defined]
    return codes, list(numbers) or [None]


class Answer:
    """A leaf of a fact's tree."""

    __slots__ = ("value",)

    def __init__(self, value: Hashable) -> None:
        self.value = value


def judged(
    walker: Walker, rule: Rule, item: object, rows: Codes, ask: Ask, inputs: Callable[[int], tuple[Config, ...]]
) -> Iterator[tuple[Verdict, Codes]]:
    """The rule's verdicts over some rows, each with the rows it holds for."""

    def fresh(row: int) -> tuple[object, Reads]:
        reads: Reads = []
        return call(rule, inputs(row), item, reads), reads

    yield from walker.walk((rule.id, rule.name, item), rows, ask, fresh)  # type: ignore[misc]
