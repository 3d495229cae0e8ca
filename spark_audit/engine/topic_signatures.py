"""Topics in sorts: those of one sort have partitions of the same kinds, lowest first, so that rules settle them once."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from spark_audit.arrays.codes import CountsByCluster, hash_distinct, sort_order
from spark_audit.arrays.hashing import hash_with_position
from spark_audit.arrays.lists import positions_of, sum_each

if TYPE_CHECKING:
    from spark_audit.arrays import Codes
    from spark_audit.engine.partition_signatures import Pictured


class TopicSignatures:
    """The sorts of topics, given the kind of each (topic, picture) pair.

    `kind` are the sorts' kinds, sort after sort; `starts` and `sizes` say which are whose, `owner` whose each is.
    """

    def __init__(self, pictured: Pictured, kind: Codes, cluster: Codes) -> None:
        self._pairs, topics, sizes = pictured.topics
        self._cluster = cluster[topics]
        seen = hash_with_position(kind, np.append(self._pairs, len(kind)))
        first, self._sort = hash_distinct(sum_each(seen, np.append(self._pairs, len(kind))))
        self.sizes: Codes = sizes[first]
        self.starts: Codes = np.cumsum(self.sizes) - self.sizes
        self.owner: Codes = np.repeat(np.arange(len(first)), self.sizes)
        self.kind: Codes = kind[positions_of(self._pairs[first], self.sizes)]
        self._order = sort_order(self._sort)
        self._many = np.bincount(self._sort, minlength=len(first))
        self._first = np.cumsum(self._many) - self._many

    @functools.cached_property
    def by_cluster(self) -> CountsByCluster:
        """The sorts by the clusters that have such topics."""
        return CountsByCluster(self._sort, self._cluster, len(self.sizes))

    def pairs_of(self, sorts: Codes) -> tuple[Codes, Codes]:
        """Where the pairs of all topics of these sorts start, topic by topic, and of which of the sorts each topic is."""
        many = self._many[sorts]
        topics = self._order[positions_of(self._first[sorts], many)]
        which = np.repeat(np.arange(len(sorts)), many)
        if len(sorts) > 1:
            order = np.argsort(topics)
            topics, which = topics[order], which[order]
        return self._pairs[topics], which
