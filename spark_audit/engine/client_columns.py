"""Clients as columns, from files; and everything of which there are few as it is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from advisor.catalog.target import release_of
from advisor.model import Client, Target
from spark_audit.arrays.codes import combine, encode
from spark_audit.arrays.dictionaries import codes_of
from spark_audit.arrays.hashing import hash_with_position
from spark_audit.arrays.lists import lengths, sum_each
from spark_audit.engine.key_columns import keys_for
from spark_audit.engine.setting_columns import SettingColumns, answered
from spark_audit.storage.decode import client_setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from advisor.config import Config
    from advisor.model import Entity, Setting
    from advisor.rule.subject import Question
    from spark_audit.arrays import Codes, Column, Mask
    from spark_audit.engine.evidence_keys import Paths
    from spark_audit.engine.setting_columns import Context


class ClientColumns(SettingColumns):
    """Clients, from files."""

    kind = "client"

    def __init__(self, batch: pa.RecordBatch, contexts: Sequence[Context]) -> None:
        super().__init__(batch, contexts)
        self.shown = combine(self._said, self._where)
        self.kinds: list[str] = batch.column("kind").to_pylist()
        self.names: list[str] = batch.column("name").to_pylist()
        self.files: list[str | None] = batch.column("file").to_pylist()
        self._families: list[str] = batch.column("family").to_pylist()
        self._formats: list[str] = batch.column("format").to_pylist()
        self._versions: list[str] = batch.column("kafka_version").to_pylist()
        self._reasons: list[str] = batch.column("version_reason").to_pylist()
        self._given: list[bool] = batch.column("version_given").to_pylist()
        self._targets: dict[tuple[str, str, bool], Target] = {}
        self.topics: list[list[str]] = [names or [] for names in batch.column("topics").to_pylist()]

    def told(self, flat: pa.StructArray) -> list[Codes]:
        """Everything but where it stands; that is kept beside, for evidence."""
        self._where = combine(
            np.zeros(len(flat), np.int64), *(codes_of(flat.field(name)) for name in ("line", "column"))
        )
        shadowed = flat.field("shadowed")
        starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths(shadowed))))
        earlier = sum_each(hash_with_position(codes_of(shadowed.flatten()), starts), starts)
        self._earlier = combine(earlier)
        jaas = flat.field("jaas")
        modules = (
            [None if one is None else json.dumps(one) for one in jaas.to_pylist()]
            if jaas.null_count < len(flat)
            else []
        )
        return [
            *(codes_of(flat.field(name)) for name in ("value", "source", "shape", "provider", "secret")),
            self._earlier,
            codes_of(pa.array(modules, pa.string())) if modules else np.zeros(len(flat), np.int64),
        ]

    def part(self, what: str) -> Codes:
        """Most have a column of their own."""
        if what == "earlier":
            return self._earlier
        return np.zeros(len(self.flat), np.int64) if what == "set" else codes_of(self.flat.field(what))

    def context_columns(self) -> list[Codes]:
        """What it is, the release it is judged for, and the keys that change what others mean."""
        names = ("kind", "family", "format", "kafka_version", "version_given")
        return [np.zeros(self.rows, np.int64), *(codes_of(self.batch.column(name)) for name in names), self.marked()]

    def said_of(self, key: str) -> list[Codes]:
        """Evidence shows the line, too."""
        return [*super().said_of(key), *map(self._place_column, keys_for(key))]

    def _place_column(self, key: str) -> Codes:
        name = f"\0place {key}"
        if name not in self._by_key:
            self._by_key[name] = self.of_key(key, self._where)
        return self._by_key[name]

    def entity(self, row: int) -> Entity:
        """A client."""
        family, format = self._families[row], self._formats[row]
        version = self._versions[row], self._reasons[row], self._given[row]
        if version not in self._targets:
            self._targets[version] = Target(release_of(version[0])[0], version[1], version[2])
        target = self._targets[version]
        return Client(self.kinds[row], self.names[row], self.files[row], self.settings(row), target, family, format)

    def setting(self, key: str, at: int) -> Setting:
        """As the file has it."""
        return client_setting(self.flat[at].as_py(), self.files[int(self._owner[at])])


class ObjectColumns:
    """Subjects of which there are few, each with a Config of its own: quorums, ensembles, groups of consumers."""

    def __init__(self, configs: Sequence[Config], cluster: Sequence[int]) -> None:
        self.configs = configs
        self.rows = len(configs)
        self.cluster = np.array(cluster or [], dtype=np.int64)
        self.paths: dict[Question, Paths] = {}
        self._columns: dict[Question, Column] = {}

    def config(self, row: int) -> Config:
        """The row's Config."""
        return self.configs[row]

    def column(self, question: Question, _: Callable[[Question], Column]) -> Column:
        """Every row's answer."""
        if question not in self._columns:
            numbers, answers = encode([answered(config, question) for config in self.configs])
            self._columns[question] = np.array(numbers, dtype=np.int64), answers
        return self._columns[question]

    def hidden(self) -> Mask:
        """Each Config says itself what it could not read."""
        return np.zeros(self.rows, dtype=bool)

    def rests_on(self, questions: Iterable[Question]) -> list[Codes]:
        """Each row rests on itself."""
        return [np.arange(self.rows)]

    def shown_by(self, _: Iterable[Question], rows: Codes) -> list[Codes]:
        """Each row shows its own."""
        return [rows]
