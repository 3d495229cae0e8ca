"""The rules on a batch of topics of several clusters, as columns; everything else of a cluster through the ordinary judge.

Nothing here knows Spark: it takes record batches and gives rows of findings.
"""

from __future__ import annotations

import json

import numpy as np

from advisor.config import Config
from advisor.crowd import INNER
from advisor.engine import Crash, call, finding_of, inputs_of, reason_of
from advisor.finding import FAIL, NOT_APPLICABLE, PASS, UNKNOWN
from advisor.pictures import Pictures
from advisor.population import unseen
from spark_audit.columns import Context, TopicColumns, numbered
from spark_audit.partitions import PartitionColumns
from spark_audit.walk import Walker, fact_column, judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    import pyarrow as pa

    from advisor.asking import Question
    from advisor.engine import Verdict
    from advisor.finding import Finding
    from advisor.model import Snapshot
    from advisor.policy import Policy
    from advisor.rule import Rule
    from spark_audit.columns import Codes, Column

    Row = dict[str, Any]

FIRST = 5
RANKS = {FAIL: 3, UNKNOWN: 2, PASS: 1, NOT_APPLICABLE: 0}


class Cluster:
    """What the topics' rules need of their cluster: its context, its pictures, its own answers."""

    def __init__(self, name: str, snapshot: Snapshot, defaults: Sequence[Mapping[str, str | None]]) -> None:
        assert snapshot.live is not None
        self.name = name
        self.snapshot = snapshot
        self.config = inputs_of(snapshot)["cluster"][0]
        self.context = Context(snapshot.live.name, snapshot.entities[0].target, defaults)
        self.pictures = Pictures(snapshot.live)


class Engine:
    """The rules of a run, with the trees that grow while it goes on."""

    def __init__(self, rules: Sequence[Rule], policy: Policy) -> None:
        chosen = [rule for rule in rules if policy.selects(rule)]
        self.policy = policy
        self.topic_rules = [rule for rule in chosen if rule.inputs in (("topic",), ("config",), ("topic", "cluster"))]
        self.partition_rules = [rule for rule in chosen if rule.inputs[0] == "partition"]
        self.walker = Walker()

    def batch(self, batch: pa.RecordBatch, clusters: Mapping[str, Cluster]) -> Batch:
        """Judge the topics of a batch."""
        return Batch(self, batch, clusters)


class Batch:
    """One batch: its columns, and the rows that came of it."""

    def __init__(self, engine: Engine, batch: pa.RecordBatch, clusters: Mapping[str, Cluster]) -> None:
        self.engine = engine
        self.names = [str(name) for name in batch.column("cluster").unique().to_pylist()]
        self.clusters = [clusters[name] for name in self.names]
        contexts = {name: cluster.context for name, cluster in zip(self.names, self.clusters, strict=True)}
        self.topics = TopicColumns(batch, contexts, self.names)
        pictures = {number: cluster.pictures for number, cluster in enumerate(self.clusters)}
        self.partitions = PartitionColumns(self.topics, pictures)
        self.findings: list[Row] = []
        self.unknown: list[Row] = []
        self.passed = self.not_applicable = 0
        self._of_clusters: dict[Question, Column] = {}
        for rule in engine.topic_rules:
            self._guard(rule, self._topic_rule)
        for rule in engine.partition_rules:
            self._guard(rule, self._partition_rule)

    def _guard(self, rule: Rule, run: Callable[[Rule], None]) -> None:
        try:
            run(rule)
        except Crash as crash:
            self.findings.append({"rule": "KA000", "message": f"rule {rule.id} {rule.name} crashed: {crash}"})

    # ------------------------------------------------------------------ questions

    def of_topics(self, question: Question) -> Column:
        """A topic's column."""
        return self.topics.column(question, self._walked_topics)

    def _walked_topics(self, question: Question) -> Column:
        return fact_column(
            self.engine.walker, question, self.topics.rows, lambda _, q: self.of_topics(q), self.topics.config
        )

    def of_partitions(self, question: Question) -> Column:
        """A partition row's column."""
        return self.partitions.column(question, self.of_topics, self._walked_partitions)

    def _walked_partitions(self, question: Question) -> Column:
        return fact_column(
            self.engine.walker,
            question,
            self.partitions.rows,
            lambda _, q: self.of_partitions(q),
            self.partitions.config,
        )

    def of_clusters(self, question: Question, cluster: Codes) -> Column:
        """The cluster's answer, for every row."""
        if question not in self._of_clusters:
            numbers, answers = numbered([each.config.answer(question) for each in self.clusters])
            self._of_clusters[question] = np.array(numbers, dtype=np.int64), answers
        codes, answers = self._of_clusters[question]
        return codes[cluster], answers

    # ------------------------------------------------------------------ topics

    def _topic_rule(self, rule: Rule) -> None:
        def ask(index: int, question: Question) -> Column:
            return self.of_clusters(question, self.topics.cluster) if index else self.of_topics(question)

        def inputs(row: int) -> tuple[Config, ...]:
            own = self.topics.config(row)
            return (own,) if len(rule.inputs) == 1 else (own, self.clusters[self.topics.cluster[row]].config)

        for item, rows in self._items(rule):
            for verdict, here in judged(self.engine.walker, rule, item, rows, ask, inputs):
                self._tell_topics(rule, verdict, item, here, inputs)

    def _items(self, rule: Rule) -> Iterator[tuple[object, Codes]]:
        everyone = np.arange(self.topics.rows)
        if rule.each is None:
            yield None, everyone
        elif isinstance(rule.each, tuple):
            for item in rule.each:
                yield item, everyone
        else:
            yield from self._own_items(rule, everyone)

    def _own_items(self, rule: Rule, everyone: Codes) -> Iterator[tuple[object, Codes]]:
        """What `each=` gives differs from topic to topic: rows with equal settings have equal items."""
        from advisor.answers import Unknown
        from advisor.asking import Facts
        from advisor.rule import NotApplicable

        _, first, inverse = np.unique(self.topics.everything(), return_index=True, return_inverse=True)
        rows_of: dict[object, list[int]] = {}
        for group, row in enumerate(first):
            config = self.topics.config(int(row))
            try:
                items = rule.each(Facts(0, config, []))  # type: ignore[operator,misc]
            except NotApplicable:
                continue
            except Unknown as unknown:
                self._unknown(rule, everyone[inverse == group], str(unknown), None)
                continue
            for item in items:
                rows_of.setdefault(item, []).append(group)
        for item, groups in rows_of.items():
            yield item, everyone[np.isin(inverse, groups)]

    def _tell_topics(
        self, rule: Rule, verdict: Verdict, item: object, rows: Codes, inputs: Callable[[int], tuple[Config, ...]]
    ) -> None:
        if verdict.outcome == PASS:
            self.passed += len(rows)
        elif verdict.outcome == NOT_APPLICABLE:
            self.not_applicable += len(rows)
        else:
            for part in parted(rows, self.topics.rests_on(own_questions(verdict))):
                configs = inputs(int(part[0]))
                if verdict.outcome == UNKNOWN:
                    key = item if isinstance(item, str) else None
                    self._unknown(rule, part, reason_of(verdict, configs), key)
                else:
                    self._found(finding_of(rule, verdict, configs, self.engine.policy), part)

    def _unknown(self, rule: Rule, rows: Codes, reason: str, key: str | None) -> None:
        for row in rows:
            self.unknown.append(
                {**self._subject(int(row)), "rule": rule.id, "name": rule.name, "reason": reason, "key": key}
            )

    def _subject(self, topic: int) -> Row:
        return {
            "cluster": self.names[self.topics.cluster[topic]],
            "kind": "topic",
            "subject": self.topics.names[topic].as_py(),
        }

    def _found(self, finding: Finding, rows: Codes, partitions: Sequence[tuple[int, list[int]]] = ()) -> None:
        shared = shared_row(finding)
        for number, row in enumerate(rows):
            count, first = partitions[number] if partitions else (0, [])
            self.findings.append({**self._subject(int(row)), **shared, "partitions": count, "first_partitions": first})

    # ------------------------------------------------------------------ partitions

    def _partition_rule(self, rule: Rule) -> None:
        cluster = self.topics.cluster[self.partitions.topic] if self.partitions.rows else np.zeros(0, np.int64)

        def ask(index: int, question: Question) -> Column:
            return self.of_clusters(question, cluster) if index else self.of_partitions(question)

        def inputs(row: int) -> tuple[Config, ...]:
            own = self.partitions.config(row)
            return (own,) if len(rule.inputs) == 1 else (own, self.clusters[int(cluster[row])].config)

        rank = np.zeros(self.partitions.rows, dtype=np.int64)
        step = np.zeros(self.partitions.rows, dtype=np.int64)
        leaf = np.zeros(self.partitions.rows, dtype=np.int64)
        verdicts: list[Verdict] = []
        for verdict, here in judged(self.engine.walker, rule, None, np.arange(self.partitions.rows), ask, inputs):
            rank[here], leaf[here] = RANKS[verdict.outcome], len(verdicts)
            step[here] = verdict.problem.step if verdict.problem else 0
            verdicts.append(verdict)
        if self.partitions.rows:
            self._settle(rule, rank, step, leaf, verdicts, inputs)
        self._unseen(rule)

    def _unseen(self, rule: Rule) -> None:
        """Topics whose partitions could not be read: as the judge has it, nobody can tell."""
        for part in parted(np.flatnonzero(self.topics.counts < 0), self.topics.context):
            row = int(part[0])
            own = Config(unseen(self.topics.topic(row)))
            configs = (own,) if len(rule.inputs) == 1 else (own, self.clusters[int(self.topics.cluster[row])].config)
            verdict = call(rule, configs, None, [])
            if verdict.outcome == UNKNOWN:
                self._unknown(rule, part, verdict.reason, None)
            else:
                self.not_applicable += len(part)

    def _settle(
        self,
        rule: Rule,
        rank: Codes,
        step: Codes,
        leaf: Codes,
        verdicts: list[Verdict],
        inputs: Callable[[int], tuple[Config, ...]],
    ) -> None:
        """Each topic has the worst outcome of its partitions; of several failures the worst, then the first, is told."""
        topic = self.partitions.topic
        worst = np.zeros(self.topics.rows, dtype=np.int64) - 1
        np.maximum.at(worst, topic, rank)
        self.passed += int((worst == RANKS[PASS]).sum())
        self.not_applicable += int((worst == RANKS[NOT_APPLICABLE]).sum())
        decides = (rank == worst[topic]) & (rank >= RANKS[UNKNOWN])
        rows = np.flatnonzero(decides)
        order = rows[np.lexsort((self.partitions.first[rows], -step[rows], topic[rows]))]
        starts = np.flatnonzero(np.diff(topic[order], prepend=-1))
        ends = [*starts[1:], len(order)] if len(order) else []
        chosen = order[starts]
        members = {int(order[start]): order[start:end] for start, end in zip(starts, ends, strict=True)}
        for told in parted(chosen, leaf):
            verdict = verdicts[int(leaf[told[0]])]
            for part in parted(told, self.partitions.rests_on(own_questions(verdict))):
                configs = inputs(int(part[0]))
                if verdict.outcome == UNKNOWN:
                    self._unknown(rule, topic[part], reason_of(verdict, configs), None)
                    continue
                held = [self._partitions_of(members[int(row)]) for row in part]
                self._found(finding_of(rule, verdict, configs, self.engine.policy), topic[part], held)

    def _partitions_of(self, rows: Codes) -> tuple[int, list[int]]:
        ids = sorted(id for row in rows for id in self.partitions.ids_of(int(row)))
        return len(ids), ids[:FIRST]


def own_questions(verdict: Verdict) -> list[Question]:
    """What a verdict asked of its topic or partition; where it points at a key, that counts as asked."""
    asked = [question for index, question in verdict.questions if index == 0]
    return asked + [("text", place.key) for place in verdict.places if place.input == 0]


def parted(rows: Codes, groups: Codes) -> Iterator[Codes]:
    """The rows in parts that agree in their group."""
    if not len(rows):
        return
    order = rows[np.argsort(groups[rows], kind="stable")]
    yield from np.split(order, np.flatnonzero(np.diff(groups[order])) + 1)


def shared_row(finding: Finding) -> Row:
    """What all subjects of one verdict, and of equal settings, have in common."""
    evidence = [
        {"kind": row.entity[0], "key": row.key, "value": row.value, "source": row.source}
        for row in finding.evidence
        if ("live", row.key) not in INNER
    ]
    return {
        "rule": finding.rule,
        "name": finding.name,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "refused": finding.refused,
        "message": finding.message,
        "key": finding.key,
        "value": finding.value,
        "required": finding.required,
        "evidence": json.dumps(evidence, ensure_ascii=False),
        "proof": json.dumps(finding.proof, ensure_ascii=False) if finding.proof else None,
    }
