"""Topics in many batches: judged alone, with their partitions, with their cluster, with the clients that use them."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from advisor.config import Config
from spark_audit.arrays.codes import distinct, split_by_group
from spark_audit.engine.clusters import Clusters
from spark_audit.engine.combinations import Combinations, Names, Seat, joined, product
from spark_audit.engine.evaluator import Evaluator, each_of
from spark_audit.engine.outcomes import Outcomes
from spark_audit.engine.partition_rules import NOT_JUDGED, PartitionVerdicts, tell_unseen
from spark_audit.engine.partition_signatures import PartitionSignatures, Pictured
from spark_audit.engine.topic_batch import TopicBatch, TopicBatches
from spark_audit.engine.topic_columns import TopicColumns
from spark_audit.engine.topic_signatures import TopicSignatures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.rule import Rule
    from advisor.rule.subject import Question
    from spark_audit.arrays import Codes
    from spark_audit.engine.cluster_tables import ClusterTables
    from spark_audit.engine.compiled_rules import CompiledRules
    from spark_audit.engine.count_parts import Part
    from spark_audit.engine.row_groups import Ask

    Inputs = tuple[str, ...]

OF_TOPICS = ("topic", "partition")
FEW = 2000
"""(Topic, picture) pairs from which it is learned what rules on partitions ask."""


class TopicEvaluator(Evaluator):
    """Some topics: judged alone, with their partitions, with their cluster, with the clients that use them."""

    def __init__(
        self,
        rules: CompiledRules,
        batches: Sequence[TopicBatch],
        tables: ClusterTables,
        counts: Mapping[str, Part] | None,
    ) -> None:
        self.batches = batches
        together = TopicBatches(batches)
        super().__init__(rules, Clusters(tables, together.clusters, counts))
        self.cluster = together.cluster
        self.kinds, self.kind = self._distinct(together)
        self.names = Names(self.cluster, pa.repeat("topic", len(self.cluster)), together.names)
        self.topic = Seat(self.kinds, self.kind, np.arange(len(self.cluster)), self.names)
        self.unread = together.unread
        self.pictured = Pictured([each.looks for each in batches], together.starts)

    def _distinct(self, together: TopicBatches) -> tuple[TopicColumns, Codes]:
        batch, kind = together.kinds()
        if len(self.batches) == 1:
            return TopicColumns(batch, self.clusters.contexts), kind
        first, same = distinct(TopicColumns(batch, self.clusters.contexts).everything())
        return TopicColumns(batch.take(pa.array(first)), self.clusters.contexts), same[kind]

    def parts(self) -> list[Part]:
        """What the topics add to what follows from all partitions of each cluster."""
        return [part for each in self.batches for part in each.parts]

    def run(self) -> Outcomes:
        """Judge them."""
        for names, rules in self.rules.by_inputs.items():
            if names[0] == "partition":
                self._partitions(names, rules)
            elif names in (("topic",), ("config",)):
                self.judge(rules, self._alone)
            elif names[0] == "topic" and "topic" not in names[1:]:
                self._together(names, rules)
            elif names[-1] == "topic":
                self._joined(names, rules)
        self.held |= {"topic", "partition", "config"}
        return self.outcomes

    @functools.cached_property
    def _alone(self) -> Combinations:
        return Combinations([self.topic], self.cluster)

    def _together(self, names: Inputs, rules: Sequence[Rule]) -> None:
        for rest in each_of([self.seats(name) for name in names[1:]]):
            combinations = product([self.topic, *rest], self.size)
            if combinations.size:
                self.judge(rules, combinations)

    def _joined(self, names: Inputs, rules: Sequence[Rule]) -> None:
        wanted = self.subjects.clients.topics
        for seat in self.seats(names[0]):
            if seat.columns is self.subjects.clients:
                combinations = joined(seat, wanted, self.topic, self.size)
                if combinations.size:
                    self.held |= set(names)
                    self.judge(rules, combinations)

    # ------------------------------------------------------------------ partitions

    def _partitions(self, names: Inputs, rules: Sequence[Rule]) -> None:
        rest = [one_each(seat) for name in names[1:] for seat in self.seats(name)[:1]]
        if len(rest) + 1 < len(names):
            return
        judged = self._judged(names, rules, rest)
        for rule, worst in zip(rules, judged, strict=True):
            worst.settle(rule)
            self._unseen(rule, rest)

    def _judged(self, names: Inputs, rules: Sequence[Rule], rest: Sequence[Seat]) -> list[PartitionVerdicts]:
        """Verdicts on all kinds of partitions; first on those of some topics, to learn what rules ask beside pictures."""
        known = self.rules.of_partitions.setdefault(names, set())
        if not known:
            self._known(self.pictured.some(FEW), known, rules, rest)
        return self._known(self.pictured, known, rules, rest)

    def _known(
        self, pictured: Pictured, known: set[Question], rules: Sequence[Rule], rest: Sequence[Seat]
    ) -> list[PartitionVerdicts]:
        """Verdicts on kinds of partitions; once more where a rule asked what it never did before."""
        while True:
            kinds = PartitionSignatures(pictured, self.kinds, self.kind, known)
            own = Seat(kinds, kinds.row, pictured.topic, self.names)
            rows = self._beside(pictured.topic, rest)
            combinations = product([own.take(rows), *rest], self.size)
            ask = self.asker(combinations)
            place = np.full(len(kinds.row), NOT_JUDGED, dtype=np.int32)
            place[rows] = np.arange(len(rows))
            sorts = TopicSignatures(pictured, np.append(combinations.kind, NOT_JUDGED)[place], self.cluster)
            found = [
                self._worst(rule, PartitionVerdicts(kinds, combinations, place, self.outcomes, sorts), ask)
                for rule in rules
            ]
            if kinds.whole():
                return found
            known |= kinds.wanted

    def _beside(self, topics: Codes, rest: Sequence[Seat]) -> Codes:
        """Those of the topics whose cluster has everything that a rule wants beside them; places among `topics`."""
        there = np.ones(self.size, dtype=bool)
        for seat in rest:
            there &= np.isin(np.arange(self.size), seat.names.cluster[seat.subject])
        return np.flatnonzero(there[self.cluster[topics]])

    def _worst(self, rule: Rule, worst: PartitionVerdicts, ask: Ask) -> PartitionVerdicts:
        combinations = worst.combinations
        if combinations.size:
            judged = self.rules.walker.judged(rule, None, combinations.whole, ask, combinations.inputs)
            for verdict, here in judged:
                worst.take(verdict, here)
        return worst

    def _unseen(self, rule: Rule, rest: Sequence[Seat]) -> None:
        unread = self.unread[self._beside(self.unread, rest)]
        for part in split_by_group(unread, self.kinds.context[self.kind] if len(self.kind) else self.kind):
            place = int(self.cluster[part[0]])
            others = tuple(self._first_of(seat, place) for seat in rest)
            tell_unseen(rule, self.topic.take(part), others, self.outcomes)

    def _first_of(self, seat: Seat, place: int) -> Config:
        at = int(np.flatnonzero(seat.names.cluster[seat.subject] == place)[0])
        return seat.columns.config(int(seat.row[at]))


def one_each(seat: Seat) -> Seat:
    """The first subject of each cluster."""
    _, first = np.unique(seat.names.cluster[seat.subject], return_index=True)
    return seat.take(first)
