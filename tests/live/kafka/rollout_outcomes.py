"""What clients have seen of a rollout: what was acknowledged and is there, what stalled, whom a fresh one cannot write to."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from confluent_kafka import KafkaException, Producer

from tests.live.kafka.client import ONE_BY_ONE, QUICK, noting
from tests.live.kafka.rollout_clusters import RolloutCluster
from tests.live.kafka.rollout_traffic import Traffic
from tests.live.kafka.wire import Partition, Silent


def clients_saw(cluster: RolloutCluster, traffic: Traffic, begun: float, ended: float) -> dict[str, Any]:
    """What the clients that ran all the time have seen, and whether what was acknowledged is there."""
    return {
        "acked": len(traffic.acked),
        "refused": [[round(row.at - begun, 1), row.partition, row.error] for row in traffic.refused],
        "pending": traffic.pending,
        "stalls": {str(number): round(stall, 1) for number, stall in traffic.stalls(begun, ended).items()},
        "consumed": traffic.consumed,
        "lost": lost(cluster, traffic),
        "offsets_kept": traffic.offsets_kept(),
    }


def lost(cluster: RolloutCluster, traffic: Traffic) -> int | None:
    """How many acknowledged records are gone; None where not everything can be read.

    Below min.insync.replicas the high watermark stays where it is (KIP-966): what the leader's log has above it is kept.
    """
    missing = 0
    for number in traffic.partitions:
        acked = {row.value for row in traffic.acked if row.partition == number}
        try:
            unread = acked - set(cluster.consume(traffic.topic, number, 8))
            missing += len(unread - in_log(cluster, traffic.topic, number)) if unread else 0
        except (TimeoutError, RuntimeError, KafkaException):
            return None
    return missing


def in_log(cluster: RolloutCluster, topic: str, partition: int) -> set[str]:
    """The values that the log of a partition's leader holds, as far as they are those of the producer."""
    seen: dict[int, Partition] = {}
    for node in cluster.live():
        with contextlib.suppress(Silent):
            seen = seen or cluster.seen_by(node, topic)
    leader = cluster.nodes.get(seen[partition].leader) if partition in seen else None
    roots = str(leader.config["log.dirs"]).split(",") if leader else ()
    segments = (file for root in roots for file in (Path(root) / f"{topic}-{partition}").glob("*.log"))
    return {value.decode() for file in segments for value in re.findall(rb"w\d+", file.read_bytes())}


def probe(settings: Mapping[str, object], topic: str, partitions: int) -> list[str]:
    """The partitions to which a fresh client cannot write with acks=all within some seconds."""
    patience = {"message.timeout.ms": 5000, "request.timeout.ms": 4000, "acks": "all", "retries": 3}
    producer = Producer({**settings, **QUICK, **ONE_BY_ONE, **patience})
    outcomes: list[int | str] = ["_UNKNOWN"] * partitions
    for number in range(partitions):
        producer.produce(topic, b"probe", partition=number, on_delivery=noting(outcomes, number))
    producer.flush(12)
    return [str(number) for number, outcome in enumerate(outcomes) if not isinstance(outcome, int)]
