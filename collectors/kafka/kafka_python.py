"""Read what only kafka-python can: quorum, features, log directories, ELR, reassignments, synonyms."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from advisor.model.cluster import FENCED, LogDir, Node, Partition, Quorum, QuorumMember
from collectors.kafka.deadline import Deadline, Unread

if TYPE_CHECKING:
    from collectors.client.target import Connection

    T = TypeVar("T")

Sizes = dict[str, dict[tuple[int, int], int]]
"""By topic: the bytes of each replica's log, by partition and broker."""
PAGE = 2000
"""Partitions that one answer may hold; brokers allow no more (max.request.partition.size.limit)."""
SOURCES = {
    "DYNAMIC_TOPIC_CONFIG": "DYNAMIC_TOPIC",
    "DYNAMIC_BROKER_CONFIG": "DYNAMIC_BROKER",
    "DYNAMIC_DEFAULT_BROKER_CONFIG": "DYNAMIC_DEFAULT_BROKER",
    "STATIC_BROKER_CONFIG": "STATIC_BROKER",
    "DEFAULT_CONFIG": "DEFAULT",
}
RIGHTS = {
    "registrations": "DESCRIBE on the cluster",
    "partitions": "DESCRIBE on topic *",
    "levels of settings": "DESCRIBE_CONFIGS on the cluster",
    "quorum": "DESCRIBE on the cluster",
    "log dirs": "DESCRIBE on the cluster",
    "reassignments": "DESCRIBE on the cluster",
}


class KafkaPython:
    """A cluster through kafka-python's admin client."""

    def __init__(self, connection: Connection, deadline: Deadline) -> None:
        if connection.unsupported:
            raise Unread(connection.unsupported)
        from kafka import KafkaAdminClient
        from kafka.errors import KafkaError

        logging.getLogger("kafka").setLevel(logging.CRITICAL + 1)
        self.deadline = deadline
        milliseconds = int(deadline.left() * 1000)
        settings = {**connection.kafka_python, "request_timeout_ms": milliseconds, "bootstrap_timeout_ms": milliseconds}
        try:
            self.admin = KafkaAdminClient(**settings)
        except (KafkaError, OSError, ValueError) as error:
            raise Unread(f"kafka-python cannot connect: {one_line(error)}") from None

    def close(self) -> None:
        """Close the connections."""
        self.admin.close()

    def ask(self, what: str, call: Callable[[], T]) -> T:
        """Send one request. Raises Unread with the reason."""
        from kafka.errors import KafkaError, UnsupportedVersionError

        self.deadline.left()
        try:
            return call()
        except UnsupportedVersionError:
            raise Unread(f"{what}: the brokers' release cannot say") from None
        except (KafkaError, OSError) as error:
            denied = "Authorization" in type(error).__name__ and what in RIGHTS
            needs = f"; this principal needs {RIGHTS[what]}" if denied else ""
            raise Unread(f"{what}: {one_line(error)}{needs}") from None

    def fenced(self) -> tuple[Node, ...]:
        """The registered brokers that are fenced. Source: KIP-1073, Kafka 4.0 or newer."""
        answer = self.ask("registrations", self.admin.describe_cluster)
        return tuple(
            Node(row["broker_id"], row["host"], row["port"], row["rack"], FENCED)
            for row in answer["brokers"]
            if row.get("is_fenced")
        )

    def quorum(self) -> Quorum:
        """Voters and observers of the metadata quorum."""
        answer = self.ask("quorum", self.admin.describe_metadata_quorum)
        for topic in answer["topics"]:
            for partition in topic["partitions"]:
                return quorum_of(partition)
        raise Unread("quorum: the answer is empty")

    def features(self) -> tuple[dict[str, int], dict[str, int]]:
        """The finalized level of each feature, and the highest that the answering broker supports."""
        answer = self.ask("features", self.admin.describe_features)
        finalized = {name: levels["finalized"][1] for name, levels in answer.items() if levels.get("finalized")}
        return finalized, {name: levels["supported"][1] for name, levels in answer.items() if levels.get("supported")}

    def log_dirs(self) -> tuple[dict[int, tuple[LogDir, ...]], Sizes]:
        """Each broker's log directories, and the bytes of each replica that lies in them."""
        answer = self.ask("log dirs", self.admin.describe_log_dirs)
        dirs: dict[int, tuple[LogDir, ...]] = {}
        sizes: Sizes = {}
        for broker in answer:
            if broker.get("error_code"):
                raise Unread(f"log dirs: {error_name(broker['error_code'])}; this principal needs {RIGHTS['log dirs']}")
            dirs[broker["broker"]] = tuple(log_dir_of(row) for row in broker["log_dirs"])
            for row in broker["log_dirs"]:
                add_sizes(sizes, broker["broker"], row["topics"])
        if not any(dirs.values()):
            raise Unread(f"log dirs: the answer is empty; this principal needs {RIGHTS['log dirs']}")
        return dirs, sizes

    def reassignments(self) -> tuple[tuple[str, int], ...]:
        """The partitions under reassignment."""
        answer = self.ask("reassignments", self.admin.list_partition_reassignments)
        return tuple(sorted((partition.topic, partition.partition) for partition in answer))

    def partitions(self) -> dict[str, tuple[Partition, ...]]:
        """Every partition with its eligible leader replicas and offline ones. Source: KIP-966, Kafka 3.8 or newer."""
        rows_by_topic: dict[str, list[Partition]] = {}
        cursor: Mapping[str, Any] | None = None
        while True:
            answer = self.ask("partitions", partial(self.admin.describe_topic_partitions, [], PAGE, cursor))
            for topic in answer["topics"]:
                if not topic["error_code"]:
                    rows = rows_by_topic.setdefault(topic["name"], [])
                    rows += [partition_of(row) for row in topic["partitions"]]
            before, cursor = cursor, answer["next_cursor"]
            if not cursor:
                return {name: tuple(rows) for name, rows in rows_by_topic.items()}
            if before and place(cursor) <= place(before):
                raise Unread("partitions: the pages of the answer go round in circles")

    def chains(
        self, ids: Iterable[int], keys: Sequence[str]
    ) -> dict[int, dict[str, tuple[tuple[str, str | None], ...]]]:
        """What each broker's effective values stand above: (source, value) of every level, the effective one first.

        confluent-kafka keeps synonyms by name, which loses levels of one name.
        """
        from kafka.admin import ConfigResource, ConfigResourceType

        chains: dict[int, dict[str, tuple[tuple[str, str | None], ...]]] = {}
        for id in ids:
            resources = [ConfigResource(ConfigResourceType.BROKER, str(id), dict.fromkeys(keys))]
            describe = partial(self.admin.describe_configs, resources, include_synonyms=True, config_filter="all")
            answer = self.ask("levels of settings", describe)
            rows = answer.get("broker", {}).get(str(id), {})
            chains[id] = {
                key: tuple((SOURCES.get(level["source"], level["source"]), level["value"]) for level in row["synonyms"])
                for key, row in rows.items()
                if not row["is_sensitive"]
            }
        return chains


def quorum_of(partition: Mapping[str, Any]) -> Quorum:
    """The quorum of a DescribeQuorum answer: lag in records, silence in ms since the last fetch."""
    newest = max((row["log_end_offset"] for row in partition["current_voters"]), default=0)
    now = max((row["last_fetch_timestamp"] for row in partition["current_voters"]), default=-1)

    def member(row: Mapping[str, Any], voter: bool) -> QuorumMember:
        heard, end = row["last_caught_up_timestamp"], row["log_end_offset"]
        silent = max(0, now - heard) if heard >= 0 and now >= 0 else None
        return QuorumMember(row["replica_id"], voter, newest - end if end >= 0 else None, silent)

    members = [member(row, True) for row in partition["current_voters"]]
    members += [member(row, False) for row in partition["observers"]]
    return Quorum(partition["leader_id"], partition["leader_epoch"], members)


def place(cursor: Mapping[str, Any]) -> tuple[str, int]:
    """Where a page of partitions begins; brokers sort by topic and partition."""
    return cursor["topic_name"], cursor["partition_index"]


def partition_of(row: Mapping[str, Any]) -> Partition:
    """A partition of a DescribeTopicPartitions answer."""
    return Partition(
        row["partition_index"],
        row["leader_id"],
        tuple(row["replica_nodes"]),
        tuple(row["isr_nodes"]),
        tuple(row["eligible_leader_replicas"] or ()),
        tuple(row["last_known_elr"] or ()),
        tuple(row["offline_replicas"] or ()),
    )


def add_sizes(sizes: Sizes, broker: int, topics: Iterable[Mapping[str, Any]]) -> None:
    """Add the replicas of a log directory; one that is only being moved there does not count."""
    for topic in topics:
        of_topic = sizes.setdefault(text(topic["name"]), {})
        for partition in topic["partitions"]:
            if not partition["is_future_key"]:
                of_topic[partition["partition_index"], broker] = partition["partition_size"]


def log_dir_of(row: Mapping[str, Any]) -> LogDir:
    """A log directory of a DescribeLogDirs answer."""
    total, free = row.get("total_bytes", -1), row.get("usable_bytes", -1)
    return LogDir(
        text(row["log_dir"]),
        error_name(row["error_code"]) if row["error_code"] else None,
        total if total is not None and total >= 0 else None,
        free if free is not None and free >= 0 else None,
        sum(len(topic["partitions"]) for topic in row["topics"]),
    )


def text(value: object) -> str:
    """A text that an answer must have. Raises ValueError where it is null."""
    if not isinstance(value, str):
        raise ValueError("a name is null")
    return value


def error_name(code: int) -> str:
    """A protocol error's name."""
    from kafka.errors import for_code

    name: str = for_code(code).__name__
    return name


def one_line(error: BaseException) -> str:
    """An exception in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' + text if text and text != type(error).__name__ else ''}"[:300]
