"""The clusters of a batch: what their rows say, read when a rule first asks, and their nodes' settings as one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from advisor.config import ClusterConfig
from advisor.live_facts import Counted, cluster_facts
from advisor.pictures import Pictures
from spark_audit.columns.codes import combined, numbered
from spark_audit.columns.counts import counted_of
from spark_audit.columns.facts import broker_rows
from spark_audit.columns.settings import BY_KEY, OF_CONTEXT, Context, answered
from spark_audit.columns.subjects import BrokerColumns, ClientColumns
from spark_audit.snapshots.restored import defaults_of, live_of, target_of
from spark_audit.tables import UNREACHABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import Any

    from advisor.asking import Question
    from advisor.config import Config
    from advisor.live import Live
    from spark_audit.columns.codes import Codes, Column, Mask
    from spark_audit.columns.counts import Part


NEAR = 1000
"""Clusters whose words are remembered."""


class Side:
    """The small tables of a fleet, clusters, brokers and clients, each found by its cluster."""

    def __init__(self, tables: Mapping[str, pa.Table]) -> None:
        self.tables = {name: sorted_by_cluster(tables[name]) for name in ("clusters", "brokers", "clients")}
        self._starts = {name: starts_of(table) for name, table in self.tables.items()}
        self.names: list[str] = [
            name
            for name, status in zip(*(self.tables["clusters"].column(each).to_pylist() for each in ("cluster", "status")), strict=True)
            if status != UNREACHABLE
        ]  # fmt: skip
        self.known = frozenset(self.names)
        self._lives: dict[str, Live] = {}

    def live(self, name: str, rows: pa.RecordBatch, place: int) -> Live:
        """What a cluster said of itself, remembered while clusters near it are judged."""
        if name not in self._lives:
            if len(self._lives) >= NEAR:
                self._lives.clear()
            self._lives[name] = live_of(plain_row(rows, place))
        return self._lives[name]

    def rows(self, table: str, names: Iterable[str]) -> pa.RecordBatch:
        """The rows of some clusters."""
        places = self._starts[table]
        slices = [self.tables[table].slice(*places[name]) for name in names if name in places]
        schema = self.tables[table].schema
        batches = pa.concat_tables([schema.empty_table(), *slices]).combine_chunks().to_batches()
        return batches[0] if batches else pa.RecordBatch.from_pylist([], schema)


def sorted_by_cluster(table: pa.Table) -> pa.Table:
    """The rows by cluster; of a cluster they stay in their order."""
    codes = table.column("cluster").combine_chunks()
    encoded = (
        codes.dictionary_encode() if not isinstance(codes, pa.ChunkedArray) else codes.chunk(0).dictionary_encode()
    )
    order = np.argsort(encoded.indices.to_numpy(zero_copy_only=False), kind="stable")
    return table if (np.diff(order) == 1).all() else table.take(pa.array(order))


def starts_of(table: pa.Table) -> dict[str, tuple[int, int]]:
    """Where each cluster's rows start, and how many they are."""
    names = table.column("cluster").to_pylist()
    found: dict[str, tuple[int, int]] = {}
    for at, name in enumerate(names):
        start, _ = found.get(name, (at, 0))
        found[name] = (start, at + 1 - start)
    return found


class Clusters:
    """Some clusters, in the order of `names`; what is costly is made when it is first asked for.

    `counts` are what follows from all partitions of each, None where that is not yet known.
    """

    def __init__(self, side: Side, names: Sequence[str], counts: Mapping[str, Part] | None = None) -> None:
        self.side = side
        self.names = list(names)
        self.counts = counts
        rows = side.rows("clusters", names)
        self._rows = rows
        ids, addresses = rows.column("id").to_pylist(), rows.column("address").to_pylist()
        versions, reasons = rows.column("kafka_version").to_pylist(), rows.column("version_reason").to_pylist()
        defaults = rows.column("defaults").to_pylist()
        self.contexts = [
            Context(name, id or address, target_of({"kafka_version": version, "version_reason": reason}), defaults_of(text))
            for name, id, address, version, reason, text in zip(self.names, ids, addresses, versions, reasons, defaults, strict=True)
        ]  # fmt: skip
        self._labels = [dict(pairs or ()) for pairs in rows.column("labels").to_pylist()]
        self._lives: dict[int, Live] = {}
        self._counted: dict[int, Counted] = {}
        self._pictures: dict[int, Pictures] = {}
        self._brokers: BrokerColumns | None = None
        self._nodes: NodesColumns | None = None
        self._clients: ClientColumns | None = None

    def labels(self, place: int) -> dict[str, str]:
        """A cluster's labels."""
        return self._labels[place]

    def live(self, place: int) -> Live:
        """What a cluster said of itself."""
        if place not in self._lives:
            self._lives[place] = self.side.live(self.names[place], self._rows, place)
        return self._lives[place]

    def pictures(self, place: int) -> Pictures:
        """The pictures of a cluster's partitions."""
        if place not in self._pictures:
            self._pictures[place] = Pictures(self.live(place))
        return self._pictures[place]

    def nodes(self) -> pa.ListArray:
        """The brokers as each cluster sees them."""
        return self._rows.column("nodes")

    def broker_ids(self) -> list[int]:
        """The ids of all brokers whose settings were asked for."""
        found: list[int] = self.side.rows("brokers", self.names).column("id").to_pylist()
        return found

    def counted(self, place: int) -> Counted:
        """What follows from all of a cluster's partitions."""
        assert self.counts is not None
        if place not in self._counted:
            name, live = self.names[place], self.live(place)
            self._counted[place] = counted_of(live, self.counts[name]) if name in self.counts else Counted(live)
        return self._counted[place]

    def brokers(self) -> BrokerColumns:
        """All brokers, controllers among them."""
        if self._brokers is None:
            self._brokers = broker_rows(self)
        return self._brokers

    def clients(self) -> ClientColumns:
        """All clients."""
        if self._clients is None:
            self._clients = ClientColumns(self.side.rows("clients", self.names), self.contexts)
        return self._clients

    def whole(self) -> NodesColumns:
        """Each cluster as one."""
        if self._nodes is None:
            self._nodes = NodesColumns(self)
        return self._nodes


def plain_row(rows: pa.RecordBatch, place: int) -> dict[str, Any]:
    """A row as plain data."""
    found: dict[str, Any] = rows.slice(place, 1).to_pylist()[0]
    return found


class NodesColumns:
    """Clusters as rows: of its nodes the first that sets a key speaks for all (see advisor.config.ClusterConfig)."""

    def __init__(self, clusters: Clusters) -> None:
        self.clusters = clusters
        self.brokers = clusters.brokers()
        members = self._readable()
        self.cluster = np.array([place for place, nodes in enumerate(members) if len(nodes)], dtype=np.int64)
        self._members = [members[place] for place in self.cluster.tolist()]
        self.rows = len(self._members)
        self._columns: dict[Question, Column] = {}
        self._configs: dict[int, Config] = {}
        self._facts: dict[int, Mapping[str, Hashable]] = {}

    def _readable(self) -> list[Codes]:
        """The nodes of each cluster that could be read, else its first; none where it has none."""
        brokers, size = self.brokers, len(self.clusters.names)
        order = np.argsort(brokers.cluster, kind="stable")
        groups = np.split(order, np.searchsorted(brokers.cluster[order], np.arange(1, size))) if size else []
        read = np.array([brokers.missing(row) is None for row in range(brokers.rows)], dtype=bool)
        return [group[read[group]] if read[group].any() else group[:1] for group in groups]

    def config(self, row: int) -> Config:
        """The cluster's ordinary Config."""
        if row not in self._configs:
            nodes = [self.brokers.config(int(node)) for node in self._members[row]]
            name = self.clusters.contexts[self.cluster[row]].cluster
            self._configs[row] = ClusterConfig("cluster", name, nodes, self.facts(row))
        return self._configs[row]

    def facts(self, row: int) -> Mapping[str, Hashable]:
        """What is known of the whole cluster."""
        if row not in self._facts:
            self._facts[row] = self._told(row)
        return self._facts[row]

    def _told(self, row: int) -> Mapping[str, Hashable]:
        clusters, place = self.clusters, int(self.cluster[row])
        return cluster_facts(clusters.live(place), clusters.counted(place) if clusters.counts is not None else None)

    def column(self, question: Question, walked: Callable[[Question], Column]) -> Column:
        """Every cluster's answer; clusters whose nodes say the same of the key give the same."""
        if question not in self._columns:
            what, key = question
            if what in ("values", "kinds"):
                self._columns[question] = self._asked(question, self._said(str(key)))
            elif what == "live" or isinstance(key, str):
                self._columns[question] = self._spoken(question)
            else:
                self._columns[question] = walked(question)
        return self._columns[question]

    def _said(self, key: str) -> Codes:
        """One number per cluster for what all its nodes say of a key."""
        codes = combined(*self.brokers.rests_on([("text", key)] if key else [("kind", "")])).tolist()
        return np.array(numbered([tuple(codes[node] for node in group) for group in self._members])[0], dtype=np.int64)

    def _asked(self, question: Question, groups: Codes) -> Column:
        _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
        numbers, answers = numbered([self._answer(int(row), question) for row in first])
        return np.array(numbers or [0], dtype=np.int64)[inverse] if len(first) else groups, answers

    def _answer(self, row: int, question: Question) -> Hashable:
        return answered(self.config(row), question)

    def _spoken(self, question: Question) -> Column:
        if question[0] == "live":
            numbers, answers = numbered([self._live(row, question) for row in range(self.rows)])
            return np.array(numbers, dtype=np.int64), answers
        return self._asked(question, combined(self._said(str(question[1])), self._whole_context(question)))

    def _live(self, row: int, question: Question) -> Hashable:
        facts = self.facts(row)
        return facts[str(question[1])] if question[1] in facts else self._answer(row, question)

    def _whole_context(self, question: Question) -> Codes:
        """Some questions depend on more than one key; then each cluster stands for itself."""
        alone = question[0] not in BY_KEY and question[0] not in OF_CONTEXT
        return np.arange(self.rows) if alone else np.zeros(self.rows, np.int64)

    def hidden(self) -> Mask:
        """Each node says itself what could not be read."""
        return np.zeros(self.rows, dtype=bool)

    def rests_on(self, questions: Iterable[Question]) -> list[Codes]:
        """Each cluster rests on itself: evidence names its nodes."""
        return [np.arange(self.rows)]
