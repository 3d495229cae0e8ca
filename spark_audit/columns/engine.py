"""The rules of a run over columns. Nothing here knows Spark: record batches go in, blocks of findings come out.

Topics come in batches that may hold a part of a cluster; what follows from all partitions of a cluster is counted on the
way, and everything but topics is judged when that is known.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from advisor.config import Config
from advisor.crowd import Crowd, Member
from advisor.crowds import judge_partitions
from advisor.engine import Judge, Report, combinations, evaluate, names_of
from advisor.finding import NOT_APPLICABLE, PASS
from advisor.model import Topic
from advisor.population import ALL
from spark_audit.columns.clusters import Clusters
from spark_audit.columns.codes import distinct, parted
from spark_audit.columns.combinations import Combinations, Names, Seat, joined, product
from spark_audit.columns.facts import ensemble_rows, group_rows, quorum_rows
from spark_audit.columns.outcomes import Outcomes
from spark_audit.columns.partition_kinds import PartitionKinds, Pictured
from spark_audit.columns.slices import Slice, Together
from spark_audit.columns.subjects import TopicColumns
from spark_audit.columns.walk import Unsaid, Walker
from spark_audit.columns.worst import NOT_JUDGED, Worst, tell_unseen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from advisor.asking import Question
    from advisor.policy import Policy
    from advisor.rule import Rule
    from spark_audit.columns.clusters import Side
    from spark_audit.columns.codes import Codes, Column, Ids
    from spark_audit.columns.counts import Part
    from spark_audit.columns.walk import Ask, Columns

    Inputs = tuple[str, ...]

OF_TOPICS = ("topic", "partition")


class Engine:
    """The rules that run, with the trees that grow while it goes on.

    `counts_first` says that a user's rule asks a topic and its whole cluster together: then what follows from all
    partitions has to be known before the first topic is judged.
    """

    def __init__(self, rules: Sequence[Rule], policy: Policy) -> None:
        self.policy = policy
        self.walker = Walker()
        self.of_partitions: dict[Inputs, set[Question]] = {}
        self.rules: dict[Inputs, list[Rule]] = {}
        for rule in rules:
            if policy.selects(rule):
                self.rules.setdefault(rule.inputs, []).append(rule)
        self.counts_first = any(
            len(names) > 1 and set(names) & set(OF_TOPICS) and not _built_in(rule)
            for names, group in self.rules.items()
            for rule in group
        )

    def slice(self, batch: pa.RecordBatch, side: Side) -> Slice:
        """Look at the arrays of some topics."""
        return Slice(batch, side, self.walker)

    def topics(self, slices: Sequence[Slice], side: Side, counts: Mapping[str, Part] | None = None) -> Topics:
        """Judge topics and their partitions."""
        return Topics(self, slices, side, counts)

    def clusters(self, side: Side, names: Sequence[str], counts: Mapping[str, Part]) -> Rest:
        """Judge everything of some clusters but their topics."""
        return Rest(self, Clusters(side, names, counts))


def _built_in(rule: Rule) -> bool:
    return rule.function.__module__.startswith("rules.")


class Judged:
    """What both halves have in common: the clusters, the seats of their subjects, and what came of it."""

    def __init__(self, engine: Engine, clusters: Clusters) -> None:
        self.engine = engine
        self.clusters = clusters
        self.size = len(clusters.names)
        self.outcomes = Outcomes(clusters.names, engine.policy, engine.walker)
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
            whole = self.clusters.whole()
            yield self._all(whole, Names(whole.cluster, ["cluster"] * whole.rows, self._called(whole.cluster)))
        else:
            yield from self._nodes_and_clients(name)

    def _nodes_and_clients(self, name: str) -> Iterator[Seat]:
        brokers, clients = self.clusters.brokers(), self.clusters.clients()
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
                codes, answers = self.engine.walker.value(combinations.seats[index].columns, question)
                rows = combinations.row(index)
                remembered[index, question] = (codes[rows] if len(codes) else codes), answers
            return remembered[index, question]

        return ask

    def judge(self, rules: Iterable[Rule], combinations: Combinations) -> None:
        """Judge some rules on all kinds of combinations."""
        ask = self.asker(combinations)
        for rule in rules:
            for item, kinds in self.items(rule, combinations):
                for verdict, here in self.engine.walker.judged(rule, item, kinds, ask, combinations.inputs):
                    self.outcomes.take(rule, item, verdict, here, combinations)

    def items(self, rule: Rule, combinations: Combinations) -> Iterator[tuple[object, Codes]]:
        """What `each=` of a rule gives, each with the kinds of combinations that have it."""
        if rule.each is None:
            yield None, combinations.kinds
        elif isinstance(rule.each, tuple):
            for item in rule.each:
                yield item, combinations.kinds
        else:
            yield from self._own_items(rule, combinations)

    def _own_items(self, rule: Rule, combinations: Combinations) -> Iterator[tuple[object, Codes]]:
        seat, rows = combinations.seats[0], combinations.row(0)
        codes, found = self.engine.walker.items(rule, seat.columns, np.unique(rows))
        kinds_of: dict[object, list[Codes]] = {}
        for code, items in enumerate(found):
            kinds = np.flatnonzero(codes[rows] == code)
            if isinstance(items, Unsaid):
                self._unsaid(rule, items, kinds, combinations)
            else:
                for item in items or ():  # type: ignore[attr-defined]
                    kinds_of.setdefault(item, []).append(kinds)
        for item, parts in kinds_of.items():
            yield item, np.sort(np.concatenate(parts))

    def _unsaid(self, rule: Rule, items: Unsaid, kinds: Codes, combinations: Combinations) -> None:
        seat = combinations.seats[0]
        if items.crashed and len(kinds):
            self.outcomes.crash(rule, items.reason, seat.take(combinations.all_of(kinds)))
            return
        asked = [] if items.question is None else [(0, items.question)]
        for part in combinations.parts(kinds, self.engine.walker.rests_on(asked)):
            answer = combinations.inputs(int(kinds[part[0]]))[0].answer(items.question) if items.question else None
            rows = combinations.all_of(kinds[part])
            self.outcomes.unknown(rule, getattr(answer, "reason", items.reason), None, seat.names, seat.subject[rows])


def _chosen(columns: Columns, names: Names, name: str) -> Seat:
    """Those of the rows that rules know by a name."""
    fits = {kind: name in names_of(kind) for kind in set(names.kinds)}
    rows = np.flatnonzero([fits[kind] for kind in names.kinds])
    return Seat(columns, rows, rows, names)


class Topics(Judged):
    """Some topics: judged alone, with their partitions, with their cluster, with the clients that use them."""

    def __init__(self, engine: Engine, slices: Sequence[Slice], side: Side, counts: Mapping[str, Part] | None) -> None:
        self.slices = slices
        together = Together(slices)
        super().__init__(engine, Clusters(side, together.clusters, counts))
        self.cluster = together.cluster
        self.kinds, self.kind = self._distinct(together)
        self.names = Names(self.cluster, pa.repeat("topic", len(self.cluster)), together.names)
        self.topic = Seat(self.kinds, self.kind, np.arange(len(self.cluster)), self.names)
        self.unread = together.unread
        self.pictured = Pictured([each.looks for each in slices], together.starts)

    def _distinct(self, together: Together) -> tuple[TopicColumns, Codes]:
        batch, kind = together.kinds()
        if len(self.slices) == 1:
            return TopicColumns(batch, self.clusters.contexts), kind
        first, same = distinct(TopicColumns(batch, self.clusters.contexts).everything())
        return TopicColumns(batch.take(pa.array(first)), self.clusters.contexts), same[kind]

    def parts(self) -> list[Part]:
        """What the topics add to what follows from all partitions of each cluster."""
        return [part for each in self.slices for part in each.parts]

    def run(self) -> Outcomes:
        """Judge them."""
        for names, rules in self.engine.rules.items():
            if names[0] == "partition":
                self._partitions(names, rules)
            elif names in (("topic",), ("config",)):
                self.judge(rules, self._alone())
            elif names[0] == "topic" and "topic" not in names[1:]:
                self._together(names, rules)
            elif names[-1] == "topic":
                self._joined(names, rules)
        self.held |= {"topic", "partition", "config"}
        return self.outcomes

    def _alone(self) -> Combinations:
        if not hasattr(self, "_combinations"):
            self._combinations = Combinations([self.topic], self.cluster)
        return self._combinations

    def _together(self, names: Inputs, rules: Sequence[Rule]) -> None:
        for rest in _each_of([self.seats(name) for name in names[1:]]):
            combinations = product([self.topic, *rest], self.size)
            if combinations.size:
                self.judge(rules, combinations)

    def _joined(self, names: Inputs, rules: Sequence[Rule]) -> None:
        wanted = self.clusters.clients().topics
        for seat in self.seats(names[0]):
            if seat.columns is self.clusters.clients():
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

    def _judged(self, names: Inputs, rules: Sequence[Rule], rest: Sequence[Seat]) -> list[Worst]:
        """Verdicts on all kinds of partitions; once more where a rule asked what it never did before."""
        known = self.engine.of_partitions.setdefault(names, set())
        while True:
            kinds = PartitionKinds(self.pictured, self.kinds, self.kind, known)
            own = Seat(kinds, kinds.row, self.pictured.topic, self.names)
            rows = self._beside(self.pictured.topic, rest)
            combinations = product([own.take(rows), *rest], self.size)
            ask = self.asker(combinations)
            place = np.full(len(kinds.row), NOT_JUDGED, dtype=np.int32)
            place[rows] = np.arange(len(rows))
            found = [self._worst(rule, kinds, combinations, place, ask) for rule in rules]
            if kinds.whole():
                return found
            known |= kinds.wanted

    def _beside(self, topics: Codes, rest: Sequence[Seat]) -> Codes:
        """Those of the topics whose cluster has everything that a rule wants beside them; places among `topics`."""
        there = np.ones(self.size, dtype=bool)
        for seat in rest:
            there &= np.isin(np.arange(self.size), seat.names.cluster[seat.subject])
        return np.flatnonzero(there[self.cluster[topics]])

    def _worst(self, rule: Rule, kinds: PartitionKinds, combinations: Combinations, place: Ids, ask: Ask) -> Worst:
        worst = Worst(kinds, combinations, place, self.outcomes, self.cluster)
        if combinations.size:
            judged = self.engine.walker.judged(rule, None, combinations.kinds, ask, combinations.inputs)
            for verdict, here in judged:
                worst.take(verdict, here)
        return worst

    def _unseen(self, rule: Rule, rest: Sequence[Seat]) -> None:
        unread = self.unread[self._beside(self.unread, rest)]
        for part in parted(unread, self.kinds.context[self.kind] if len(self.kind) else self.kind):
            place = int(self.cluster[part[0]])
            others = tuple(self._first_of(seat, place) for seat in rest)
            tell_unseen(rule, self.topic.take(part), others, self.outcomes)

    def _first_of(self, seat: Seat, place: int) -> Config:
        at = int(np.flatnonzero(seat.names.cluster[seat.subject] == place)[0])
        return seat.columns.config(int(seat.row[at]))


class Rest(Judged):
    """Everything of some clusters but their topics."""

    def found(self, name: str) -> Iterator[Seat]:
        """Quorums, ensembles and groups of consumers, too."""
        few = {"quorum": quorum_rows, "ensemble": ensemble_rows, "group": group_rows}
        if name in few:
            columns = few[name](self.clusters)
            kinds = [name] * columns.rows
            yield self._all(columns, Names(columns.cluster, kinds, [config.name[1] for config in columns.configs]))
        else:
            yield from super().found(name)

    def run(self) -> Outcomes:
        """Judge it."""
        for names, rules in self.engine.rules.items():
            if set(names) & set(OF_TOPICS):
                continue
            seats = [self.seats(name) for name in names]
            self.held |= {name for name, found in zip(names, seats, strict=True) if found}
            for chosen in _each_of(seats):
                combinations = product(chosen, self.size)
                if combinations.size:
                    self.judge(rules, combinations)
        self._unread()
        return self.outcomes

    def _unread(self) -> None:
        """Topics that could not be listed are one subject, of which everything is unknown: the ordinary judge says so."""
        for place in range(self.size):
            why = self.clusters.live(place).unread.get("topics")
            if why is not None:
                self.held |= {"topic", "partition"}
                self._take(place, self._of_all(place, why))

    def _of_all(self, place: int, why: str) -> Report:
        context = self.clusters.contexts[place]
        rest = Topic("topic", ALL, None, {}, context.target, cluster=context.cluster, missing=why)
        crowd: list[Config] = [Crowd(rest, {}, [Member(ALL)])]
        report, judge = Report((), self.engine.policy.profile), Judge()
        for names, rules in self.engine.rules.items():
            inputs = {"topic": crowd, "partition": crowd} | {name: self._of(name, place) for name in names[1:]}
            if names[0] == "partition":
                judge_partitions(judge, rules, inputs, self.engine.policy, report)
            elif names[0] == "topic":
                for configs in combinations(inputs, names):
                    for rule in rules:
                        evaluate(judge, rule, configs, self.engine.policy, report)
        return report

    def _of(self, name: str, place: int) -> list[Config]:
        rows = ((seat, seat.row[seat.names.cluster[seat.subject] == place]) for seat in self.seats(name))
        return [seat.columns.config(row) for seat, own in rows for row in own.tolist()]

    def _take(self, place: int, report: Report) -> None:
        names, one = Names(np.array([place]), ["topic"], [ALL]), np.zeros(1, np.int64)
        rules = {rule.id: rule for group in self.engine.rules.values() for rule in group}
        for row in {(row.rule, row.reason, row.key): row for row in report.unknown}.values():
            self.outcomes.unknown(rules[row.rule], row.reason, row.key, names, one)
        for outcome, number in ((PASS, report.passed), (NOT_APPLICABLE, report.not_applicable)):
            self.outcomes.count(outcome, np.full(number, place))


def one_each(seat: Seat) -> Seat:
    """The first subject of each cluster."""
    _, first = np.unique(seat.names.cluster[seat.subject], return_index=True)
    return seat.take(first)


def _each_of(seats: Sequence[Sequence[Seat]]) -> Iterator[list[Seat]]:
    """Every choice of one seat per input."""
    if not seats:
        yield []
        return
    for first in seats[0]:
        for rest in _each_of(seats[1:]):
            yield [first, *rest]
