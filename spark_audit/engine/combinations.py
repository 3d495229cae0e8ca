"""What a rule is evaluated on: combinations of subjects of one cluster, each signature of them evaluated once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from advisor.config import Config
from advisor.rule.subject import Question
from spark_audit.arrays import Codes
from spark_audit.arrays.codes import CountsByCluster, combine, distinct, sort_order, split_by_code
from spark_audit.arrays.lists import positions_of
from spark_audit.engine.row_groups import RowGroup
from spark_audit.engine.tree_walk import Columns, UnknownItems

Texts = Sequence[str] | Any
"""A list, or an Arrow array."""
Items = tuple[list[tuple[object, RowGroup]], list[tuple[UnknownItems, Codes]]]
"""The items of `each=`, with the signatures that have them; and why others have none, with theirs."""
SelectColumns = Callable[[Columns, list[Question], Codes], list[Codes]]


class SubjectNames:
    """Who the subjects are: their cluster's index, kind, name, and file."""

    def __init__(
        self, cluster_of_subject: Codes, kinds: Texts, names: Texts, files: Sequence[str | None] | None = None
    ) -> None:
        self.cluster_of_subject = cluster_of_subject
        self.kinds = kinds
        self.names = names
        self.files = files

    @functools.cached_property
    def distinct_kinds(self) -> frozenset[str]:
        """The kinds that there are."""
        return frozenset(self.kinds)

    @functools.cached_property
    def encoded_names(self) -> tuple[Codes, pa.StringArray]:
        """Per subject the code of its name, and the distinct names."""
        encoded = pa.array(self.names, pa.string()).dictionary_encode()
        return encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64), encoded.dictionary


@dataclass(eq=False)
class RuleInput:
    """One input of a rule: per combination its row in the columns, and its subject among the names."""

    columns: Columns
    row_of_combination: Codes
    subject_of_combination: Codes
    names: SubjectNames

    @property
    def cluster_of_combination(self) -> Codes:
        """The index of each combination's cluster."""
        return self.names.cluster_of_subject[self.subject_of_combination]

    def take(self, combinations: Codes) -> RuleInput:
        """This input for some of the combinations."""
        return RuleInput(
            self.columns, self.row_of_combination[combinations], self.subject_of_combination[combinations], self.names
        )


class Combinations:
    """Combinations of a rule's inputs; those whose inputs are equal rows share a signature and are evaluated once.

    `first_of_signature` is one combination of each; `items` are what `each=` of some rules gave.
    """

    def __init__(self, rule_inputs: Sequence[RuleInput], cluster_of_combination: Codes) -> None:
        self.rule_inputs = tuple(rule_inputs)
        self.cluster_of_combination = cluster_of_combination
        self.size = len(cluster_of_combination)
        row_codes = (
            rule_inputs[0].row_of_combination
            if len(rule_inputs) == 1
            else combine(*(rule_input.row_of_combination for rule_input in rule_inputs))
        )
        row_of_combination = row_codes if self.size else np.zeros(0, np.int64)
        self.first_of_signature, self.signature_of_combination = distinct(row_of_combination)
        self._order = sort_order(self.signature_of_combination)
        self._combinations_per_signature = np.bincount(
            self.signature_of_combination, minlength=len(self.first_of_signature)
        )
        self._first_position = np.cumsum(self._combinations_per_signature) - self._combinations_per_signature
        self._rows_of_inputs = [
            rule_input.row_of_combination[self.first_of_signature] for rule_input in self.rule_inputs
        ]
        self.items: dict[object, Items] = {}
        self.all_signatures = RowGroup(np.arange(len(self.first_of_signature)))

    def combinations_of(self, signatures: Codes) -> Codes:
        """The combinations of these signatures."""
        return self._order[positions_of(self._first_position[signatures], self._combinations_per_signature[signatures])]

    @functools.cached_property
    def by_cluster(self) -> CountsByCluster:
        """How many combinations of each signature the clusters have."""
        return CountsByCluster(self.signature_of_combination, self.cluster_of_combination, len(self.first_of_signature))

    def row_of_signature(self, index: int) -> Codes:
        """Per signature its row in the columns of one input."""
        return self._rows_of_inputs[index]

    def configs_of(self, signature: int) -> tuple[Config, ...]:
        """The ordinary Configs of one combination of a signature."""
        return tuple(
            rule_input.columns.config(int(row_of_signature[signature]))
            for rule_input, row_of_signature in zip(self.rule_inputs, self._rows_of_inputs, strict=True)
        )

    def split_by_answers(self, signatures: Codes, questions: Sequence[tuple[int, Question]]) -> Iterator[Codes]:
        """Split signatures by what the answers to these questions depend on; indices into `signatures`."""
        return self._split(
            signatures,
            questions,
            lambda columns, input_questions, rows: [
                column[rows] for column in columns.signature_columns(input_questions)
            ],
        )

    def split_by_evidence(self, signatures: Codes, questions: Sequence[tuple[int, Question]]) -> Iterator[Codes]:
        """Split signatures by what evidence for these questions shows; indices into `signatures`."""
        return self._split(
            signatures,
            questions,
            lambda columns, input_questions, rows: columns.evidence_columns(input_questions, rows),
        )

    def _split(
        self, signatures: Codes, questions: Sequence[tuple[int, Question]], select: SelectColumns
    ) -> Iterator[Codes]:
        indices = np.arange(len(signatures))
        if len(signatures) > 1:
            yield from split_by_code(indices, self._codes_of(signatures, questions, select))
        elif len(signatures):
            yield indices

    def _codes_of(self, signatures: Codes, questions: Sequence[tuple[int, Question]], select: SelectColumns) -> Codes:
        questions_of_input: list[list[Question]] = [[] for _ in self.rule_inputs]
        for index, question in questions:
            questions_of_input[index].append(question)
        columns = [np.zeros(len(signatures), np.int64)]
        for rule_input, row_of_signature, input_questions in zip(
            self.rule_inputs, self._rows_of_inputs, questions_of_input, strict=True
        ):
            if input_questions or len(self.rule_inputs) == 1:
                columns += select(rule_input.columns, input_questions, row_of_signature[signatures])
        return combine(*columns, *self._same_subject(signatures))

    def _same_subject(self, signatures: Codes) -> Iterator[Codes]:
        """Whether two inputs are one subject: a client that is producer and consumer in one."""
        for index, rule_input in enumerate(self.rule_inputs):
            for other in range(index):
                if self.rule_inputs[other].columns is rule_input.columns:
                    yield (self._rows_of_inputs[index][signatures] == self._rows_of_inputs[other][signatures]).astype(
                        np.int64
                    )


def product(rule_inputs: Sequence[RuleInput], clusters: int) -> Combinations:
    """All combinations of the inputs' subjects within each cluster."""
    combined = [rule_inputs[0]]
    cluster_of_combination = rule_inputs[0].cluster_of_combination
    for rule_input in rule_inputs[1:]:
        cluster_of_other = rule_input.cluster_of_combination
        order = sort_order(cluster_of_other)
        others_per_cluster = np.bincount(cluster_of_other, minlength=clusters)
        first_of_cluster = np.cumsum(others_per_cluster) - others_per_cluster
        others_per_combination = others_per_cluster[cluster_of_combination]
        left_rows = np.repeat(np.arange(len(cluster_of_combination)), others_per_combination)
        right_rows = order[positions_of(first_of_cluster[cluster_of_combination], others_per_combination)]
        combined = [*(combined_input.take(left_rows) for combined_input in combined), rule_input.take(right_rows)]
        cluster_of_combination = cluster_of_combination[left_rows]
    return Combinations(combined, cluster_of_combination)


def join_client_topics(
    client: RuleInput, topics_of_client: Sequence[Sequence[str]], topic: RuleInput, clusters: int
) -> Combinations:
    """Join each client with the topics of its cluster that it uses; names may be patterns with * and ?."""
    cluster_of_client = client.cluster_of_combination
    joins = [
        _match_by_name(cluster_of_client, client, topics_of_client, topic),
        *_match_by_pattern(cluster_of_client, client, topics_of_client, topic),
    ]
    client_rows, topic_rows = (np.concatenate([join[side] for join in joins]) for side in (0, 1))
    _, first_of_pair = np.unique(client_rows * len(topic.row_of_combination) + topic_rows, return_index=True)
    distinct_clients = client_rows[first_of_pair]
    return Combinations(
        [client.take(distinct_clients), topic.take(topic_rows[first_of_pair])], cluster_of_client[distinct_clients]
    )


def _match_by_name(
    cluster_of_client: Codes, client: RuleInput, topics_of_client: Sequence[Sequence[str]], topic: RuleInput
) -> tuple[Codes, Codes]:
    """Pairs of client and topic where the client gives the topic's name."""
    names_of_client = [topics_of_client[subject] for subject in client.subject_of_combination.tolist()]
    name_of_topic, distinct_names = topic.names.encoded_names
    client_of_name = np.repeat(np.arange(len(names_of_client)), [len(names) for names in names_of_client])
    names = pc.index_in(
        pa.array([name for names in names_of_client for name in names], pa.string()), value_set=distinct_names
    )
    code_of_name = names.fill_null(len(distinct_names)).to_numpy(zero_copy_only=False).astype(np.int64)
    size = len(distinct_names) + 1
    topic_keys = pa.array(topic.cluster_of_combination * size + name_of_topic[topic.subject_of_combination])
    topic_of_name = pc.index_in(pa.array(cluster_of_client[client_of_name] * size + code_of_name), value_set=topic_keys)
    matched = topic_of_name.is_valid().to_numpy(zero_copy_only=False)
    return client_of_name[matched], topic_of_name.drop_null().to_numpy(zero_copy_only=False).astype(np.int64)


def _match_by_pattern(
    cluster_of_client: Codes, client: RuleInput, topics_of_client: Sequence[Sequence[str]], topic: RuleInput
) -> Iterator[tuple[Codes, Codes]]:
    """Pairs of client and topic where a pattern of the client's matches the topic's name."""
    cluster_of_topic = topic.cluster_of_combination
    for position, subject in enumerate(client.subject_of_combination.tolist()):
        patterns = [name for name in topics_of_client[subject] if set(name) & set("*?[")]
        if patterns:
            topics_of_cluster = np.flatnonzero(cluster_of_topic == cluster_of_client[position])
            names = names_of_subjects(topic.names, topic.subject_of_combination[topics_of_cluster])
            matches = [any(fnmatchcase(name, pattern) for pattern in patterns) for name in names]
            matched = topics_of_cluster[np.array(matches, dtype=bool)]
            yield np.full(len(matched), position), matched


def names_of_subjects(names: SubjectNames, subjects: Codes) -> list[str]:
    """The names of some subjects."""
    if isinstance(names.names, pa.Array):
        return list(names.names.take(subjects).to_pylist())
    return [names.names[subject] for subject in subjects.tolist()]
