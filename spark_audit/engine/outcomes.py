"""The outcomes of rules over a batch: findings and unknowns as blocks of rows that share their fields, and counts."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from advisor.config.subject_group import INNER
from advisor.engine.policy import Policy
from advisor.engine.report import crash_finding, finding_of, reason_of
from advisor.engine.verdicts import RuleVerdict
from advisor.model.finding import FAIL, NOT_APPLICABLE, OFF, PASS, UNKNOWN, EntityName, Evidence, Finding
from advisor.rule import Rule
from advisor.rule.subject import Question
from spark_audit.arrays import Codes
from spark_audit.engine.combinations import Combinations, RuleInput, SubjectNames
from spark_audit.engine.tree_walk import CRASHED, TreeWalker

SharedFields = dict[str, Any]


class RowBlock:
    """Rows of findings or unknowns that share their fields; `others` are the other subjects a finding speaks of.

    `ids` are the first partitions of each row, `ids_per_row` of them each; `partitions_per_row` counts all of them.
    """

    __slots__ = ("fields", "ids", "ids_per_row", "names", "others", "partitions_per_row", "subjects")

    def __init__(
        self,
        fields: SharedFields,
        names: SubjectNames,
        subjects: Codes,
        others: Sequence[tuple[SubjectNames, Codes]] = (),
    ) -> None:
        self.fields = fields
        self.names = names
        self.subjects = subjects
        self.others = others
        self.partitions_per_row: Codes | None = None
        self.ids: Codes | None = None
        self.ids_per_row: Codes | None = None


class Outcomes:
    """All outcomes of a batch; counts are per cluster, by its index."""

    def __init__(self, clusters: Sequence[str], policy: Policy, walker: TreeWalker) -> None:
        self.walker = walker
        self.clusters = clusters
        self.policy = policy
        self.findings: list[RowBlock] = []
        self.unknowns: list[RowBlock] = []
        self.passed = np.zeros(len(clusters), dtype=np.int64)
        self.passed_by_rule: dict[str, Codes] = {}
        self.rules_with_items: set[str] = set()
        """Rules that may fail several times for one subject."""
        self.not_applicable = np.zeros(len(clusters), dtype=np.int64)
        self.crashed: set[tuple[str, int]] = set()
        self._reported_subjects: dict[tuple[str, str, int], set[int]] = {}

    def add_verdict(
        self, rule: Rule, item: object, verdict: RuleVerdict, signatures: Codes, combinations: Combinations
    ) -> None:
        """Add a verdict that holds for some signatures of combinations."""
        is_off = verdict.outcome == FAIL and self.policy.severity(rule, None) == OFF
        if is_off or verdict.outcome in (PASS, NOT_APPLICABLE):
            outcome = NOT_APPLICABLE if is_off else verdict.outcome
            self.add_counts(outcome, combinations.by_cluster.count(signatures))
        elif verdict.outcome == CRASHED:
            self.crash(rule, verdict.reason, combinations.rule_inputs[0].take(combinations.combinations_of(signatures)))
        else:
            for chunk in self.split_verdict(verdict, signatures, combinations):
                self.report(rule, item, verdict, signatures[chunk], combinations)

    def count_each(self, outcome: str, cluster_of_outcome: Codes) -> None:
        """Count outcomes that need no fields, given the cluster of each."""
        self.add_counts(outcome, np.bincount(cluster_of_outcome))

    def add_counts(self, outcome: str, outcomes_per_cluster: Codes) -> None:
        """Add the number of passed or not applicable outcomes per cluster."""
        totals = self.passed if outcome == PASS else self.not_applicable
        totals[: len(outcomes_per_cluster)] += outcomes_per_cluster

    def add_passed(self, rule: str, subjects_per_cluster: Codes) -> None:
        """Add the number of subjects per cluster that passed a rule whatever the item."""
        if rule not in self.passed_by_rule:
            self.passed_by_rule[rule] = np.zeros(len(self.clusters), dtype=np.int64)
        self.passed_by_rule[rule][: len(subjects_per_cluster)] += subjects_per_cluster

    def split_verdict(self, verdict: RuleVerdict, signatures: Codes, combinations: Combinations) -> Iterator[Codes]:
        """Split the signatures that a verdict holds for by their fields; indices into `signatures`."""
        if verdict.outcome == FAIL:
            return combinations.split_by_evidence(signatures, [*verdict.questions, *questions_of_places(verdict)])
        return combinations.split_by_answers(signatures, self.questions_of(verdict))

    def questions_of(self, verdict: RuleVerdict) -> list[tuple[int, Question]]:
        """The questions a verdict depends on; a key that it points at counts as asked."""
        return self.walker.resolve_facts([*verdict.questions, *questions_of_places(verdict)])

    def report(
        self,
        rule: Rule,
        item: object,
        verdict: RuleVerdict,
        signatures: Codes,
        combinations: Combinations,
        combination_rows: Codes | None = None,
    ) -> RowBlock:
        """Report a failure or an unknown, with equal fields for all of these signatures."""
        configs = combinations.configs_of(int(signatures[0]))
        combination_rows = combinations.combinations_of(signatures) if combination_rows is None else combination_rows
        if verdict.outcome == UNKNOWN:
            key = item if isinstance(item, str) else None
            rule_input, *other_inputs = combinations.rule_inputs
            if item is not None and key is None:
                combination_rows = self._not_yet_reported(
                    rule, reason_of(verdict, configs), rule_input, combination_rows
                )
            block = self.unknown(
                rule,
                reason_of(verdict, configs),
                key,
                rule_input.names,
                rule_input.subject_of_combination[combination_rows],
            )
            block.others = [(other.names, other.subject_of_combination[combination_rows]) for other in other_inputs]
            return block
        subject_index = verdict.places[0].input
        finding = finding_of(rule, verdict, configs, self.policy)
        rule_input = combinations.rule_inputs[subject_index]
        others = [
            (other.names, other.subject_of_combination[combination_rows])
            for other in combinations.rule_inputs
            if other is not rule_input
        ]
        inputs = {config.name for config in configs}
        block = RowBlock(
            finding_fields(finding, rule, inputs),
            rule_input.names,
            rule_input.subject_of_combination[combination_rows],
            others,
        )
        self.findings.append(block)
        return block

    def _not_yet_reported(self, rule: Rule, reason: str, rule_input: RuleInput, combination_rows: Codes) -> Codes:
        """Drop subjects of which the same was reported: items that are no keys look the same in reports."""
        reported = self._reported_subjects.setdefault((rule.id, reason, id(rule_input.names)), set())
        not_yet: Codes = combination_rows[
            [subject not in reported for subject in rule_input.subject_of_combination[combination_rows].tolist()]
        ]
        reported.update(rule_input.subject_of_combination[not_yet].tolist())
        return not_yet

    def unknown(self, rule: Rule, reason: str, key: str | None, names: SubjectNames, subjects: Codes) -> RowBlock:
        """Add subjects that the rule could not judge, with the reason."""
        fields = {"rule": rule.id, "name": rule.name, "family": rule.family, "key": key, "reason": reason}
        block = RowBlock(fields, names, subjects)
        self.unknowns.append(block)
        return block

    def crash(self, rule: Rule, error: str, rule_input: RuleInput) -> None:
        """Add one finding per cluster for a rule that raised."""
        cluster_of_combination = rule_input.cluster_of_combination
        clusters, first_of_cluster = np.unique(cluster_of_combination, return_index=True)
        not_yet = [
            combination
            for cluster, combination in zip(clusters.tolist(), first_of_cluster.tolist(), strict=True)
            if (rule.id, cluster) not in self.crashed
        ]
        self.crashed |= {(rule.id, cluster) for cluster in clusters.tolist()}
        if not_yet:
            self.findings.append(
                RowBlock(
                    finding_fields(crash_finding(rule, error), rule, ()),
                    rule_input.names,
                    rule_input.subject_of_combination[not_yet],
                )
            )


def questions_of_places(verdict: RuleVerdict) -> list[tuple[int, Question]]:
    """The keys that a verdict points at, as questions."""
    return [(place.input, ("text", place.key)) for place in verdict.places]


def finding_fields(finding: Finding, rule: Rule, inputs: Container[EntityName]) -> SharedFields:
    """The fields that all rows of a finding share."""
    inner = INNER if rule.inputs[0] == "partition" else ()
    evidence = [_evidence(row, finding, inputs) for row in finding.evidence if ("live", row.key) not in inner]
    return {
        "rule": finding.rule,
        "name": finding.name,
        "family": rule.family,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "refused": finding.refused,
        "message": finding.message,
        "key": finding.key,
        "value": finding.value,
        "required": finding.required,
        "line": finding.line,
        "evidence": json.dumps(evidence, ensure_ascii=False),
        "proof": json.dumps(finding.proof, ensure_ascii=False) if finding.proof else None,
    }


def _evidence(line: Evidence, finding: Finding, inputs: Container[EntityName]) -> Mapping[str, object]:
    """One line of evidence; it names no subject that the finding names: `with` does."""
    fields: dict[str, object] = {"key": line.key, "value": line.value, "source": line.source}
    if line.line is not None:
        fields["line"] = line.line
    if line.entity != finding.entity:
        name = {} if line.entity in inputs else {"name": line.entity[1]}
        fields["entity"] = {"kind": line.entity[0], **name}
    return fields
