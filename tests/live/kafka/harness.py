"""A real Kafka for tests: `with Cluster.kraft(tmp_path) as cluster: …`."""

from __future__ import annotations

from tests.live.kafka.cluster import Cluster
from tests.live.kafka.jars import NoKafka, needs_kafka, why_not
from tests.live.kafka.node import Node, NodeDied
from tests.live.kafka.wire import NOBODY, Partition, Silent

__all__ = ["NOBODY", "Cluster", "NoKafka", "Node", "NodeDied", "Partition", "Silent", "needs_kafka", "why_not"]
