"""Clusters as rows of settings: their nodes as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from advisor.config.cluster_config import ClusterConfig
from advisor.facts.cluster import Uncounted, cluster_facts
from spark_audit.arrays.codes import combine, distinct, encode
from spark_audit.engine.evidence_keys import EVERYTHING, in_the_end, told
from spark_audit.engine.setting_columns import BY_KEY, OF_CONTEXT, answered

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from advisor.config import Config
    from advisor.rule.subject import Question
    from spark_audit.arrays import Codes, Column, Mask
    from spark_audit.engine.clusters import Clusters
    from spark_audit.engine.evidence_keys import Paths
    from spark_audit.engine.topic_columns import BrokerColumns


class ClusterColumns:
    """Clusters as rows: of its nodes the first that sets a key speaks for all (see advisor.config.cluster_config.ClusterConfig)."""

    def __init__(self, clusters: Clusters, brokers: BrokerColumns) -> None:
        self.clusters = clusters
        self.brokers = brokers
        members = self._readable()
        self.cluster = np.array([place for place, nodes in enumerate(members) if len(nodes)], dtype=np.int64)
        self._members = [members[place] for place in self.cluster.tolist()]
        self.rows = len(self._members)
        self.paths: dict[Question, Paths] = {}
        self._columns: dict[Question, Column] = {}
        self._shown: dict[Question, dict[int, tuple[Hashable, ...]]] = {}
        self._configs: dict[int, Config] = {}
        self._facts: dict[int, Mapping[str, Hashable]] = {}

    def _readable(self) -> list[Codes]:
        """The nodes of each cluster that could be read, else its first; none where it has none."""
        brokers, size = self.brokers, len(self.clusters.names)
        order = np.argsort(brokers.cluster, kind="stable")
        groups = np.split(order, np.searchsorted(brokers.cluster[order], np.arange(1, size))) if size else []
        read = np.array([brokers.missing(row) is None for row in range(brokers.rows)], dtype=bool)
        return [group[read[group]] if read[group].any() else group[:1] for group in groups]

    def config(self, row: int) -> Config:
        """The cluster's ordinary Config."""
        if row not in self._configs:
            nodes = [self.brokers.config(int(node)) for node in self._members[row]]
            name = self.clusters.contexts[self.cluster[row]].cluster
            self._configs[row] = ClusterConfig("cluster", name, nodes, self.facts(row))
        return self._configs[row]

    def facts(self, row: int) -> Mapping[str, Hashable]:
        """What is known of the whole cluster."""
        if row not in self._facts:
            self._facts[row] = self._told(row)
        return self._facts[row]

    def _told(self, row: int) -> Mapping[str, Hashable]:
        clusters, place = self.clusters, int(self.cluster[row])
        if clusters.counts is None:
            return Uncounted(cluster_facts(clusters.live(place), None))
        return cluster_facts(clusters.live(place), clusters.counted(place))

    def column(self, question: Question, walked: Callable[[Question], Column]) -> Column:
        """Every cluster's answer; clusters whose nodes say the same of the key give the same."""
        if question not in self._columns:
            what, key = question
            if what in ("values", "kinds"):
                self._columns[question] = self._asked(question, self._said(str(key)))
            elif what == "live" or isinstance(key, str):
                self._columns[question] = self._spoken(question)
            else:
                self._columns[question] = walked(question)
        return self._columns[question]

    def _said(self, key: str) -> Codes:
        """One number per cluster for what all its nodes say of a key."""
        codes = combine(*self.brokers.rests_on([("text", key)] if key else [("kind", "")])).tolist()
        return np.array(encode([tuple(codes[node] for node in group) for group in self._members])[0], dtype=np.int64)

    def _asked(self, question: Question, groups: Codes) -> Column:
        first, inverse = distinct(groups)
        numbers, answers = encode([self._answer(row, question) for row in first.tolist()])
        return np.array(numbers or [0], dtype=np.int64)[inverse], answers

    def _answer(self, row: int, question: Question) -> Hashable:
        return answered(self.config(row), question)

    def _spoken(self, question: Question) -> Column:
        if question[0] == "live":
            numbers, answers = encode([self._live(row, question) for row in range(self.rows)])
            return np.array(numbers, dtype=np.int64), answers
        return self._asked(question, combine(self._said(str(question[1])), self._whole_context(question)))

    def _live(self, row: int, question: Question) -> Hashable:
        facts = self.facts(row)
        return facts[str(question[1])] if question[1] in facts else self._answer(row, question)

    def _whole_context(self, question: Question) -> Codes:
        """Some questions depend on more than one key; then each cluster stands for itself."""
        alone = question[0] not in BY_KEY and question[0] not in OF_CONTEXT
        return np.arange(self.rows) if alone else np.zeros(self.rows, np.int64)

    def hidden(self) -> Mask:
        """Each node says itself what could not be read."""
        return np.zeros(self.rows, dtype=bool)

    def rests_on(self, questions: Iterable[Question]) -> list[Codes]:
        """Each cluster rests on itself: evidence names its nodes."""
        return [np.arange(self.rows)]

    def shown_by(self, questions: Iterable[Question], rows: Codes) -> list[Codes]:
        """Columns of what evidence of some rows for these questions shows."""
        asked, paths = in_the_end(questions, self.paths)
        return [*(self._shown_by(question, rows) for question in asked), *(column[rows] for column in paths)]

    def _shown_by(self, question: Question, rows: Codes) -> Codes:
        if question == EVERYTHING:
            return rows
        lines = self._shown.setdefault(question, {})
        for row in set(rows.tolist()).difference(lines):
            lines[row] = self._lines(self.config(row), question)
        return np.array(encode([lines[row] for row in rows.tolist()])[0], dtype=np.int64)

    def _lines(self, config: Config, question: Question) -> tuple[Hashable, ...]:
        """Lines of evidence, that of a node with its name."""
        rows = config.evidence(question)
        return tuple((None if row.entity == config.name else row.entity, *told(row)) for row in rows)
