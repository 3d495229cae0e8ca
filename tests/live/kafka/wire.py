"""Ask one broker, and no other, what it knows: each has metadata of its own."""

from __future__ import annotations

import logging
import socket
from collections.abc import Mapping
from typing import Any, NamedTuple

from kafka import KafkaAdminClient
from kafka.errors import KafkaError
from kafka.protocol.admin import DescribeAclsRequest, DescribeTopicPartitionsRequest
from kafka.protocol.metadata import MetadataRequest

NOBODY = -1
WAIT_MS = 3000

logging.getLogger("kafka").setLevel(logging.CRITICAL)


class Silent(RuntimeError):
    """The broker did not answer, or not as that broker."""


class Partition(NamedTuple):
    """What one broker knows of a partition. No leader is -1; `elr` is None where that Kafka has none."""

    leader: int
    replicas: list[int]
    isr: list[int]
    elr: list[int] | None
    epoch: int = -1


def ask(node_id: int, settings: Mapping[str, object], request: Any) -> Any:
    """The answer of that broker to one request; `settings` are kafka-python's. Raises Silent."""
    patience = {"bootstrap_timeout_ms": WAIT_MS, "request_timeout_ms": WAIT_MS}
    try:
        connect(str(settings["bootstrap_servers"]))
        client = KafkaAdminClient(**settings, **patience)
    except (KafkaError, OSError, ValueError) as failure:
        raise Silent(f"broker {node_id}: {failure!r}") from None
    try:
        return client._manager.run(client._manager.send, request, node_id)
    except (KafkaError, OSError, ValueError) as failure:
        raise Silent(f"broker {node_id}: {failure!r}") from None
    finally:
        client.close()


def connect(address: str) -> None:
    """Connect and hang up: kafka-python leaves sockets open that were refused. Raises OSError."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host, int(port)), WAIT_MS / 1000).close()


def known_brokers(node_id: int, settings: Mapping[str, object]) -> set[int]:
    """The live brokers that a broker knows of. Raises Silent."""
    return {broker.node_id for broker in ask(node_id, settings, MetadataRequest(topics=[])).brokers}


def partitions(node_id: int, settings: Mapping[str, object], topic: str, elr: bool) -> dict[int, Partition]:
    """The partitions of a topic as a broker knows them; empty where it does not know the topic. Raises Silent."""
    return with_elr(node_id, settings, topic) if elr else without_elr(node_id, settings, topic)


def with_elr(node_id: int, settings: Mapping[str, object], topic: str) -> dict[int, Partition]:
    """By DescribeTopicPartitions."""
    name = DescribeTopicPartitionsRequest.TopicRequest(name=topic)
    request = DescribeTopicPartitionsRequest(topics=[name], response_partition_limit=2000, cursor=None)
    found = {}
    for answer in ask(node_id, settings, request).topics:
        for p in answer.partitions:
            elr = list(p.eligible_leader_replicas or [])
            state = Partition(p.leader_id, list(p.replica_nodes), list(p.isr_nodes), elr, p.leader_epoch)
            found[p.partition_index] = state
    return found


def without_elr(node_id: int, settings: Mapping[str, object], topic: str) -> dict[int, Partition]:
    """By Metadata."""
    request = MetadataRequest(
        topics=[MetadataRequest.MetadataRequestTopic(name=topic)], allow_auto_topic_creation=False
    )
    found = {}
    for answer in ask(node_id, settings, request).topics:
        for p in answer.partitions:
            state = Partition(p.leader_id, list(p.replica_nodes), list(p.isr_nodes), None, p.leader_epoch)
            found[p.partition_index] = state
    return found


def rights(node_id: int, settings: Mapping[str, object], principal: str) -> int:
    """How many rights of a principal a broker knows of. Raises Silent."""
    request = DescribeAclsRequest(
        resource_type_filter=1,
        resource_name_filter=None,
        pattern_type_filter=1,
        principal_filter=principal,
        host_filter=None,
        operation=1,
        permission_type=1,
    )
    return sum(len(resource.acls) for resource in ask(node_id, settings, request).resources)
