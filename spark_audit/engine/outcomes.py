"""What rules said of a batch: findings and unknowns as blocks that share their words, and the counts of all outcomes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from advisor.config.subject_group import INNER
from advisor.engine.report import crashed, finding_of, reason_of
from advisor.model.finding import FAIL, NOT_APPLICABLE, PASS, UNKNOWN
from spark_audit.engine.tree_walk import CRASHED

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence
    from typing import Any

    from advisor.engine.policy import Policy
    from advisor.engine.verdicts import Verdict
    from advisor.model.finding import EntityName, Evidence, Finding
    from advisor.rule import Rule
    from advisor.rule.subject import Question
    from spark_audit.arrays import Codes
    from spark_audit.engine.combinations import Combinations, Names, Seat
    from spark_audit.engine.tree_walk import TreeWalker

    Words = dict[str, Any]


class Block:
    """Rows that share their words; `others` are the seats that a finding speaks of beside its subject.

    `ids` are the first partitions of each row, `shown` of them each, of `counts` in all.
    """

    __slots__ = ("counts", "ids", "names", "others", "shown", "subjects", "words")

    def __init__(self, words: Words, names: Names, subjects: Codes, others: Sequence[tuple[Names, Codes]] = ()) -> None:
        self.words = words
        self.names = names
        self.subjects = subjects
        self.others = others
        self.counts: Codes | None = None
        self.ids: Codes | None = None
        self.shown: Codes | None = None


class Outcomes:
    """All that came of a batch; the counts are by the clusters' places."""

    def __init__(self, clusters: Sequence[str], policy: Policy, walker: TreeWalker) -> None:
        self.walker = walker
        self.clusters = clusters
        self.policy = policy
        self.findings: list[Block] = []
        self.unknowns: list[Block] = []
        self.passed = np.zeros(len(clusters), dtype=np.int64)
        self.not_applicable = np.zeros(len(clusters), dtype=np.int64)
        self.crashed: set[tuple[str, int]] = set()
        self._told: dict[tuple[str, str, int], set[int]] = {}

    def take(self, rule: Rule, item: object, verdict: Verdict, kinds: Codes, combinations: Combinations) -> None:
        """A verdict that holds for some kinds of combinations."""
        if verdict.outcome in (PASS, NOT_APPLICABLE):
            self.add(verdict.outcome, combinations.by_cluster.numbers(kinds))
        elif verdict.outcome == CRASHED:
            self.crash(rule, verdict.reason, combinations.seats[0].take(combinations.all_of(kinds)))
        else:
            for part in self.parts(verdict, kinds, combinations):
                self.tell(rule, item, verdict, kinds[part], combinations)

    def count(self, outcome: str, cluster: Codes) -> None:
        """Note outcomes that need no words, each with its cluster."""
        self.add(outcome, np.bincount(cluster))

    def add(self, outcome: str, numbers: Codes) -> None:
        """Note how many such outcomes the clusters have."""
        counts = self.passed if outcome == PASS else self.not_applicable
        counts[: len(numbers)] += numbers

    def parts(self, verdict: Verdict, kinds: Codes, combinations: Combinations) -> Iterator[Codes]:
        """The kinds that a verdict holds for in parts that share their words, as places among them."""
        if verdict.outcome == FAIL:
            return combinations.showing(kinds, [*verdict.questions, *places_of(verdict)])
        return combinations.resting(kinds, self.asked(verdict))

    def asked(self, verdict: Verdict) -> list[tuple[int, Question]]:
        """What a verdict rests on; where it points at a key, that counts as asked."""
        return self.walker.rests_on([*verdict.questions, *places_of(verdict)])

    def tell(
        self,
        rule: Rule,
        item: object,
        verdict: Verdict,
        kinds: Codes,
        combinations: Combinations,
        rows: Codes | None = None,
    ) -> Block:
        """A failure or an unknown that these kinds of combinations share, words and all."""
        configs = combinations.inputs(int(kinds[0]))
        rows = combinations.all_of(kinds) if rows is None else rows
        if verdict.outcome == UNKNOWN:
            key = item if isinstance(item, str) else None
            seat, *rest = combinations.seats
            if item is not None and key is None:
                rows = self._fresh(rule, reason_of(verdict, configs), seat, rows)
            block = self.unknown(rule, reason_of(verdict, configs), key, seat.names, seat.subject[rows])
            block.others = [(each.names, each.subject[rows]) for each in rest]
            return block
        first = verdict.places[0].input
        finding = finding_of(rule, verdict, configs, self.policy)
        seat = combinations.seats[first]
        others = [(each.names, each.subject[rows]) for each in combinations.seats if each is not seat]
        inputs = {config.name for config in configs}
        block = Block(words_of(finding, rule, inputs), seat.names, seat.subject[rows], others)
        self.findings.append(block)
        return block

    def _fresh(self, rule: Rule, reason: str, seat: Seat, rows: Codes) -> Codes:
        """The rows of subjects of which the same is not yet said: items that are no keys are not told apart."""
        told = self._told.setdefault((rule.id, reason, id(seat.names)), set())
        fresh: Codes = rows[[subject not in told for subject in seat.subject[rows].tolist()]]
        told.update(seat.subject[fresh].tolist())
        return fresh

    def unknown(self, rule: Rule, reason: str, key: str | None, names: Names, subjects: Codes) -> Block:
        """Subjects that the rule could not judge, and why."""
        words = {"rule": rule.id, "name": rule.name, "family": rule.family, "key": key, "reason": reason}
        block = Block(words, names, subjects)
        self.unknowns.append(block)
        return block

    def crash(self, rule: Rule, error: str, seat: Seat) -> None:
        """A rule that raised is one finding of its own for each cluster."""
        cluster = seat.names.cluster[seat.subject]
        places, first = np.unique(cluster, return_index=True)
        fresh = [
            at
            for place, at in zip(places.tolist(), first.tolist(), strict=True)
            if (rule.id, place) not in self.crashed
        ]
        self.crashed |= {(rule.id, place) for place in places.tolist()}
        if fresh:
            self.findings.append(Block(words_of(crashed(rule, error), rule, ()), seat.names, seat.subject[fresh]))


def places_of(verdict: Verdict) -> list[tuple[int, Question]]:
    """The keys that a verdict points at, as questions."""
    return [(place.input, ("text", place.key)) for place in verdict.places]


def words_of(finding: Finding, rule: Rule, inputs: Container[EntityName]) -> Words:
    """What all subjects of one verdict, and of equal settings, have in common."""
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


def _evidence(row: Evidence, finding: Finding, inputs: Container[EntityName]) -> Mapping[str, object]:
    """One line of evidence; the subject's own names nobody, that of another input only the kind: `with` says which."""
    found: dict[str, object] = {"key": row.key, "value": row.value, "source": row.source}
    if row.line is not None:
        found["line"] = row.line
    if row.entity != finding.entity:
        name = {} if row.entity in inputs else {"name": row.entity[1]}
        found["entity"] = {"kind": row.entity[0], **name}
    return found
