"""Subjects with settings as columns: the answer that every row gives to a question, worked out once per different answer.

A question about a setting depends on a few keys only. Rows that agree in those, and in what they are (release, kind,
described defaults), give one answer, which one of them is asked for through the ordinary Config. Derived facts are
walked like rules.
"""

from __future__ import annotations

import functools

import numpy as np
import pyarrow as pa

from advisor.answers import NOT_ASKED, Absent, Unreadable
from advisor.config import Config
from advisor.lookup import ALIASES, OPENERS, SYNONYMS
from advisor.outlines import outline
from spark_audit.columns.codes import combined, distinct, hashed, numbered, order_hashed, summed
from spark_audit.columns.shown import in_the_end, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from advisor.asking import Question
    from advisor.model import Entity, Setting, Target
    from spark_audit.columns.codes import Codes, Column, Mask
    from spark_audit.columns.shown import Paths

ABSENT, HIDDEN = -1, -2
BY_KEY = frozenset((
    "int", "float", "bool", "str", "list", "text", "outline", "set", "shape", "secret", "source", "earlier", "jaas", "provider",
))  # fmt: skip
"""Questions whose answer depends on the key, on what stands in for it, and on nothing else of the row."""
OF_PART = frozenset(("set", "source", "shape", "secret", "provider", "earlier", "outline"))
"""Those whose answer depends on a part only of what is said of the key."""
OF_CONTEXT = frozenset(("version", "version given", "family", "kind", "running", "definition", "resolve"))
"""Questions whose answer depends on what the row is."""
MARKS = (*OPENERS, "offset.storage.file.filename", "clusters")
"""Keys (or how they begin) that change what other keys mean: templates, a standalone worker, MirrorMaker's names."""


MANY = 256
"""Different lines of evidence up to which they are compared."""


class Context:
    """What subjects have from their cluster: its name in the fleet and for findings, the release, the defaults."""

    __slots__ = ("cluster", "defaults", "name", "target")

    def __init__(
        self, name: str, cluster: str, target: Target, defaults: Sequence[Mapping[str, str | None]] = ()
    ) -> None:
        self.name = name
        self.cluster = cluster
        self.target = target
        self.defaults = defaults


class SettingColumns:
    """Rows with settings; topics, brokers and clients say what else they are made of.

    `batch` has the columns `cluster` and `settings`; `contexts` are the clusters', `cluster` is each row's place there.
    """

    kind: str

    def __init__(self, batch: pa.RecordBatch, contexts: Sequence[Context]) -> None:
        self.batch = batch
        self.rows: int = batch.num_rows
        self.contexts = contexts
        self.cluster = self._places({context.name: place for place, context in enumerate(contexts)})
        self._settings()
        self.paths: dict[Question, Paths] = {}
        self._columns: dict[Question, Column] = {}
        self._by_key: dict[str, Codes] = {}
        self._parts: dict[str, Codes] = {}
        self._configs: dict[int, Config] = {}
        self.context = combined(*self.context_columns())

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

    def told(self, flat: pa.StructArray) -> list[Codes]:
        """What is said of each setting, as far as answers depend on it."""
        raise NotImplementedError

    # ------------------------------------------------------------------ parts of all rows

    def _places(self, place: Mapping[str, int]) -> Codes:
        encoded = self.batch.column("cluster").dictionary_encode()
        to_place = np.array([place[name] for name in encoded.dictionary.to_pylist()] or [0], dtype=np.int64)
        return to_place[indices(encoded)] if self.rows else np.zeros(0, np.int64)

    def _settings(self) -> None:
        lists = self.batch.column("settings")
        self.flat = lists.flatten()
        lengths = lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        self._owner = np.repeat(np.arange(self.rows), lengths)
        self.starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
        keys = self.flat.field("key").dictionary_encode()
        self._key_codes = indices(keys)
        self._key_texts: list[str] = keys.dictionary.to_pylist()
        self._said = combined(np.zeros(len(self.flat), np.int64), *self.told(self.flat))
        self.shown = self._said

    def key_column(self, key: str) -> Codes:
        """Per row what is said of a key, ABSENT where nothing is."""
        if key not in self._by_key:
            self._by_key[key] = self.of_key(key, self._said)
        return self._by_key[key]

    def part_column(self, what: str, key: str) -> Codes:
        """Per row what a question of a part asks of a key, ABSENT where it is not set."""
        name = f"\0{what} {key}"
        if name not in self._by_key:
            self._by_key[name] = self.of_key(key, self._outlines(key) if what == "outline" else self._part(what))
        return self._by_key[name]

    def _part(self, what: str) -> Codes:
        if what not in self._parts:
            self._parts[what] = self.part(what)
        return self._parts[what]

    def _outlines(self, key: str) -> Codes:
        """The outline's number for the settings of one key; HIDDEN where the value is."""
        column = np.zeros(len(self.flat), dtype=np.int64)
        if key in self._key_texts:
            places = np.flatnonzero(self._key_codes == self._key_texts.index(key))
            encoded = self.flat.field("value").take(pa.array(places)).dictionary_encode()
            numbers, _ = numbered([outline(key, text) for text in encoded.dictionary.to_pylist()])
            column[places] = np.array([*numbers, HIDDEN], dtype=np.int64)[indices(encoded)]
        return column

    def part(self, what: str) -> Codes:
        """Per setting what a question of a part asks."""
        raise NotImplementedError

    def of_key(self, key: str, told: Codes) -> Codes:
        """Per row what is told of a key, ABSENT where it is not set."""
        column = np.full(self.rows, ABSENT, dtype=np.int64)
        if key in self._key_texts:
            places = np.flatnonzero(self._key_codes == self._key_texts.index(key))
            column[self._owner[places]] = told[places]
        return column

    def marked(self) -> Codes:
        """One number per row for the keys that change what other keys mean, 0 where there are none."""
        places = [number for number, key in enumerate(self._key_texts) if key.startswith(MARKS)]
        if not places:
            return np.zeros(self.rows, np.int64)
        mixed = np.where(np.isin(self._key_codes, places), hashed(self._key_codes * 1_000_003 + self._said), 0)
        return combined(summed(mixed, self.starts))

    def keys_in_order(self) -> Codes:
        """One number per row for its keys and their levels, in their order."""
        if "\0order" not in self._by_key:
            level = combined(np.zeros(len(self.flat), np.int64), codes_of(self.flat.field("source")))
            mixed = order_hashed(self._key_codes * 64 + level, self.starts)
            self._by_key["\0order"] = combined(summed(mixed, self.starts), self.context)
        return self._by_key["\0order"]

    def everything(self) -> Codes:
        """One number per row for all that its answers rest on."""
        if "\0all" not in self._by_key:
            mixed = order_hashed(self._key_codes * 1_000_003 + self._said, self.starts)
            self._by_key["\0all"] = combined(summed(mixed, self.starts), self.context)
        return self._by_key["\0all"]

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
            first, inverse = distinct(combined(self.context, *self.said_of(key)))
            if len(first) <= MANY:
                lines = [told(self.config(int(row)).row(key)) for row in first]
                inverse = np.array(numbered(lines)[0] or [0], dtype=np.int64)[inverse]
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
        numbers = combined(self._key_codes, self.shown)
        return self.starts.tolist(), numbers.tolist(), [None] * (int(numbers.max(initial=0)) + 1)

    def column(self, question: Question, walked: Callable[[Question], Column]) -> Column:
        """Every row's answer; `walked` works out derived facts."""
        if question not in self._columns:
            what, key = question
            if what in OF_PART:
                parts = [self.part_column(what, each) for each in keys_for(str(key))]
                self._columns[question] = self._asked(question, combined(self.context, *parts))
            elif what in BY_KEY:
                said = [self.key_column(each) for each in keys_for(str(key))]
                self._columns[question] = self._asked(question, combined(self.context, *said))
            elif what == "live":
                self._columns[question] = self._asked(question, combined(self.context, self.fact_column(str(key))))
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
        numbers, answers = numbered([answered(self.config(row), question) for row in first.tolist()])
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


def keys_for(key: str) -> list[str]:
    """A key and what stands in for it."""
    return [key, *(other for other, _ in SYNONYMS.get(key, ())), *((ALIASES[key],) if key in ALIASES else ())]


def answered(config: Config, question: Question) -> Hashable:
    """The row's answer; a whole column is asked, also for rows of which the rule would never have asked it."""
    try:
        return config.answer(question)
    except KeyError:
        return NOT_ASKED


def indices(encoded: pa.DictionaryArray) -> Codes:
    """The numbers of a dictionary's values, ABSENT for null."""
    found: Codes = encoded.indices.fill_null(ABSENT).to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def codes_of(column: pa.Array) -> Codes:
    """Equal values under one number, ABSENT for null."""
    return indices(column.dictionary_encode())
