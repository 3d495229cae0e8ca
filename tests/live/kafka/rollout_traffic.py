"""A patient producer, a consumer and its group, at work all the time while a change is rolled out."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping
from itertools import pairwise
from types import TracebackType
from typing import NamedTuple, Self

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition

from tests.live.kafka.client import QUICK, Settings

PAUSE = 0.15
"""Seconds between two records of a partition."""
GROUP, IDLE = "readers", "idle"
DELIVERY = 90.0
"""Seconds for which the producer tries to deliver a record."""


class Acked(NamedTuple):
    """A record that every in-sync replica has: when that was acknowledged, its partition and its value."""

    at: float
    partition: int
    value: str


class Refused(NamedTuple):
    """A record that was given up: when, its partition, and the name of the error."""

    at: float
    partition: int
    error: str


class Traffic:
    """Clients in threads of their own; `settings` are those of the listener that they use now."""

    def __init__(self, settings: Callable[[], Settings], topic: str, partitions: int) -> None:
        self.settings = settings
        self.topic = topic
        self.partitions = range(partitions)
        self.acked: list[Acked] = []
        self.refused: list[Refused] = []
        self.committed: dict[int, int] = {}
        """The offsets that the group committed last."""
        self.begun = time.monotonic()
        self.pending = 0
        """Records that were neither acknowledged nor given up when it was over."""
        self.consumed = 0
        self._sent = 0
        self._over = threading.Event()
        self._moves = 0
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._produce, self._consume)]

    def __enter__(self) -> Self:
        self._commit_idle()
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(25)

    def move(self) -> None:
        """Let the clients be restarted with the settings that they have now."""
        self._moves += 1

    def stalls(self, since: float, until: float) -> dict[int, float]:
        """The longest time without an acknowledgement, for each partition, in seconds."""
        longest = {}
        for number in self.partitions:
            times = [row.at for row in self.acked if row.partition == number and since <= row.at <= until]
            moments = [since, *times, until]
            longest[number] = max(b - a for a, b in pairwise(moments))
        return longest

    def offsets_kept(self) -> bool | None:
        """Whether both groups have the offsets that they committed; None where no coordinator says so."""
        kept = True
        for group, offsets in ((IDLE, dict.fromkeys(self.partitions, 1)), (GROUP, self.committed)):
            consumer = Consumer({**self.settings(), **QUICK, "group.id": group})
            try:
                present = committed(consumer, self.topic, offsets)
            except KafkaException:
                return None
            finally:
                consumer.close()
            kept &= all(present[number] >= offset for number, offset in offsets.items())
        return kept

    def _commit_idle(self) -> None:
        """Let a group without members have offsets."""
        consumer = Consumer({**self.settings(), **QUICK, "group.id": IDLE, "enable.auto.commit": False})
        offsets = [TopicPartition(self.topic, number, 1) for number in self.partitions]
        deadline = time.monotonic() + 30
        while True:
            try:
                consumer.commit(offsets=offsets, asynchronous=False)
                break
            except KafkaException:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.3)
        consumer.close()

    def _produce(self) -> None:
        moves, producer = self._moves, self._producer()
        while not self._over.is_set():
            if moves != self._moves:
                producer.flush(20)
                moves, producer = self._moves, self._producer()
            for number in self.partitions:
                self._sent += 1
                value = f"w{self._sent}"
                with contextlib.suppress(BufferError, KafkaException):
                    producer.produce(
                        self.topic, value.encode(), partition=number, on_delivery=self._noting(number, value)
                    )
            producer.poll(0)
            self._over.wait(PAUSE)
        self.pending = producer.flush(8)

    def _producer(self) -> Producer:
        patience = {"acks": "all", "message.timeout.ms": int(DELIVERY * 1000), "linger.ms": 0}
        return Producer({**self.settings(), **QUICK, **patience, "topic.metadata.refresh.interval.ms": 2000})

    def _noting(self, number: int, value: str) -> Callable[[KafkaError | None, Message], None]:
        def note(error: KafkaError | None, _: Message) -> None:
            if error is None:
                self.acked.append(Acked(time.monotonic(), number, value))
            else:
                self.refused.append(Refused(time.monotonic(), number, error.name()))

        return note

    def _consume(self) -> None:
        moves, consumer = self._moves, self._consumer()
        due = time.monotonic() + 1
        while not self._over.is_set():
            if moves != self._moves:
                consumer.close()
                moves, consumer = self._moves, self._consumer()
            message = consumer.poll(0.2)
            self.consumed += message is not None and message.error() is None
            if time.monotonic() > due:
                self._commit(consumer)
                due = time.monotonic() + 1
        with contextlib.suppress(KafkaException, RuntimeError):
            consumer.close()

    def _consumer(self) -> Consumer:
        options = {"group.id": GROUP, "enable.auto.commit": False, "auto.offset.reset": "earliest"}
        consumer = Consumer({**self.settings(), **QUICK, **options, "session.timeout.ms": 20_000})
        consumer.subscribe([self.topic])
        return consumer

    def _commit(self, consumer: Consumer) -> None:
        """Commit what was read, and note what the coordinator took."""
        with contextlib.suppress(KafkaException):
            for row in consumer.commit(asynchronous=False) or ():
                if row.error is None and row.offset >= 0:
                    self.committed[row.partition] = row.offset


def committed(consumer: Consumer, topic: str, numbers: Mapping[int, object]) -> dict[int, int]:
    """The committed offsets of a consumer's group; negative where there is none. Raises KafkaException."""
    rows = consumer.committed([TopicPartition(topic, number) for number in numbers], timeout=10)
    for row in rows:
        if row.error is not None:
            raise KafkaException(row.error)
    return {row.partition: row.offset for row in rows}
