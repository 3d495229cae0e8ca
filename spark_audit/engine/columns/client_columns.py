"""Client files as columns; and subjects of which there are few, one Config each."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa

from advisor.catalog.target import release_of
from advisor.config import Config
from advisor.model import CLIENT_KINDS, Client, Entity, Setting, Target
from advisor.rule.subject import Question
from advisor.secrets.disclosure import protect
from spark_audit.arrays import Codes, Column, Mask
from spark_audit.arrays.codes import combine, encode
from spark_audit.arrays.dictionaries import codes_of
from spark_audit.arrays.hashing import hash_with_position
from spark_audit.arrays.lists import lengths, sum_each
from spark_audit.engine.columns.evidence_keys import Paths
from spark_audit.engine.columns.key_columns import keys_for
from spark_audit.engine.columns.setting_columns import Context, SettingColumns, answer_of
from spark_audit.storage.decode import client_setting

ONE_INSTANCE: Mapping[str, Hashable] = {"instances": 1}


class ClientColumns(SettingColumns):
    """Clients, as columns: their files' settings."""

    kind = "client"

    def __init__(self, batch: pa.RecordBatch, contexts: Sequence[Context]) -> None:
        super().__init__(batch, contexts)
        self._evidence_code_of_setting = combine(self._code_of_setting, self._position_of_setting)
        self.kinds: list[str] = batch.column("kind").to_pylist()
        self.names: list[str] = batch.column("name").to_pylist()
        self.files: list[str | None] = batch.column("file").to_pylist()
        self._families: list[str] = batch.column("family").to_pylist()
        self._formats: list[str] = batch.column("format").to_pylist()
        self._versions: list[str] = batch.column("kafka_version").to_pylist()
        self._reasons: list[str] = batch.column("version_reason").to_pylist()
        self._version_given: list[bool] = batch.column("version_given").to_pylist()
        self._targets: dict[tuple[str, str, bool], Target] = {}
        self.topics: list[list[str]] = [names or [] for names in batch.column("topics").to_pylist()]

    def setting_columns(self, flat: pa.StructArray) -> list[Codes]:
        """All columns of a setting but its position in the file, which is kept aside for evidence."""
        self._position_of_setting = combine(
            np.zeros(len(flat), np.int64), *(codes_of(flat.field(name)) for name in ("line", "column"))
        )
        shadowed = flat.field("shadowed")
        first_shadowed = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths(shadowed))))
        hash_of_shadowed = sum_each(hash_with_position(codes_of(shadowed.flatten()), first_shadowed), first_shadowed)
        self._shadowed_of_setting = combine(hash_of_shadowed)
        jaas = flat.field("jaas")
        jaas_texts = (
            [None if entry is None else json.dumps(entry) for entry in jaas.to_pylist()]
            if jaas.null_count < len(flat)
            else []
        )
        return [
            *(codes_of(flat.field(name)) for name in ("value", "source", "shape", "provider", "secret")),
            self._shadowed_of_setting,
            codes_of(pa.array(jaas_texts, pa.string())) if jaas_texts else np.zeros(len(flat), np.int64),
        ]

    def column_of_attribute(self, attribute: str) -> Codes:
        """Per setting the code of one attribute; most have an Arrow column of their own."""
        if attribute == "earlier":
            return self._shadowed_of_setting
        return np.zeros(len(self.flat), np.int64) if attribute == "set" else codes_of(self.flat.field(attribute))

    def context_columns(self) -> list[Codes]:
        """What a row is: kind, family, format, release, and the keys that change what others mean."""
        names = ("kind", "family", "format", "kafka_version", "version_given")
        return [
            np.zeros(self.rows, np.int64),
            *(codes_of(self.batch.column(name)) for name in names),
            self.marker_column(),
        ]

    def columns_for(self, key: str) -> list[Codes]:
        """The columns of a key and what stands in for it, with their positions: evidence shows the line."""
        return [*super().columns_for(key), *map(self._position_column, keys_for(key))]

    def _position_column(self, key: str) -> Codes:
        name = f"\0place {key}"
        if name not in self._by_key:
            self._by_key[name] = self.spread_to_rows(key, self._position_of_setting)
        return self._by_key[name]

    def entity(self, row: int) -> Entity:
        """A row as a Client."""
        family, format = self._families[row], self._formats[row]
        version = self._versions[row], self._reasons[row], self._version_given[row]
        if version not in self._targets:
            self._targets[version] = Target(release_of(version[0])[0], version[1], version[2])
        target = self._targets[version]
        kind, settings = self.kinds[row], self.settings(row)
        protect(kind, settings)
        return Client(kind, self.names[row], self.files[row], settings, target, family, format)

    def facts(self, row: int) -> Mapping[str, Hashable]:
        """That of a client: the tables do not keep how many instances there are."""
        return ONE_INSTANCE if self.kinds[row] in CLIENT_KINDS else {}

    def setting(self, key: str, index: int) -> Setting:
        """A setting as the file has it."""
        return client_setting(self.flat[index].as_py(), self.files[int(self._row_of_setting[index])])


class ConfigColumns:
    """Subjects of which there are few, each with its own Config: quorums, ensembles, consumer groups."""

    def __init__(self, configs: Sequence[Config], cluster_of_row: Sequence[int]) -> None:
        self.configs = configs
        self.rows = len(configs)
        self.cluster_of_row = np.array(cluster_of_row or [], dtype=np.int64)
        self.paths: dict[Question, Paths] = {}
        self._columns: dict[Question, Column] = {}

    def config(self, row: int) -> Config:
        """The Config of a row."""
        return self.configs[row]

    def column(self, question: Question, _: Callable[[Question], Column]) -> Column:
        """The answers of all rows."""
        if question not in self._columns:
            codes, answers = encode([answer_of(config, question) for config in self.configs])
            self._columns[question] = np.array(codes, dtype=np.int64), answers
        return self._columns[question]

    def unreadable(self) -> Mask:
        """No row: each Config says itself what could not be read."""
        return np.zeros(self.rows, dtype=bool)

    def signature_columns(self, questions: Iterable[Question]) -> list[Codes]:
        """Each row is a signature of its own."""
        return [np.arange(self.rows)]

    def evidence_columns(self, _: Iterable[Question], rows: Codes) -> list[Codes]:
        """Each row shows evidence of its own."""
        return [rows]
