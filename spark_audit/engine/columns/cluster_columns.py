"""Clusters as columns: the nodes of each as one subject."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping

import numpy as np

from advisor.config import Config
from advisor.config.cluster_config import ClusterConfig
from advisor.facts.cluster import FactsWithoutCounts, cluster_facts
from advisor.rule.subject import Question
from spark_audit.arrays import Codes, Column, Mask
from spark_audit.arrays.codes import combine, distinct, encode
from spark_audit.engine.columns.clusters import Clusters
from spark_audit.engine.columns.evidence_keys import EVERYTHING, Paths, line_content, resolve_facts
from spark_audit.engine.columns.setting_columns import BY_CONTEXT, BY_KEY, answer_of
from spark_audit.engine.columns.topic_columns import BrokerColumns


class ClusterColumns:
    """Clusters as columns: of a cluster's nodes the first that sets a key speaks for all (see ClusterConfig)."""

    def __init__(self, clusters: Clusters, brokers: BrokerColumns) -> None:
        self.clusters = clusters
        self.brokers = brokers
        nodes_of_cluster = self._readable_nodes()
        self.cluster_of_row = np.array(
            [cluster for cluster, nodes in enumerate(nodes_of_cluster) if len(nodes)], dtype=np.int64
        )
        self._nodes_of_cluster = [nodes_of_cluster[cluster] for cluster in self.cluster_of_row.tolist()]
        self.rows = len(self._nodes_of_cluster)
        self.paths: dict[Question, Paths] = {}
        self._columns: dict[Question, Column] = {}
        self._evidence_lines: dict[Question, dict[int, tuple[Hashable, ...]]] = {}
        self._configs: dict[int, Config] = {}
        self._facts: dict[int, Mapping[str, Hashable]] = {}

    def _readable_nodes(self) -> list[Codes]:
        """Per cluster its nodes that could be read, else its first; none where it has none."""
        brokers, clusters = self.brokers, len(self.clusters.names)
        order = np.argsort(brokers.cluster_of_row, kind="stable")
        nodes_of_cluster = (
            np.split(order, np.searchsorted(brokers.cluster_of_row[order], np.arange(1, clusters))) if clusters else []
        )
        readable = np.array([brokers.missing(row) is None for row in range(brokers.rows)], dtype=bool)
        return [nodes[readable[nodes]] if readable[nodes].any() else nodes[:1] for nodes in nodes_of_cluster]

    def config(self, row: int) -> Config:
        """The ordinary Config of a cluster."""
        if row not in self._configs:
            nodes = [self.brokers.config(int(node)) for node in self._nodes_of_cluster[row]]
            name = self.clusters.contexts[self.cluster_of_row[row]].cluster
            self._configs[row] = ClusterConfig("cluster", name, nodes, self.facts(row))
        return self._configs[row]

    def facts(self, row: int) -> Mapping[str, Hashable]:
        """The facts of a cluster."""
        if row not in self._facts:
            self._facts[row] = self._cluster_facts(row)
        return self._facts[row]

    def _cluster_facts(self, row: int) -> Mapping[str, Hashable]:
        clusters, cluster = self.clusters, int(self.cluster_of_row[row])
        if clusters.counts is None:
            return FactsWithoutCounts(cluster_facts(clusters.live(cluster), None))
        return cluster_facts(clusters.live(cluster), clusters.counted(cluster))

    def column(self, question: Question, walk_fact: Callable[[Question], Column]) -> Column:
        """The answers of all clusters; those whose nodes say the same of the key share one."""
        if question not in self._columns:
            what, key = question
            if what in ("values", "kinds"):
                self._columns[question] = self._ask_each_signature(question, self._signature_of_key(str(key)))
            elif what == "live" or isinstance(key, str):
                self._columns[question] = self._answers_of(question)
            else:
                self._columns[question] = walk_fact(question)
        return self._columns[question]

    def _signature_of_key(self, key: str) -> Codes:
        """Per cluster the code of what all its nodes say of a key."""
        codes = combine(*self.brokers.signature_columns([("text", key)] if key else [("kind", "")])).tolist()
        return np.array(
            encode([tuple(codes[node] for node in nodes) for nodes in self._nodes_of_cluster])[0], dtype=np.int64
        )

    def _ask_each_signature(self, question: Question, signature_of_row: Codes) -> Column:
        """Ask one cluster of each signature; its answer is that of all that share it."""
        first_row, index_of_row = distinct(signature_of_row)
        codes, answers = encode([self._answer(row, question) for row in first_row.tolist()])
        return np.array(codes or [0], dtype=np.int64)[index_of_row], answers

    def _answer(self, row: int, question: Question) -> Hashable:
        return answer_of(self.config(row), question)

    def _answers_of(self, question: Question) -> Column:
        if question[0] == "live":
            codes, answers = encode([self._live(row, question) for row in range(self.rows)])
            return np.array(codes, dtype=np.int64), answers
        return self._ask_each_signature(
            question, combine(self._signature_of_key(str(question[1])), self._signature_beyond_key(question))
        )

    def _live(self, row: int, question: Question) -> Hashable:
        facts = self.facts(row)
        return facts[str(question[1])] if question[1] in facts else self._answer(row, question)

    def _signature_beyond_key(self, question: Question) -> Codes:
        """0, but for questions that depend on more than one key: there each cluster is a signature of its own."""
        beyond_key = question[0] not in BY_KEY and question[0] not in BY_CONTEXT
        return np.arange(self.rows) if beyond_key else np.zeros(self.rows, np.int64)

    def unreadable(self) -> Mask:
        """No row: each node says itself what could not be read."""
        return np.zeros(self.rows, dtype=bool)

    def signature_columns(self, questions: Iterable[Question]) -> list[Codes]:
        """Each cluster is a signature of its own: evidence names its nodes."""
        return [np.arange(self.rows)]

    def evidence_columns(self, questions: Iterable[Question], rows: Codes) -> list[Codes]:
        """The columns of some rows that tell apart their evidence for these questions."""
        resolved, paths = resolve_facts(questions, self.paths)
        return [*(self._evidence_column(question, rows) for question in resolved), *(column[rows] for column in paths)]

    def _evidence_column(self, question: Question, rows: Codes) -> Codes:
        if question == EVERYTHING:
            return rows
        lines = self._evidence_lines.setdefault(question, {})
        for row in set(rows.tolist()).difference(lines):
            lines[row] = self._lines(self.config(row), question)
        return np.array(encode([lines[row] for row in rows.tolist()])[0], dtype=np.int64)

    def _lines(self, config: Config, question: Question) -> tuple[Hashable, ...]:
        """Lines of evidence; those of a node have its name."""
        lines = config.evidence(question)
        return tuple((None if line.entity == config.name else line.entity, *line_content(line)) for line in lines)
