"""A real Kafka for tests: `with Cluster.kraft(tmp_path) as cluster: …`.

Who imports it is skipped where the clients are not installed, unless this is CI (environment variable CI).
"""

from __future__ import annotations

import os

import pytest

if not os.environ.get("CI"):
    pytest.importorskip("confluent_kafka")
    pytest.importorskip("kafka", minversion="3.0")

from tests.kafka.cluster import Cluster
from tests.kafka.jars import NoKafka, needs_kafka, why_not
from tests.kafka.node import Node, NodeDied
from tests.kafka.wire import NOBODY, Partition, Silent

__all__ = ["NOBODY", "Cluster", "NoKafka", "Node", "NodeDied", "Partition", "Silent", "needs_kafka", "why_not"]
