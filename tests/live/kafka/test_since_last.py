"""Real clusters that only serve have not changed for `audit --since-last`: one with KRaft and three voters, one with ZooKeeper."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Consumer, KafkaException, TopicPartition

from tests.live.kafka.harness import Cluster, needs_kafka
from tests.support.commands import run
from tests.support.fleets import audit

KRAFT, ZOOKEEPER = "4.3.1", "3.9.2"
SINGLE = {"offsets.topic.replication.factor": "1", "transaction.state.log.replication.factor": "1"}


@pytest.fixture(scope="module")
def clusters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Cluster]]:
    """Two clusters with a topic and a consumer group."""
    needs_kafka(KRAFT, ZOOKEEPER)
    folder = tmp_path_factory.mktemp("clusters")
    with (
        Cluster.kraft(folder / "kraft", brokers=3, version=KRAFT) as kraft,
        Cluster.zookeeper(folder / "zookeeper", brokers=1, version=ZOOKEEPER, config=SINGLE) as zookeeper,
    ):
        for cluster in (kraft, zookeeper):
            cluster.create("orders", 1, 1)
            serve(cluster, 1)
        yield {"kraft": kraft, "zookeeper": zookeeper}


def serve(cluster: Cluster, offset: int) -> None:
    """Take some records, and commit an offset of a group without members, as soon as it has a coordinator."""
    cluster.produce("orders", 0, ["a", "b", "c"])
    consumer = Consumer({**cluster.client_config(), "group.id": "billing"})
    until = time.monotonic() + 60
    while True:
        try:
            consumer.commit(offsets=[TopicPartition("orders", 0, offset)], asynchronous=False)
            break
        except KafkaException:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)
    consumer.close()


def test_clusters_that_only_serve_have_not_changed(clusters: dict[str, Cluster], tmp_path: Path) -> None:
    entries = (f'  - {{name: {name}, bootstrap_servers: ["{each.bootstrap}"]}}' for name, each in clusters.items())
    (tmp_path / "fleet.yaml").write_text("\n".join(["clusters:", *entries]))
    for number, kept in enumerate(
        ("", "2 of 2 clusters have not changed since 0", "1 of 2 clusters have not changed since 1")
    ):
        ran = run(
            "collect",
            "--inventory",
            tmp_path / "fleet.yaml",
            "--out",
            tmp_path / f"fleet/{number}",
            "--engine",
            "local",
        )
        assert ran.code == 0, ran.err
        last = ("--since-last", tmp_path / f"audits/{number - 1}") if number else ()
        ran = audit(tmp_path / f"fleet/{number}", tmp_path / f"audits/{number}", *last)
        assert kept in ran.out, ran.out + ran.err
        for cluster in clusters.values():
            serve(cluster, number + 2)
        if number == 1:
            clusters["kraft"].create("payments", 1, 1)
