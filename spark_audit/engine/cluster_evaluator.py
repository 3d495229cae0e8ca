"""Everything of some clusters but their topics, once all partitions have been counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from advisor.config import Config
from advisor.config.subject_group import SubjectGroup
from advisor.engine import combinations, evaluate
from advisor.engine.live_subjects import ALL
from advisor.engine.partitions import judge_partitions
from advisor.engine.report import Report
from advisor.engine.verdicts import VerdictTree
from advisor.model import Member, Topic
from advisor.model.finding import NOT_APPLICABLE, PASS
from spark_audit.engine.combinations import Names, Seat, product
from spark_audit.engine.evaluator import Evaluator, each_of
from spark_audit.engine.live_subjects import ensemble_rows, group_rows, quorum_rows
from spark_audit.engine.outcomes import Outcomes

if TYPE_CHECKING:
    from collections.abc import Iterator

    Inputs = tuple[str, ...]

OF_TOPICS = ("topic", "partition")


class ClusterEvaluator(Evaluator):
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
        for names, rules in self.rules.by_inputs.items():
            if set(names) & set(OF_TOPICS):
                continue
            seats = [self.seats(name) for name in names]
            self.held |= {name for name, found in zip(names, seats, strict=True) if found}
            for chosen in each_of(seats):
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
        crowd: list[Config] = [SubjectGroup(rest, {}, [Member(ALL)])]
        report, judge = Report((), self.rules.policy.profile), VerdictTree()
        for names, rules in self.rules.by_inputs.items():
            inputs = {"topic": crowd, "partition": crowd} | {name: self._of(name, place) for name in names[1:]}
            if names[0] == "partition":
                judge_partitions(judge, rules, inputs, self.rules.policy, report)
            elif names[0] == "topic":
                for configs in combinations(inputs, names):
                    for rule in rules:
                        evaluate(judge, rule, configs, self.rules.policy, report)
        return report

    def _of(self, name: str, place: int) -> list[Config]:
        rows = ((seat, seat.row[seat.names.cluster[seat.subject] == place]) for seat in self.seats(name))
        return [seat.columns.config(row) for seat, own in rows for row in own.tolist()]

    def _take(self, place: int, report: Report) -> None:
        names, one = Names(np.array([place]), ["topic"], [ALL]), np.zeros(1, np.int64)
        rules = {rule.id: rule for group in self.rules.by_inputs.values() for rule in group}
        for row in {(row.rule, row.reason, row.key): row for row in report.unknown}.values():
            self.outcomes.unknown(rules[row.rule], row.reason, row.key, names, one)
        for outcome, number in ((PASS, report.passed), (NOT_APPLICABLE, report.not_applicable)):
            self.outcomes.count(outcome, np.full(number, place))
