"""A plan for a broken cluster, carried out by Kafka's own tools: every command is accepted, and what was promised is gone."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.kafka.harness import Cluster, needs_kafka
from tests.live.kafka.node import until
from tests.support.commands import Ran, run

VERSION = "4.3.1"
CONFIG = {
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "6",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.num.partitions": "4",
    "unclean.leader.election.enable": "true",
    "default.replication.factor": "3",
}
TOOLS = {
    "kafka-configs.sh": "kafka.admin.ConfigCommand",
    "kafka-reassign-partitions.sh": "org.apache.kafka.tools.reassign.ReassignPartitionsCommand",
    "kafka-topics.sh": "org.apache.kafka.tools.TopicCommand",
    "kafka-features.sh": "org.apache.kafka.tools.FeatureCommand",
    "kafka-metadata-quorum.sh": "org.apache.kafka.tools.MetadataQuorumCommand",
}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three brokers in one rack, with the feature levels of 4.0; internal topics and `orders` with one replica, `payments` with two."""
    needs_kafka(VERSION)
    with Cluster.kraft(tmp_path_factory.mktemp("broken"), config=CONFIG, features_of="4.0") as running:
        running.create("orders", assignment=[[1], [2], [3]])
        running.create("payments", assignment=[[1, 2], [2, 3]], config={"unclean.leader.election.enable": "true"})
        for partition in range(3):
            running.produce("orders", partition, [f"record-{number}" for number in range(50)])
        running.consume("orders", 0)
        yield running


def snapshot(cluster: Cluster, file: Path) -> Path:
    saved = run("snapshot", "--bootstrap-server", cluster.bootstrap, "-o", file)
    assert saved.code == 0, saved.err
    return file


def tools(cluster: Cluster, folder: Path) -> Path:
    """Kafka's scripts, as its distribution has them."""
    folder.mkdir()
    for name, main in TOOLS.items():
        words = " ".join(f"'{word}'" for word in [*cluster.java, main])
        (folder / name).write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        (folder / name).chmod(0o755)
    return folder


def keys(ran: Ran) -> set[tuple[str, str]]:
    return {(row["rule"], row["entity"]["name"]) for row in ran.json["findings"]}


def test_a_plan_is_accepted_by_kafka_and_keeps_its_promises(cluster: Cluster, tmp_path: Path) -> None:
    file = snapshot(cluster, tmp_path / "before.json")
    plan = run("advise", file, "--format", "json").json
    ids = [step["id"] for step in plan["steps"]]
    assert ids[:3] == ["unclean-off", "internal-replicas", "replicas"]
    assert "min-isr" in ids
    assert ids[-1] == "features"
    (tmp_path / "plan.sh").write_text(run("advise", file, "--format", "script").out)
    path = f"{tools(cluster, tmp_path / 'bin')}:{os.environ['PATH']}"
    played = subprocess.run(
        ["sh", str(tmp_path / "plan.sh")],
        input="y\n" * 50,
        env={**os.environ, "BOOTSTRAP": cluster.bootstrap, "PATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert played.returncode == 0, played.stdout + played.stderr
    assert "Error" not in played.stdout, played.stdout
    assert "left out" not in played.stderr, played.stderr
    for topic, partitions in (("orders", 3), ("payments", 2)):
        for partition in range(partitions):
            cluster.wait(topic, partition, isr={1, 2, 3}, timeout=60)
    by_command = [row for step in plan["steps"] if step["how"]["commands"] for row in step["removes"]]
    promised = {(row["rule"], row["name"]) for row in by_command}
    assert promised
    before = keys(run("check", file, "--format", "json"))

    def gone() -> set[tuple[str, str]]:
        return before - keys(run("check", snapshot(cluster, tmp_path / "after.json"), "--format", "json"))

    until(lambda: promised <= gone(), lambda: f"gone are {gone()}, promised {promised}", 60)
    after = run("check", tmp_path / "after.json", "--format", "json")
    new = {row["rule"]: row["severity"] for row in after.json["findings"] if (row["rule"], row["entity"]["name"]) not in before}  # fmt: skip
    assert not [rule for rule, severity in new.items() if severity in ("medium", "high", "critical")], new
    assert "orders" not in {name for _, name in keys(after)}
