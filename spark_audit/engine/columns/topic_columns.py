"""Topics and brokers as columns."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from advisor.facts.cluster import FactsWithoutCounts
from advisor.facts.partition import INTERNAL, USER, USES
from advisor.model import DYNAMIC_TOPIC, Broker, Entity, Setting, Topic
from advisor.secrets.disclosure import described_setting
from advisor.secrets.placeholders import shape_of
from spark_audit.arrays import Codes, Mask
from spark_audit.arrays.codes import encode
from spark_audit.arrays.dictionaries import codes_of, indices
from spark_audit.engine.columns.key_columns import HIDDEN
from spark_audit.engine.columns.setting_columns import Context, SettingColumns
from spark_audit.storage.decode import SETTINGS_MISSING, levels_of

USES_BY_CODE = (*USES.values(), INTERNAL, USER)


class LiveColumns(SettingColumns):
    """Subjects whose settings a cluster described: topics and brokers."""

    def setting_columns(self, flat: pa.StructArray) -> list[Codes]:
        """The columns of all settings: value (null: hidden) and source."""
        values = flat.field("value").dictionary_encode()
        sources = flat.field("source").dictionary_encode()
        self._value_of_setting, self._values = indices(values), values.dictionary
        self._source_of_setting, self._sources = indices(sources), sources.dictionary.to_pylist()
        return [self._value_of_setting, self._source_of_setting]

    @functools.cached_property
    def _value_texts(self) -> list[str]:
        return list(self._values.to_pylist())

    def setting(self, key: str, index: int) -> Setting:
        """A setting as a snapshot has it."""
        value, source = int(self._value_of_setting[index]), int(self._source_of_setting[index])
        level = self._sources[source] if source >= 0 else DYNAMIC_TOPIC
        return described_setting(key, self._value_texts[value] if value >= 0 else None, level)

    def column_of_attribute(self, attribute: str) -> Codes:
        """Per setting the code of one attribute; but for value and source, nothing is known of a live setting."""
        if attribute == "source":
            return self._source_of_setting
        if attribute == "secret":
            return (self._value_of_setting < 0).astype(np.int64)
        if attribute == "shape":
            shapes = np.array(encode([shape_of(text) for text in self._value_texts])[0] or [0], dtype=np.int64)
            return np.where(self._value_of_setting < 0, HIDDEN, shapes[self._value_of_setting])
        return np.zeros(len(self.flat), dtype=np.int64)

    def context_columns(self) -> list[Codes]:
        """What a row is: release, described defaults, and why it could not be read."""
        releases, _ = encode([(context.target.version, context.target.given) for context in self.contexts])
        default_tables, _ = encode([id(context.defaults) for context in self.contexts])
        self.defaults_of_row = (
            self.batch.column("defaults").fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        )
        unread = self.unread()
        missing = pc.if_else(
            unread, pc.fill_null(self.batch.column("missing"), SETTINGS_MISSING), self.batch.column("missing")
        )
        self._unread: Mask = unread.to_numpy(zero_copy_only=False)
        encoded = missing.dictionary_encode()
        self._missing_of_row, self._missing_reasons = indices(encoded), encoded.dictionary.to_pylist()
        cluster_columns = [
            np.array(codes or [0], dtype=np.int64)[self.cluster_of_row] for codes in (releases, default_tables)
        ]
        return [*cluster_columns, self.defaults_of_row, self._missing_of_row]

    def settings(self, row: int) -> dict[str, Setting]:
        """The settings of a row; none where one of them is damaged."""
        return {} if self._unread[row] else super().settings(row)

    def unreadable(self) -> Mask:
        """Mask of the rows whose settings could not be read."""
        return self._missing_of_row >= 0

    def unread(self) -> pa.BooleanArray:
        """Which rows' settings are null or damaged."""
        lists, flat = self.batch.column("settings"), self.flat
        broken = pc.or_(pc.is_null(flat.field("key")), pc.is_null(flat.field("source")))
        if not pc.any(broken).as_py():
            return pc.is_null(lists)
        broken_rows = np.zeros(self.rows, dtype=bool)
        broken_rows[self._row_of_setting[np.flatnonzero(broken.to_numpy(zero_copy_only=False))]] = True
        return pc.or_(pc.is_null(lists), pa.array(broken_rows))

    def described(self, row: int) -> Mapping[str, str | None] | None:
        """The defaults that a row's cluster described, by key."""
        index, defaults = int(self.defaults_of_row[row]), self.contexts[self.cluster_of_row[row]].defaults
        return defaults[index] if 0 <= index < len(defaults) else None

    def missing(self, row: int) -> str | None:
        """Why a row's settings could not be read."""
        code = int(self._missing_of_row[row])
        return self._missing_reasons[code] if code >= 0 else None


class TopicColumns(LiveColumns):
    """Topics as columns; `partitions_per_topic` is -1 where they could not be read."""

    kind = "topic"

    def context_columns(self) -> list[Codes]:
        """What a topic is, Kafka's own use of it among that."""
        code_of_use = pc.index_in(self.batch.column("name"), value_set=pa.array(list(USES)))
        internal = self.batch.column("internal").fill_null(False).to_numpy(zero_copy_only=False)
        use_of_topic = code_of_use.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        self.use_of_topic = np.where(use_of_topic >= 0, use_of_topic, np.where(internal, len(USES), len(USES) + 1))
        lengths = self.batch.column("partitions").value_lengths()
        self.partitions_per_topic = lengths.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        self.names = self.batch.column("name")
        return [*super().context_columns(), self.use_of_topic]

    def entity(self, row: int) -> Topic:
        """A row as a Topic."""
        context = self.contexts[self.cluster_of_row[row]]
        name, settings = self.names[row].as_py(), self.settings(row)
        return Topic(
            "topic",
            name,
            None,
            settings,
            context.target,
            cluster=context.cluster,
            described=self.described(row),
            missing=self.missing(row),
        )

    def facts(self, row: int) -> dict[str, Hashable]:
        """The facts of a topic, as advisor.facts.cluster derives them."""
        context = self.contexts[self.cluster_of_row[row]]
        return {"use": USES_BY_CODE[self.use_of_topic[row]], "metadata": context.metadata}

    def fact_column(self, name: str) -> Codes:
        """The codes of a fact: a topic's use, or who keeps its cluster's metadata."""
        if name == "metadata":
            codes, _ = encode([context.metadata for context in self.contexts])
            return np.array(codes or [0], dtype=np.int64)[self.cluster_of_row]
        return self.use_of_topic if name == "use" else np.zeros(self.rows, dtype=np.int64)


class BrokerColumns(LiveColumns):
    """Brokers as columns; `facts_of_row` (advisor.facts.cluster.broker_facts) is empty while nothing is counted."""

    kind = "broker"

    def __init__(self, batch: pa.RecordBatch, contexts: Sequence[Context]) -> None:
        self.facts_of_row: Sequence[Mapping[str, Hashable]] = ()
        self._fact_columns: dict[str, Codes] = {}
        super().__init__(batch, contexts)
        self.kinds: list[str] = batch.column("kind").to_pylist()
        self.ids: list[int] = batch.column("id").to_pylist()
        self.levels: list[str | None] = batch.column("levels").to_pylist()

    def context_columns(self) -> list[Codes]:
        """What a broker is, its roles among that."""
        return [*super().context_columns(), codes_of(self.batch.column("kind"))]

    def entity(self, row: int) -> Entity:
        """A row as a Broker."""
        broker = self.without_settings(row)
        broker.settings = self.settings(row)
        broker.described = self.described(row)
        return broker

    def without_settings(self, row: int) -> Broker:
        """A row as a Broker without its settings."""
        context = self.contexts[self.cluster_of_row[row]]
        broker = Broker(
            self.kinds[row],
            str(self.ids[row]),
            None,
            {},
            context.target,
            cluster=context.cluster,
            missing=self.missing(row),
        )
        broker.overridden = levels_of(self.levels[row])
        return broker

    def facts(self, row: int) -> Mapping[str, Hashable]:
        """The facts of a broker."""
        return self.facts_of_row[row] if self.facts_of_row else FactsWithoutCounts()

    def fact_column(self, name: str) -> Codes:
        """Per row the code of a fact; unknowns of different reasons have different codes."""
        if name not in self._fact_columns:
            fact_of_row = [facts.get(name, NO_FACT) for facts in self.facts_of_row] or [NO_FACT] * self.rows
            values = [(fact, getattr(fact, "reason", None)) for fact in fact_of_row]
            self._fact_columns[name] = np.array(encode(values)[0], dtype=np.int64)
        return self._fact_columns[name]


NO_FACT = object()
