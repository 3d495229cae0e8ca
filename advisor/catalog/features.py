"""Kafka's features: the levels of each by release, in the order in which an upgrade raises them.

Source: org.apache.kafka.server.common.MetadataVersion and Feature; a level is listed with the first release whose
`kafka-features.sh upgrade --release-version` sets it.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.catalog import FIRST_KRAFT

Version = tuple[int, int]
METADATA_VERSION = "metadata.version"
KRAFT_VERSION = "kraft.version"
ELIGIBLE_LEADER_REPLICAS = "eligible.leader.replicas.version"
LEVELS: dict[Version, int] = {
    (3, 0): 1, (3, 1): 2, (3, 2): 3, (3, 3): 7, (3, 4): 8, (3, 5): 11, (3, 6): 14, (3, 7): 19, (3, 8): 20, (3, 9): 21,
    (4, 0): 25, (4, 1): 27, (4, 2): 29, (4, 3): 30, (4, 4): 33,
}  # fmt: skip
"""The highest metadata.version of each release."""
LEAST_LEVEL_OF_4 = LEVELS[FIRST_KRAFT]
"""The lowest metadata.version with which 4.0 and newer start: 3.3-IV3."""
STATIC_QUORUM_MAY_BECOME_DYNAMIC = (4, 1)
"""The first release that raises the kraft.version of a running cluster."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature beside metadata.version: its level by the first release that sets it, and what it brings."""

    name: str
    levels: dict[Version, int]
    brings: str
    source: str

    def level(self, release: Version) -> int:
        """The level that the release sets, 0 before the feature's first."""
        return max((level for first, level in self.levels.items() if first <= release), default=0)


FEATURES = (
    Feature("transaction.version", {(4, 0): 2}, "an epoch for each transaction: none hangs any more", "KIP-890"),
    Feature("group.version", {(4, 0): 1}, "consumers may use group.protocol=consumer", "KIP-848"),
    Feature(
        ELIGIBLE_LEADER_REPLICAS,
        {(4, 1): 1},
        "replicas that left the ISR with every acknowledged record may still lead",
        "KIP-966",
    ),
    Feature("share.version", {(4, 2): 1, (4, 4): 2}, "share groups, with 2 their dead letter queues", "KIP-932"),
    Feature("streams.version", {(4, 2): 1}, "Streams may use group.protocol=streams", "KIP-1071"),
)
"""In the order to raise them, after metadata.version, which all of them need."""
