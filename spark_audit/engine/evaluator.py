"""What the judging of topics and of everything else have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from advisor.engine import names_of
from spark_audit.engine.cluster_subjects import ClusterSubjects
from spark_audit.engine.clusters import Clusters
from spark_audit.engine.combinations import Combinations, Names, Seat
from spark_audit.engine.outcomes import Outcomes
from spark_audit.engine.row_groups import RowGroup
from spark_audit.engine.tree_walk import Unsaid

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.rule import Rule
    from advisor.rule.subject import Question
    from spark_audit.arrays import Codes, Column
    from spark_audit.engine.combinations import Items
    from spark_audit.engine.compiled_rules import CompiledRules
    from spark_audit.engine.row_groups import Ask
    from spark_audit.engine.tree_walk import Columns

    Inputs = tuple[str, ...]

OF_TOPICS = ("topic", "partition")


class Evaluator:
    """What both halves have in common: the clusters, the seats of their subjects, and what came of it."""

    def __init__(self, rules: CompiledRules, clusters: Clusters) -> None:
        self.rules = rules
        self.clusters = clusters
        self.subjects = ClusterSubjects(clusters)
        self.size = len(clusters.names)
        self.outcomes = Outcomes(clusters.names, rules.policy, rules.walker)
        self.held: set[str] = set()
        self._seats: dict[str, list[Seat]] = {}

    def seats(self, name: str) -> list[Seat]:
        """The subjects that rules know by a name."""
        if name not in self._seats:
            self._seats[name] = [seat for seat in self.found(name) if len(seat.row)]
        return self._seats[name]

    def found(self, name: str) -> Iterator[Seat]:
        """The subjects of the clusters by the name of a rule's input, some of which may be none."""
        if name == "cluster":
            whole = self.subjects.whole
            yield self._all(whole, Names(whole.cluster, ["cluster"] * whole.rows, self._called(whole.cluster)))
        else:
            yield from self._nodes_and_clients(name)

    def _nodes_and_clients(self, name: str) -> Iterator[Seat]:
        brokers, clients = self.subjects.brokers, self.subjects.clients
        ids = [str(id) for id in brokers.ids]
        yield _chosen(brokers, Names(brokers.cluster, brokers.kinds, ids), name)
        yield _chosen(clients, Names(clients.cluster, clients.kinds, clients.names, clients.files), name)

    def _called(self, places: Codes) -> list[str]:
        return [self.clusters.contexts[place].cluster for place in places.tolist()]

    def _all(self, columns: Columns, names: Names) -> Seat:
        everyone = np.arange(columns.rows)
        return Seat(columns, everyone, everyone, names)

    def asker(self, combinations: Combinations) -> Ask:
        """A function that gives the answer of every kind of combination, worked out once."""
        remembered: dict[tuple[int, Question], Column] = {}

        def ask(index: int, question: Question) -> Column:
            if (index, question) not in remembered:
                codes, answers = self.rules.walker.value(combinations.seats[index].columns, question)
                rows = combinations.row(index)
                remembered[index, question] = (codes[rows] if len(codes) else codes), answers
            return remembered[index, question]

        return ask

    def judge(self, rules: Iterable[Rule], combinations: Combinations) -> None:
        """Judge some rules on all kinds of combinations."""
        ask = self.asker(combinations)
        for rule in rules:
            for item, kinds in self.items(rule, combinations):
                for verdict, here in self.rules.walker.judged(rule, item, kinds, ask, combinations.inputs):
                    self.outcomes.take(rule, item, verdict, here, combinations)

    def items(self, rule: Rule, combinations: Combinations) -> Iterator[tuple[object, RowGroup]]:
        """What `each=` of a rule gives, each with the kinds of combinations that have it."""
        if rule.each is None:
            yield None, combinations.whole
        elif isinstance(rule.each, tuple):
            for item in rule.each:
                yield item, combinations.whole
        else:
            yield from self._own_items(rule, combinations)

    def _own_items(self, rule: Rule, combinations: Combinations) -> Iterator[tuple[object, RowGroup]]:
        if rule.each not in combinations.items:
            combinations.items[rule.each] = self._found_items(rule, combinations)
        found, unsaid = combinations.items[rule.each]
        for items, kinds in unsaid:
            self._unsaid(rule, items, kinds, combinations)
        yield from found

    def _found_items(self, rule: Rule, combinations: Combinations) -> Items:
        """The items, which rules may have in common, and what could not be said, each with its kinds of combinations."""
        seat, rows = combinations.seats[0], combinations.row(0)
        codes, found = self.rules.walker.items(rule, seat.columns, np.unique(rows))
        kinds_of: dict[object, list[Codes]] = {}
        unsaid = []
        for code, items in enumerate(found):
            kinds = np.flatnonzero(codes[rows] == code)
            if isinstance(items, Unsaid):
                unsaid.append((items, kinds))
            else:
                for item in items or ():  # type: ignore[attr-defined]
                    kinds_of.setdefault(item, []).append(kinds)
        return [(item, RowGroup(np.sort(np.concatenate(parts)))) for item, parts in kinds_of.items()], unsaid

    def _unsaid(self, rule: Rule, items: Unsaid, kinds: Codes, combinations: Combinations) -> None:
        seat = combinations.seats[0]
        if items.crashed and len(kinds):
            self.outcomes.crash(rule, items.reason, seat.take(combinations.all_of(kinds)))
            return
        asked = [] if items.question is None else [(0, items.question)]
        for part in combinations.resting(kinds, self.rules.walker.rests_on(asked)):
            answer = combinations.inputs(int(kinds[part[0]]))[0].answer(items.question) if items.question else None
            rows = combinations.all_of(kinds[part])
            self.outcomes.unknown(rule, getattr(answer, "reason", items.reason), None, seat.names, seat.subject[rows])


def _chosen(columns: Columns, names: Names, name: str) -> Seat:
    """Those of the rows that rules know by a name."""
    fits = {kind: name in names_of(kind) for kind in set(names.kinds)}
    rows = np.flatnonzero([fits[kind] for kind in names.kinds])
    return Seat(columns, rows, rows, names)


def each_of(seats: Sequence[Sequence[Seat]]) -> Iterator[list[Seat]]:
    """Every choice of one seat per input."""
    if not seats:
        yield []
        return
    for first in seats[0]:
        for rest in each_of(seats[1:]):
            yield [first, *rest]
