"""One cluster on its way to the target: what concerns all of its nodes together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from advisor.analysis.upgrade.plan import UpgradeRow, new_row, row_subject_of_cluster
from advisor.analysis.upgrade.verdicts import Verdicts
from advisor.catalog.features import KRAFT_VERSION, STATIC_QUORUM_MAY_BECOME_DYNAMIC
from advisor.model import OVERLAY, Entity, Snapshot, Version


@dataclass(frozen=True, eq=False)
class ClusterUpgrade:
    """The nodes of a cluster that could be read, the oldest and the newest release that they may run today, the target.

    `mode` says who keeps the metadata, None where nothing says so.
    """

    snapshot: Snapshot
    nodes: Sequence[Entity]
    mode: str | None
    oldest: Version
    newest: Version
    to: Version
    verdicts: Verdicts

    @property
    def managed(self) -> bool:
        """Whether a platform runs all nodes: it raises the features and restarts the nodes itself."""
        return all(entity.kind == OVERLAY for entity in self.nodes)

    @property
    def is_strimzis(self) -> bool:
        """Whether Strimzi's operator runs the nodes, and decides what quorum they have."""
        return any(entity.format == "strimzi" for entity in self.nodes)

    @property
    def may_become_dynamic(self) -> bool:
        """Whether a user may raise kraft.version, and has not yet."""
        at_target = self.to >= STATIC_QUORUM_MAY_BECOME_DYNAMIC and not self.is_strimzis
        return at_target and not self.level(KRAFT_VERSION)

    def crosses(self, release: Version) -> bool:
        """Whether the release lies between the oldest present one and the target, which may be it."""
        return self.oldest < release <= self.to

    def level(self, feature: str) -> int | None:
        """The finalized level of a feature, 0 where the cluster has none; None where the features could not be read."""
        features = self.snapshot.live.features if self.snapshot.live else None
        return None if features is None else features.get(feature, 0)

    def row(self, part: str, about: str, key: str | None, message: str, **details: Any) -> UpgradeRow:
        """A row about the whole cluster."""
        return new_row(part, about, key, message, row_subject_of_cluster(self.snapshot), **details)
