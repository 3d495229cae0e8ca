"""Evaluate the rules on everything but topics, once all partitions of a cluster are counted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.config import Config
from advisor.config.subject_group import SubjectGroup
from advisor.engine import combinations, evaluate
from advisor.engine.partitions import judge_partitions
from advisor.engine.report import Report
from advisor.engine.subjects.live import ALL
from advisor.engine.verdicts import VerdictTree
from advisor.model import Member, Topic
from advisor.model.finding import NOT_APPLICABLE, PASS
from spark_audit.engine.columns.live_subjects import consumer_group_rows, ensemble_rows, quorum_rows
from spark_audit.engine.combinations import RuleInput, SubjectNames, product
from spark_audit.engine.evaluator import Evaluator, choices
from spark_audit.engine.outcomes import Outcomes
from spark_audit.engine.shared_findings import BrokersOfClusters, of_the_cluster, without_replaced

Inputs = tuple[str, ...]
TOPIC_KINDS = ("topic", "partition")


class ClusterEvaluator(Evaluator):
    """Evaluate the rules on all subjects of some clusters except topics."""

    def subjects_of(self, name: str) -> Iterator[RuleInput]:
        """Quorums, ensembles and consumer groups, too."""
        rows_by_name = {"quorum": quorum_rows, "ensemble": ensemble_rows, "group": consumer_group_rows}
        if name in rows_by_name:
            columns = rows_by_name[name](self.clusters)
            kinds = [name] * columns.rows
            yield self._all_rows(
                columns, SubjectNames(columns.cluster_of_row, kinds, [config.name[1] for config in columns.configs])
            )
        else:
            yield from super().subjects_of(name)

    def run(self) -> Outcomes:
        """Evaluate all rules that take no topics."""
        for names, rules in self.rules.by_inputs.items():
            if set(names) & set(TOPIC_KINDS):
                continue
            inputs_by_position = [self.inputs(name) for name in names]
            for name, inputs in zip(names, inputs_by_position, strict=True):
                for rule_input in inputs:
                    self.note_inputs([name], rule_input.cluster_of_combination)
            for choice in choices(inputs_by_position):
                combinations = product(choice, self.cluster_count)
                if combinations.size:
                    self.evaluate(rules, combinations)
        self._report_unlisted_topics()
        self._share_between_brokers()
        self._drop_replaced()
        return self.outcomes

    def _drop_replaced(self) -> None:
        """Drop findings of a cluster that another finding of the same cluster replaces."""
        replacing = {
            rule.id: rule.replaces for rules in self.rules.by_inputs.values() for rule in rules if rule.replaces
        }
        self.outcomes.findings, dropped = without_replaced(self.outcomes.findings, replacing)
        self.outcomes.count_each(NOT_APPLICABLE, dropped)

    def _share_between_brokers(self) -> None:
        """Make one finding of a cluster of those that all its readable brokers share."""
        brokers, clusters = self.subjects.brokers, self.subjects.as_subjects.cluster_of_row
        readable = BrokersOfClusters(brokers.cluster_of_row, ~brokers.unreadable(), self.cluster_count)
        names = SubjectNames(clusters, ["cluster"] * len(clusters), self._display_names(clusters))
        self.outcomes.findings = of_the_cluster(self.outcomes.findings, readable, names)

    def _report_unlisted_topics(self) -> None:
        """Report topics that could not be listed as one subject, of which everything is unknown."""
        for cluster in range(self.cluster_count):
            reason = self.clusters.live(cluster).unread.get("topics")
            if reason is not None:
                self.note_inputs(TOPIC_KINDS, np.array([cluster]))
                self._add_report(cluster, self._judge_unlisted(cluster, reason))

    def _judge_unlisted(self, cluster: int, reason: str) -> Report:
        context = self.clusters.contexts[cluster]
        all_topics = Topic("topic", ALL, None, {}, context.target, cluster=context.cluster, missing=reason)
        subject_group: list[Config] = [SubjectGroup(all_topics, {}, [Member(ALL)])]
        report, judge = Report((), self.rules.policy.profile), VerdictTree()
        for names, rules in self.rules.by_inputs.items():
            inputs = {"topic": subject_group, "partition": subject_group} | {
                name: self._configs_of_input(name, cluster) for name in names[1:]
            }
            if names[0] == "partition":
                judge_partitions(judge, rules, inputs, self.rules.policy, report)
            elif names[0] == "topic":
                for configs in combinations(inputs, names):
                    for rule in rules:
                        evaluate(judge, rule, configs, self.rules.policy, report)
        return report

    def _configs_of_input(self, name: str, cluster: int) -> list[Config]:
        rows_of_inputs = (
            (rule_input, rule_input.row_of_combination[rule_input.cluster_of_combination == cluster])
            for rule_input in self.inputs(name)
        )
        return [rule_input.columns.config(row) for rule_input, rows in rows_of_inputs for row in rows.tolist()]

    def _add_report(self, cluster: int, report: Report) -> None:
        names, first = SubjectNames(np.array([cluster]), ["topic"], [ALL]), np.zeros(1, np.int64)
        rules = {rule.id: rule for same_inputs in self.rules.by_inputs.values() for rule in same_inputs}
        for unknown in {(unknown.rule, unknown.reason, unknown.key): unknown for unknown in report.unknown}.values():
            self.outcomes.unknown(rules[unknown.rule], unknown.reason, unknown.key, names, first)
        for outcome, times in ((PASS, report.passed), (NOT_APPLICABLE, report.not_applicable)):
            self.outcomes.count_each(outcome, np.full(times, cluster))
        for rule, subjects in report.passed_of_snapshot.items():
            self.outcomes.add_passed(rule, np.bincount(np.full(subjects, cluster)))
