"""What is said of keys, row by row, as numbers: equal numbers, nothing that an answer could tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from advisor.catalog.host_aliases import outline
from advisor.catalog.keys import ALIASES, OPENERS, SYNONYMS
from spark_audit.arrays.codes import combine, encode
from spark_audit.arrays.dictionaries import codes_of, indices, unify_dictionary
from spark_audit.arrays.hashing import hash_each, hash_with_position
from spark_audit.arrays.lists import lengths, sum_each

if TYPE_CHECKING:
    from spark_audit.arrays import Codes

ABSENT, HIDDEN = -1, -2
MARKS = (*OPENERS, "offset.storage.file.filename", "clusters")
"""Keys (or how they begin) that change what other keys mean: templates, a standalone worker, MirrorMaker's names."""


class KeyColumns:
    """Rows with settings, which `batch` has in its column `settings`; `context` is what else a row is."""

    context: Codes

    def __init__(self, batch: pa.RecordBatch) -> None:
        self.batch = batch
        self.rows: int = batch.num_rows
        self._settings()
        self._by_key: dict[str, Codes] = {}
        self._parts: dict[str, Codes] = {}

    def told(self, flat: pa.StructArray) -> list[Codes]:
        """What is said of each setting, as far as answers depend on it."""
        raise NotImplementedError

    def _settings(self) -> None:
        lists = self.batch.column("settings")
        self.flat = lists.flatten()
        many = lengths(lists)
        self._owner = np.repeat(np.arange(self.rows), many)
        self.starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(many)))
        keys = unify_dictionary(self.flat.field("key"))
        self._key_codes = indices(keys)
        self._key_texts: list[str] = keys.dictionary.to_pylist()
        self._said = combine(np.zeros(len(self.flat), np.int64), *self.told(self.flat))
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
            numbers, _ = encode([outline(key, text) for text in encoded.dictionary.to_pylist()])
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
        mixed = np.where(np.isin(self._key_codes, places), hash_each(self._key_codes * 1_000_003 + self._said), 0)
        return combine(sum_each(mixed, self.starts))

    def keys_in_order(self) -> Codes:
        """One number per row for its keys and their levels, in their order."""
        if "\0order" not in self._by_key:
            level = combine(np.zeros(len(self.flat), np.int64), codes_of(self.flat.field("source")))
            mixed = hash_with_position(self._key_codes * 64 + level, self.starts)
            self._by_key["\0order"] = combine(sum_each(mixed, self.starts), self.context)
        return self._by_key["\0order"]

    def everything(self) -> Codes:
        """One number per row for all that its answers rest on."""
        if "\0all" not in self._by_key:
            mixed = hash_with_position(self._key_codes * 1_000_003 + self._said, self.starts)
            self._by_key["\0all"] = combine(sum_each(mixed, self.starts), self.context)
        return self._by_key["\0all"]


def keys_for(key: str) -> list[str]:
    """A key and what stands in for it."""
    return [key, *(other for other, _ in SYNONYMS.get(key, ())), *((ALIASES[key],) if key in ALIASES else ())]
