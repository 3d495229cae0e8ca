"""Settings as columns, one per key: rows of one code say the same of the key, as far as an answer can tell."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from advisor.catalog.host_aliases import outline
from advisor.catalog.keys import ALIASES, OPENERS, SYNONYMS
from spark_audit.arrays import Codes
from spark_audit.arrays.codes import combine, encode
from spark_audit.arrays.dictionaries import codes_of, indices, unify_dictionary
from spark_audit.arrays.hashing import hash_each, hash_with_position
from spark_audit.arrays.lists import lengths, sum_each

ABSENT, HIDDEN = -1, -2
MARKS = (*OPENERS, "offset.storage.file.filename", "clusters")
"""Keys, or how they begin, that change what other keys mean: templates, a standalone worker, MirrorMaker's names."""
KEY_FACTOR = 1_000_003
"""A prime by which keys are spread before the code of what is said of them is added; the sum is hashed."""
MAX_SOURCES = 64
"""A key and the source of its value are packed as key * 64 + source: Kafka has fewer than ten sources."""


class KeyColumns:
    """Rows with settings, which `batch` has in its column `settings`; `context` is the code of what else a row is."""

    context: Codes

    def __init__(self, batch: pa.RecordBatch) -> None:
        self.batch = batch
        self.rows: int = batch.num_rows
        self._settings()
        self._by_key: dict[str, Codes] = {}
        self._attributes: dict[str, Codes] = {}

    def setting_columns(self, flat: pa.StructArray) -> list[Codes]:
        """The columns of all settings that answers may depend on."""
        raise NotImplementedError

    def _settings(self) -> None:
        lists = self.batch.column("settings")
        self.flat = lists.flatten()
        settings_per_row = lengths(lists)
        self._row_of_setting = np.repeat(np.arange(self.rows), settings_per_row)
        self.first_setting = np.concatenate((np.zeros(1, np.int64), np.cumsum(settings_per_row)))
        keys = unify_dictionary(self.flat.field("key"))
        self._key_of_setting = indices(keys)
        self._key_texts: list[str] = keys.dictionary.to_pylist()
        self._code_of_setting = combine(np.zeros(len(self.flat), np.int64), *self.setting_columns(self.flat))
        self._evidence_code_of_setting = self._code_of_setting

    def key_column(self, key: str) -> Codes:
        """Per row the code of what is said of a key, ABSENT where nothing is."""
        if key not in self._by_key:
            self._by_key[key] = self.spread_to_rows(key, self._code_of_setting)
        return self._by_key[key]

    def attribute_column(self, attribute: str, key: str) -> Codes:
        """Per row the code of one attribute of a key's setting (see BY_ATTRIBUTE), ABSENT where the key is not set."""
        name = f"\0{attribute} {key}"
        if name not in self._by_key:
            self._by_key[name] = self.spread_to_rows(
                key, self._outlines(key) if attribute == "outline" else self._attribute(attribute)
            )
        return self._by_key[name]

    def _attribute(self, attribute: str) -> Codes:
        if attribute not in self._attributes:
            self._attributes[attribute] = self.column_of_attribute(attribute)
        return self._attributes[attribute]

    def _outlines(self, key: str) -> Codes:
        """Per setting of one key the code of its value's outline; HIDDEN where the value is."""
        column = np.zeros(len(self.flat), dtype=np.int64)
        if key in self._key_texts:
            settings = np.flatnonzero(self._key_of_setting == self._key_texts.index(key))
            encoded = self.flat.field("value").take(pa.array(settings)).dictionary_encode()
            code_of_value, _ = encode([outline(key, text) for text in encoded.dictionary.to_pylist()])
            column[settings] = np.array([*code_of_value, HIDDEN], dtype=np.int64)[indices(encoded)]
        return column

    def column_of_attribute(self, attribute: str) -> Codes:
        """Per setting the code of one attribute."""
        raise NotImplementedError

    def spread_to_rows(self, key: str, code_of_setting: Codes) -> Codes:
        """Spread a column of settings to the rows that set a key, ABSENT where it is not set."""
        column = np.full(self.rows, ABSENT, dtype=np.int64)
        if key in self._key_texts:
            settings = np.flatnonzero(self._key_of_setting == self._key_texts.index(key))
            column[self._row_of_setting[settings]] = code_of_setting[settings]
        return column

    def marker_column(self) -> Codes:
        """Per row the code of the keys that change what other keys mean, 0 where there are none."""
        markers = [code for code, key in enumerate(self._key_texts) if key.startswith(MARKS)]
        if not markers:
            return np.zeros(self.rows, np.int64)
        hashes = np.where(
            np.isin(self._key_of_setting, markers),
            hash_each(self._key_of_setting * KEY_FACTOR + self._code_of_setting),
            0,
        )
        return combine(sum_each(hashes, self.first_setting))

    def key_order(self) -> Codes:
        """Per row the code of its keys with their levels, in their order."""
        if "\0order" not in self._by_key:
            level = combine(np.zeros(len(self.flat), np.int64), codes_of(self.flat.field("source")))
            hashes = hash_with_position(self._key_of_setting * MAX_SOURCES + level, self.first_setting)
            self._by_key["\0order"] = combine(sum_each(hashes, self.first_setting), self.context)
        return self._by_key["\0order"]

    def whole_signature(self) -> Codes:
        """Per row the code of everything that its answers depend on."""
        if "\0all" not in self._by_key:
            hashes = hash_with_position(self._key_of_setting * KEY_FACTOR + self._code_of_setting, self.first_setting)
            self._by_key["\0all"] = combine(sum_each(hashes, self.first_setting), self.context)
        return self._by_key["\0all"]


def keys_for(key: str) -> list[str]:
    """A key with its synonyms and its alias."""
    return [key, *(other for other, _ in SYNONYMS.get(key, ())), *((ALIASES[key],) if key in ALIASES else ())]
