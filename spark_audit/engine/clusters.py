"""The clusters of a batch: what their rows say, read when a rule first asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from advisor.facts.cluster import Counted
from advisor.facts.partition import Pictures
from spark_audit.engine.count_parts import counted_of
from spark_audit.engine.setting_columns import Context
from spark_audit.storage.decode import defaults_of, target_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.model.cluster import Live
    from spark_audit.engine.cluster_tables import ClusterTables
    from spark_audit.engine.count_parts import Part


class Clusters:
    """Some clusters, in the order of `names`; what is costly is made when it is first asked for.

    `counts` are what follows from all partitions of each, None where that is not yet known.
    """

    def __init__(self, tables: ClusterTables, names: Sequence[str], counts: Mapping[str, Part] | None = None) -> None:
        self.tables = tables
        self.names = list(names)
        self.counts = counts
        rows = tables.rows("clusters", names)
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

    def labels(self, place: int) -> dict[str, str]:
        """A cluster's labels."""
        return self._labels[place]

    def live(self, place: int) -> Live:
        """What a cluster said of itself."""
        if place not in self._lives:
            self._lives[place] = self.tables.live(self.names[place], self._rows, place)
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
        found: list[int] = self.tables.rows("brokers", self.names, ["id"]).column("id").to_pylist()
        return found

    def counted(self, place: int) -> Counted:
        """What follows from all of a cluster's partitions."""
        assert self.counts is not None
        if place not in self._counted:
            name, live = self.names[place], self.live(place)
            self._counted[place] = counted_of(live, self.counts[name]) if name in self.counts else Counted(live)
        return self._counted[place]
