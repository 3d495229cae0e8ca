"""Partitions as columns: each is one of few pictures of replicas, so that millions of them are some thousand questions."""

from __future__ import annotations

import numpy as np

from advisor.config import Config
from advisor.live import Partition
from spark_audit.columns import combined, hashed, numbered, summed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping
    from typing import Any

    from advisor.asking import Question
    from advisor.pictures import Pictures
    from spark_audit.columns import Codes, Column, TopicColumns

LISTS = ("replicas", "isr", "elr", "offline")
"""What a picture is made of, beside the leader."""


class PartitionColumns:
    """The partitions of a batch of topics; a row is a topic with those of its partitions that look alike.

    `topic` is each row's topic, `first` its lowest partition, `count` how many they are.
    """

    def __init__(self, topics: TopicColumns, pictures: Mapping[int, Pictures]) -> None:
        self.topics = topics
        self._lists = topics.batch.column("partitions")
        self._flat = self._lists.flatten()
        counts = np.maximum(topics.counts, 0)
        owner = np.repeat(np.arange(topics.rows), counts)
        self.ids = self._flat.field("id").to_numpy(zero_copy_only=False).astype(np.int64)
        self._leaders = self._flat.field("leader").to_numpy(zero_copy_only=False).astype(np.int64)
        self._parts: list[tuple[Codes, Codes, Any]] = []
        picture = self._pictures(owner, pictures)
        together = owner * (int(picture.max(initial=0)) + 1) + picture
        order = np.lexsort((self.ids, together))
        _, starts, self.count = np.unique(together[order], return_index=True, return_counts=True)
        self._order, self._row_starts = order, starts
        self.topic = owner[order[starts]] if len(order) else np.zeros(0, np.int64)
        self.picture = picture[order[starts]] if len(order) else np.zeros(0, np.int64)
        self.first = self.ids[order[starts]] if len(order) else np.zeros(0, np.int64)
        self.rows = len(starts)
        self._columns: dict[Question, Column] = {}

    def _pictures(self, owner: Codes, pictures: Mapping[int, Pictures]) -> Codes:
        """The picture of every partition; equal combinations of brokers in one cluster are drawn once."""
        cluster = self.topics.cluster[owner] if len(owner) else np.zeros(0, np.int64)
        use_codes, uses = numbered(self.topics.uses)
        use = np.array(use_codes or [0], dtype=np.int64)[owner] if len(owner) else np.zeros(0, np.int64)
        mixed = hashed(hashed(cluster * 64 + use) + self._leaders)
        for number, name in enumerate(LISTS):
            mixed = hashed(mixed + hashed(self._digest(name) + number))
        _, first, inverse = np.unique(mixed, return_index=True, return_inverse=True)
        drawn = [pictures[int(cluster[at])].facts(self.partition(int(at)), str(uses[int(use[at])])) for at in first]
        numbers, self.facts = _distinct(drawn)
        found: Codes = np.array(numbers or [0], dtype=np.int64)[inverse]
        return found

    def _digest(self, name: str) -> Codes:
        """64 bits for each list: its brokers in their order, null told apart from empty."""
        lists = self._flat.field(name)
        lengths = lists.value_lengths().fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        sizes = np.maximum(lengths, 0)
        starts = np.concatenate(([0], np.cumsum(sizes)))
        brokers = lists.flatten().to_numpy(zero_copy_only=False).astype(np.int64)
        self._parts.append((brokers, starts, lengths < 0))
        place = np.arange(len(brokers)) - np.repeat(starts[:-1], sizes)
        found: Codes = summed(hashed(brokers * 1024 + place), starts) + lengths
        return found

    def partition(self, at: int) -> Partition:
        """A partition as the model has it."""
        lists = [
            None if nulls[at] else tuple(ids[starts[at] : starts[at + 1]].tolist())
            for ids, starts, nulls in self._parts
        ]
        return Partition(
            int(self.ids[at]), int(self._leaders[at]), lists[0] or (), lists[1] or (), lists[2], None, lists[3]
        )

    def ids_of(self, row: int, most: int | None = None) -> list[int]:
        """The partitions of a row, lowest first."""
        start = int(self._row_starts[row])
        size = int(self.count[row]) if most is None else min(most, int(self.count[row]))
        return [int(id) for id in self.ids[self._order[start : start + size]]]

    def config(self, row: int) -> Config:
        """The row's ordinary Config: its topic's settings and its picture's facts."""
        return Config(self.topics.config(int(self.topic[row])).entity, self.facts[int(self.picture[row])])

    def column(
        self, question: Question, of_topics: Callable[[Question], Column], walked: Callable[[Question], Column]
    ) -> Column:
        """Every row's answer: of its picture where a fact is asked for, else of its topic."""
        if question not in self._columns:
            what, key = question
            if what == "live":
                answers = [Config(NOBODY, facts).answer(question) for facts in self.facts]
                numbers, answers = numbered(answers)
                column = np.array(numbers or [0], dtype=np.int64)[self.picture], answers
            elif isinstance(key, tuple):
                column = walked(question)
            else:
                codes, answers = of_topics(question)
                column = codes[self.topic] if len(codes) else codes, answers
            self._columns[question] = column
        return self._columns[question]

    def rests_on(self, questions: Iterable[Question]) -> Codes:
        """One number per row for everything that answers to these questions rest on."""
        own = [question for question in questions if question[0] != "live"]
        return combined(self.topics.rests_on(own)[self.topic], self.picture)


def _distinct(drawn: list[dict[str, Hashable]]) -> tuple[list[int], list[dict[str, Hashable]]]:
    numbers: dict[Any, int] = {}
    places: list[int] = []
    found: list[dict[str, Hashable]] = []
    for facts in drawn:
        key = tuple(facts.values())
        if key not in numbers:
            numbers[key] = len(found)
            found.append(facts)
        places.append(numbers[key])
    return places, found


def _nobody() -> Any:
    from advisor.catalog import NEWEST
    from advisor.model import Target, Topic

    return Topic("topic", "", None, {}, Target(NEWEST, ""), cluster="")


NOBODY = _nobody()
"""Stands for any topic where only facts are asked for."""
