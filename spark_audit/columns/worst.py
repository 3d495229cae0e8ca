"""Rules on partitions: each topic has the worst outcome that one of its partitions has."""

from __future__ import annotations

import numpy as np

from advisor.config import Config
from advisor.engine import Crash, call
from advisor.finding import FAIL, NOT_APPLICABLE, PASS, UNKNOWN
from advisor.population import unseen
from spark_audit.columns.codes import gathered, parted
from spark_audit.columns.partitions import FIRST
from spark_audit.columns.settings import EVERYTHING
from spark_audit.columns.walk import CRASHED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.asking import Question
    from advisor.engine import Verdict
    from advisor.rule import Rule
    from spark_audit.columns.codes import Codes, Ids
    from spark_audit.columns.combinations import Combinations, Seat
    from spark_audit.columns.outcomes import Outcomes
    from spark_audit.columns.partition_kinds import PartitionKinds

NOT_JUDGED = -1
RANKS = {CRASHED: 0, NOT_APPLICABLE: 1, PASS: 2, UNKNOWN: 3, FAIL: 4}


class Worst:
    """A rule's verdicts on the kinds of partitions, settled topic by topic.

    `place` is the combination of each (topic, picture) pair, NOT_JUDGED of those whose cluster lacks something.
    """

    def __init__(
        self, kinds: PartitionKinds, combinations: Combinations, place: Ids, outcomes: Outcomes, topics: Codes
    ) -> None:
        self.place = place
        self.kinds = kinds
        self.pictured = kinds.pictured
        self.combinations = combinations
        self.outcomes = outcomes
        self.cluster = topics
        size = len(combinations.first)
        self.rank = np.zeros(size, dtype=np.int8)
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
        starts, topics, sizes = self.pictured.topics
        if not self.combinations.size:
            return
        rank = np.where(self.place < 0, NOT_JUDGED, self.rank[self.combinations.kind[self.place]])
        worst = np.maximum.reduceat(rank, starts)
        for outcome in (PASS, NOT_APPLICABLE):
            self.outcomes.count(outcome, self.cluster[topics[worst == RANKS[outcome]]])
        self._crashes(rule)
        told = np.flatnonzero(worst >= RANKS[UNKNOWN])
        rows = gathered(starts[told], sizes[told])
        self._tell(rule, rows[rank[rows] == np.repeat(worst[told], sizes[told])])

    def _crashes(self, rule: Rule) -> None:
        for verdict in self.verdicts:
            if verdict.outcome == CRASHED:
                kinds = np.flatnonzero(self.leaf == self.verdicts.index(verdict))
                seat = self.combinations.seats[0]
                self.outcomes.crash(rule, verdict.reason, seat.take(self.combinations.all_of(kinds)))

    def _tell(self, rule: Rule, rows: Codes) -> None:
        if not len(rows):
            return
        topic, kind = self.pictured.topic, self.combinations.kind[self.place]
        rows = rows[np.lexsort((self.pictured.first[rows], -self.step[kind[rows]], topic[rows]))]
        starts = np.flatnonzero(np.diff(topic[rows], prepend=-1))
        sizes = np.diff(starts, append=len(rows))
        chosen = rows[starts]
        leaf = self.leaf[kind[chosen]]
        for told in parted(np.arange(len(chosen)), leaf):
            verdict = self.verdicts[int(leaf[told[0]])]
            for places in self.combinations.parts(kind[chosen[told]], self.outcomes.asked(verdict)):
                part = told[places]
                own = kind[chosen[part[:1]]]
                block = self.outcomes.tell(rule, None, verdict, own, self.combinations, self._rows(chosen[part]))
                if verdict.outcome == FAIL:
                    members = rows[gathered(starts[part], sizes[part])]
                    block.counts, block.ids, block.shown = self._partitions(members, sizes[part])

    def _rows(self, pairs: Codes) -> Codes:
        """The combinations of some pairs."""
        return self.place[pairs].astype(np.int64)

    def _partitions(self, rows: Codes, sizes: Codes) -> tuple[Codes, Codes, Codes]:
        """Of each topic how many partitions its rows are, and the first five of them."""
        starts = np.cumsum(sizes) - sizes
        counts = np.add.reduceat(self.pictured.count[rows], starts)
        ids, shown = self.pictured.members(rows)
        owner = np.repeat(np.repeat(np.arange(len(sizes)), sizes), shown)
        order = np.lexsort((ids, owner))
        ids, owner = ids[order], owner[order]
        many = np.bincount(owner, minlength=len(sizes))
        first = np.cumsum(many) - many
        kept = np.minimum(many, FIRST)
        return counts, ids[gathered(first, kept)], kept


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
