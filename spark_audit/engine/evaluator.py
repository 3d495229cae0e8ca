"""Evaluate rules on combinations of subjects: what topics and all other subjects have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from advisor.engine import names_of
from advisor.model.finding import FAIL, PASS
from advisor.rule import Rule
from advisor.rule.subject import Question
from spark_audit.arrays import Codes, Column, Mask
from spark_audit.engine.columns.cluster_subjects import ClusterSubjects
from spark_audit.engine.columns.clusters import Clusters
from spark_audit.engine.combinations import Combinations, Items, RuleInput, SubjectNames
from spark_audit.engine.compiled_rules import CompiledRules
from spark_audit.engine.outcomes import Outcomes
from spark_audit.engine.row_groups import Ask, RowGroup
from spark_audit.engine.tree_walk import Columns, UnknownItems

Inputs = tuple[str, ...]

TOPIC_KINDS = ("topic", "partition")
CLUSTER_INPUTS = ("cluster", "running_cluster")


class Evaluator:
    """Evaluate rules on some clusters: their subjects by the inputs of rules, and the outcomes.

    `has_input` says of each input which clusters have subjects for it.
    """

    def __init__(self, rules: CompiledRules, clusters: Clusters) -> None:
        self.rules = rules
        self.clusters = clusters
        self.subjects = ClusterSubjects(clusters)
        self.cluster_count = len(clusters.names)
        self.outcomes = Outcomes(clusters.names, rules.policy, rules.walker)
        self.has_input: dict[str, Mask] = {}
        self._inputs_by_name: dict[str, list[RuleInput]] = {}

    def note_inputs(self, names: Iterable[str], clusters: Codes) -> None:
        """Note that these clusters have subjects for some inputs."""
        for name in names:
            self.has_input.setdefault(name, np.zeros(self.cluster_count, dtype=bool))[clusters] = True

    def inputs(self, name: str) -> list[RuleInput]:
        """The subjects that rules know by the name of an input."""
        if name not in self._inputs_by_name:
            self._inputs_by_name[name] = [
                rule_input for rule_input in self.subjects_of(name) if len(rule_input.row_of_combination)
            ]
        return self._inputs_by_name[name]

    def subjects_of(self, name: str) -> Iterator[RuleInput]:
        """All subjects with the name of an input, by their columns; some may be empty."""
        if name in CLUSTER_INPUTS:
            clusters = self.subjects.as_subjects
            yield self._all_rows(
                clusters,
                SubjectNames(
                    clusters.cluster_of_row, ["cluster"] * clusters.rows, self._display_names(clusters.cluster_of_row)
                ),
            )
        else:
            yield from self._nodes_and_clients(name)

    def _nodes_and_clients(self, name: str) -> Iterator[RuleInput]:
        brokers, clients = self.subjects.brokers, self.subjects.clients
        ids = [str(id) for id in brokers.ids]
        yield _select(brokers, SubjectNames(brokers.cluster_of_row, brokers.kinds, ids), name)
        yield _select(clients, SubjectNames(clients.cluster_of_row, clients.kinds, clients.names, clients.files), name)

    def _display_names(self, clusters: Codes) -> list[str]:
        return [self.clusters.contexts[cluster].cluster for cluster in clusters.tolist()]

    def _all_rows(self, columns: Columns, names: SubjectNames) -> RuleInput:
        rows = np.arange(columns.rows)
        return RuleInput(columns, rows, rows, names)

    def answer_cache(self, combinations: Combinations) -> Ask:
        """A function that gives the answers of all signatures of combinations, each question answered once."""
        cache: dict[tuple[int, Question], Column] = {}

        def ask(index: int, question: Question) -> Column:
            if (index, question) not in cache:
                codes, answers = self.rules.walker.value(combinations.rule_inputs[index].columns, question)
                rows = combinations.row_of_signature(index)
                cache[index, question] = (codes[rows] if len(codes) else codes), answers
            return cache[index, question]

        return ask

    def evaluate(self, rules: Iterable[Rule], combinations: Combinations) -> None:
        """Evaluate some rules on all signatures of combinations."""
        ask = self.answer_cache(combinations)
        for rule in rules:
            passed, failed = (np.zeros(len(combinations.first_of_signature), dtype=bool) for _ in range(2))
            for item, signatures in self.items(rule, combinations):
                for verdict, affected in self.rules.walker.evaluate(
                    rule, item, signatures, ask, combinations.configs_of
                ):
                    self.outcomes.add_verdict(rule, item, verdict, affected, combinations)
                    passed[affected] |= verdict.outcome == PASS
                    failed[affected] |= verdict.outcome == FAIL
            self.outcomes.add_passed(rule.id, combinations.by_cluster.count(np.flatnonzero(passed & ~failed)))
            if rule.each is not None:
                self.outcomes.rules_with_items.add(rule.id)

    def items(self, rule: Rule, combinations: Combinations) -> Iterator[tuple[object, RowGroup]]:
        """The items of a rule's `each=`, each with the signatures that have it."""
        if rule.each is None:
            yield None, combinations.all_signatures
        elif isinstance(rule.each, tuple):
            for item in rule.each:
                yield item, combinations.all_signatures
        else:
            yield from self._items_by_subject(rule, combinations)

    def _items_by_subject(self, rule: Rule, combinations: Combinations) -> Iterator[tuple[object, RowGroup]]:
        if rule.each not in combinations.items:
            combinations.items[rule.each] = self._collect_items(rule, combinations)
        items_found, unknown = combinations.items[rule.each]
        for items, signatures in unknown:
            self._report_unknown(rule, items, signatures, combinations)
        yield from items_found

    def _collect_items(self, rule: Rule, combinations: Combinations) -> Items:
        """The items, which rules may share, and why there are none, each with its signatures."""
        rule_input, row_of_signature = combinations.rule_inputs[0], combinations.row_of_signature(0)
        codes, items_by_code = self.rules.walker.items(rule, rule_input.columns, np.unique(row_of_signature))
        signatures_of_item: dict[object, list[Codes]] = {}
        unknown = []
        for code, items in enumerate(items_by_code):
            signatures = np.flatnonzero(codes[row_of_signature] == code)
            if isinstance(items, UnknownItems):
                unknown.append((items, signatures))
            else:
                for item in items or ():  # type: ignore[attr-defined]
                    signatures_of_item.setdefault(item, []).append(signatures)
        return [
            (item, RowGroup(np.sort(np.concatenate(chunks)))) for item, chunks in signatures_of_item.items()
        ], unknown

    def _report_unknown(self, rule: Rule, items: UnknownItems, signatures: Codes, combinations: Combinations) -> None:
        rule_input = combinations.rule_inputs[0]
        if items.crashed and len(signatures):
            self.outcomes.crash(rule, items.reason, rule_input.take(combinations.combinations_of(signatures)))
            return
        questions = [] if items.question is None else [(0, items.question)]
        for chunk in combinations.split_by_answers(signatures, self.rules.walker.resolve_facts(questions)):
            answer = (
                combinations.configs_of(int(signatures[chunk[0]]))[0].answer(items.question) if items.question else None
            )
            affected = combinations.combinations_of(signatures[chunk])
            self.outcomes.unknown(
                rule,
                getattr(answer, "reason", items.reason),
                None,
                rule_input.names,
                rule_input.subject_of_combination[affected],
            )


def _select(columns: Columns, names: SubjectNames, name: str) -> RuleInput:
    """The rows that rules know by the name of an input."""
    fits = {kind: name in names_of(kind) for kind in set(names.kinds)}
    rows = np.flatnonzero([fits[kind] for kind in names.kinds])
    return RuleInput(columns, rows, rows, names)


def choices(inputs: Sequence[Sequence[RuleInput]]) -> Iterator[list[RuleInput]]:
    """All choices of one RuleInput per input."""
    if not inputs:
        yield []
        return
    for head in inputs[0]:
        for tail in choices(inputs[1:]):
            yield [head, *tail]
