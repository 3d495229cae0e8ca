"""Produce, consume and create topics with confluent-kafka, one record to a batch, nothing retried."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic, OffsetSpec

from tests.live.kafka.node import until

Settings = Mapping[str, object]
ONE_BY_ONE: Settings = {
    "enable.idempotence": False,
    "retries": 0,
    "linger.ms": 0,
    "batch.num.messages": 1,
    "max.in.flight": 1,
    "topic.metadata.refresh.interval.ms": 500,
}
QUICK: Settings = {"reconnect.backoff.ms": 50, "reconnect.backoff.max.ms": 500, "log_level": 0}
UNKNOWN_OFFSET = -1


def produce(
    settings: Settings, topic: str, partition: int, values: Sequence[str], acks: str, timeout: float
) -> list[int | str]:
    """What came of each record: its offset (-1 with acks=0), or the name of the error."""
    patience = {"message.timeout.ms": int(timeout * 1000), "request.timeout.ms": int(timeout * 800), "acks": acks}
    producer = Producer({**settings, **QUICK, **ONE_BY_ONE, **patience})
    outcomes: list[int | str] = ["_UNKNOWN"] * len(values)
    for number, value in enumerate(values):
        producer.produce(topic, value.encode(), partition=partition, on_delivery=noting(outcomes, number))
    producer.flush(timeout * 2 + 5)
    return outcomes


def noting(outcomes: list[int | str], number: int) -> Callable[[KafkaError | None, Message], None]:
    """A delivery report that writes down what came of one record."""

    def note(error: KafkaError | None, message: Message) -> None:
        offset = message.offset()
        outcomes[number] = error.name() if error else UNKNOWN_OFFSET if offset is None else max(offset, UNKNOWN_OFFSET)

    return note


def consume(settings: Settings, topic: str, partition: int, timeout: float) -> list[str]:
    """All that can be read, from the first record to the high watermark. Raises TimeoutError: nobody serves it."""
    options = {"group.id": "reader", "enable.auto.commit": False, "enable.partition.eof": True}
    more = {"isolation.level": "read_uncommitted", "auto.offset.reset": "earliest", "fetch.wait.max.ms": 100}
    consumer = Consumer({**settings, **QUICK, **options, **more})
    try:
        consumer.assign([TopicPartition(topic, partition, 0)])
        return read(consumer, timeout)
    finally:
        consumer.close()


def read(consumer: Consumer, timeout: float) -> list[str]:
    """The values up to the end of the partition."""
    values: list[str] = []
    deadline = time.monotonic() + timeout
    while (left := deadline - time.monotonic()) > 0:
        message = consumer.poll(left)
        if message is None:
            continue
        error = message.error()
        if error is None:
            values.append(message.value().decode())
        elif error.code() == KafkaError._PARTITION_EOF:
            return values
    raise TimeoutError(f"no end of the partition within {timeout:g} s; read so far: {values}")


def create(admin: AdminClient, topic: NewTopic, timeout: float) -> None:
    """Create a topic and wait until the leader of each partition answers: metadata alone proves nothing."""
    admin.create_topics([topic])[topic.topic].result(timeout)
    count = len(topic.replica_assignment or []) or topic.num_partitions
    wanted = {TopicPartition(topic.topic, p): OffsetSpec.latest() for p in range(count)}
    until(lambda: all_answer(admin, wanted), lambda: f"the leaders of {topic.topic} answer", timeout)


def all_answer(admin: AdminClient, wanted: Mapping[TopicPartition, OffsetSpec]) -> bool:
    """Whether each partition's leader says where its log ends."""
    try:
        return all(
            future.result(5).offset >= 0 for future in admin.list_offsets(dict(wanted), request_timeout=4).values()
        )
    except KafkaException:
        return False
