"""Subjects with settings as columns: each question is answered once per signature, not once per row.

A question about a setting depends on a few keys only. Rows that agree in those, and in their context (release, kind,
described defaults), share a signature: one of them is asked through the ordinary Config, and its answer is that of all.
Derived facts are walked like rules.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from advisor.config import Config
from advisor.facts import NOT_SAID
from advisor.model import Entity, Setting, Target
from advisor.rule.subject import AT_LEAST, NOT_ASKED, Absent, Question, Unreadable
from spark_audit.arrays import Codes, Column, Mask
from spark_audit.arrays.codes import combine, distinct, encode
from spark_audit.arrays.dictionaries import indices
from spark_audit.engine.columns.evidence_keys import Paths, line_content, resolve_facts
from spark_audit.engine.columns.key_columns import KeyColumns, keys_for

BY_KEY = frozenset((
    "int", "float", "bool", "str", "list", "text", "outline", "set", "shape", "secret", "source", "earlier", "jaas", "login",
    "provider",
))  # fmt: skip
"""Questions whose answer depends on the key, on its synonyms and aliases, and on nothing else of the row."""
BY_ATTRIBUTE = frozenset(("set", "source", "shape", "secret", "provider", "earlier", "outline"))
"""Those whose answer depends on one attribute of the setting only."""
BY_CONTEXT = frozenset(
    (
        "version",
        AT_LEAST,
        "version given",
        "vendor",
        "family",
        "kind",
        "running",
        "fragment",
        "mounts",
        "definition",
        "resolve",
        "int of other role",
    )
)
"""Questions whose answer depends on the row's context alone."""
MAX_COMPARED_LINES = 256
"""Distinct lines of evidence of a key up to which they are compared: bounds how many Configs are asked for one."""


@dataclass(slots=True, eq=False)
class Context:
    """What subjects have from their cluster: its name in the fleet and in findings, the release, the defaults, the mode."""

    name: str
    cluster: str
    target: Target
    defaults: Sequence[Mapping[str, str | None]] = ()
    metadata: str = NOT_SAID


class SettingColumns(KeyColumns):
    """Rows with settings; topics, brokers and clients say what else they are made of.

    `batch` has the columns `cluster` and `settings`; `contexts` are those of the clusters, and
    `cluster_of_row` is each row's index among them.
    """

    kind: str

    def __init__(self, batch: pa.RecordBatch, contexts: Sequence[Context]) -> None:
        super().__init__(batch)
        self.contexts = contexts
        self.cluster_of_row = self._encode_clusters({context.name: index for index, context in enumerate(contexts)})
        self.paths: dict[Question, Paths] = {}
        self._columns: dict[Question, Column] = {}
        self._configs: dict[int, Config] = {}
        self.context = combine(*self.context_columns())

    # ------------------------------------------------------------------ what kinds of subjects differ in

    def context_columns(self) -> list[Codes]:
        """What a row is, beside its settings, as columns."""
        raise NotImplementedError

    def entity(self, row: int) -> Entity:
        """The row as the entity that a snapshot would have."""
        raise NotImplementedError

    def facts(self, row: int) -> Mapping[str, Hashable]:
        """The facts of a row."""
        return {}

    def fact_column(self, name: str) -> Codes:
        """Per row the code of a fact's value."""
        return np.zeros(self.rows, dtype=np.int64)

    def setting(self, key: str, index: int) -> Setting:
        """The setting at an index of the flattened settings."""
        raise NotImplementedError

    # ------------------------------------------------------------------ parts of all rows

    def _encode_clusters(self, index_of_name: Mapping[str, int]) -> Codes:
        encoded = self.batch.column("cluster").dictionary_encode()
        cluster_of_code = np.array(
            [index_of_name[name] for name in encoded.dictionary.to_pylist()] or [0], dtype=np.int64
        )
        return cluster_of_code[indices(encoded)] if self.rows else np.zeros(0, np.int64)

    # ------------------------------------------------------------------ questions

    def unreadable(self) -> Mask:
        """Mask of the rows that could not be read."""
        return np.zeros(self.rows, dtype=bool)

    def signature_columns(self, questions: Iterable[Question]) -> list[Codes]:
        """The columns that answers to these questions, and so the evidence for them, depend on."""
        columns = {"": self.context}
        for what, key in questions:
            if what in BY_KEY:
                columns |= {other: self.key_column(other) for other in keys_for(str(key))}
            elif what == "live":
                columns[f"live {key}"] = self.fact_column(str(key))
            elif what == "keys":
                columns["keys"] = self.key_order()
            elif what not in BY_CONTEXT:
                columns["all"] = self.whole_signature()
        return list(columns.values())

    def evidence_columns(self, questions: Iterable[Question], rows: Codes) -> list[Codes]:
        """The columns of some rows that tell apart their evidence for these questions."""
        resolved, paths = resolve_facts(questions, self.paths)
        columns = {}
        for what, key in resolved:
            if what in BY_KEY:
                columns[str(key)] = self._evidence_column(str(key))
            elif what == "live":
                columns[f"live {key}"] = self.fact_column(str(key))
            elif what not in BY_CONTEXT and what != "keys":
                columns["all"] = self.whole_signature()
        return [column[rows] for column in (*columns.values(), *paths)]

    def _evidence_column(self, key: str) -> Codes:
        """Per row the code of the line of evidence that a key gives.

        Above MAX_COMPARED_LINES distinct settings, lines are not compared: codes may differ where lines do not.
        """
        name = f"\0shown {key}"
        if name not in self._by_key:
            first_row, code_of_row = distinct(combine(self.context, *self.columns_for(key)))
            if len(first_row) <= MAX_COMPARED_LINES:
                lines = [line_content(self.config(int(row)).row(key)) for row in first_row]
                code_of_row = np.array(encode(lines)[0] or [0], dtype=np.int64)[code_of_row]
            self._by_key[name] = code_of_row
        return self._by_key[name]

    def columns_for(self, key: str) -> list[Codes]:
        """The columns of a key, its synonyms and its aliases."""
        return [self.key_column(other) for other in keys_for(key)]

    def config(self, row: int) -> Config:
        """The ordinary Config of a row."""
        if row not in self._configs:
            self._configs[row] = ColumnConfig(self, row)
        return self._configs[row]

    def cached_answer(self, question: Question, row: int) -> Hashable:
        """The row's answer where the column is worked out already and the answer is a plain value, else NOT_ASKED."""
        if question not in self._columns:
            return NOT_ASKED
        codes, answers = self._columns[question]
        answer = answers[codes[row]]
        return NOT_ASKED if type(answer) in (Unreadable, Absent) else answer

    def settings(self, row: int) -> dict[str, Setting]:
        """The settings of a row."""
        settings = {}
        starts, code_of_setting, setting_of_code = self._shared_settings
        for index in range(starts[row], starts[row + 1]):
            setting = setting_of_code[code_of_setting[index]]
            if setting is None:
                setting = setting_of_code[code_of_setting[index]] = self.setting(
                    self._key_texts[self._key_of_setting[index]], index
                )
            settings[setting.key] = setting
        return settings

    @functools.cached_property
    def _shared_settings(self) -> tuple[list[int], list[int], list[Setting | None]]:
        """Where each row's settings start, the code of each setting, and the settings made so far by code."""
        codes = combine(self._key_of_setting, self._evidence_code_of_setting)
        return self.first_setting.tolist(), codes.tolist(), [None] * (int(codes.max(initial=0)) + 1)

    def column(self, question: Question, walk_fact: Callable[[Question], Column]) -> Column:
        """The answers of all rows; `walk_fact` works out derived facts."""
        if question not in self._columns:
            what, key = question
            if what in BY_ATTRIBUTE:
                columns = [self.attribute_column(what, other) for other in keys_for(str(key))]
                self._columns[question] = self._ask_each_signature(question, combine(self.context, *columns))
            elif what in BY_KEY:
                columns = [self.key_column(other) for other in keys_for(str(key))]
                self._columns[question] = self._ask_each_signature(question, combine(self.context, *columns))
            elif what == "live":
                self._columns[question] = self._ask_each_signature(
                    question, combine(self.context, self.fact_column(str(key)))
                )
            elif what in BY_CONTEXT:
                self._columns[question] = self._ask_each_signature(question, self.context)
            elif what == "keys":
                self._columns[question] = self._ask_each_signature(question, self.key_order())
            else:
                self._columns[question] = walk_fact(question)
        return self._columns[question]

    def _ask_each_signature(self, question: Question, signature_of_row: Codes) -> Column:
        """Ask one row of each signature; its answer is that of all rows that share it."""
        first_row, index_of_row = distinct(signature_of_row)
        codes, answers = encode([answer_of(self.config(row), question) for row in first_row.tolist()])
        return np.array(codes or [0], dtype=np.int64)[index_of_row], answers


class ColumnConfig(Config):
    """A row's Config that takes answers from columns that are worked out already."""

    __slots__ = ("columns", "row_number")

    def __init__(self, columns: SettingColumns, row: int) -> None:
        super().__init__(columns.entity(row), columns.facts(row))
        self.columns = columns
        self.row_number = row

    def answer(self, question: Question) -> Hashable:
        """The column's answer, else the row's own."""
        if question not in self.answers:
            cached = self.columns.cached_answer(question, self.row_number)
            if cached is NOT_ASKED:
                return super().answer(question)
            self.answers[question] = cached
        return self.answers[question]


def answer_of(config: Config, question: Question) -> Hashable:
    """Ask a Config; NOT_ASKED where it cannot say: columns are asked for rows that a rule would never have asked."""
    try:
        return config.answer(question)
    except KeyError:
        return NOT_ASKED
