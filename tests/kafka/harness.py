"""A real Kafka for tests: `with Cluster.kraft(tmp_path) as cluster: …`."""

from __future__ import annotations

from tests.kafka.cluster import Cluster
from tests.kafka.jars import NoKafka, needs_kafka, why_not
from tests.kafka.node import Node, NodeDied
from tests.kafka.wire import NOBODY, Partition, Silent

__all__ = ["NOBODY", "Cluster", "NoKafka", "Node", "NodeDied", "Partition", "Silent", "needs_kafka", "why_not"]
