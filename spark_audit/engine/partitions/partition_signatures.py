"""Partition signatures: the distinct partitions of many topics, which rules on partitions are evaluated on."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from advisor.config import Config
from advisor.config.subject_group import INNER
from advisor.rule.subject import Question
from spark_audit.arrays import Codes, Column, Mask
from spark_audit.arrays.codes import combine, distinct, encode
from spark_audit.arrays.lists import positions_of
from spark_audit.engine.columns.evidence_keys import Paths, resolve_facts
from spark_audit.engine.columns.setting_columns import answer_of
from spark_audit.engine.columns.topic_columns import TopicColumns
from spark_audit.engine.partitions.partition_columns import Facts, TopicPartitionGroups


def _never(question: Question) -> Column:
    raise AssertionError(f"{question} is not a fact that follows from settings")


class PartitionGroups:
    """Subject groups: the partitions of one topic with equal facts; topic by topic, the lowest partition first.

    `topics` has, for each topic that has partitions, its first group, its number, and how many groups it has.
    """

    def __init__(self, batches: Sequence[TopicPartitionGroups], first_topic_of_batch: Sequence[int]) -> None:
        values_of_facts = [tuple(facts.values()) for batch in batches for facts in batch.facts]
        code_of_facts, distinct_values = encode(values_of_facts)
        all_facts = [facts for batch in batches for facts in batch.facts]
        facts_of_code = dict(zip(code_of_facts, all_facts, strict=True))
        self.facts: list[Facts] = [facts_of_code[code] for code in range(len(distinct_values))]
        facts_columns, offset = [], 0
        for batch in batches:
            codes_of_batch = np.array(code_of_facts[offset : offset + len(batch.facts)] or [0], dtype=np.int32)
            facts_columns.append(codes_of_batch[batch.signature_of_group])
            offset += len(batch.facts)
        self.ids = np.concatenate([batch.ids for batch in batches])
        ids_per_group = np.concatenate([batch.ids_per_group for batch in batches])
        first_id = np.cumsum(ids_per_group) - ids_per_group
        topic_of_group = np.concatenate(
            [batch.topic_of_group + start for batch, start in zip(batches, first_topic_of_batch, strict=True)]
        )
        order = np.argsort(topic_of_group << 32 | self.ids[first_id], kind="stable")
        self.topic_of_group = topic_of_group[order]
        self.ids_per_group = ids_per_group[order]
        self.first_id = first_id[order]
        self.facts_of_group = np.concatenate(facts_columns)[order]
        self.partitions_per_group = np.concatenate([batch.partitions_per_group for batch in batches])[order]
        self.topics = groups_by_topic(self.topic_of_group)

    def head(self, size: int) -> PartitionGroups:
        """The first groups only."""
        groups = copy.copy(self)
        for name in ("topic_of_group", "ids_per_group", "first_id", "facts_of_group", "partitions_per_group"):
            setattr(groups, name, getattr(self, name)[:size])
        groups.topics = groups_by_topic(groups.topic_of_group)
        return groups

    def ids_of(self, groups: Codes) -> tuple[Codes, Codes]:
        """The lowest partition ids of these groups, and how many of each."""
        ids_per_group = self.ids_per_group[groups]
        return self.ids[positions_of(self.first_id[groups], ids_per_group)], ids_per_group


def groups_by_topic(topic_of_group: Codes) -> tuple[Codes, Codes, Codes]:
    """Where the groups of each topic start, which topic it is, and how many groups it has."""
    first_group: Codes = np.flatnonzero(np.diff(topic_of_group, prepend=-1))
    return first_group, topic_of_group[first_group], np.diff(first_group, append=len(topic_of_group))


class PartitionSignatures:
    """Partition signatures as columns: a partition's facts with its topic's answers to the questions in `known`.

    `signature_of_group` is the row of each subject group. Other questions that rules ask of topics are noted in
    `wanted`; then the answers hold for one topic of each signature only.
    """

    def __init__(
        self,
        groups: PartitionGroups,
        distinct_topics: TopicColumns,
        signature_of_topic: Codes,
        known: Iterable[Question],
    ) -> None:
        self.distinct_topics = distinct_topics
        self.groups = groups
        self.facts = groups.facts
        self.known = frozenset(known)
        self.wanted: set[Question] = set()
        topic_signature_of_group = signature_of_topic[groups.topic_of_group]
        answers_of_group = (
            combine(*distinct_topics.signature_columns(self.known))[topic_signature_of_group]
            if len(topic_signature_of_group)
            else topic_signature_of_group
        )
        first_group, self.signature_of_group = distinct(
            answers_of_group * (len(self.facts) or 1) + groups.facts_of_group
        )
        self.topic_of_signature = topic_signature_of_group[first_group]
        self.facts_of_signature = groups.facts_of_group[first_group]
        self.rows = len(first_group)
        self.paths: dict[Question, Paths] = {}
        self._columns: dict[Question, Column] = {}
        self._configs: dict[int, Config] = {}

    def note(self, questions: Iterable[Question]) -> None:
        """Note the questions that a verdict depends on."""
        self.wanted.update(question for question in questions if not self._is_fact(question))

    def complete(self) -> bool:
        """Whether all questions asked of topics were known."""
        return self.wanted <= self.known

    def _is_fact(self, question: Question) -> bool:
        return question[0] == "live" or (bool(self.facts) and question[1] in self.facts[0])

    def config(self, row: int) -> Config:
        """The ordinary Config of a row: its topic's settings with its partition's facts."""
        if row not in self._configs:
            topic = self.distinct_topics.config(int(self.topic_of_signature[row])).entity
            self._configs[row] = Config(topic, self.facts[int(self.facts_of_signature[row])])
        return self._configs[row]

    def column(self, question: Question, walk_fact: Callable[[Question], Column]) -> Column:
        """The answers of all rows: facts are the partition's, all else its topic's."""
        if question not in self._columns:
            self._columns[question] = self._answers(question, walk_fact)
        return self._columns[question]

    def _answers(self, question: Question, walk_fact: Callable[[Question], Column]) -> Column:
        what, key = question
        if what == "live" and self.facts and key in self.facts[0]:
            codes, answers = encode([facts[str(key)] for facts in self.facts])
            return np.array(codes, dtype=np.int64)[self.facts_of_signature], answers
        if what == "live":
            codes, answers = encode([answer_of(self.config(row), question) for row in range(self.rows)])
            return np.array(codes, dtype=np.int64), answers
        if isinstance(key, tuple):
            return walk_fact(question)
        self.note([question])
        code_of_topic, answers = self.distinct_topics.column(question, walk_fact)
        return code_of_topic[self.topic_of_signature] if self.rows else code_of_topic, answers

    def unreadable(self) -> Mask:
        """Mask of the rows whose topic's settings could not be read."""
        unreadable: Mask = self.distinct_topics.unreadable()[self.topic_of_signature]
        return unreadable

    def signature_columns(self, questions: Iterable[Question]) -> list[Codes]:
        """The columns that answers to these questions depend on."""
        fact_columns, of_topic = self._split_questions(questions)
        return [
            *(column[self.topic_of_signature] for column in self.distinct_topics.signature_columns(of_topic)),
            *fact_columns,
        ]

    def evidence_columns(self, questions: Iterable[Question], rows: Codes) -> list[Codes]:
        """The columns of some rows that tell apart their evidence for these questions."""
        resolved, paths = resolve_facts(questions, self.paths)
        fact_columns, of_topic = self._split_questions(resolved)
        return [
            *self.distinct_topics.evidence_columns(of_topic, self.topic_of_signature[rows]),
            *(column[rows] for column in (*fact_columns, *paths)),
        ]

    def _split_questions(self, questions: Iterable[Question]) -> tuple[list[Codes], list[Question]]:
        """The columns of facts that are the partition's own, and the questions that are the topic's."""
        questions = list(questions)
        facts = [question for question in questions if question[0] == "live" and question not in INNER]
        of_topic = [question for question in questions if question[0] != "live" and question[1] not in self.facts[0]]
        return [self.column(question, _never)[0] for question in facts], of_topic
