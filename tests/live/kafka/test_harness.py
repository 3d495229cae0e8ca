"""The real Kafka that other tests stand on: it starts, fails on demand, recovers, and leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live.kafka import jars
from tests.live.kafka.harness import Cluster, NodeDied, needs_kafka, why_not
from tests.live.kafka.jars import NoKafka, libs
from tests.live.kafka.logs import batches, values
from tests.live.kafka.node import until
from tests.live.kafka.ports import Ports, is_free
from tests.support.commands import ROOT

KRAFT, ZOOKEEPER = "4.3.1", "3.9.2"
ALONE = """
import sys, time, pathlib
from tests.live.kafka.harness import Cluster
with Cluster.zookeeper(pathlib.Path(sys.argv[1]), brokers=1) as cluster:
    print(*[node.pid for node in cluster.everyone.values()], flush=True)
    time.sleep(600)
"""


def test_kraft(tmp_path: Path) -> None:
    needs_kafka(KRAFT)
    with Cluster.kraft(tmp_path, version=KRAFT, racks={1: "a"}, node_config={2: {"num.io.threads": 3}}) as cluster:
        cluster.create("t", assignment=[[1, 2, 3]], config={"min.insync.replicas": 2})
        assert cluster.produce("t", 0, ["a", "b"]) == [0, 1]
        fails_over(cluster)
        assert cluster.partition("t").elr == []
        one_of_two_in_sync(cluster)
        assert "broker.rack=a\n" in cluster.nodes[1].properties.read_text()
        assert "num.io.threads=3\n" in cluster.nodes[2].properties.read_text()


def fails_over(cluster: Cluster) -> None:
    cluster.nodes[1].kill()
    assert cluster.wait("t", leader=2, isr={2, 3}).replicas == [1, 2, 3]
    cluster.nodes[1].start()
    cluster.wait("t", leader=2, isr={1, 2, 3})
    assert cluster.consume("t", 0) == ["a", "b"]


def one_of_two_in_sync(cluster: Cluster) -> None:
    assert values(cluster.nodes[3], "t", 0) == ["a", "b"]
    assert cluster.cut_tail(cluster.nodes[3], "t", 0) == 1
    assert values(cluster.nodes[3], "t", 0) == ["a"]
    cluster.nodes[1].pause()
    cluster.wait("t", leader=2, isr={2})
    assert cluster.produce("t", 0, ["refused"]) == ["NOT_ENOUGH_REPLICAS"]
    cluster.nodes[1].resume()
    cluster.replace_disk(cluster.nodes[3])
    cluster.nodes[3].start()
    cluster.wait("t", isr={1, 2, 3})
    assert cluster.consume("t", 0) == ["a", "b"]


def test_zookeeper(tmp_path: Path) -> None:
    needs_kafka(ZOOKEEPER)
    with Cluster.zookeeper(tmp_path, version=ZOOKEEPER, chroot="/kafka") as cluster:
        assert cluster.zookeeper_connect.endswith("/kafka")
        cluster.create("t", assignment=[[1, 2, 3]])
        assert cluster.produce("t", 0, ["a"], acks="1") == [0]
        assert cluster.produce("t", 0, ["b"], acks="all") == [1]
        fails_over(cluster)
        assert cluster.partition("t").elr is None
        cluster.nodes[3].stop()
        cluster.wait("t", isr={1, 2})


def test_a_secured_cluster_tells_its_users_apart(tmp_path: Path) -> None:
    needs_kafka(KRAFT)
    with Cluster.kraft(tmp_path, brokers=1, version=KRAFT, secured=True) as cluster:
        cluster.create("t", rf=1)
        cluster.create("hidden", rf=1)
        assert cluster.produce("t", 0, ["a"]) == [0]
        cluster.add_user("reader", "secret")
        cluster.allow("reader", "topic", "t", ["describe"])
        admin = cluster.admin("reader")
        assert set(admin.list_topics(timeout=10).topics) == {"t"}
        assert 'username="reader" password="secret"' in cluster.properties("reader")
        assert "sasl.username=reader\n" in cluster.properties("reader", style="librdkafka")


def test_a_node_that_dies_early_fails_with_its_log(tmp_path: Path) -> None:
    needs_kafka(ZOOKEEPER)
    with pytest.raises(NodeDied, match=r"log\.retention\.bytes"):
        Cluster.zookeeper(tmp_path, brokers=1, version=ZOOKEEPER, config={"log.retention.bytes": "many"}).__enter__()


def test_nothing_outlives_a_killed_test(tmp_path: Path) -> None:
    needs_kafka(ZOOKEEPER)
    command = [sys.executable, "-c", ALONE, str(tmp_path)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
    assert child.stdout is not None
    pids = [int(word) for word in child.stdout.readline().split()]
    child.kill()
    child.communicate()
    assert len(pids) == 2
    until(lambda: not any(exists(pid) for pid in pids), lambda: f"{pids} end", timeout=10)


def exists(pid: int) -> bool:
    """Whether a process exists that is not a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] in "ZX")


def test_ports_are_free_and_never_shared() -> None:
    first, second = Ports(), Ports()
    taken = [ports.take() for ports in (first, second) for _ in range(20)]
    assert len(set(taken)) == 40
    assert all(is_free(port) for port in taken)
    first.give_back()
    second.give_back()


def test_where_no_kafka_is_the_reason_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KAFKA_ADVISOR_CACHE", str(tmp_path))
    monkeypatch.delenv("KAFKA_HOME", raising=False)
    monkeypatch.setattr(shutil, "which", lambda name, path=None: None)
    monkeypatch.setattr(jars, "java", lambda version: "java")
    monkeypatch.setattr(jars, "libs", libs.__wrapped__)
    assert why_not(KRAFT) == "neither mvn nor KAFKA_HOME"
    monkeypatch.setenv("KAFKA_HOME", str(tmp_path))
    assert why_not(KRAFT) == f"KAFKA_HOME is {tmp_path}, which is not {KRAFT}, and no mvn"
    (tmp_path / "libs").mkdir()
    (tmp_path / "libs" / f"kafka_2.13-{KRAFT}.jar").touch()
    assert why_not(KRAFT) is None


def test_missing_kafka_skips_but_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(version: str) -> str:
        raise NoKafka("no java")

    monkeypatch.setattr(jars, "java", none)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no java"):
        needs_kafka(KRAFT)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no java"):
        needs_kafka(KRAFT)


def test_batches_are_found_where_they_begin() -> None:
    batch = (0).to_bytes(8, "big") + (3).to_bytes(4, "big") + b"abc"
    assert batches(batch * 3) == [0, 15, 30]
    assert batches(b"") == []


def test_a_paused_node_is_running_and_not_alive(tmp_path: Path) -> None:
    from tests.live.kafka.node import Node

    node = Node(1, 1, tmp_path, "600", {}, ["/bin/sh", "-c", "exec sleep $0"])
    node.start()
    node.pause()
    assert (node.running(), node.alive()) == (True, False)
    node.kill()
    assert not node.running()
    assert node.process is not None
    assert node.process.returncode == -signal.SIGKILL
