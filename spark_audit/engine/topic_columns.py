"""Topics and brokers as columns."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from advisor.facts.cluster import Uncounted
from advisor.facts.partition import INTERNAL, USER, USES
from advisor.model import DYNAMIC_TOPIC, Broker, Topic
from collectors.files.secrets import mask, shape_of
from collectors.snapshot.codec import setting_of
from spark_audit.arrays.codes import encode
from spark_audit.arrays.dictionaries import codes_of, indices
from spark_audit.engine.key_columns import HIDDEN
from spark_audit.engine.setting_columns import SettingColumns
from spark_audit.storage.decode import UNTOLD, levels_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from advisor.model import Entity, Setting
    from spark_audit.arrays import Codes, Mask
    from spark_audit.engine.setting_columns import Context

USE_NAMES = (*USES.values(), INTERNAL, USER)


class LiveColumns(SettingColumns):
    """Subjects whose settings a cluster described."""

    def told(self, flat: pa.StructArray) -> list[Codes]:
        """Value (null: hidden) and level."""
        values = flat.field("value").dictionary_encode()
        sources = flat.field("source").dictionary_encode()
        self._value_codes, self._values = indices(values), values.dictionary
        self._source_codes, self._source_texts = indices(sources), sources.dictionary.to_pylist()
        return [self._value_codes, self._source_codes]

    @functools.cached_property
    def _value_texts(self) -> list[str]:
        return list(self._values.to_pylist())

    def setting(self, key: str, at: int) -> Setting:
        """As a snapshot has it."""
        value, source = int(self._value_codes[at]), int(self._source_codes[at])
        said = {"source": self._source_texts[source] if source >= 0 else DYNAMIC_TOPIC}
        return setting_of(key, said | ({"value": self._value_texts[value]} if value >= 0 else {}))

    def part(self, what: str) -> Codes:
        """Nothing but value and level is said of a setting, and the key itself may be a secret."""
        if what == "source":
            return self._source_codes
        if what == "secret":
            return (self._value_codes < 0).astype(np.int64)
        if what == "shape":
            shapes = np.array(encode([shape_of(mask(text)) for text in self._value_texts])[0] or [0], dtype=np.int64)
            return np.where(self._value_codes < 0, HIDDEN, shapes[self._value_codes])
        return np.zeros(len(self.flat), dtype=np.int64)

    def context_columns(self) -> list[Codes]:
        """Release, described defaults, and why nothing could be read."""
        releases, _ = encode([(context.target.version, context.target.given) for context in self.contexts])
        tables, _ = encode([id(context.defaults) for context in self.contexts])
        self.places = self.batch.column("defaults").fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        unsaid = self.unsaid()
        missing = pc.if_else(unsaid, pc.fill_null(self.batch.column("missing"), UNTOLD), self.batch.column("missing"))
        self._unsaid: Mask = unsaid.to_numpy(zero_copy_only=False)
        encoded = missing.dictionary_encode()
        self._missing, self._missing_texts = indices(encoded), encoded.dictionary.to_pylist()
        rows = [np.array(codes or [0], dtype=np.int64)[self.cluster] for codes in (releases, tables)]
        return [*rows, self.places, self._missing]

    def settings(self, row: int) -> dict[str, Setting]:
        """The row's settings; none where one of them is damaged."""
        return {} if self._unsaid[row] else super().settings(row)

    def hidden(self) -> Mask:
        """The rows whose settings could not be read."""
        return self._missing >= 0

    def unsaid(self) -> pa.BooleanArray:
        """Which rows' settings are not there, or are damaged."""
        lists, flat = self.batch.column("settings"), self.flat
        broken = pc.or_(pc.is_null(flat.field("key")), pc.is_null(flat.field("source")))
        if not pc.any(broken).as_py():
            return pc.is_null(lists)
        rows = np.zeros(self.rows, dtype=bool)
        rows[self._owner[np.flatnonzero(broken.to_numpy(zero_copy_only=False))]] = True
        return pc.or_(pc.is_null(lists), pa.array(rows))

    def described(self, row: int) -> Mapping[str, str | None] | None:
        """The defaults as the row's cluster described them."""
        place, defaults = int(self.places[row]), self.contexts[self.cluster[row]].defaults
        return defaults[place] if 0 <= place < len(defaults) else None

    def missing(self, row: int) -> str | None:
        """Why the row's settings could not be read."""
        why = int(self._missing[row])
        return self._missing_texts[why] if why >= 0 else None


class TopicColumns(LiveColumns):
    """Topics; `counts` says how many partitions each has, -1 where they could not be read."""

    kind = "topic"

    def context_columns(self) -> list[Codes]:
        """The use that Kafka makes of it comes with what a row is."""
        known = pc.index_in(self.batch.column("name"), value_set=pa.array(list(USES)))
        internal = self.batch.column("internal").fill_null(False).to_numpy(zero_copy_only=False)
        uses = known.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        self.uses = np.where(uses >= 0, uses, np.where(internal, len(USES), len(USES) + 1))
        lengths = self.batch.column("partitions").value_lengths()
        self.counts = lengths.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        self.names = self.batch.column("name")
        return [*super().context_columns(), self.uses]

    def entity(self, row: int) -> Topic:
        """A topic."""
        context = self.contexts[self.cluster[row]]
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
        """As advisor.facts.cluster makes them for a topic."""
        return {"use": USE_NAMES[self.uses[row]]}

    def fact_column(self, name: str) -> Codes:
        """A topic's only fact is its use."""
        return self.uses if name == "use" else np.zeros(self.rows, dtype=np.int64)


class BrokerColumns(LiveColumns):
    """Brokers; `told_of` are their facts (advisor.facts.cluster.broker_facts), one mapping a row, once they are known."""

    kind = "broker"

    def __init__(self, batch: pa.RecordBatch, contexts: Sequence[Context]) -> None:
        self.told_of: Sequence[Mapping[str, Hashable]] = ()
        self._facts: dict[str, Codes] = {}
        super().__init__(batch, contexts)
        self.kinds: list[str] = batch.column("kind").to_pylist()
        self.ids: list[int] = batch.column("id").to_pylist()
        self.levels: list[str | None] = batch.column("levels").to_pylist()

    def context_columns(self) -> list[Codes]:
        """Its roles come with what a row is."""
        return [*super().context_columns(), codes_of(self.batch.column("kind"))]

    def entity(self, row: int) -> Entity:
        """A broker."""
        found = self.bare(row)
        found.settings = self.settings(row)
        found.described = self.described(row)
        return found

    def bare(self, row: int) -> Broker:
        """A broker without its settings."""
        context = self.contexts[self.cluster[row]]
        found = Broker(
            self.kinds[row],
            str(self.ids[row]),
            None,
            {},
            context.target,
            cluster=context.cluster,
            missing=self.missing(row),
        )
        found.overridden = levels_of(self.levels[row])
        return found

    def facts(self, row: int) -> Mapping[str, Hashable]:
        """As told."""
        return self.told_of[row] if self.told_of else Uncounted()

    def fact_column(self, name: str) -> Codes:
        """Equal facts under one number; what is unknown for another reason is told apart, though it answers alike."""
        if name not in self._facts:
            found = [facts.get(name, ABSENT) for facts in self.told_of] or [ABSENT] * self.rows
            values = [(fact, getattr(fact, "reason", None)) for fact in found]
            self._facts[name] = np.array(encode(values)[0], dtype=np.int64)
        return self._facts[name]


ABSENT = object()
