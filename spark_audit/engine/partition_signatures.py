"""The different partitions of many topics: what a rule on partitions is judged on."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import numpy as np

from advisor.config import Config
from advisor.config.subject_group import INNER
from spark_audit.arrays.codes import combine, distinct, encode
from spark_audit.arrays.lists import positions_of
from spark_audit.engine.evidence_keys import in_the_end
from spark_audit.engine.setting_columns import answered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from advisor.rule.subject import Question
    from spark_audit.arrays import Codes, Column, Mask
    from spark_audit.engine.evidence_keys import Paths
    from spark_audit.engine.partition_columns import Facts, Looks
    from spark_audit.engine.topic_columns import TopicColumns


def _never(question: Question) -> Column:
    raise AssertionError(f"{question} is no fact that follows from settings")


class Pictured:
    """The (topic, picture) pairs of several slices, topic by topic, that with the lowest partition first; pictures are told apart by facts.

    `topics` says of each topic that has partitions where its pairs start, which one it is, and how many they are.
    """

    def __init__(self, looks: Sequence[Looks], starts: Sequence[int]) -> None:
        values = [tuple(facts.values()) for each in looks for facts in each.facts]
        numbers, known = encode(values)
        every = [facts for each in looks for facts in each.facts]
        of_number = dict(zip(numbers, every, strict=True))
        self.facts: list[Facts] = [of_number[number] for number in range(len(known))]
        pictures, at = [], 0
        for each in looks:
            own = np.array(numbers[at : at + len(each.facts)] or [0], dtype=np.int32)
            pictures.append(own[each.picture])
            at += len(each.facts)
        self.ids = np.concatenate([each.ids for each in looks])
        shown = np.concatenate([each.shown for each in looks])
        starting = np.cumsum(shown) - shown
        topic = np.concatenate([each.topic + start for each, start in zip(looks, starts, strict=True)])
        order = np.argsort(topic << 32 | self.ids[starting], kind="stable")
        self.topic, self.shown, self.starts = topic[order], shown[order], starting[order]
        self.picture = np.concatenate(pictures)[order]
        self.count = np.concatenate([each.count for each in looks])[order]
        self.topics = together(self.topic)

    def some(self, many: int) -> Pictured:
        """The first pairs alone."""
        found = copy.copy(self)
        for name in ("topic", "shown", "starts", "picture", "count"):
            setattr(found, name, getattr(self, name)[:many])
        found.topics = together(found.topic)
        return found

    def members(self, rows: Codes) -> tuple[Codes, Codes]:
        """The lowest partitions of each of these pairs: ids and how many."""
        sizes = self.shown[rows]
        return self.ids[positions_of(self.starts[rows], sizes)], sizes


def together(topic: Codes) -> tuple[Codes, Codes, Codes]:
    """Where the pairs of each topic start, which one it is, and how many they are."""
    there: Codes = np.flatnonzero(np.diff(topic, prepend=-1))
    return there, topic[there], np.diff(there, append=len(topic))


class PartitionSignatures:
    """The different partitions there are: a picture, and what rules ask of topics, which are the questions in `known`.

    `row` is the kind of each pair in `pictured`. What is asked beside that is noted in `wanted`; then what was said holds
    for one of each kind only.
    """

    def __init__(self, pictured: Pictured, kinds: TopicColumns, kind_of: Codes, known: Iterable[Question]) -> None:
        self.kinds = kinds
        self.pictured = pictured
        self.facts = pictured.facts
        self.known = frozenset(known)
        self.wanted: set[Question] = set()
        kind = kind_of[pictured.topic]
        alike = combine(*kinds.rests_on(self.known))[kind] if len(kind) else kind
        first, self.row = distinct(alike * (len(self.facts) or 1) + pictured.picture)
        self.kind, self.picture = kind[first], pictured.picture[first]
        self.rows = len(first)
        self.paths: dict[Question, Paths] = {}
        self._columns: dict[Question, Column] = {}
        self._configs: dict[int, Config] = {}

    def note(self, questions: Iterable[Question]) -> None:
        """What a verdict rests on."""
        self.wanted.update(question for question in questions if not self._drawn(question))

    def whole(self) -> bool:
        """Whether everything that was asked was known to be."""
        return self.wanted <= self.known

    def _drawn(self, question: Question) -> bool:
        return question[0] == "live" or (bool(self.facts) and question[1] in self.facts[0])

    def config(self, row: int) -> Config:
        """The row's ordinary Config: its topic's settings and its picture's facts."""
        if row not in self._configs:
            topic = self.kinds.config(int(self.kind[row])).entity
            self._configs[row] = Config(topic, self.facts[int(self.picture[row])])
        return self._configs[row]

    def column(self, question: Question, walked: Callable[[Question], Column]) -> Column:
        """Every row's answer: of its picture where a fact is asked for, else of its topic."""
        if question not in self._columns:
            self._columns[question] = self._answers(question, walked)
        return self._columns[question]

    def _answers(self, question: Question, walked: Callable[[Question], Column]) -> Column:
        what, key = question
        if what == "live" and self.facts and key in self.facts[0]:
            numbers, answers = encode([facts[str(key)] for facts in self.facts])
            return np.array(numbers, dtype=np.int64)[self.picture], answers
        if what == "live":
            numbers, answers = encode([answered(self.config(row), question) for row in range(self.rows)])
            return np.array(numbers, dtype=np.int64), answers
        if isinstance(key, tuple):
            return walked(question)
        self.note([question])
        codes, answers = self.kinds.column(question, walked)
        return codes[self.kind] if self.rows else codes, answers

    def hidden(self) -> Mask:
        """The rows whose topic's settings could not be read."""
        found: Mask = self.kinds.hidden()[self.kind]
        return found

    def rests_on(self, questions: Iterable[Question]) -> list[Codes]:
        """Columns of everything that answers to these questions rest on."""
        drawn, own = self._of_both(questions)
        return [*(column[self.kind] for column in self.kinds.rests_on(own)), *drawn]

    def shown_by(self, questions: Iterable[Question], rows: Codes) -> list[Codes]:
        """Columns of what evidence of some rows for these questions shows."""
        asked, paths = in_the_end(questions, self.paths)
        drawn, own = self._of_both(asked)
        return [*self.kinds.shown_by(own, self.kind[rows]), *(column[rows] for column in (*drawn, *paths))]

    def _of_both(self, asked: Iterable[Question]) -> tuple[list[Codes], list[Question]]:
        """Columns of the picture, only for what it says of itself; and what is asked of the topic."""
        asked = list(asked)
        facts = [question for question in asked if question[0] == "live" and question not in INNER]
        own = [question for question in asked if question[0] != "live" and question[1] not in self.facts[0]]
        return [self.column(question, _never)[0] for question in facts], own
