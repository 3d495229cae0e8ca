"""Topics as columns: the answer that every row gives to a question of a rule, worked out once per different answer.

A question about a setting depends on a few keys only. Rows that agree in those (and in release and defaults) give one
answer, which one of them is asked for through the ordinary Config. Derived facts are walked like rules.
"""

from __future__ import annotations

import numpy as np

from advisor.config import Config
from advisor.lookup import SYNONYMS
from advisor.model import Setting, Target, Topic
from advisor.pictures import use_of
from collectors.snapshot_parts import setting_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import Any

    import pyarrow as pa

    from advisor.asking import Question

    Codes = np.ndarray[Any, np.dtype[np.int64]]
    Column = tuple[Codes, list[Hashable]]
    """Per row the number of its answer, and the answers."""

ABSENT = -1
BY_KEY = frozenset(("int", "float", "bool", "str", "list", "text", "set", "shape", "secret", "source", "earlier"))
"""Questions whose answer depends on the key, on what stands in for it, and on nothing else of the row."""
OF_CONTEXT = frozenset(("version", "version given", "family", "kind", "running", "definition", "resolve"))
"""Questions whose answer depends on the release, and on nothing else of the row."""


class Context:
    """What a topic has from its cluster: the release, the described defaults, and the name that findings are placed by."""

    __slots__ = ("cluster", "defaults", "target")

    def __init__(self, cluster: str, target: Target, defaults: Sequence[Mapping[str, str | None]]) -> None:
        self.cluster = cluster
        self.target = target
        self.defaults = defaults


def combined(*columns: Codes) -> Codes:
    """One number per row for what several columns say together; numbers count from 0 in no particular order."""
    found = columns[0]
    for column in columns[1:]:
        low = column.min(initial=0)
        found = np.unique(found * (int(column.max(initial=0)) - int(low) + 1) + (column - low), return_inverse=True)[1]
    return np.unique(found, return_inverse=True)[1] if len(columns) == 1 else found


def numbered(answers: Sequence[Hashable]) -> tuple[list[int], list[Hashable]]:
    """Equal answers under one number."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(answer, len(numbers)) for answer in answers], list(numbers)


class TopicColumns:
    """A batch of topics' rows."""

    def __init__(self, batch: pa.RecordBatch, contexts: Mapping[str, Context], clusters: Sequence[str]) -> None:
        self.batch = batch
        self.rows = batch.num_rows
        self.names = batch.column("name")
        self.clusters = clusters
        self.contexts = [contexts[name] for name in clusters]
        place = {name: number for number, name in enumerate(clusters)}
        encoded = batch.column("cluster").dictionary_encode()
        to_place = np.array([place[name] for name in encoded.dictionary.to_pylist()] or [0], dtype=np.int64)
        self.cluster = to_place[encoded.indices.to_numpy(zero_copy_only=False)] if self.rows else np.zeros(0, np.int64)
        self._settings()
        self._facts()
        self._columns: dict[Question, Column] = {}
        self._by_key: dict[str, Codes] = {}
        self._configs: dict[int, Config] = {}
        self._made: dict[tuple[str, int], Setting] = {}
        self.context = self._context()

    def _settings(self) -> None:
        lists = self.batch.column("settings")
        flat = lists.flatten()
        lengths = np.nan_to_num(lists.value_lengths().to_numpy(zero_copy_only=False)).astype(np.int64)
        self._owner = np.repeat(np.arange(self.rows), lengths)
        self._starts = np.concatenate(([0], np.cumsum(lengths)))
        self._keys = flat.field("key").dictionary_encode()
        values, sources = flat.field("value").dictionary_encode(), flat.field("source").dictionary_encode()
        self._value_texts, self._source_texts = values.dictionary.to_pylist(), sources.dictionary.to_pylist()
        self._value_codes = values.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        self._source_codes = sources.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        self._key_codes = self._keys.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        self._key_texts = self._keys.dictionary.to_pylist()
        self._said = (self._value_codes + 1) * max(1, len(self._source_texts)) + self._source_codes

    def _facts(self) -> None:
        names, internal = self.names.to_pylist(), self.batch.column("internal").to_pylist()
        partitions = self.batch.column("partitions")
        counts = partitions.value_lengths().fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        uses = [use_of(name, own) for name, own in zip(names, internal, strict=True)]
        self.counts = counts
        self.uses = uses

    def _context(self) -> Codes:
        missing = self.batch.column("missing").dictionary_encode()
        self._missing_texts = missing.dictionary.to_pylist()
        why = missing.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        defaults = self.batch.column("defaults").fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        versions, _ = numbered([(context.target.version, context.target.given) for context in self.contexts])
        tables, _ = numbered([tuple(id(table) for table in context.defaults) for context in self.contexts])
        of_cluster = np.array(versions, dtype=np.int64), np.array(tables, dtype=np.int64)
        return combined(of_cluster[0][self.cluster], of_cluster[1][self.cluster], defaults, why)

    def key_column(self, key: str) -> Codes:
        """Per row what is said of a key, ABSENT where nothing is."""
        if key not in self._by_key:
            column = np.full(self.rows, ABSENT, dtype=np.int64)
            if key in self._key_texts:
                places = np.flatnonzero(self._key_codes == self._key_texts.index(key))
                column[self._owner[places]] = self._said[places]
            self._by_key[key] = column
        return self._by_key[key]

    def everything(self) -> Codes:
        """One number per row for all its settings together."""
        if "" not in self._by_key:
            mixed = hashed(self._key_codes * 1_000_003 + self._said)
            self._by_key[""] = combined(summed(mixed, self._starts), self.context)
        return self._by_key[""]

    def rests_on(self, questions: Iterable[Question]) -> Codes:
        """One number per row for everything that answers to these questions, and so the evidence for them, rest on."""
        columns = [self.context]
        for what, key in questions:
            if what in BY_KEY:
                columns += [self.key_column(each) for each in keys_for(str(key))]
            elif what == "live":
                columns.append(self._fact_codes(str(key)))
            elif what not in OF_CONTEXT:
                return self.everything()
        return combined(*columns)

    def config(self, row: int) -> Config:
        """The row's ordinary Config."""
        if row not in self._configs:
            self._configs[row] = Config(self.topic(row), self.facts(row))
        return self._configs[row]

    def topic(self, row: int) -> Topic:
        """The row as the topic that a snapshot would have."""
        context, settings = self.contexts[self.cluster[row]], self.settings(row)
        place = self.batch.column("defaults")[row].as_py()
        return Topic(
            "topic",
            self.names[row].as_py(),
            None,
            settings,
            context.target,
            cluster=context.cluster,
            described=None if place is None else context.defaults[place],
            missing=self.batch.column("missing")[row].as_py(),
        )

    def settings(self, row: int) -> dict[str, Setting]:
        """The row's settings."""
        found = {}
        for at in range(self._starts[row], self._starts[row + 1]):
            key = self._key_texts[self._key_codes[at]]
            said = (key, int(self._said[at]))
            if said not in self._made:
                self._made[said] = self._setting(key, at)
            found[key] = self._made[said]
        return found

    def _setting(self, key: str, at: int) -> Setting:
        value = self._value_codes[at]
        said: dict[str, Any] = {"source": self._source_texts[self._source_codes[at]]}
        if value >= 0:
            said["value"] = self._value_texts[value]
        return setting_of(key, said)

    def facts(self, row: int) -> dict[str, Hashable]:
        """The row's facts, as advisor.live_facts makes them for a topic."""
        return {"use": self.uses[row]}

    def column(self, question: Question, walked: Callable[[Question], Column]) -> Column:
        """Every row's answer; `walked` works out derived facts."""
        if question not in self._columns:
            what, key = question
            if what in BY_KEY:
                columns = map(self.key_column, keys_for(str(key)))
                self._columns[question] = self.asked(question, combined(self.context, *columns))
            elif what == "live":
                self._columns[question] = self.asked(question, self._fact_codes(str(key)))
            elif what in OF_CONTEXT:
                self._columns[question] = self.asked(question, self.context)
            elif what in ("keys", "jaas", "provider"):
                self._columns[question] = self.asked(question, self.everything())
            else:
                self._columns[question] = walked(question)
        return self._columns[question]

    def _fact_codes(self, name: str) -> Codes:
        if name == "use":
            return combined(np.array(numbered(self.uses)[0], dtype=np.int64))
        return np.zeros(self.rows, dtype=np.int64)

    def asked(self, question: Question, groups: Codes) -> Column:
        """One row of each group is asked for all of it."""
        kinds, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
        numbers, answers = numbered([answered(self.config(int(row)), question) for row in first])
        return np.array(numbers or [0], dtype=np.int64)[inverse] if len(kinds) else groups, answers


def keys_for(key: str) -> list[str]:
    """A key and what stands in for it."""
    return [key, *(other for other, _ in SYNONYMS.get(key, ()))]


def answered(config: Config, question: Question) -> Hashable:
    """The row's answer; a whole column is asked, also for rows of which the rule would never have asked it."""
    try:
        return config.answer(question)
    except KeyError:
        return NOT_ASKED


NOT_ASKED = object()
"""Stands where the question makes no sense for a row."""


def hashed(numbers: Codes) -> Codes:
    """Well mixed 64 bits of each number (splitmix64)."""
    mixed = numbers.astype(np.uint64)
    with np.errstate(over="ignore"):
        mixed = mixed + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed = mixed ^ (mixed >> np.uint64(31))
    return mixed.view(np.int64)


def summed(numbers: Codes, starts: Codes) -> Codes:
    """The sum of each list's numbers, wrapped; 0 for an empty one."""
    with np.errstate(over="ignore"):
        totals = np.concatenate((np.zeros(1, np.int64), np.cumsum(numbers, dtype=np.int64)))
        return totals[starts[1:]] - totals[starts[:-1]]
