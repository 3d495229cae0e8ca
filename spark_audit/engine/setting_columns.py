"""Subjects with settings as columns: the answer that every row gives to a question, worked out once per different answer.

A question about a setting depends on a few keys only. Rows that agree in those, and in what they are (release, kind,
described defaults), give one answer, which one of them is asked for through the ordinary Config. Derived facts are
walked like rules.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.config import Config
from advisor.rule.outcomes import NOT_ASKED, Absent, Unreadable
from spark_audit.arrays.codes import combine, distinct, encode
from spark_audit.arrays.dictionaries import indices
from spark_audit.engine.evidence_keys import in_the_end, told
from spark_audit.engine.key_columns import KeyColumns, keys_for

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    import pyarrow as pa

    from advisor.model import Entity, Setting, Target
    from advisor.rule.subject import Question
    from spark_audit.arrays import Codes, Column, Mask
    from spark_audit.engine.evidence_keys import Paths

BY_KEY = frozenset((
    "int", "float", "bool", "str", "list", "text", "outline", "set", "shape", "secret", "source", "earlier", "jaas", "provider",
))  # fmt: skip
"""Questions whose answer depends on the key, on what stands in for it, and on nothing else of the row."""
OF_PART = frozenset(("set", "source", "shape", "secret", "provider", "earlier", "outline"))
"""Those whose answer depends on a part only of what is said of the key."""
OF_CONTEXT = frozenset(("version", "version given", "family", "kind", "running", "definition", "resolve"))
"""Questions whose answer depends on what the row is."""


MANY = 256
"""Different lines of evidence up to which they are compared."""


@dataclass(slots=True, eq=False)
class Context:
    """What subjects have from their cluster: its name in the fleet and for findings, the release, the defaults."""

    name: str
    cluster: str
    target: Target
    defaults: Sequence[Mapping[str, str | None]] = ()


class SettingColumns(KeyColumns):
    """Rows with settings; topics, brokers and clients say what else they are made of.

    `batch` has the columns `cluster` and `settings`; `contexts` are the clusters', `cluster` is each row's place there.
    """

    kind: str

    def __init__(self, batch: pa.RecordBatch, contexts: Sequence[Context]) -> None:
        super().__init__(batch)
        self.contexts = contexts
        self.cluster = self._places({context.name: place for place, context in enumerate(contexts)})
        self.paths: dict[Question, Paths] = {}
        self._columns: dict[Question, Column] = {}
        self._configs: dict[int, Config] = {}
        self.context = combine(*self.context_columns())

    # ------------------------------------------------------------------ what kinds of subjects differ in

    def context_columns(self) -> list[Codes]:
        """What a row is, beside its settings."""
        raise NotImplementedError

    def entity(self, row: int) -> Entity:
        """The row as the entity that a snapshot would have."""
        raise NotImplementedError

    def facts(self, row: int) -> Mapping[str, Hashable]:
        """The row's facts."""
        return {}

    def fact_column(self, name: str) -> Codes:
        """One number per row for a fact's value."""
        return np.zeros(self.rows, dtype=np.int64)

    def setting(self, key: str, at: int) -> Setting:
        """The setting at a place of the flattened settings."""
        raise NotImplementedError

    # ------------------------------------------------------------------ parts of all rows

    def _places(self, place: Mapping[str, int]) -> Codes:
        encoded = self.batch.column("cluster").dictionary_encode()
        to_place = np.array([place[name] for name in encoded.dictionary.to_pylist()] or [0], dtype=np.int64)
        return to_place[indices(encoded)] if self.rows else np.zeros(0, np.int64)

    # ------------------------------------------------------------------ questions

    def hidden(self) -> Mask:
        """The rows that could not be read."""
        return np.zeros(self.rows, dtype=bool)

    def rests_on(self, questions: Iterable[Question]) -> list[Codes]:
        """Columns of everything that answers to these questions, and so the evidence for them, rest on."""
        columns = {"": self.context}
        for what, key in questions:
            if what in BY_KEY:
                columns |= {each: self.key_column(each) for each in keys_for(str(key))}
            elif what == "live":
                columns[f"live {key}"] = self.fact_column(str(key))
            elif what == "keys":
                columns["keys"] = self.keys_in_order()
            elif what not in OF_CONTEXT:
                columns["all"] = self.everything()
        return list(columns.values())

    def shown_by(self, questions: Iterable[Question], rows: Codes) -> list[Codes]:
        """Columns of what evidence of some rows for these questions shows."""
        asked, paths = in_the_end(questions, self.paths)
        columns = {}
        for what, key in asked:
            if what in BY_KEY:
                columns[str(key)] = self._shown_of(str(key))
            elif what == "live":
                columns[f"live {key}"] = self.fact_column(str(key))
            elif what not in OF_CONTEXT and what != "keys":
                columns["all"] = self.everything()
        return [column[rows] for column in (*columns.values(), *paths)]

    def _shown_of(self, key: str) -> Codes:
        """One number per row for the line of evidence that a key gives; where there are many, rows may differ for less."""
        name = f"\0shown {key}"
        if name not in self._by_key:
            first, inverse = distinct(combine(self.context, *self.said_of(key)))
            if len(first) <= MANY:
                lines = [told(self.config(int(row)).row(key)) for row in first]
                inverse = np.array(encode(lines)[0] or [0], dtype=np.int64)[inverse]
            self._by_key[name] = inverse
        return self._by_key[name]

    def said_of(self, key: str) -> list[Codes]:
        """All that is said of a key and of what stands in for it."""
        return [self.key_column(each) for each in keys_for(key)]

    def config(self, row: int) -> Config:
        """The row's ordinary Config."""
        if row not in self._configs:
            self._configs[row] = Known(self, row)
        return self._configs[row]

    def known(self, question: Question, row: int) -> Hashable:
        """The row's answer where the column was worked out already and the answer is a plain one, else NOT_ASKED."""
        if question not in self._columns:
            return NOT_ASKED
        codes, answers = self._columns[question]
        answer = answers[codes[row]]
        return NOT_ASKED if type(answer) in (Unreadable, Absent) else answer

    def settings(self, row: int) -> dict[str, Setting]:
        """The row's settings."""
        found = {}
        starts, numbers, made = self._plain
        for at in range(starts[row], starts[row + 1]):
            setting = made[numbers[at]]
            if setting is None:
                setting = made[numbers[at]] = self.setting(self._key_texts[self._key_codes[at]], at)
            found[setting.key] = setting
        return found

    @functools.cached_property
    def _plain(self) -> tuple[list[int], list[int], list[Setting | None]]:
        """Where rows start, the number of each setting, and the settings that were made by their numbers."""
        numbers = combine(self._key_codes, self.shown)
        return self.starts.tolist(), numbers.tolist(), [None] * (int(numbers.max(initial=0)) + 1)

    def column(self, question: Question, walked: Callable[[Question], Column]) -> Column:
        """Every row's answer; `walked` works out derived facts."""
        if question not in self._columns:
            what, key = question
            if what in OF_PART:
                parts = [self.part_column(what, each) for each in keys_for(str(key))]
                self._columns[question] = self._asked(question, combine(self.context, *parts))
            elif what in BY_KEY:
                said = [self.key_column(each) for each in keys_for(str(key))]
                self._columns[question] = self._asked(question, combine(self.context, *said))
            elif what == "live":
                self._columns[question] = self._asked(question, combine(self.context, self.fact_column(str(key))))
            elif what in OF_CONTEXT:
                self._columns[question] = self._asked(question, self.context)
            elif what == "keys":
                self._columns[question] = self._asked(question, self.keys_in_order())
            else:
                self._columns[question] = walked(question)
        return self._columns[question]

    def _asked(self, question: Question, groups: Codes) -> Column:
        """One row of each group is asked for all of it."""
        first, inverse = distinct(groups)
        numbers, answers = encode([answered(self.config(row), question) for row in first.tolist()])
        return np.array(numbers or [0], dtype=np.int64)[inverse], answers


class Known(Config):
    """A row's Config; what is known of whole columns is not worked out again."""

    __slots__ = ("columns", "row_number")

    def __init__(self, columns: SettingColumns, row: int) -> None:
        super().__init__(columns.entity(row), columns.facts(row))
        self.columns = columns
        self.row_number = row

    def answer(self, question: Question) -> Hashable:
        """The column's answer, else the row's own."""
        if question not in self.answers:
            known = self.columns.known(question, self.row_number)
            if known is NOT_ASKED:
                return super().answer(question)
            self.answers[question] = known
        return self.answers[question]


def answered(config: Config, question: Question) -> Hashable:
    """The row's answer; a whole column is asked, also for rows of which the rule would never have asked it."""
    try:
        return config.answer(question)
    except KeyError:
        return NOT_ASKED
