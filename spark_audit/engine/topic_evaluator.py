"""Evaluate the rules on topics: alone, with their partitions, with their cluster, with the clients that use them."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from advisor.config import Config
from advisor.rule import Rule
from advisor.rule.subject import Question
from spark_audit.arrays import Codes
from spark_audit.arrays.codes import distinct, split_by_code
from spark_audit.engine.columns.cluster_tables import ClusterTables
from spark_audit.engine.columns.clusters import Clusters
from spark_audit.engine.columns.partial_counts import PartialCounts
from spark_audit.engine.columns.topic_columns import TopicColumns
from spark_audit.engine.combinations import Combinations, RuleInput, SubjectNames, join_client_topics, product
from spark_audit.engine.compiled_rules import CompiledRules
from spark_audit.engine.evaluator import Evaluator, choices
from spark_audit.engine.outcomes import Outcomes
from spark_audit.engine.partition_rules import NOT_JUDGED, PartitionVerdicts, report_unread
from spark_audit.engine.partitions.partition_signatures import PartitionGroups, PartitionSignatures
from spark_audit.engine.partitions.topic_signatures import TopicSignatures
from spark_audit.engine.row_groups import Ask
from spark_audit.engine.topic_batch import TopicBatch, TopicBatches

Inputs = tuple[str, ...]

SAMPLE_SIZE = 2000
"""Subject groups of partitions that show which questions partition rules ask, before all groups are evaluated."""


class TopicEvaluator(Evaluator):
    """Evaluate the rules on the topics of several batches, and on their partitions."""

    def __init__(
        self,
        rules: CompiledRules,
        batches: Sequence[TopicBatch],
        tables: ClusterTables,
        counts: Mapping[str, PartialCounts] | None,
    ) -> None:
        self.batches = batches
        merged = TopicBatches(batches)
        super().__init__(rules, Clusters(tables, merged.clusters, counts))
        self.cluster_of_topic = merged.cluster_of_topic
        self.distinct_topics, self.signature_of_topic = self._distinct(merged)
        self.names = SubjectNames(self.cluster_of_topic, pa.repeat("topic", len(self.cluster_of_topic)), merged.names)
        self.topic_input = RuleInput(
            self.distinct_topics, self.signature_of_topic, np.arange(len(self.cluster_of_topic)), self.names
        )
        self.unread = merged.unread
        self.partition_groups = PartitionGroups(
            [batch.partition_groups for batch in batches], merged.first_topic_of_batch
        )

    def _distinct(self, merged: TopicBatches) -> tuple[TopicColumns, Codes]:
        batch, signature_of_topic = merged.concat_distinct_topics()
        if len(self.batches) == 1:
            return TopicColumns(batch, self.clusters.contexts), signature_of_topic
        first_of_signature, merged_signature = distinct(TopicColumns(batch, self.clusters.contexts).whole_signature())
        return TopicColumns(batch.take(pa.array(first_of_signature)), self.clusters.contexts), merged_signature[
            signature_of_topic
        ]

    def run(self) -> Outcomes:
        """Evaluate all rules on topics and partitions."""
        for names, rules in self.rules.by_inputs.items():
            if names[0] == "partition":
                self._evaluate_partitions(names, rules)
            elif names in (("topic",), ("config",)):
                self.evaluate(rules, self._topics_alone)
            elif names[0] == "topic" and "topic" not in names[1:]:
                self._with_cluster_subjects(names, rules)
            elif names[-1] == "topic":
                self._with_clients(names, rules)
        self.note_inputs(("topic", "partition", "config"), self.cluster_of_topic)
        return self.outcomes

    @functools.cached_property
    def _topics_alone(self) -> Combinations:
        return Combinations([self.topic_input], self.cluster_of_topic)

    def _with_cluster_subjects(self, names: Inputs, rules: Sequence[Rule]) -> None:
        for others in choices([self.inputs(name) for name in names[1:]]):
            combinations = product([self.topic_input, *others], self.cluster_count)
            if combinations.size:
                self.evaluate(rules, combinations)

    def _with_clients(self, names: Inputs, rules: Sequence[Rule]) -> None:
        topics_of_client = self.subjects.clients.topics
        for client_input in self.inputs(names[0]):
            if client_input.columns is self.subjects.clients:
                combinations = join_client_topics(client_input, topics_of_client, self.topic_input, self.cluster_count)
                if combinations.size:
                    self.note_inputs(names, combinations.cluster_of_combination)
                    self.evaluate(rules, combinations)

    # ------------------------------------------------------------------ partitions

    def _evaluate_partitions(self, names: Inputs, rules: Sequence[Rule]) -> None:
        others = [first_of_each_cluster(rule_input) for name in names[1:] for rule_input in self.inputs(name)[:1]]
        if len(others) + 1 < len(names):
            return
        verdicts_by_rule = self._partition_verdicts(names, rules, others)
        for rule, verdicts in zip(rules, verdicts_by_rule, strict=True):
            verdicts.report(rule)
            self._report_unread(rule, others)

    def _partition_verdicts(
        self, names: Inputs, rules: Sequence[Rule], others: Sequence[RuleInput]
    ) -> list[PartitionVerdicts]:
        """Verdicts on all partition signatures; a sample of subject groups shows first what rules ask of topics."""
        known_questions = self.rules.of_partitions.setdefault(names, set())
        if not known_questions:
            self._verdicts_knowing(self.partition_groups.head(SAMPLE_SIZE), known_questions, rules, others)
        return self._verdicts_knowing(self.partition_groups, known_questions, rules, others)

    def _verdicts_knowing(
        self,
        groups: PartitionGroups,
        known_questions: set[Question],
        rules: Sequence[Rule],
        others: Sequence[RuleInput],
    ) -> list[PartitionVerdicts]:
        """Verdicts on partition signatures; repeated where a rule asks a question that was not known."""
        while True:
            signatures = PartitionSignatures(groups, self.distinct_topics, self.signature_of_topic, known_questions)
            partition_input = RuleInput(signatures, signatures.signature_of_group, groups.topic_of_group, self.names)
            groups_having = self._having(groups.topic_of_group, others)
            combinations = product([partition_input.take(groups_having), *others], self.cluster_count)
            ask = self.answer_cache(combinations)
            combination_of_group = np.full(len(signatures.signature_of_group), NOT_JUDGED, dtype=np.int32)
            combination_of_group[groups_having] = np.arange(len(groups_having))
            topic_signatures = TopicSignatures(
                groups,
                np.append(combinations.signature_of_combination, NOT_JUDGED)[combination_of_group],
                self.cluster_of_topic,
            )
            verdicts_by_rule = [
                self._collect_verdicts(
                    rule,
                    PartitionVerdicts(signatures, combinations, combination_of_group, self.outcomes, topic_signatures),
                    ask,
                )
                for rule in rules
            ]
            if signatures.complete():
                return verdicts_by_rule
            known_questions |= signatures.wanted

    def _having(self, topics: Codes, others: Sequence[RuleInput]) -> Codes:
        """The topics whose cluster has all other inputs of a rule; indices into `topics`."""
        complete = np.ones(self.cluster_count, dtype=bool)
        for rule_input in others:
            complete &= np.isin(np.arange(self.cluster_count), rule_input.cluster_of_combination)
        return np.flatnonzero(complete[self.cluster_of_topic[topics]])

    def _collect_verdicts(self, rule: Rule, verdicts: PartitionVerdicts, ask: Ask) -> PartitionVerdicts:
        combinations = verdicts.combinations
        if combinations.size:
            evaluated = self.rules.walker.evaluate(
                rule, None, combinations.all_signatures, ask, combinations.configs_of
            )
            for verdict, affected in evaluated:
                verdicts.add_verdict(verdict, affected)
        return verdicts

    def _report_unread(self, rule: Rule, others: Sequence[RuleInput]) -> None:
        unread_topics = self.unread[self._having(self.unread, others)]
        for same_context in split_by_code(
            unread_topics,
            self.distinct_topics.context[self.signature_of_topic]
            if len(self.signature_of_topic)
            else self.signature_of_topic,
        ):
            cluster = int(self.cluster_of_topic[same_context[0]])
            other_configs = tuple(self._first_config(rule_input, cluster) for rule_input in others)
            report_unread(rule, self.topic_input.take(same_context), other_configs, self.outcomes)

    def _first_config(self, rule_input: RuleInput, cluster: int) -> Config:
        position = int(np.flatnonzero(rule_input.cluster_of_combination == cluster)[0])
        return rule_input.columns.config(int(rule_input.row_of_combination[position]))


def first_of_each_cluster(rule_input: RuleInput) -> RuleInput:
    """The first subject of each cluster."""
    _, first_of_cluster = np.unique(rule_input.cluster_of_combination, return_index=True)
    return rule_input.take(first_of_cluster)
