"""Topic signatures: topics whose partitions have equal signatures in equal order share the outcome of each rule."""

from __future__ import annotations

import functools

import numpy as np

from spark_audit.arrays import Codes
from spark_audit.arrays.codes import CountsByCluster, hash_distinct, sort_order
from spark_audit.arrays.hashing import hash_with_position
from spark_audit.arrays.lists import positions_of, sum_each
from spark_audit.engine.partitions.partition_signatures import PartitionGroups


class TopicSignatures:
    """Topic signatures, from the partition signature of each subject group.

    The members of a topic signature are partition signatures: `signature_of_member` lists them, `first_member` and
    `members_per_signature` say which are whose, `owner_of_member` whose each is.
    """

    def __init__(self, groups: PartitionGroups, signature_of_group: Codes, cluster_of_topic: Codes) -> None:
        self._first_group_of_topic, topics, groups_per_topic = groups.topics
        self._cluster_of_topic = cluster_of_topic[topics]
        hash_of_group = hash_with_position(
            signature_of_group, np.append(self._first_group_of_topic, len(signature_of_group))
        )
        first_topic, self._signature_of_topic = hash_distinct(
            sum_each(hash_of_group, np.append(self._first_group_of_topic, len(signature_of_group)))
        )
        self.members_per_signature: Codes = groups_per_topic[first_topic]
        self.first_member: Codes = np.cumsum(self.members_per_signature) - self.members_per_signature
        self.owner_of_member: Codes = np.repeat(np.arange(len(first_topic)), self.members_per_signature)
        self.signature_of_member: Codes = signature_of_group[
            positions_of(self._first_group_of_topic[first_topic], self.members_per_signature)
        ]
        self._order = sort_order(self._signature_of_topic)
        self._topics_per_signature = np.bincount(self._signature_of_topic, minlength=len(first_topic))
        self._first_topic = np.cumsum(self._topics_per_signature) - self._topics_per_signature

    @functools.cached_property
    def by_cluster(self) -> CountsByCluster:
        """How many topics of each topic signature the clusters have."""
        return CountsByCluster(self._signature_of_topic, self._cluster_of_topic, len(self.members_per_signature))

    def groups_of(self, signatures: Codes) -> tuple[Codes, Codes]:
        """Per topic of these topic signatures, in topic order: its first subject group, and its signature's index."""
        topics_per_signature = self._topics_per_signature[signatures]
        topics = self._order[positions_of(self._first_topic[signatures], topics_per_signature)]
        signature_of_topic = np.repeat(np.arange(len(signatures)), topics_per_signature)
        if len(signatures) > 1:
            order = np.argsort(topics)
            topics, signature_of_topic = topics[order], signature_of_topic[order]
        return self._first_group_of_topic[topics], signature_of_topic
