"""Rules on partitions: each topic has the worst outcome that one of its partitions has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from advisor.config import Config
from advisor.engine.live_subjects import unseen
from advisor.engine.verdicts import Crash, call
from advisor.model.finding import FAIL, NOT_APPLICABLE, PASS, UNKNOWN
from spark_audit.arrays.codes import split_by_group
from spark_audit.arrays.lists import positions_of
from spark_audit.engine.evidence_keys import EVERYTHING
from spark_audit.engine.partition_columns import FIRST
from spark_audit.engine.tree_walk import CRASHED

if TYPE_CHECKING:
    from advisor.engine.verdicts import Verdict
    from advisor.rule import Rule
    from advisor.rule.subject import Question
    from spark_audit.arrays import Codes, Ids
    from spark_audit.engine.combinations import Combinations, Seat
    from spark_audit.engine.outcomes import Outcomes
    from spark_audit.engine.partition_signatures import PartitionSignatures
    from spark_audit.engine.topic_signatures import TopicSignatures

NOT_JUDGED = -1
RANKS = {CRASHED: 0, NOT_APPLICABLE: 1, PASS: 2, UNKNOWN: 3, FAIL: 4}


class PartitionVerdicts:
    """A rule's verdicts on the kinds of partitions, settled for each sort of topics.

    `place` is the combination of each (topic, picture) pair, NOT_JUDGED of those whose cluster lacks something.
    """

    def __init__(
        self,
        kinds: PartitionSignatures,
        combinations: Combinations,
        place: Ids,
        outcomes: Outcomes,
        sorts: TopicSignatures,
    ) -> None:
        self.place = place
        self.kinds = kinds
        self.combinations = combinations
        self.outcomes = outcomes
        self.sorts = sorts
        size = len(combinations.first)
        self.rank = np.zeros(size + 1, dtype=np.int8)
        self.rank[NOT_JUDGED] = NOT_JUDGED
        self.step, self.leaf = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        self.verdicts: list[Verdict] = []

    def take(self, verdict: Verdict, kinds: Codes) -> None:
        """A verdict that holds for some kinds."""
        self.kinds.note([EVERYTHING] if verdict.outcome == CRASHED else self._own(verdict))
        self.rank[kinds], self.leaf[kinds] = RANKS[verdict.outcome], len(self.verdicts)
        self.step[kinds] = verdict.problem.step if verdict.problem else 0
        self.verdicts.append(verdict)

    def _own(self, verdict: Verdict) -> list[Question]:
        return [question for index, question in self.outcomes.asked(verdict) if index == 0]

    def settle(self, rule: Rule) -> None:
        """Each topic's worst outcome; of several failures the worst, then the first, is told."""
        sorts = self.sorts
        if not self.combinations.size:
            return
        rank = self.rank[sorts.kind]
        worst = np.maximum.reduceat(rank, sorts.starts)
        for outcome in (PASS, NOT_APPLICABLE):
            self.outcomes.add(outcome, sorts.by_cluster.numbers(np.flatnonzero(worst == RANKS[outcome])))
        self._crashes(rule)
        self._tell(rule, np.flatnonzero((worst >= RANKS[UNKNOWN])[sorts.owner] & (rank == worst[sorts.owner])))

    def _crashes(self, rule: Rule) -> None:
        for leaf, verdict in enumerate(self.verdicts):
            if verdict.outcome == CRASHED:
                seat = self.combinations.seats[0]
                self.outcomes.crash(
                    rule, verdict.reason, seat.take(self.combinations.all_of(np.flatnonzero(self.leaf == leaf)))
                )

    def _tell(self, rule: Rule, rows: Codes) -> None:
        """`rows` are those of the sorts' kinds that are as bad as their sort is."""
        if not len(rows):
            return
        kind, owner = self.sorts.kind, self.sorts.owner[rows]
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        sizes = np.diff(starts, append=len(rows))
        chosen = rows[np.lexsort((rows, -self.step[kind[rows]], owner))][starts]
        leaf = self.leaf[kind[chosen]]
        for told in split_by_group(np.arange(len(chosen)), leaf):
            verdict = self.verdicts[int(leaf[told[0]])]
            for places in self.outcomes.parts(verdict, kind[chosen[told]], self.combinations):
                part = told[places]
                members = rows[positions_of(starts[part], sizes[part])]
                self._tell_part(rule, verdict, chosen[part], members, sizes[part])

    def _tell_part(self, rule: Rule, verdict: Verdict, chosen: Codes, members: Codes, sizes: Codes) -> None:
        """The same words for all topics of some sorts: `chosen` is each sort's kind that is told, `members` are as bad."""
        sorts = self.sorts
        own = sorts.owner[chosen]
        pairs, which = sorts.pairs_of(own)
        rows = self.place[pairs + (chosen - sorts.starts[own])[which]].astype(np.int64)
        kinds = sorts.kind[chosen[:1]]
        block = self.outcomes.tell(rule, None, verdict, kinds, self.combinations, rows)
        if verdict.outcome == FAIL:
            offsets = members - np.repeat(sorts.starts[own], sizes)
            many = sizes[which]
            every = offsets[positions_of((np.cumsum(sizes) - sizes)[which], many)] + np.repeat(pairs, many)
            block.counts, block.ids, block.shown = self._partitions(every, many)

    def _partitions(self, pairs: Codes, sizes: Codes) -> tuple[Codes, Codes, Codes]:
        """Of each topic how many partitions its pairs are, and the first five of them."""
        pictured = self.kinds.pictured
        ids, shown = pictured.members(pairs)
        if len(pairs) == len(sizes):
            return pictured.count[pairs], ids, shown
        counts = np.add.reduceat(pictured.count[pairs], np.cumsum(sizes) - sizes)
        owner = np.repeat(np.repeat(np.arange(len(sizes)), sizes), shown)
        order = np.lexsort((ids, owner))
        ids, owner = ids[order], owner[order]
        many = np.bincount(owner, minlength=len(sizes))
        first = np.cumsum(many) - many
        kept = np.minimum(many, FIRST)
        return counts, ids[positions_of(first, kept)], kept


def tell_unseen(rule: Rule, topics: Seat, rest: tuple[Config, ...] | None, outcomes: Outcomes) -> None:
    """Topics whose partitions could not be read: as the judge has it, nobody can tell. `topics` agree in the reason."""
    own = Config(unseen(topics.columns.config(int(topics.row[0])).entity))  # type: ignore[arg-type]
    try:
        verdict = call(rule, (own, *(rest or ())), None, [])
    except Crash as crash:
        outcomes.crash(rule, str(crash), topics)
        return
    if verdict.outcome == UNKNOWN:
        outcomes.unknown(rule, verdict.reason, None, topics.names, topics.subject)
    else:
        outcomes.count(verdict.outcome, topics.names.cluster[topics.subject])
