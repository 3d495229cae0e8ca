"""Rules on partitions: the worst outcome among a topic's partitions is the topic's."""

from __future__ import annotations

import numpy as np

from advisor.config import Config
from advisor.engine.subjects.live import unread_partitions
from advisor.engine.verdicts import Crash, RuleVerdict, call_rule
from advisor.model.finding import FAIL, NOT_APPLICABLE, PASS, UNKNOWN
from advisor.rule import Rule
from advisor.rule.subject import Question
from spark_audit.arrays import Codes, Ids
from spark_audit.arrays.codes import split_by_code
from spark_audit.arrays.lists import positions_of
from spark_audit.engine.columns.evidence_keys import EVERYTHING
from spark_audit.engine.combinations import Combinations, RuleInput
from spark_audit.engine.outcomes import Outcomes
from spark_audit.engine.partitions.partition_columns import PARTITIONS_SHOWN
from spark_audit.engine.partitions.partition_signatures import PartitionSignatures
from spark_audit.engine.partitions.topic_signatures import TopicSignatures
from spark_audit.engine.tree_walk import CRASHED

NOT_JUDGED = -1
RANK_OF_OUTCOME = {CRASHED: 0, NOT_APPLICABLE: 1, PASS: 2, UNKNOWN: 3, FAIL: 4}


class PartitionVerdicts:
    """A rule's verdicts on partition signatures, and from them one outcome per topic signature.

    `combination_of_group` is NOT_JUDGED for groups whose cluster lacks another input of the rule.
    """

    def __init__(
        self,
        partition_signatures: PartitionSignatures,
        combinations: Combinations,
        combination_of_group: Ids,
        outcomes: Outcomes,
        topic_signatures: TopicSignatures,
    ) -> None:
        self.combination_of_group = combination_of_group
        self.partition_signatures = partition_signatures
        self.combinations = combinations
        self.outcomes = outcomes
        self.topic_signatures = topic_signatures
        signatures = len(combinations.first_of_signature)
        self.rank_of_signature = np.zeros(signatures + 1, dtype=np.int8)
        self.rank_of_signature[NOT_JUDGED] = NOT_JUDGED
        self.step_of_signature = np.zeros(signatures, dtype=np.int64)
        self.verdict_of_signature = np.zeros(signatures, dtype=np.int64)
        self.verdicts: list[RuleVerdict] = []

    def add_verdict(self, verdict: RuleVerdict, signatures: Codes) -> None:
        """Add a verdict that holds for some signatures."""
        self.partition_signatures.note(
            [EVERYTHING] if verdict.outcome == CRASHED else self._questions_of_partition(verdict)
        )
        self.rank_of_signature[signatures] = RANK_OF_OUTCOME[verdict.outcome]
        self.verdict_of_signature[signatures] = len(self.verdicts)
        self.step_of_signature[signatures] = verdict.problem.step if verdict.problem else 0
        self.verdicts.append(verdict)

    def _questions_of_partition(self, verdict: RuleVerdict) -> list[Question]:
        return [question for index, question in self.outcomes.questions_of(verdict) if index == 0]

    def report(self, rule: Rule) -> None:
        """Report each topic's worst outcome; of several failures the worst one, then the first, gives the message."""
        topic_signatures = self.topic_signatures
        if not self.combinations.size:
            return
        rank_of_member = self.rank_of_signature[topic_signatures.signature_of_member]
        worst_rank = np.maximum.reduceat(rank_of_member, topic_signatures.first_member)
        passed, not_applicable = (
            topic_signatures.by_cluster.count(np.flatnonzero(worst_rank == RANK_OF_OUTCOME[outcome]))
            for outcome in (PASS, NOT_APPLICABLE)
        )
        self.outcomes.add_counts(PASS, passed)
        self.outcomes.add_passed(rule.id, passed)
        self.outcomes.add_counts(NOT_APPLICABLE, not_applicable)
        self._report_crashes(rule)
        self._report_worst(
            rule,
            np.flatnonzero(
                (worst_rank >= RANK_OF_OUTCOME[UNKNOWN])[topic_signatures.owner_of_member]
                & (rank_of_member == worst_rank[topic_signatures.owner_of_member])
            ),
        )

    def _report_crashes(self, rule: Rule) -> None:
        for index, verdict in enumerate(self.verdicts):
            if verdict.outcome == CRASHED:
                rule_input = self.combinations.rule_inputs[0]
                self.outcomes.crash(
                    rule,
                    verdict.reason,
                    rule_input.take(
                        self.combinations.combinations_of(np.flatnonzero(self.verdict_of_signature == index))
                    ),
                )

    def _report_worst(self, rule: Rule, rows: Codes) -> None:
        """Report failures and unknowns; `rows` are the members of topic signatures that have the worst outcome."""
        if not len(rows):
            return
        signature_of_member = self.topic_signatures.signature_of_member
        topic_signature_of_row = self.topic_signatures.owner_of_member[rows]
        first_row = np.flatnonzero(np.diff(topic_signature_of_row, prepend=-1))
        rows_per_topic_signature = np.diff(first_row, append=len(rows))
        chosen = rows[np.lexsort((rows, -self.step_of_signature[signature_of_member[rows]], topic_signature_of_row))][
            first_row
        ]
        verdict_of_chosen = self.verdict_of_signature[signature_of_member[chosen]]
        for same_verdict in split_by_code(np.arange(len(chosen)), verdict_of_chosen):
            verdict = self.verdicts[int(verdict_of_chosen[same_verdict[0]])]
            for same_fields in self.outcomes.split_verdict(
                verdict, signature_of_member[chosen[same_verdict]], self.combinations
            ):
                chosen_indices = same_verdict[same_fields]
                member_rows = rows[positions_of(first_row[chosen_indices], rows_per_topic_signature[chosen_indices])]
                self._report_block(
                    rule, verdict, chosen[chosen_indices], member_rows, rows_per_topic_signature[chosen_indices]
                )

    def _report_block(
        self, rule: Rule, verdict: RuleVerdict, chosen: Codes, members: Codes, members_per_signature: Codes
    ) -> None:
        """Report equal fields for all topics of some topic signatures.

        `chosen` is the member of each that gives the message; `members` are all that are as bad, and
        `members_per_signature` says how many of each.
        """
        topic_signatures = self.topic_signatures
        signature_of_chosen = topic_signatures.owner_of_member[chosen]
        first_group_of_topic, chosen_of_topic = topic_signatures.groups_of(signature_of_chosen)
        combination_rows = self.combination_of_group[
            first_group_of_topic + (chosen - topic_signatures.first_member[signature_of_chosen])[chosen_of_topic]
        ].astype(np.int64)
        first_signature = topic_signatures.signature_of_member[chosen[:1]]
        block = self.outcomes.report(rule, None, verdict, first_signature, self.combinations, combination_rows)
        if verdict.outcome == FAIL:
            member_offsets = members - np.repeat(
                topic_signatures.first_member[signature_of_chosen], members_per_signature
            )
            members_per_topic = members_per_signature[chosen_of_topic]
            groups_of_topics = member_offsets[
                positions_of(
                    (np.cumsum(members_per_signature) - members_per_signature)[chosen_of_topic], members_per_topic
                )
            ] + np.repeat(first_group_of_topic, members_per_topic)
            block.partitions_per_row, block.ids, block.ids_per_row = self._partitions_of_rows(
                groups_of_topics, members_per_topic
            )

    def _partitions_of_rows(self, groups: Codes, groups_per_topic: Codes) -> tuple[Codes, Codes, Codes]:
        """Per topic how many partitions its groups have, and the first PARTITIONS_SHOWN of them."""
        all_groups = self.partition_signatures.groups
        ids, ids_per_group = all_groups.ids_of(groups)
        if len(groups) == len(groups_per_topic):
            return all_groups.partitions_per_group[groups], ids, ids_per_group
        partitions_per_topic = np.add.reduceat(
            all_groups.partitions_per_group[groups], np.cumsum(groups_per_topic) - groups_per_topic
        )
        topic_of_id = np.repeat(np.repeat(np.arange(len(groups_per_topic)), groups_per_topic), ids_per_group)
        order = np.lexsort((ids, topic_of_id))
        ids, topic_of_id = ids[order], topic_of_id[order]
        ids_per_topic = np.bincount(topic_of_id, minlength=len(groups_per_topic))
        first_id = np.cumsum(ids_per_topic) - ids_per_topic
        shown_per_topic = np.minimum(ids_per_topic, PARTITIONS_SHOWN)
        return partitions_per_topic, ids[positions_of(first_id, shown_per_topic)], shown_per_topic


def report_unread(rule: Rule, topics: RuleInput, others: tuple[Config, ...] | None, outcomes: Outcomes) -> None:
    """Report topics whose partitions could not be read, as the ordinary engine does; all for the same reason."""
    partition = Config(unread_partitions(topics.columns.config(int(topics.row_of_combination[0])).entity))  # type: ignore[arg-type]
    try:
        verdict = call_rule(rule, (partition, *(others or ())), None, [])
    except Crash as crash:
        outcomes.crash(rule, str(crash), topics)
        return
    if verdict.outcome == UNKNOWN:
        outcomes.unknown(rule, verdict.reason, None, topics.names, topics.subject_of_combination)
    else:
        outcomes.count_each(verdict.outcome, topics.cluster_of_combination)
        if verdict.outcome == PASS:
            outcomes.add_passed(rule.id, np.bincount(topics.cluster_of_combination))
